// The query that runs first because its result determines the text of the other statements.

import type { ResultRows, Statement } from "../connection/clickhouse.ts";
import { Parameters, type Sql } from "./statement.ts";
import type { Preflight, QueryContext } from "./trials-sql.ts";

// Takes the place of a shape in the row that reports that a requested ID is a trial. Shapes are never empty.
const NESTED = "";

/** Rows for `aheadOf`; undefined if it needs none. */
export function preflightStatement({
  tables,
  project,
  query,
}: Omit<QueryContext, keyof Preflight>): Statement | undefined {
  const parameters = new Parameters();
  const [p, evaluations] = [parameters.text(project), parameters.texts(query.evaluations)];
  const from = `${tables.trials} WHERE project = ${p} AND evaluation IN ${evaluations} AND deleted = 0`;
  const asked: Sql[] = [];
  // Rare, and found by the index.
  if (query.evaluations.length > 1)
    asked.push(`SELECT '${NESTED}' AS found FROM ${from} AND id IN ${evaluations} LIMIT 1`);
  // Grouped only by shape, whose few names ClickHouse groups by number: a third of the time of grouping by evaluation
  // too.
  if (query.summary) asked.push(`SELECT toString(shape) AS found FROM ${from} GROUP BY shape`);
  return asked.length === 0 ? undefined : parameters.statement(asked.join(" UNION ALL "));
}

/** The result of `aheadStatement`. */
export function preflightOf(rows: ResultRows): Preflight {
  const found = rows.map(([found]) => found as string);
  return { nested: found.includes(NESTED), shapes: found.filter((shape) => shape !== NESTED) };
}
