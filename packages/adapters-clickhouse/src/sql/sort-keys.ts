// Sort keys in SQL (docs/reference/semantics.md, "Sorting"): what is computed of a row's trials, and the values that
// rows are ordered by.

import type { EvalQuery, SortKey } from "@assay/eval-engine/internal";
import { exactSumOfArray } from "./exact.ts";
import type { Sql } from "./statement.ts";
import type { TrialsSql } from "./trials-sql.ts";

/**
 * How carefully to sum. `one`: each compared evaluation has at most one number in a row, so no sums are needed. `few`:
 * sums have up to two numbers and are exact without care. `any`: exact sums, at several times the cost.
 */
export type SumPrecision = "one" | "few" | "any";

/**
 * The care that the rows of a page need, read from its first row; undefined if the page was computed with at least
 * that.
 */
export function precisionFor(row: readonly unknown[] | undefined): SumPrecision | undefined {
  const most = Number(row?.[1] ?? NEEDS.none);
  if (most === NEEDS.none) return undefined;
  return most === NEEDS.few ? "few" : "any";
}

// How much care a row needs.
const NEEDS = { none: 0, few: 1, any: 2 } as const;

// The scale for recomputing a sum that is not finite; a power of two loses nothing.
const SMALLER = "exp2(-64)";

/** A sort key in SQL. */
export interface SortKeySql {
  /** Expressions over each row's trials. */
  readonly aggregates: readonly Sql[];
  /** Expressions over these, for each row. */
  readonly values: readonly Sql[];
  readonly order: readonly Sql[];
  /** For each row, from `NEEDS`: whether its sums need more care. */
  readonly needs: readonly Sql[];
}

/** The least care that may suffice for sorting. */
export function leastPrecision(query: EvalQuery, numeric: readonly boolean[]): SumPrecision {
  const summed = query.sortBy.filter(({ difference }, k) => difference || numeric[k]);
  const few = summed.every(
    ({ difference, evaluation }) => difference || evaluation !== null || query.evaluations.length <= 2,
  );
  return few && summed.length > 0 ? "one" : "any";
}

/** A sort key's number and text: at most one of them is not NULL, and missing comes last in both directions. */
export function sortKeySql(
  key: SortKey,
  k: number,
  query: EvalQuery,
  numeric: boolean,
  care: SumPrecision,
  sql: TrialsSql,
): SortKeySql {
  const value = sql.value(key.path);
  const direction = key.descending ? "DESC" : "ASC";
  const [number, text] = [`n${k}`, `s${k}`];
  const byNumber = [`isNull(${number})`, `${number} ${direction}`];
  const byText = [`isNull(${text})`, `${text} ${direction}`];
  const scope = key.evaluation === null ? "1" : `e = ${sql.place(key.evaluation)}`;
  if (key.difference && care === "one") {
    const single = singleSpreadSql(sql.compute(value.number()), k, sql);
    return { ...single, values: [`${single.spread} AS ${number}`], order: byNumber };
  }
  if (key.difference || numeric) {
    const each = key.difference ? query.evaluations.map((_, i) => `e = ${i + 1}`) : [scope];
    const { aggregates, means, needs } = meansSql(sql.compute(value.number()), k, each, care);
    const mean = key.difference ? spreadSql(means) : `${means}[1]`;
    return { aggregates, values: [`${mean} AS ${number}`], order: byNumber, needs };
  }
  const byScore = key.path[0] === "scores";
  const number1 = byScore ? "CAST(NULL, 'Nullable(Float64)')" : sql.compute(value.number());
  // Only compared with rows that have no number either.
  const text1 = sql.compute(byScore ? value.text() : `if(isNull(${value.number()}), ${value.text()}, NULL)`);
  return {
    aggregates: [`argMinIf((${number1}, ${text1}), (e, started, id), ${scope}) AS first${k}`],
    values: [`first${k}.1 AS ${number}`, `first${k}.2 AS ${text}`],
    order: byScore ? byText : [...byNumber, ...byText],
    needs: [],
  };
}

/** The spread of a number over a row's evaluations if each has one at most: that of the trials. */
function singleSpreadSql(
  number: Sql,
  k: number,
  sql: TrialsSql,
): Pick<SortKeySql, "aggregates" | "needs"> & { readonly spread: Sql } {
  const [count, places, most, least] = [`count${k}`, `places${k}`, `most${k}`, `least${k}`];
  return {
    aggregates: [
      `count(${number}) AS ${count}`,
      `${sql.places(`isNotNull(${number})`)} AS ${places}`,
      `max(${number}) AS ${most}`,
      `min(${number}) AS ${least}`,
    ],
    spread: `if(${count} < 2, NULL, ${most} - ${least})`,
    // One more number than places: an evaluation has two. More: it may have more.
    needs: [
      `multiIf(${count} = ${places}, ${NEEDS.none}, ${count} = ${places} + 1, ${NEEDS.few}, ${NEEDS.any})`,
    ],
  };
}

/** The means of a number over a row's trials in each scope, as a list with NULL for missing ones. */
function meansSql(
  number: Sql,
  k: number,
  scopes: readonly Sql[],
  care: SumPrecision,
): { readonly aggregates: readonly Sql[]; readonly means: Sql; readonly needs: readonly Sql[] } {
  const name = (what: string, i: number): Sql => `${what}${k}_${i}`;
  const aggregates = scopes.flatMap((scope, i) => [
    `countIf(isNotNull(${number}) AND ${scope}) AS ${name("count", i)}`,
    `sumIf(ifNull(${number}, 0), ${scope}) AS ${name("sum", i)}`,
    ...(care !== "any"
      ? []
      : [`groupArrayIf(assumeNotNull(${number}), isNotNull(${number}) AND ${scope}) AS ${name("all", i)}`]),
  ]);
  const list = (what: string): Sql => `[${scopes.map((_, i) => name(what, i)).join(", ")}]`;
  if (care !== "any") {
    const means = `arrayMap((count, sum) -> if(count = 0, NULL, sum / count), ${list("count")}, ${list("sum")})`;
    return {
      aggregates,
      means,
      needs: scopes.map(
        (_, i) =>
          `if(${name("count", i)} > 2 OR NOT isFinite(${name("sum", i)}), ${NEEDS.any}, ${NEEDS.none})`,
      ),
    };
  }
  // The sum of two numbers is already correctly rounded.
  const plain = "count < 3 AND isFinite(sum)";
  const sum = `if(${plain}, sum, ${exactSumOfArray(`if(${plain}, [], all)`)})`;
  // Like `exactMean`: if the sum exceeds the largest double, scaled-down numbers are summed.
  const smaller = exactSumOfArray(`if(isFinite(s), [], arrayMap(x -> x * ${SMALLER}, all))`);
  const mean = `if(count = 0, NULL, arrayMap(s -> if(isFinite(s), s / count, ${smaller} / count / ${SMALLER}), [${sum}])[1])`;
  return {
    aggregates,
    means: `arrayMap((count, sum, all) -> ${mean}, ${list("count")}, ${list("sum")}, ${list("all")})`,
    needs: [],
  };
}

/** The largest minus the smallest of a list of means; NULL for fewer than two. */
function spreadSql(means: Sql): Sql {
  const known = `arrayMap(m -> assumeNotNull(m), arrayFilter(m -> isNotNull(m), ${means}))`;
  return `arrayMap(a -> if(length(a) < 2, NULL, arrayMax(a) - arrayMin(a)), [${known}])[1]`;
}
