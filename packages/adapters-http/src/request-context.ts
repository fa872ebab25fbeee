// The current request and its owner: for error reports during a request, and for sharing the server's time between
// keys.

import { AsyncLocalStorage } from "node:async_hooks";
import { Fault } from "@assay/base";
import { type KeyedSemaphore, nextTurn, shareTurnsBy } from "@assay/base/internal";

interface CurrentRequest {
  readonly id: string;
  by?: RequestOwner;
}

/** The owner of a request, with consequences for its work. */
export interface RequestOwner {
  /** The ID of the key. */
  readonly key: string;
  /** Limits the chunks that are made concurrently. */
  readonly pieces: KeyedSemaphore;
  /** The request, which is aborted when the client disconnects. */
  readonly request: Request;
}

const current = new AsyncLocalStorage<CurrentRequest>();
shareTurnsBy(() => current.getStore()?.by?.key ?? "");

/** Runs `work` as part of the request with this ID. */
export function asPartOf<T>(id: string, work: () => T): T {
  return current.run({ id }, work);
}

/** Sets the owner of the current request. */
export function setRequestOwner(by: RequestOwner): void {
  const asked = current.getStore();
  if (asked !== undefined) asked.by = by;
}

/** A function that runs work as part of the current request. */
export function inThisContext(): <T>(work: () => T) => T {
  const asked = current.getStore();
  return (work) => (asked === undefined ? work() : current.run(asked, work));
}

/**
 * Makes a chunk of an answer when it is its key's turn. Throws a `cancelled` fault if the client has disconnected by
 * then.
 */
export async function makePiece<T>(make: () => Promise<T>): Promise<T> {
  const by = current.getStore()?.by;
  if (by === undefined) return make();
  return by.pieces.run(by.key, async () => {
    // Yields between chunks: those from memory never wait, so that without pauses they would be one long turn.
    await nextTurn();
    if (by.request.signal.aborted) throw new Fault("cancelled", "the client disconnected");
    return make();
  });
}

/** The ID of the current request, for error reports; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.id;
}
