// Lets a long read yield to other work, and end when its client has disconnected.

import { type Cancellation, Fault } from "@assay/base";

/** How to run a long read. Default: without pauses. */
export interface ReadContext {
  /** Called often. Returns a promise to await while other work runs, or undefined if no pause is due. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
  /** Aborted when the client disconnects. */
  readonly signal?: Cancellation | undefined;
}

/** Lets other work run. Throws a `cancelled` fault if the client has disconnected. */
export async function yieldNow({ pause, signal }: ReadContext): Promise<void> {
  await pause?.();
  throwIfCancelled({ signal });
}

/** Throws a `cancelled` fault if the client has disconnected. */
export function throwIfCancelled({ signal }: ReadContext): void {
  if (signal?.aborted === true) throw new Fault("cancelled", "the client disconnected");
}
