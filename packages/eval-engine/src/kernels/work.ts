// Lets other work run during a long query: work is counted, and after a certain amount the query pauses and checks
// whether it was cancelled.

import { type Cancellation, Fault } from "@assay/base";

// The array items touched between two pauses: about three milliseconds.
const STRETCH = 2_000_000;

/** The work of parsing a stored JSON value, in array items touched. */
export const PARSE_COST = 8_000;

/** The work of one query. */
export class Work {
  private done = 0;
  private readonly pause: (() => Promise<void>) | undefined;
  private readonly signal: Cancellation | undefined;

  constructor(pause?: () => Promise<void>, signal?: Cancellation) {
    this.pause = pause;
    this.signal = signal;
  }

  /**
   * Counts `items` of work. Returns a promise to await if it is time to pause, and undefined otherwise, so that short
   * work runs without a break. The promise rejects with a `cancelled` fault if the query was cancelled.
   */
  spend(items: number): Promise<void> | undefined {
    this.done += items;
    if (this.done < STRETCH) return undefined;
    this.done = 0;
    return this.rest();
  }

  /** Throws a `cancelled` fault if the query was cancelled. */
  check(): void {
    if (this.signal?.aborted === true) throw new Fault("cancelled", "the query was cancelled");
  }

  private async rest(): Promise<void> {
    await this.pause?.();
    this.check();
  }
}

/**
 * Runs `body` for slices of this many items, one after the other, with pauses between them. `body` returns the work of
 * a slice, in array items touched.
 */
export async function chunked(
  work: Work,
  { length, slice }: { readonly length: number; readonly slice: number },
  body: (from: number, to: number) => number,
): Promise<void> {
  for (let from = 0; from < length; from += slice) {
    const pause = work.spend(body(from, Math.min(from + slice, length)));
    if (pause !== undefined) await pause;
  }
}
