// Cases in which statistics are unknown, and an independent second form of the formulas of intervals and tests.

import { describe, expect, test } from "vitest";
import {
  benjaminiHochberg,
  bonettPrice,
  clusterEstimate,
  confidenceSequence,
  correlation,
  effectiveProportion,
  holm,
  mcnemar,
  meanEstimate,
  moments,
  newcombe,
  skewness,
  tInterval,
  tTest,
  wilson,
} from "../src/index.ts";
import { around } from "../src/intervals/interval.ts";

test("p-values that are NaN count as no test, and do not change the others", () => {
  for (const adjust of [holm, benjaminiHochberg])
    expect(adjust([0.9, Number.NaN, 0.01, null])).toEqual(adjust([0.9, null, 0.01, null]));
});

test("at a level of 1, an interval of a rate excludes nothing", () => {
  expect(wilson(3, 10, 1)).toMatchObject({ low: 0, high: 1 });
  const { low, high } = newcombe({ successes: 3, n: 10 }, { successes: 1, n: 2 }, 1)!;
  expect([Number.isFinite(low), Number.isFinite(high)]).toEqual([true, true]);
});

describe("clusters", () => {
  const nothing = { estimate: null, residuals: [] };
  test("with at most one cluster have no estimate", () => {
    expect(clusterEstimate([], [])).toEqual({ clusters: 0, ...nothing });
    expect(clusterEstimate([1, 2, 4], [0, 0, 0])).toEqual({ clusters: 1, ...nothing });
  });
  test("have an estimate from two clusters on", () => {
    const { clusters, estimate, residuals } = clusterEstimate([1, 3, 5], [0, 1, 1]);
    expect(clusters).toBe(2);
    expect(estimate).toEqual({ mean: 3, se: Math.sqrt((2 * (4 + 4)) / 9), df: 1 });
    expect(residuals).toEqual([-2, 2]);
  });
  test("of equal rows have no variance, whatever the rounding", () => {
    expect(clusterEstimate([0.1, 0.1, 0.1], [0, 1, 2])).toEqual({ clusters: 3, ...nothing });
    // The rows differ, but each cluster's mean is the overall mean.
    expect(clusterEstimate([1, 3, 1, 3], [0, 0, 1, 1])).toEqual({ clusters: 2, ...nothing });
  });
  test("whose mean or variance overflows a double have no estimate", () => {
    const huge = Number.MAX_VALUE;
    expect(clusterEstimate([huge, huge, huge], [0, 1, 2])).toEqual({ clusters: 3, ...nothing });
    expect(clusterEstimate([1e200, -1e200], [0, 1])).toEqual({ clusters: 2, ...nothing });
  });
});

describe("the effective size", () => {
  const of = (values: readonly number[], clusterOf: readonly number[]) => {
    const clustered = clusterEstimate(values, clusterOf);
    return effectiveProportion(moments({ values }), clustered);
  };
  test("of one cluster is unknown", () => {
    expect(of([0, 1, 1], [0, 0, 0])).toBeNull();
    expect(of([1], [0])).toBeNull();
  });
  test("of equal rows is one per cluster", () => {
    expect(of([1, 1, 1, 1], [0, 0, 1, 1])).toEqual({ successes: 2, n: 2, df: Number.POSITIVE_INFINITY });
  });
  test("of identical clusters is the number of rows", () => {
    expect(of([1, 0, 1, 0], [0, 0, 1, 1])).toEqual({ successes: 2, n: 4, df: 1 });
  });
  test("of clusters that pass or fail as a whole is about their number minus one", () => {
    // CR1 of G equal clusters is p(1−p)/(G−1), and the sample variance of n rows is n/(n−1)·p(1−p).
    const { successes, n, df } = of([1, 1, 1, 1, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2, 3, 3])!;
    expect([successes, n, df]).toEqual([expect.closeTo((0.75 * 24) / 7, 12), expect.closeTo(24 / 7, 12), 3]);
  });
  test("of rows with several trials exceeds the rows if trials of a row disagree", () => {
    const values = [0.4, 0.6, 0.4, 0.6];
    const { n } = effectiveProportion(moments({ values }), {
      clusters: 4,
      estimate: meanEstimate(moments({ values })),
    })!;
    // p(1−p) over the variance of a mean of 4 rows, 0.01/4.
    expect(n).toBeCloseTo(0.25 / (0.01 / 4), 9);
  });
});

