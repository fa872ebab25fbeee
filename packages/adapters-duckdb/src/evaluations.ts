// What evaluations there are: the parents of predict-and-score calls.

import { type Call, isPredictAndScore, microseconds } from "@assay/eval-engine";
import { compareText } from "@assay/query-lang";
import { countByParent, findById, opNames } from "./call-index.ts";
import { readCalls } from "./call-text.ts";
import type { Database } from "./database.ts";
import { idHash } from "./id-hash.ts";
import type { Journal } from "./journal.ts";
import type { Projects } from "./projects.ts";

/** One evaluation in a project. */
export interface EvaluationEntry {
  /** Its root call's id. */
  readonly id: string;
  /** Its display name, or null. */
  readonly name: string | null;
  /** The model's reference or name, when it is a text. */
  readonly model: string | null;
  /** ISO 8601. */
  readonly started_at: string | null;
  /** Null while it is running. */
  readonly ended_at: string | null;
  /** Predict-and-score calls so far. */
  readonly trials: number;
}

/** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
export async function listEvaluations(
  database: Database,
  journal: Journal,
  projects: Projects,
  seed: number,
  name: string,
): Promise<readonly EvaluationEntry[]> {
  const project = projects.find(name);
  if (project === undefined) return [];
  const ops = (await opNames(database, project.number)).filter((op_name) => isPredictAndScore({ op_name }));
  if (ops.length === 0) return [];
  const trials = await countByParent(database, project.number, ops);
  const roots = (await findById(database, project.number, [...trials.keys()])).filter(
    ({ deletedAt }) => deletedAt === null,
  );
  return readCalls(journal, roots)
    .map((call) => entryOf(call, trials.get(idHash(call.id, project.number, seed)) ?? 0))
    .sort(byStart);
}

function entryOf({ id, display_name, inputs, started_at, ended_at }: Call, trials: number): EvaluationEntry {
  const model = typeof inputs === "object" && inputs !== null && "model" in inputs ? inputs["model"] : null;
  return {
    id,
    name: display_name,
    model: typeof model === "string" ? model : null,
    started_at,
    ended_at,
    trials,
  };
}

function byStart(a: EvaluationEntry, b: EvaluationEntry): number {
  const [x, y] = [a, b].map(({ started_at }) => microseconds(started_at)) as [number, number];
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || compareText(a.id, b.id);
  return x - y || compareText(a.id, b.id);
}
