// How a long read yields to others, and ends when its client has left.

import { type Cancellation, Fault } from "@assay/base";

/** How a read is run: by default in one go, to its end. */
export interface Reading {
  /** Called often: a promise to wait for while other work runs, or nothing when it is too early for that. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
  /** Aborted when the client has left. */
  readonly signal?: Cancellation | undefined;
}

/** Lets others run. Throws a `cancelled` fault when the client has left. */
export async function giveWay({ pause, signal }: Reading): Promise<void> {
  await pause?.();
  checkWanted({ signal });
}

/** Throws a `cancelled` fault when the client has left. */
export function checkWanted({ signal }: Reading): void {
  if (signal?.aborted === true) throw new Fault("cancelled", "the client has left");
}
