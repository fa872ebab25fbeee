// Which choice a piece of an answer belongs to.

import { nonsense } from "./nonsense.ts";

/** Which of `choices` a piece belongs to, the one at `position` of those that came `together`. With one choice there is nothing to mix up; with more, a wrong index is fatal. */
export function choiceIndex(raw: unknown, position: number, together: number, choices: number): number {
  if (choices === 1) {
    if (together > 1) throw nonsense("more choices than were asked for");
    return 0;
  }
  // Without indexes, a chunk that has them all has them in order.
  const index = raw ?? (together === choices ? position : undefined);
  if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= choices) {
    throw nonsense("a choice with a wrong index");
  }
  return index as number;
}
