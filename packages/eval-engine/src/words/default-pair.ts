// Which evaluations are compared when none is named: the command, the page and the demo choose the same.

import type { CountedEvaluation } from "../trials/evaluation-entry.ts";
import { cutText } from "./cut-text.ts";

/** What is compared. */
export interface DefaultPair {
  /** The latest before the newest that shares rows with it; undefined when none does. */
  readonly baseline: CountedEvaluation | undefined;
  /** The newest that has rows; undefined when none has. */
  readonly candidate: CountedEvaluation | undefined;
  /** How many were chosen among: those that have rows. */
  readonly among: number;
  /** How many of them are known to be on another dataset than the newest: another task, most likely. */
  readonly elsewhere: number;
}

/** The pair of a project's evaluations, which come by start. `sharesRows` says whether two have a row in common. */
export async function defaultPair(
  listed: readonly CountedEvaluation[],
  sharesRows: (ids: readonly [string, string]) => Promise<boolean>,
): Promise<DefaultPair> {
  const [candidate, ...before] = listed.filter(({ rows }) => rows > 0).toReversed();
  const among = candidate === undefined ? 0 : before.length + 1;
  const elsewhere = before.filter(
    ({ dataset }) => dataset !== null && candidate!.dataset !== null && dataset !== candidate!.dataset,
  ).length;
  for (const baseline of before)
    if (await sharesRows([baseline.id, candidate!.id])) return { baseline, candidate, among, elsewhere };
  return { baseline: undefined, candidate, among, elsewhere };
}

/** What a default pair was chosen among, and how to choose: undefined where there was no choice. */
export function pairSentence({ baseline, candidate, among, elsewhere }: DefaultPair): string | undefined {
  if (baseline === undefined || candidate === undefined || among < 3) return undefined;
  const [a, b] = [baseline, candidate].map(({ id, name }) => cutText(name ?? id));
  const others =
    elsewhere === 0 ? "" : `, and ${elsewhere} ${elsewhere === 1 ? "is" : "are"} on other datasets`;
  return `of ${among} evaluations, ${b} is the newest, and ${a} the latest before it with rows of it${others}; name a baseline and candidates to compare others`;
}
