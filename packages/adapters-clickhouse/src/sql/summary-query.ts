// What a summary counts, in SQL (SEMANTICS §5): trials by the shape of their scores, then the sums of the scores.

import type { Statement } from "../clickhouse.ts";
import { fieldKey } from "../field-key.ts";
import { exactSumColumns, restColumns } from "./exact.ts";
import { keepsAll, keptRows, type QueryContext, TrialsSql } from "./rows-query.ts";
import type { Sql } from "./statement.ts";

/** The trials of the summary's rows. */
function summarized(context: QueryContext, sql: TrialsSql): Sql {
  const { query } = context;
  const trials = sql.from();
  if (keepsAll(query, query.summaryIntersect)) return trials;
  // A statement of its own inside this one: its fields are those of the filters.
  const rows = keptRows(query, query.summaryIntersect, new TrialsSql(context, sql.parameters));
  return `(SELECT * FROM ${trials} WHERE digest IN ${rows})`;
}

/** For each evaluation (its place, from 1) and shape: trials, the lowest digest, trials with tokens. */
export function shapesStatement(context: QueryContext): Statement {
  const sql = new TrialsSql(context);
  const [shape, tokens] = [sql.column("t.shape"), sql.column(tokensColumn(context))];
  const columns = ["e", `toString(${shape})`, "count()", "min(digest)", `count(${tokens})`];
  const trials = summarized(context, sql);
  return sql.parameters.statement(`SELECT ${columns.join(", ")} FROM ${trials} GROUP BY e, ${shape}`);
}

/**
 * Which shape comes first where several first appear in one row: for each evaluation and shape, among the trials of
 * these digests, the digest. Ordered by the earliest start and id.
 */
export function tiesStatement(context: QueryContext, digests: readonly string[]): Statement {
  const sql = new TrialsSql(context);
  const shape = sql.column("t.shape");
  const where = `digest IN ${sql.parameters.texts(digests)}`;
  return sql.parameters.statement(
    `SELECT e, toString(${shape}), digest FROM ${sql.from()} WHERE ${where} GROUP BY e, ${shape}, digest ORDER BY e, digest, min((started, id))`,
  );
}

/** Something to sum over trials: the tokens, or a leaf of the scores, by its keys. */
export type Summand =
  | { readonly what: "tokens" }
  | { readonly what: "number" | "boolean"; readonly keys: readonly string[] };

/** What one statement sums at most. */
export const SUMMANDS_AT_ONCE = 40;

/**
 * For each evaluation (its place), for each summand: the two columns of the exact sum or, of booleans, how many are
 * true and 0. With `rest`, one column for each: what the exact sum leaves out.
 */
export function sumsStatement(context: QueryContext, summands: readonly Summand[], rest: boolean): Statement {
  const sql = new TrialsSql(context);
  const sums = summands.flatMap((summand): readonly Sql[] => {
    if (summand.what === "tokens") {
      const tokens = sql.column(tokensColumn(context));
      return rest ? restColumns(tokens) : exactSumColumns(tokens);
    }
    const leaf = `t.scores.${sql.parameters.bind("Identifier", fieldKey(summand.keys))}`;
    if (summand.what === "boolean") {
      return [`countIf(${sql.column(`dynamicElement(${leaf}, 'Bool')`)})`, "0"];
    }
    const number = sql.column(`dynamicElement(${leaf}, 'Float64')`);
    return rest ? restColumns(number) : exactSumColumns(number);
  });
  const trials = summarized(context, sql);
  return sql.parameters.statement(`SELECT ${["e", ...sums].join(", ")} FROM ${trials} GROUP BY e`);
}

function tokensColumn({ query }: QueryContext): Sql {
  return query.children ? "t.tokens" : "t.own_tokens";
}
