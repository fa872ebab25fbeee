// Aligns two conversations: turns of the same role and kind, in order, are next to each other.

import type { Turn } from "../values/conversation.ts";

/** A turn of either side or of both. */
export type TurnPair = readonly [Turn | undefined, Turn | undefined];

/** The most pairs of turns that are compared; longer conversations are paired by position. */
const MOST_PAIRS = 250_000;

/** The turns of both, each once, in order, with as many pairs as possible. */
export function turnPairs(before: readonly Turn[], after: readonly Turn[]): readonly TurnPair[] {
  if (before.length * after.length > MOST_PAIRS)
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => [before[at], after[at]]);
  const [left, right] = [before.map(keyOf), after.map(keyOf)];
  // common[i][j]: the most pairs of the turns from i and from j on.
  const common = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      common[i]![j] =
        left[i] === right[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const pairs: TurnPair[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && left[i] === right[j]) pairs.push([before[i++], after[j++]]);
    else if (j === right.length || (i < left.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      pairs.push([before[i++], undefined]);
    else pairs.push([undefined, after[j++]]);
  }
  return pairs;
}

function keyOf(turn: Turn): string {
  return JSON.stringify([turn.role, turn.kind, turn.kind === "call" ? turn.name : ""]);
}
