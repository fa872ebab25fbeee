// Aligns two conversations: turns of the same role and kind, in order, are next to each other.

import { diffArrays } from "diff";
import type { Turn } from "../values/conversation.ts";

/** A turn of either side or of both. */
export type TurnPair = readonly [Turn | undefined, Turn | undefined];

/** The most pairs of turns that are compared; longer conversations are paired by position. */
const MOST_PAIRS = 250_000;

/** The turns of both, each once, in order, with as many pairs as possible. */
export function turnPairs(before: readonly Turn[], after: readonly Turn[]): readonly TurnPair[] {
  if (before.length * after.length > MOST_PAIRS)
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => [before[at], after[at]]);
  let [i, j] = [0, 0];
  return diffArrays(before.map(keyOf), after.map(keyOf)).flatMap(({ added, removed, value }) =>
    value.map((): TurnPair => [added ? undefined : before[i++], removed ? undefined : after[j++]]),
  );
}

function keyOf(turn: Turn): string {
  return JSON.stringify([turn.role, turn.kind, turn.kind === "call" ? turn.name : ""]);
}
