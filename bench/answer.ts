// The normal form of every contender's answer, and the comparison of two answers.

import { deepStrictEqual } from "node:assert";

/** The statistics of one dimension in one evaluation; null where its type has none. */
interface DimensionSummary {
  readonly column: string;
  readonly trials: number;
  readonly passed: number | null;
  readonly mean: number | null;
}

/** The summary of one evaluation. Contains only dimensions with a value, in the data set's order. */
export interface EvaluationSummary {
  readonly evaluation: string;
  readonly trials: number;
  readonly dimensions: readonly DimensionSummary[];
}

/** An answer; null for parts that the request did not ask for. */
export interface Answer {
  /** The digests of the page in order, and the number of rows before paging. */
  readonly page: { readonly total: number; readonly digests: readonly string[] } | null;
  /** The output texts of the page, by row, evaluation and trial. */
  readonly outputs: readonly string[] | null;
  readonly summary: { readonly rows: number; readonly evaluations: readonly EvaluationSummary[] } | null;
}

const TOLERANCE = 1e-9;

/** Throws and names the first difference if `actual` differs from `expected`. Means may differ by 1e-9. */
export function assertSameAnswer(actual: Answer, expected: Answer, what: string): void {
  const expectedMeans = new Map(means(expected));
  for (const [at, mean] of means(actual)) {
    const wanted = expectedMeans.get(at) ?? Number.NaN;
    if (!(Math.abs(mean - wanted) <= TOLERANCE * Math.max(1, Math.abs(wanted))))
      throw new Error(`${what}: the mean of ${at} is ${mean}, expected ${wanted}`);
  }
  deepStrictEqual(withoutMeans(actual), withoutMeans(expected), `${what}: a different answer`);
}

function means(answer: Answer): [string, number][] {
  return (answer.summary?.evaluations ?? []).flatMap(({ evaluation, dimensions }) =>
    dimensions.flatMap(({ column, mean }): [string, number][] =>
      mean === null ? [] : [[`${evaluation} ${column}`, mean]],
    ),
  );
}

function withoutMeans(answer: Answer): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value) => (key === "mean" && value !== null ? "a number" : value)),
  );
}
