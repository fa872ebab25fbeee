// Sort keys in SQL (docs/reference/semantics.md, "Sorting"): what is made of a row's trials, and what rows are then ordered by.

import type { EvalQuery, SortKey } from "@assay/eval-engine/internal";
import { exactSumOfArray } from "./exact.ts";
import type { Sql } from "./statement.ts";
import type { TrialsSql } from "./trials-sql.ts";

/**
 * What sums are made with. `one`: of evaluations that are compared, each has one number in a row at most, so that
 * nothing is summed. `few`: sums are of up to two numbers, which need no care. `any`: with care, at several times the
 * cost.
 */
export type SumCare = "one" | "few" | "any";

/** What the rows of a page need, by its first one; undefined when the page was made with no less. */
export function careFor(row: readonly unknown[] | undefined): SumCare | undefined {
  const most = Number(row?.[1] ?? NEEDS.none);
  if (most === NEEDS.none) return undefined;
  return most === NEEDS.few ? "few" : "any";
}

// What a row needs.
const NEEDS = { none: 0, few: 1, any: 2 } as const;

// What a sum that is not finite is scaled by and made again; a power of two loses nothing.
const SMALLER = "exp2(-64)";

/** A sort key in SQL. */
export interface SortKeySql {
  /** Of each row's trials. */
  readonly aggregates: readonly Sql[];
  /** Of those, for each row. */
  readonly values: readonly Sql[];
  readonly order: readonly Sql[];
  /** Of `NEEDS`, for each row: whether its sums are made with too little care. */
  readonly needs: readonly Sql[];
}

/** The least care that sorting may do with. */
export function leastCare(query: EvalQuery, numeric: readonly boolean[]): SumCare {
  const summed = query.sortBy.filter(({ difference }, k) => difference || numeric[k]);
  const few = summed.every(
    ({ difference, evaluation }) => difference || evaluation !== null || query.evaluations.length <= 2,
  );
  return few && summed.length > 0 ? "one" : "any";
}

/** A sort key's number and text: one of them is not NULL, or neither, and missing comes last in both directions. */
export function sortKeySql(
  key: SortKey,
  k: number,
  query: EvalQuery,
  numeric: boolean,
  care: SumCare,
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
  // Compared only with rows that have no number either.
  const text1 = sql.compute(byScore ? value.text() : `if(isNull(${value.number()}), ${value.text()}, NULL)`);
  return {
    aggregates: [`argMinIf((${number1}, ${text1}), (e, started, id), ${scope}) AS first${k}`],
    values: [`first${k}.1 AS ${number}`, `first${k}.2 AS ${text}`],
    order: byScore ? byText : [...byNumber, ...byText],
    needs: [],
  };
}

/** The spread of a number over a row's evaluations when none has more than one: that of the trials. */
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
    // One number too many: an evaluation has two. More: it may have more.
    needs: [
      `multiIf(${count} = ${places}, ${NEEDS.none}, ${count} = ${places} + 1, ${NEEDS.few}, ${NEEDS.any})`,
    ],
  };
}

/** The means of a number over a row's trials in each scope: a list, with NULL where there is none. */
function meansSql(
  number: Sql,
  k: number,
  scopes: readonly Sql[],
  care: SumCare,
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
  // The sum of two is correctly rounded as it is.
  const plain = "count < 3 AND isFinite(sum)";
  const sum = `if(${plain}, sum, ${exactSumOfArray(`if(${plain}, [], all)`)})`;
  // As `exactMean`: of numbers whose sum is beyond the largest double, that of smaller ones.
  const smaller = exactSumOfArray(`if(isFinite(s), [], arrayMap(x -> x * ${SMALLER}, all))`);
  const mean = `if(count = 0, NULL, arrayMap(s -> if(isFinite(s), s / count, ${smaller} / count / ${SMALLER}), [${sum}])[1])`;
  return {
    aggregates,
    means: `arrayMap((count, sum, all) -> ${mean}, ${list("count")}, ${list("sum")}, ${list("all")})`,
    needs: [],
  };
}

/** The largest less the smallest of a list of means; NULL with fewer than two. */
function spreadSql(means: Sql): Sql {
  const known = `arrayMap(m -> assumeNotNull(m), arrayFilter(m -> isNotNull(m), ${means}))`;
  return `arrayMap(a -> if(length(a) < 2, NULL, arrayMax(a) - arrayMin(a)), [${known}])[1]`;
}
