// Marks the words that differ between two texts if that helps: texts with little in common are easier to read side by
// side, and take longest to compare.

import { diffWordsWithSpace, wordsWithSpaceDiff } from "diff";

/** A stretch of text that both have, or only one of them. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** The least share of common characters, of the longer text, for marks to be useful. */
const ALIKE = 0.4;

/** Scripts that are written without spaces, in which every character is compared. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;

/**
 * The changes from `before` to `after`, or undefined if they are mostly different, except for single words. `edits`
 * limits the work by steps, not by time, so that the result is the same on every machine.
 */
export function wordDiff(before: string, after: string, edits: number): readonly DiffPart[] | undefined {
  if (before === after) return [{ kind: "same", text: before }];
  if (!isWord(before) || !isWord(after)) return changesOf(before, after, edits);
  // Labels and numbers.
  const isSplit = WITHOUT_SPACES.test(before) && WITHOUT_SPACES.test(after);
  return (
    (isSplit ? changesOf(before, after, edits) : undefined) ?? [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]
  );
}

function changesOf(before: string, after: string, edits: number): readonly DiffPart[] | undefined {
  // Texts of very different lengths have little in common.
  const [short, long] = [before.length, after.length].sort((a, b) => a - b) as [number, number];
  if (short < ALIKE * long) return undefined;
  // Comparing unrelated texts takes a millisecond, and a grid has dozens of cells.
  const { characters, edits: fewest } = mostInCommon(before, after);
  if (characters < ALIKE * long || fewest > edits) return undefined;
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

function isWord(text: string): boolean {
  return text !== "" && !/\s/.test(text);
}

/** Bounds that hold for any order of words: the most common characters, and the fewest edits. */
function mostInCommon(
  before: string,
  after: string,
): { readonly characters: number; readonly edits: number } {
  const [first, second] = [wordsWithSpaceDiff.tokenize(before), wordsWithSpaceDiff.tokenize(after)];
  const left = new Map<string, number>();
  for (const token of first) left.set(token, (left.get(token) ?? 0) + 1);
  let characters = 0;
  let tokens = 0;
  for (const token of second) {
    const times = left.get(token) ?? 0;
    if (times === 0) continue;
    left.set(token, times - 1);
    characters += token.length;
    tokens++;
  }
  return { characters, edits: first.length + second.length - 2 * tokens };
}
