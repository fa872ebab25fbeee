// Which request is being answered, and whose: for error reports in the middle of it, and for keys to share the time of
// the server.

import { AsyncLocalStorage } from "node:async_hooks";
import { Fault } from "@assay/base";
import { type KeyedSemaphore, nextTurn, shareTurnsBy } from "@assay/base/internal";

interface Asked {
  readonly id: string;
  by?: Asker;
}

/** Whose a request is, and what that means for the work on it. */
export interface Asker {
  /** The id of the key. */
  readonly key: string;
  /** Bounds the pieces that are made at once. */
  readonly pieces: KeyedSemaphore;
  /** The request, which is aborted when the client leaves. */
  readonly request: Request;
}

const current = new AsyncLocalStorage<Asked>();
shareTurnsBy(() => current.getStore()?.by?.key ?? "");

/** Runs `work` as part of the request with this id. */
export function asPartOf<T>(id: string, work: () => T): T {
  return current.run({ id }, work);
}

/** Says whose the request is that is being answered. */
export function askedBy(by: Asker): void {
  const asked = current.getStore();
  if (asked !== undefined) asked.by = by;
}

/** A function that runs work as part of the request that is being answered now. */
export function inThisContext(): <T>(work: () => T) => T {
  const asked = current.getStore();
  return (work) => (asked === undefined ? work() : current.run(asked, work));
}

/** Makes a piece of an answer, when others of its key are made. Throws a `cancelled` fault when the client has left by then. */
export async function makePiece<T>(make: () => Promise<T>): Promise<T> {
  const by = current.getStore()?.by;
  if (by === undefined) return make();
  return by.pieces.run(by.key, async () => {
    // Pieces of what is in memory wait for nothing: one after the other, they would be one long turn.
    await nextTurn();
    if (by.request.signal.aborted) throw new Fault("cancelled", "the client has left");
    return make();
  });
}

/** The id of the request that is being answered, for error reports; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.id;
}
