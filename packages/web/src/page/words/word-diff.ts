// Which words differ between two texts, where that helps: texts that have little in common are told apart by reading
// them side by side, and looking for their differences takes longest.

import { diffWordsWithSpace } from "diff";

/** A stretch of text that both have, or one of them alone. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Characters in common, of the longer text, below which marks say nothing. */
const ALIKE = 0.4;

/**
 * What became of `before` in `after`, or undefined where they are mostly different. `edits` bounds the work by what is
 * done, not by time, so that the answer is the same on every machine.
 */
export function wordDiff(before: string, after: string, edits: number): readonly DiffPart[] | undefined {
  if (before === after) return [{ kind: "same", text: before }];
  // Of texts of very different lengths little can be in common.
  const [short, long] = [before.length, after.length].sort((a, b) => a - b) as [number, number];
  if (short < ALIKE * long) return undefined;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: edits });
  if (changes === undefined) return undefined;
  const same = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length),
    0,
  );
  if (same < ALIKE * long) return undefined;
  return changes.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}
