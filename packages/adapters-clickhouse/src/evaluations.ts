// What evaluations there are: the parents of trials.

import type { Call } from "@assay/eval-engine";
import { microseconds } from "@assay/eval-engine";
import { compareText } from "@assay/query-lang";
import { callReader } from "./calls.ts";
import type { ClickHouse } from "./clickhouse.ts";
import type { Tables } from "./schema.ts";
import { Parameters } from "./sql/statement.ts";

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
  /** Distinct rows that were tried. */
  readonly rows: number;
}

/** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
export async function listEvaluations(
  clickhouse: ClickHouse,
  tables: Tables,
  project: string,
): Promise<readonly EvaluationEntry[]> {
  const parameters = new Parameters();
  const sql = `SELECT evaluation, count(), uniqExact(digest) FROM ${tables.trials} FINAL WHERE project = ${parameters.text(project)} GROUP BY evaluation`;
  const counts = new Map(
    (await clickhouse.query(parameters.statement(sql))).map(([id, trials, rows]) => [
      id as string,
      { trials: Number(trials), rows: Number(rows) },
    ]),
  );
  const roots = await callReader(clickhouse, tables).read(project, [...counts.keys()]);
  return [...roots.values()]
    .filter(({ deleted_at }) => deleted_at === null)
    .map((call) => ({ ...entryOf(call), ...counts.get(call.id)! }))
    .sort(byStart);
}

function entryOf({ id, display_name, inputs, started_at, ended_at }: Call) {
  const model = typeof inputs === "object" && inputs !== null && "model" in inputs ? inputs["model"] : null;
  return { id, name: display_name, model: typeof model === "string" ? model : null, started_at, ended_at };
}

function byStart(a: EvaluationEntry, b: EvaluationEntry): number {
  const [x, y] = [a, b].map(({ started_at }) => microseconds(started_at)) as [number, number];
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || compareText(a.id, b.id);
  return x - y || compareText(a.id, b.id);
}
