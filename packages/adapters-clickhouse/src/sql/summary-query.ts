// The counts of a summary in SQL (docs/reference/semantics.md, "Summary"): trials by the shape of their scores, then
// the sums of the scores.

import { isDeepStrictEqual } from "node:util";
import type { ShapeCount } from "@assay/eval-engine/pushed";
import { fieldKey } from "../columns/field-key.ts";
import type { Statement } from "../connection/clickhouse.ts";
import { exactSumColumns, restColumns } from "./exact.ts";
import { selectedDigests, selectsAllRows } from "./rows-query.ts";
import type { Sql } from "./statement.ts";
import { type QueryContext, TrialsSql } from "./trials-sql.ts";

/** The trials of the summary's rows. */
function summarized(context: QueryContext, sql: TrialsSql): Sql {
  const { query } = context;
  const trials = sql.from();
  if (selectsAllRows(query, query.summaryIntersect)) return trials;
  // A nested statement: its fields are those of the filters.
  const rows = selectedDigests(query, query.summaryIntersect, new TrialsSql(context, sql.parameters));
  return `(SELECT * FROM ${trials} WHERE digest IN ${rows})`;
}

/**
 * The order of shapes that first appear in the same row: for each evaluation and shape, among the trials of these
 * digests, the digest, ordered by the earliest start and ID.
 */
export function tiesStatement(context: QueryContext, digests: readonly string[]): Statement {
  const sql = new TrialsSql(context);
  const shape = sql.column("t.shape");
  const where = `digest IN ${sql.parameters.texts(digests)}`;
  const firsts = `SELECT e, toString(${shape}) AS shape, digest, min((started, id)) AS first FROM ${sql.from()} WHERE ${where} GROUP BY e, ${shape}, digest`;
  return sql.parameters.statement(
    `SELECT e, shape, digest FROM ${context.tables.onShards(firsts)} ORDER BY e, digest, first`,
  );
}

/** Something to sum over trials: the tokens, or a leaf of the scores, by its keys. */
export type Summand =
  | { readonly what: "tokens" }
  | { readonly what: "number" | "boolean"; readonly keys: readonly string[] };

/** The most sums of one statement. */
export const SUMMANDS_AT_ONCE = 40;

/**
 * On each shard, for each evaluation (its place) and, if there are `several` shapes, shape: the shape (or nothing),
 * the number of trials, the lowest digest (or nothing), the number of trials that report tokens; then for each summand
 * the two columns of the exact sum or, for booleans, the number of true values and 0.
 */
export function countsStatement(
  context: QueryContext,
  summands: readonly Summand[],
  several: boolean,
): Statement {
  const sql = new TrialsSql(context);
  const [shape, tokens] = [several ? sql.column("t.shape") : undefined, sql.column(tokensColumn(context))];
  const sums = summands.flatMap((summand): readonly Sql[] => {
    const column = summandColumn(context, sql, summand);
    return summand.what === "boolean"
      ? [`countIf(${column})`, "0"]
      : exactSumColumns(column, (part) => sql.compute(part));
  });
  const counts = [
    ...(shape === undefined ? ["''", "count()", "''"] : [`toString(${shape})`, "count()", "min(digest)"]),
    `count(${tokens})`,
  ];
  const trials = summarized(context, sql);
  const by = ["e", ...(shape === undefined ? [] : [shape])].join(", ");
  return onEachShard(context, sql, ["e", ...counts, ...sums], `${trials} GROUP BY ${by}`);
}

/** Where the sums start in a row of `countsStatement`. */
export const SUMS_AT = 5;

/** On each shard, for each evaluation (its place), the numbers that `countsStatement` leaves out of each summand. */
export function restStatement(context: QueryContext, summands: readonly Summand[]): Statement {
  const sql = new TrialsSql(context);
  const sums = summands.flatMap((summand) =>
    restColumns(summandColumn(context, sql, summand), (part) => sql.compute(part)),
  );
  const trials = summarized(context, sql);
  return onEachShard(context, sql, ["e", ...sums], `${trials} GROUP BY e`);
}

/** The rows of every shard, with columns named uniquely. */
function onEachShard(
  { tables }: QueryContext,
  sql: TrialsSql,
  columns: readonly Sql[],
  from: Sql,
): Statement {
  const names = columns.map((_, i) => `x${i}`);
  const rows = `SELECT ${columns.map((column, i) => `${column} AS ${names[i]}`).join(", ")} FROM ${from}`;
  return sql.parameters.statement(`SELECT ${names.join(", ")} FROM ${tables.onShards(rows)}`);
}

function summandColumn(context: QueryContext, sql: TrialsSql, summand: Summand): Sql {
  if (summand.what === "tokens") return sql.column(tokensColumn(context));
  const { what, keys } = summand;
  const leaf = `t.scores.${sql.parameters.bind("Identifier", fieldKey(keys))}`;
  const value = `dynamicElement(${leaf}, '${what === "boolean" ? "Bool" : "Float64"}')`;
  if (!keys.slice(1).some((key) => INDEX.test(key))) return sql.column(value);
  // In another trial there may be an item of a list at this path, which is not a leaf.
  const own = context.shapes.filter((shape) =>
    leavesOf(shape).some(([path]) => isDeepStrictEqual(path, keys)),
  );
  return sql.column(`if(t.shape IN ${sql.parameters.texts(own)}, ${value}, NULL)`);
}

const INDEX = /^\d+$/;

/** The leaves of a stored shape. */
export function leavesOf(shape: string): ShapeCount["leaves"] {
  return JSON.parse(shape) as ShapeCount["leaves"];
}

/** The tokens of a trial, over the table `t`. */
export function tokensColumn({ query }: QueryContext): Sql {
  return query.children ? "t.tokens" : "t.own_tokens";
}