describe("skewness", () => {
  const skewnessOf = (...values: number[]) => skewness({ values }, moments({ values }));
  test("is null for fewer than three rows, equal rows and too large values", () => {
    expect(skewnessOf()).toBeNull();
    expect(skewnessOf(1)).toBeNull();
    expect(skewnessOf(1, 2)).toBeNull();
    expect(skewnessOf(2, 2, 2)).toBeNull();
    expect(skewnessOf(Number.MAX_VALUE, Number.MAX_VALUE, 1)).toBeNull();
    expect(skewnessOf(1e180, -1e180, 1)).toBeNull();
    // The variance is finite, but the cubes are not.
    expect(skewnessOf(1e120, -1e120, 1e119)).toBeNull();
  });
  test("equals g₁ for three rows", () => {
    // The deviations from the mean 2 are −2, −1 and 3; the second moment is 14/3, the third 18/3.
    expect(skewnessOf(0, 1, 5)).toBeCloseTo(6 / (14 / 3) ** 1.5, 12);
  });
});

test("with infinite degrees of freedom, a mean uses the normal distribution", () => {
  // Abramowitz and Stegun, table 26.5: Q(2) = 0.0227501319.
  for (const mean of [2, -2])
    expect(tTest({ mean, se: 1, df: Number.POSITIVE_INFINITY })).toBeCloseTo(0.0455002639, 9);
});

test("correlation is null for a constant side, or one row", () => {
  expect(correlation({ a: [1, 2, 3], b: [1, 1, 1] })).toBeNull();
  expect(correlation({ a: [1, 1, 1], b: [1, 2, 3] })).toBeNull();
  expect(correlation({ a: [1], b: [2] })).toBeNull();
});

test("a mean of one row, or of equal rows, has no known error", () => {
  expect(meanEstimate(moments({ values: [3] }))).toBeNull();
  expect(meanEstimate(moments({ values: [3, 3] }))).toBeNull();
  expect(meanEstimate(moments({ values: [2, 4] }))).toEqual({ mean: 3, se: 1, df: 1 });
});

describe("an interval", () => {
  test("has two finite bounds or is null", () => {
    expect(around(1, 2, "t")).toEqual({ low: -1, high: 3, method: "t" });
    expect(around(Number.MAX_VALUE, Number.MAX_VALUE, "t")).toBeNull();
    expect(around(-Number.MAX_VALUE, Number.MAX_VALUE, "t")).toBeNull();
    expect(tInterval({ mean: 1, se: Number.POSITIVE_INFINITY, df: 3 }, 0.95)).toBeNull();
  });
});

describe("a confidence sequence", () => {
  const about = { mean: 0.4, sd: 0.5, alpha: 0.05 };
  test("is null below 20 rows, or if nothing varies", () => {
    expect(confidenceSequence({ ...about, n: 19 })).toBeNull();
    expect(confidenceSequence({ ...about, n: 20 })).not.toBeNull();
    expect(confidenceSequence({ ...about, n: 100, sd: 0 })).toBeNull();
    expect(confidenceSequence({ ...about, n: 19, sd: 0 })).toBeNull();
  });
  test.each([20, 100, 5000])("of %i rows equals the formula of its source", (n) => {
    const rho2 = (-2 * Math.log(0.05) + Math.log(-2 * Math.log(0.05) + 1)) / 500;
    const half =
      0.5 * Math.sqrt(((2 * (n * rho2 + 1)) / (n ** 2 * rho2)) * Math.log(Math.sqrt(n * rho2 + 1) / 0.05));
    const interval = confidenceSequence({ ...about, n })!;
    expect(interval.method).toBe("confidence_sequence");
    expect(interval.low).toBeCloseTo(0.4 - half, 12);
    expect(interval.high).toBeCloseTo(0.4 + half, 12);
  });
  test("is narrowest near the number of rows that it is tuned to", () => {
    const width = (tunedTo: number) => {
      const { low, high } = confidenceSequence({ ...about, n: 500, tunedTo })!;
      return high - low;
    };
    expect(width(500)).toBeLessThan(width(50));
    expect(width(500)).toBeLessThan(width(5000));
  });
});

test("without rows, the difference of two evaluations is unknown", () => {
  expect(bonettPrice(0, 0, 0, 0.95)).toBeNull();
  expect(bonettPrice(1, 0, 4, 0.95)!.method).toBe("bonett_price");
  expect(mcnemar(0, 0)).toEqual({ exact: 1, midP: 1, chiSquared: null, chiSquaredP: null });
});
