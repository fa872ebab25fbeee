// Determines which choice a piece of an answer belongs to.

import { malformedStream } from "./stream-faults.ts";

/**
 * The index, below `choices`, of the choice that a piece belongs to; the piece is at `position` of those that came
 * `together`. With one choice a wrong index is harmless; with more, it is fatal.
 */
export function choiceIndex(raw: unknown, position: number, together: number, choices: number): number {
  if (choices === 1) {
    if (together > 1) throw malformedStream("more choices than were requested");
    return 0;
  }
  // Without indexes, a chunk with all choices has them in order.
  const index = raw ?? (together === choices ? position : undefined);
  if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= choices) {
    throw malformedStream("a choice with a wrong index");
  }
  return index as number;
}
