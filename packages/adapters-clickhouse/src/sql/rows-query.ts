// The rows of a query in SQL: trials grouped by row, selected by filters and intersection, in order.

import type { EvalQuery, Filter, SortKey } from "@assay/eval-engine/internal";
import type { Statement } from "../connection/clickhouse.ts";
import { conditionSql } from "./condition.ts";
import { type SumPrecision, sortKeySql } from "./sort-keys.ts";
import { Parameters, type Sql } from "./statement.ts";
import { type QueryContext, TrialsSql } from "./trials-sql.ts";

/**
 * The digests of the page in order; the count before the limit is the total. `numeric` has the result of
 * `numericStatement` for each key. Unless it is `any`, the first row also contains what all rows need: see `careFor`.
 */
export function pageStatement(
  context: QueryContext,
  numeric: readonly boolean[],
  care: SumPrecision,
): Statement {
  const { query } = context;
  const sql = new TrialsSql(context);
  const keys = query.sortBy.map((key, k) => sortKeySql(key, k, query, numeric[k]!, care, sql));
  const { columns, having } = rowCondition(query, query.intersect, sql);
  const needs = keys.flatMap(({ needs }) => needs);
  const need = care === "any" ? [] : [`greatest(${["0", ...needs].join(", ")}) AS need`];
  const aggregates = ["digest", ...keys.flatMap(({ aggregates }) => aggregates), ...columns].join(", ");
  const rows = `SELECT ${aggregates} FROM ${sql.from()} GROUP BY digest`;
  const values = ["digest", ...keys.flatMap(({ values }) => values), ...need].join(", ");
  // The most demanding row comes first: if it needs nothing, the order is unchanged. With an offset it may be cut off,
  // so all rows are checked, which takes up to a fifth longer.
  const [most, first] = query.offset === 0 ? [", need", ["need DESC"]] : [", max(need) OVER ()", []];
  const order = [...(care === "any" ? [] : first), ...keys.flatMap(({ order }) => order), "digest"].join(
    ", ",
  );
  const limit = sql.parameters.bind("UInt64", query.limit ?? Number.MAX_SAFE_INTEGER);
  const offset = sql.parameters.bind("UInt64", query.offset);
  return sql.parameters.statement(
    `SELECT digest${care === "any" ? "" : most} FROM ${context.tables.onShards(`SELECT ${values} FROM (${rows}) WHERE ${having}`)} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** The number of rows. */
export function countStatement(context: QueryContext, intersect: boolean): Statement {
  const sql = new TrialsSql(context);
  const rows = `SELECT count() AS n FROM ${selectedDigests(context.query, intersect, sql)}`;
  return sql.parameters.statement(`SELECT sum(n) FROM ${context.tables.onShards(rows)}`);
}

/** On a shard, the digests of the rows that filters and intersection select. */
export function selectedDigests(query: EvalQuery, intersect: boolean, sql: TrialsSql): Sql {
  const { columns, having } = rowCondition(query, intersect, sql);
  return `(SELECT digest FROM (SELECT ${["digest", ...columns].join(", ")} FROM ${sql.from()} GROUP BY digest) WHERE ${having})`;
}

/** Whether every row is selected, because there is nothing to filter or to intersect. */
export function selectsAllRows(query: EvalQuery, intersect: boolean): boolean {
  return query.filters.length === 0 && !(intersect && query.evaluations.length > 1);
}

/** For each sort key by the value of a score: whether any trial that it reads has a number there. */
export function numericStatement(context: QueryContext): Statement | undefined {
  const { query } = context;
  if (!query.sortBy.some(needsNumeric)) return undefined;
  const parameters = new Parameters();
  const asked = query.sortBy.map((key) => {
    if (!needsNumeric(key)) return "toUInt64(0)";
    const sql = new TrialsSql(context, parameters);
    const number = sql.compute(sql.value(key.path).number());
    const scope = key.evaluation === null ? "" : ` AND e = ${sql.place(key.evaluation)}`;
    const one = `SELECT 1 AS one FROM ${sql.from()} WHERE isNotNull(${number})${scope} LIMIT 1`;
    return `(SELECT count() FROM ${context.tables.onShards(one)})`;
  });
  return parameters.statement(`SELECT ${asked.join(", ")}`);
}

function needsNumeric({ path, difference }: SortKey): boolean {
  return path[0] === "scores" && !difference;
}

interface RowCondition {
  /** Aggregates for `having`. */
  readonly columns: readonly Sql[];
  readonly having: Sql;
}

function rowCondition(query: EvalQuery, intersect: boolean, sql: TrialsSql): RowCondition {
  const columns: Sql[] = [];
  const having: Sql[] = [];
  if (intersect && query.evaluations.length > 1) {
    columns.push(`${sql.places("1")} AS present`);
    having.push(`present = ${sql.parameters.bind("UInt16", query.evaluations.length)}`);
  }
  if (query.filters.length > 0) {
    const { filters } = query;
    const everywhere = filters.some(({ evaluation }) => evaluation === null);
    const scopes = [...new Set(filters.flatMap(({ evaluation }) => evaluation ?? []))];
    // The evaluations to which at least one filter applies.
    const places = scopes.map((scope) => query.evaluations.indexOf(scope) + 1);
    const applies = everywhere ? "1" : `has(${sql.parameters.bind("Array(UInt16)", places)}, e)`;
    const passes = sql.compute([applies, ...filters.map((filter) => passSql(filter, sql))].join(" AND "));
    const needed = everywhere ? new Set([...query.evaluations, ...scopes]).size : scopes.length;
    columns.push(query.matchAll ? `${sql.places(passes)} AS matched` : `max(${passes}) AS matched`);
    having.push(`matched = ${query.matchAll ? sql.parameters.bind("UInt16", needed) : "1"}`);
  }
  return { columns, having: having.length === 0 ? "1" : having.join(" AND ") };
}

/** Whether a trial passes a filter, or the filter does not apply to it: never NULL. */
function passSql({ evaluation, expr }: Filter, sql: TrialsSql): Sql {
  const condition = conditionSql(expr, { parameters: sql.parameters, field: (path) => sql.value(path) });
  const holds = `ifNull(${condition}, 0)`;
  return evaluation === null ? holds : `(e != ${sql.place(evaluation)} OR ${holds})`;
}
