// The evaluations to compare if the user names none: the command, the page and the demo choose the same pair.

import type { CountedEvaluation } from "../trials/evaluation-entry.ts";
import { isSameDataset } from "../trials/ref-name.ts";
import { cutText } from "./cut-text.ts";
import { distinctLabels } from "./distinct-labels.ts";

/** The pair to compare by default. */
export interface DefaultPair {
  /**
   * The latest earlier evaluation that shares rows with the newest, of the same dataset if there is one; undefined if
   * none shares rows.
   */
  readonly baseline: CountedEvaluation | undefined;
  /** The newest evaluation with rows; undefined if no evaluation has rows. */
  readonly candidate: CountedEvaluation | undefined;
  /** The number of evaluations with rows, from which the pair was chosen. */
  readonly among: number;
  /** How many of them are known to use another dataset than the newest. */
  readonly elsewhere: number;
}

/**
 * The default pair of a project's evaluations, which must be ordered by start. `sharesRows` tells whether two have a
 * row in common.
 */
export async function defaultPair(
  listed: readonly CountedEvaluation[],
  sharesRows: (ids: readonly [string, string]) => Promise<boolean>,
): Promise<DefaultPair> {
  const [candidate, ...before] = listed.filter(({ rows }) => rows > 0).toReversed();
  const among = candidate === undefined ? 0 : before.length + 1;
  const isOfSame = ({ dataset }: CountedEvaluation): boolean => isSameDataset(dataset, candidate!.dataset);
  const others = before.filter((one) => !isOfSame(one));
  const elsewhere = candidate?.dataset == null ? 0 : others.filter(({ dataset }) => dataset !== null).length;
  // Rows of two datasets may have the same ids without being the same.
  const named = before.filter(({ dataset }) => dataset === candidate!.dataset);
  for (const baseline of new Set([...named, ...before.filter(isOfSame), ...others]))
    if (await sharesRows([baseline.id, candidate!.id])) return { baseline, candidate, among, elsewhere };
  return { baseline: undefined, candidate, among, elsewhere };
}

/**
 * Whether it is known that one came before the other: by their times, or as evaluations of one imported file, whose ids
 * begin with their number in it.
 */
function isOrdered(a: CountedEvaluation, b: CountedEvaluation): boolean {
  if (a.started_at !== b.started_at) return a.started_at !== null && b.started_at !== null;
  return a.dataset === b.dataset && a.id.slice(0, 2) !== b.id.slice(0, 2);
}

/**
 * Whether the baseline is known to be the earlier one. Otherwise the order of the pair has no meaning, as with tables
 * imported one by one, which have no time.
 */
export function isPairOrdered({ baseline, candidate }: DefaultPair): boolean {
  return baseline === undefined || candidate === undefined || isOrdered(baseline, candidate);
}

/** How the default pair was chosen, and how to choose another; undefined if there was no choice. */
export function pairSentence(pair: DefaultPair): string | undefined {
  const { baseline, candidate, among, elsewhere } = pair;
  if (baseline === undefined || candidate === undefined) return undefined;
  const [a, b] = distinctLabels([baseline, candidate]).map((label) => cutText(label));
  if (!isPairOrdered(pair))
    return `${a} and ${b} have no times that say which came first; name the baseline, then its candidates`;
  if (among < 3) return undefined;
  const others = elsewhere === 0 ? "" : ` (${elsewhere} ${elsewhere === 1 ? "uses" : "use"} other datasets)`;
  return `compared ${b}, the newest of ${among} evaluations${others}, with ${a}, the latest earlier one that shares rows with it; to compare others, name a baseline and candidates`;
}
