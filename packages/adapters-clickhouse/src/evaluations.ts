// Lists evaluations: the parents of trials.

import type { CountedEvaluation } from "@assay/eval-engine";
import { byStart, evaluationEntry } from "@assay/eval-engine/internal";
import { callReader } from "./calls/calls.ts";
import type { ClickHouse } from "./connection/clickhouse.ts";
import type { Tables } from "./connection/schema.ts";
import { Parameters } from "./sql/statement.ts";

/** The evaluations of a project with a logged root call, by start (unknown last), then ID. */
export async function listEvaluations(
  clickhouse: ClickHouse,
  tables: Tables,
  project: string,
): Promise<readonly CountedEvaluation[]> {
  const parameters = new Parameters();
  const sql = `SELECT evaluation, count(), uniqExact(digest) FROM ${tables.trials} FINAL WHERE project = ${parameters.text(project)} GROUP BY evaluation`;
  const counts = new Map(
    (await clickhouse.query(parameters.statement(sql))).map(([id, trials, rows]) => [
      id as string,
      { trials: Number(trials), rows: Number(rows) },
    ]),
  );
  const roots = await callReader(clickhouse, tables).read(project, [...counts.keys()]);
  const live = [...roots.values()].filter(({ deleted_at }) => deleted_at === null);
  // The dataset is in the payloads, which a list does not read.
  return byStart(
    live.map((root) => {
      const { trials, rows } = counts.get(root.id)!;
      return { ...evaluationEntry(root, trials), rows, dataset: null };
    }),
  );
}

/** The projects that have evaluations. */
export async function listProjects(clickhouse: ClickHouse, tables: Tables): Promise<readonly string[]> {
  const sql = `SELECT DISTINCT project FROM ${tables.trials}`;
  return (await clickhouse.query(new Parameters().statement(sql))).map(([name]) => name as string);
}
