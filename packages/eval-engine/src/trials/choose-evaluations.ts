// Selects the evaluations of a project to list: some at a time, so that listing a project of thousands is as fast as
// one of three.

import { Fault } from "@assay/base";
import type { CountedEvaluation, EvaluationEntry } from "./evaluation-entry.ts";

/** Which evaluations, and how many of them. */
export interface EvaluationChoice {
  /** Which come first. Default `oldest`; those with an unknown start are last in both orders. */
  readonly order?: "newest" | "oldest";
  /** Only those after this one in the order. */
  readonly after?: string;
  /** At most this many. */
  readonly limit?: number;
  /** Only those that are running, or only those that have ended. */
  readonly running?: boolean;
  /** Only runs of this evaluation object. */
  readonly evaluationRef?: string;
  /** Only those over this dataset. */
  readonly dataset?: string;
  /** Only those with one of these IDs or names. */
  readonly named?: readonly string[];
}

// The number of evaluations counted together if only their counts decide the choice.
const TOGETHER = 256;

/**
 * The choice among some evaluations, which are ordered by start (unknown last). `count` reads their rows: it is called
 * for no more than are shown, unless they are chosen by dataset. Throws a `missing` fault if `after` does not exist.
 */
export async function chooseEvaluations<Entry extends EvaluationEntry>(
  entries: readonly Entry[],
  { order = "oldest", after, limit, running, evaluationRef, dataset, named }: EvaluationChoice,
  count: (some: readonly Entry[]) => readonly CountedEvaluation[] | Promise<readonly CountedEvaluation[]>,
): Promise<readonly CountedEvaluation[]> {
  const ordered = order === "newest" ? newestFirst(entries) : entries;
  const from = after === undefined ? 0 : 1 + ordered.findIndex(({ id }) => id === after);
  if (after !== undefined && from === 0)
    throw new Fault("missing", `no evaluation ${after} to continue the list after`);
  const names = named && new Set(named);
  const fitting = ordered
    .slice(from)
    .filter(
      ({ id, name, ended_at, evaluation_ref }) =>
        (running === undefined || running === (ended_at === null)) &&
        (evaluationRef === undefined || evaluationRef === evaluation_ref) &&
        (names === undefined || names.has(id) || (name !== null && names.has(name))),
    );
  if (dataset === undefined) return count(fitting.slice(0, limit));
  const chosen: CountedEvaluation[] = [];
  for (let i = 0; i < fitting.length && (limit === undefined || chosen.length < limit); i += TOGETHER)
    chosen.push(
      ...(await count(fitting.slice(i, i + TOGETHER))).filter((counted) => counted.dataset === dataset),
    );
  return chosen.slice(0, limit);
}

function newestFirst<Entry extends EvaluationEntry>(entries: readonly Entry[]): readonly Entry[] {
  const known = entries.filter(({ started_at }) => started_at !== null);
  return [...known.toReversed(), ...entries.filter(({ started_at }) => started_at === null)];
}
