// Which of a project's evaluations a list shows: some at a time, so that a project of thousands is listed as fast as one
// of three.

import { Fault } from "@assay/base";
import type { CountedEvaluation, EvaluationEntry } from "./evaluation-entry.ts";

/** Which evaluations, and how many of them. */
export interface EvaluationChoice {
  /** Which come first. Default `oldest`; those whose start is not known are last in both. */
  readonly order?: "newest" | "oldest";
  /** Only those behind this one in the order. */
  readonly after?: string;
  /** At most so many. */
  readonly limit?: number;
  /** Only those that are running, or only those that have ended. */
  readonly running?: boolean;
  /** Only runs of this evaluation object. */
  readonly evaluationRef?: string;
  /** Only those over this dataset. */
  readonly dataset?: string;
}

/**
 * The chosen of some evaluations, which come by start (unknown last). `count` looks at an evaluation's rows: it is asked
 * for no more than are shown, unless they are chosen by dataset. Throws a `missing` fault when `after` is not there.
 */
export async function chooseEvaluations<Entry extends EvaluationEntry>(
  entries: readonly Entry[],
  { order = "oldest", after, limit, running, evaluationRef, dataset }: EvaluationChoice,
  count: (entry: Entry) => CountedEvaluation | Promise<CountedEvaluation>,
): Promise<readonly CountedEvaluation[]> {
  const ordered = order === "newest" ? newestFirst(entries) : entries;
  const from = after === undefined ? 0 : 1 + ordered.findIndex(({ id }) => id === after);
  if (after !== undefined && from === 0)
    throw new Fault("missing", `there is no evaluation ${after} after which the list could go on`);
  const chosen: CountedEvaluation[] = [];
  for (const entry of ordered.slice(from)) {
    if (chosen.length === limit) break;
    if (running !== undefined && running !== (entry.ended_at === null)) continue;
    if (evaluationRef !== undefined && evaluationRef !== entry.evaluation_ref) continue;
    const counted = await count(entry);
    if (dataset === undefined || counted.dataset === dataset) chosen.push(counted);
  }
  return chosen;
}

function newestFirst<Entry extends EvaluationEntry>(entries: readonly Entry[]): readonly Entry[] {
  const known = entries.filter(({ started_at }) => started_at !== null);
  return [...known.toReversed(), ...entries.filter(({ started_at }) => started_at === null)];
}
