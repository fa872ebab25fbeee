// Compares each interval with its definition.

import fc from "fast-check";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { drawBinomial } from "../src/distributions/binomial.ts";
import { quantile } from "../src/distributions/quantile.ts";
import {
  bootstrapBca,
  clopperPearson,
  clusterEstimate,
  confidenceSequence,
  jeffreys,
  meanEstimate,
  minimumDetectable,
  moments,
  rowsNeeded,
  skewness,
  tInterval,
  tTest,
  wilson,
} from "../src/index.ts";
import { bootstrapSteps } from "../src/intervals/bootstrap.ts";
import {
  integral,
  isClose,
  law,
  levels,
  mean,
  normalQuantile,
  normalTail,
  rowNumbers,
  sum,
  variance,
} from "./property.ts";

const proportions = fc
  .integer({ min: 1, max: 60 })
  .chain((n) => fc.record({ n: fc.constant(n), k: fc.integer({ min: 0, max: n }), level: levels }));

function binomial(n: number, k: number, p: number): number {
  let term = (1 - p) ** n;
  for (let i = 0; i < k; i++) term *= ((n - i) / (i + 1)) * (p / (1 - p));
  return term;
}

describe("a proportion", () => {
  law("Wilson's bounds are where the score test has p = α", proportions, ({ n, k, level }) => {
    const { low, high } = wilson(k, n, level)!;
    for (const p of [low, high]) {
      if (p === 0 || p === 1) continue;
      const z = Math.abs(k / n - p) / Math.sqrt((p * (1 - p)) / n);
      expect(isClose(2 * normalTail(z), 1 - level, 1e-7)).toBe(true);
    }
  });

  law(
    "with an effective size, the bounds are where the score test on t has p = α",
    fc.tuple(proportions, fc.integer({ min: 1, max: 40 }), fc.constantFrom(1, 1.7, 6)),
    ([{ n, k, level }, df, effect]) => {
      const { low, high } = wilson(k / effect, n / effect, level, df)!;
      for (const p of [low, high]) {
        if (p < 1e-12 || p > 1 - 1e-12) continue;
        const t = Math.abs(k / n - p) / Math.sqrt((p * (1 - p)) / (n / effect));
        expect(isClose(2 * studentBelow(-t, df), 1 - level, 1e-6)).toBe(true);
      }
    },
  );

  law("the exact bounds leave α/2 in a binomial tail", proportions, ({ n, k, level }) => {
    const { low, high } = clopperPearson(k, n, level)!;
    const tail = (from: number, to: number, p: number) =>
      sum(Array.from({ length: to - from + 1 }, (_, i) => binomial(n, from + i, p)));
    if (k > 0) expect(isClose(tail(k, n, low), (1 - level) / 2, 1e-8)).toBe(true);
    if (k < n) expect(isClose(tail(0, k, high), (1 - level) / 2, 1e-8)).toBe(true);
  });

  law("Jeffreys' bounds leave α/2 of the posterior outside", proportions, ({ n, k, level }) => {
    const { low, high } = jeffreys(k, n, level)!;
    // With p = sin²θ the density of Beta(k + ½, n − k + ½) is a product of integer powers.
    const density = (theta: number) => Math.sin(theta) ** (2 * k) * Math.cos(theta) ** (2 * (n - k));
    const below = (p: number) =>
      integral(density, 0, Math.asin(Math.sqrt(p))) / integral(density, 0, Math.PI / 2);
    if (k > 0) expect(isClose(below(low), (1 - level) / 2, 1e-8)).toBe(true);
    if (k < n) expect(isClose(1 - below(high), (1 - level) / 2, 1e-8)).toBe(true);
  });

  test("without rows there is no interval", () => {
    expect([wilson, clopperPearson, jeffreys].map((of) => of(0, 0, 0.95))).toEqual([null, null, null]);
  });
});

/** Student's density up to its constant, with t = √df·tan θ. */
const studentBelow = (t: number, df: number): number => {
  const density = (theta: number) => Math.cos(theta) ** (df - 1);
  const half = Math.PI / 2;
  return integral(density, -half, Math.atan(t / Math.sqrt(df))) / integral(density, -half, half);
};

describe("a mean", () => {
  law("mean and variance equal the plain formulas", rowNumbers, (values) => {
    const found = moments({ values });
    expect(found.n).toBe(values.length);
    if (values.length === 0) expect(found.mean).toBeNull();
    else expect(isClose(found.mean, mean(values))).toBe(true);
    if (values.length < 2) expect(found.variance).toBeNull();
    else expect(isClose(found.variance, variance(values))).toBe(true);
  });

  law(
    "t bounds and p-value leave the right share in the tails",
    fc.tuple(rowNumbers, levels),
    ([values, level]) => {
      const estimate = meanEstimate(moments({ values }));
      if (new Set(values).size < 2) {
        expect(estimate).toBeNull();
        return;
      }
      const { low, high } = tInterval(estimate!, level)!;
      const { mean, se, df } = estimate!;
      expect(isClose(studentBelow((low - mean) / se, df), (1 - level) / 2, 1e-7)).toBe(true);
      expect(isClose(high - mean, mean - low)).toBe(true);
      expect(isClose(tTest(estimate!), 2 * studentBelow(-Math.abs(mean / se), df), 1e-7)).toBe(true);
    },
  );

  law("skewness is the plain third moment, and changes sign with its values", rowNumbers, (values) => {
    const found = skewness({ values }, moments({ values }));
    const turned = values.map((value) => -value);
    const round = skewness({ values: turned }, moments({ values: turned }));
    expect(isClose(round, found === null ? null : -found, 0)).toBe(true);
    if (values.length < 3 || new Set(values).size < 2) expect(found).toBeNull();
    else {
      const about = mean(values);
      const moment = (power: number): number => mean(values.map((x) => (x - about) ** power));
      expect(isClose(found, moment(3) / moment(2) ** 1.5, 1e-7)).toBe(true);
    }
  });

  law(
    "with many rows the bounds of t match its p-value",
    fc.tuple(fc.integer({ min: 900, max: 5000 }), levels),
    ([df, level]) => {
      const { high } = tInterval({ mean: 0, se: 1, df }, level)!;
      expect(isClose(tTest({ mean: high, se: 1, df }), 1 - level, 1e-12)).toBe(true);
    },
  );

  law(
    "the cluster variance sums products of residuals within each cluster",
    fc.array(fc.tuple(fc.constantFrom(0, 1, 0.5, 0.25, 3), fc.nat({ max: 4 })), { maxLength: 25 }),
    (rows) => {
      const names = [...new Set(rows.map(([, cluster]) => cluster))];
      const values = rows.map(([value]) => value);
      const { clusters, estimate } = clusterEstimate(
        values,
        rows.map(([, cluster]) => names.indexOf(cluster)),
      );
      expect(clusters).toBe(names.length);
      const residual = (i: number) => values[i]! - mean(values);
      const products = rows.flatMap(([, cluster], i) =>
        rows.map(([, other], j) => (cluster === other ? residual(i) * residual(j) : 0)),
      );
      const expected = (names.length / (names.length - 1)) * (sum(products) / rows.length ** 2);
      if (names.length < 2 || new Set(values).size < 2) expect(estimate).toBeNull();
      else if (estimate === null) expect(isClose(expected, 0)).toBe(true);
      else {
        expect(isClose(estimate.se ** 2, expected)).toBe(true);
        expect(estimate.df).toBe(names.length - 1);
      }
    },
  );

  law("quantiles interpolate between the two values around (n − 1)·p", rowNumbers, (values) => {
    const ascending = values.toSorted((a, b) => a - b);
    for (const p of [0, 0.25, 0.5, 0.9, 1]) {
      const place = (values.length - 1) * p;
      const [low, high] = [ascending[Math.floor(place)]!, ascending[Math.ceil(place)]!];
      const expected = values.length === 0 ? null : low * (1 - (place % 1)) + high * (place % 1);
      expect(isClose(quantile(ascending, p), expected)).toBe(true);
    }
  });
});

describe("the bootstrap", () => {
  const few = fc.array(fc.constantFrom(0, 1, 0.5, 2.25), { minLength: 2, maxLength: 12 });

  law(
    "equals Efron's BCa of the resampled means",
    fc.tuple(few, levels, fc.nat()),
    ([values, level, seed]) => {
      const resamples = 50;
      const found = bootstrapBca(values, { level, resamples, seed });
      const generator = xoroshiro128plus(seed);
      // Draws the generator's 32 bits, and draws again beyond the last multiple of n.
      const draw = (): number => {
        const most = values.length > 2 ? Math.floor(2 ** 32 / values.length) * values.length : 2 ** 32;
        for (;;) {
          const bits = generator.next() + 2 ** 31;
          if (bits < most) return bits % values.length;
        }
      };
      const means = Array.from({ length: resamples }, () => mean(values.map(() => values[draw()]!)));
      const ascending = means.toSorted((a, b) => a - b);
      if (ascending[0] === ascending.at(-1)) {
        expect(found).toBeNull();
        return;
      }
      const centre = mean(values);
      const below = sum(means.map((m) => (m < centre ? 1 : m === centre ? 0.5 : 0))) / resamples;
      const bias = normalQuantile(Math.min(1 - 0.5 / resamples, Math.max(0.5 / resamples, below)));
      const cubes = sum(values.map((x) => (x - centre) ** 3));
      const squares = sum(values.map((x) => (x - centre) ** 2));
      const acceleration = cubes / (6 * squares ** 1.5);
      for (const [p, bound, side] of [
        [(1 - level) / 2, found!.low, Math.min],
        [(1 + level) / 2, found!.high, Math.max],
      ] as const) {
        const shifted = bias + normalQuantile(p);
        const at = 1 - normalTail(bias + shifted / (1 - acceleration * shifted));
        expect(isClose(bound, side(centre, quantile(ascending, at)!), 1e-5)).toBe(true);
      }
    },
  );

  law("with one row per cluster equals that of rows", fc.tuple(few, fc.nat()), ([values, seed]) => {
    const options = { level: 0.9, resamples: 40, seed };
    expect(bootstrapBca(values, { ...options, clusterOf: values.map((_, i) => i) })).toEqual(
      bootstrapBca(values, options),
    );
  });

  test("draws whole clusters", () => {
    // With two clusters, each resample has only the first, only the second, or half of each.
    const found = bootstrapBca([0, 0, 0, 1, 1, 1], { level: 0.95, clusterOf: [0, 0, 0, 1, 1, 1] });
    expect(found).toEqual({ low: 0, high: 1, method: "bootstrap_bca" });
  });

  test.for<[string, (i: number) => number]>([
    ["few different values", (i) => [0, 0, 1, 4][i % 4]!],
    ["values that differ", (i) => Math.exp(((i * 7919) % 6000) / 1000)],
  ])("of many rows with %s has the bounds of rows that are drawn one by one", ([, make]) => {
    const values = Array.from({ length: 6000 }, (_, i) => make(i));
    const options = { level: 0.95, resamples: 4000 };
    const found = bootstrapBca(values, options)!;
    expect(bootstrapBca(values.toReversed(), options)!.low).toBeCloseTo(found.low, 9);
    const generator = xoroshiro128plus(5);
    const means = Float64Array.from({ length: options.resamples }, () => {
      let total = 0;
      for (let k = 0; k < values.length; k++) total += values[uniformInt(generator, 0, values.length - 1)]!;
      return total / values.length;
    }).sort();
    // The quantiles of 4,000 resamples have standard errors of 0.04 of the mean's; the correction for skewness shifts
    // the bounds by less than 0.02.
    const { se } = meanEstimate(moments({ values }))!;
    expect(Math.abs(found.low - quantile(means, 0.025)!) / se).toBeLessThan(0.25);
    expect(Math.abs(found.high - quantile(means, 0.975)!) / se).toBeLessThan(0.25);
  });

  test("reports its work, and has the same result in steps", () => {
    const values = Array.from({ length: 500 }, (_, i) => i);
    const steps = bootstrapSteps(values, { level: 0.95, seed: 3, resamples: 1000 });
    let [drawn, step] = [0, steps.next()];
    for (; step.done !== true; step = steps.next()) drawn += step.value;
    expect(drawn).toBe(500_000);
    expect(step.value).toEqual(bootstrapBca(values, { level: 0.95, seed: 3, resamples: 1000 }));
  });
});

describe("binomial random numbers", () => {
  // Every way in which they are drawn: few and many successes expected, and each side of a half.
  test.for([
    [12, 0.3],
    [500, 0.004],
    [500, 0.996],
    [300, 0.1],
    [1000, 0.5],
    [2000, 0.93],
  ] as const)("of %i trials with probability %f have their distribution", ([n, p]) => {
    const generator = xoroshiro128plus(n);
    const draws = 40_000;
    const counts = new Float64Array(n + 1);
    for (let i = 0; i < draws; i++) counts[drawBinomial(generator, n, p)]!++;
    let logarithm = n * Math.log1p(-p);
    let [expected, found, furthest] = [0, 0, 0];
    for (let k = 0; k <= n; k++) {
      expected += Math.exp(logarithm);
      found += counts[k]! / draws;
      furthest = Math.max(furthest, Math.abs(found - expected));
      logarithm += Math.log(((n - k) / (k + 1)) * (p / (1 - p)));
    }
    // Kolmogorov's bound at 1 in 10,000.
    expect(furthest).toBeLessThan(2.23 / Math.sqrt(draws));
  });

  test("are 0 or all if nothing or everything succeeds", () => {
    const generator = xoroshiro128plus(1);
    expect([
      drawBinomial(generator, 7, 0),
      drawBinomial(generator, 7, 1),
      drawBinomial(generator, 0, 0.5),
    ]).toEqual([0, 7, 0]);
  });
});

describe("repeated looks", () => {
  law(
    "the bound is where the mixture of likelihood ratios reaches 1/α",
    fc.record({
      n: fc.integer({ min: 0, max: 3000 }),
      alpha: fc.constantFrom(0.5, 0.05, 0.01, 0.001),
      sd: fc.constantFrom(0, 0.1, 1, 30),
      tunedTo: fc.constantFrom(50, 500, 5000),
    }),
    ({ n, alpha, sd, tunedTo }) => {
      const found = confidenceSequence({ mean: 2, sd, n, alpha, tunedTo });
      if (n < 20 || sd === 0) {
        expect(found).toBeNull();
        return;
      }
      const rho = (-2 * Math.log(alpha) + Math.log(1 - 2 * Math.log(alpha))) / tunedTo;
      const total = (n * (found!.high - 2)) / sd;
      const ratio = Math.exp((rho * total ** 2) / (2 * (n * rho + 1))) / Math.sqrt(n * rho + 1);
      expect(isClose(ratio * alpha, 1, 1e-8)).toBe(true);
    },
  );
});

describe("power", () => {
  const cases = fc.record({
    se: fc.constantFrom(null, 0, 0.01, 2),
    level: levels,
    power: fc.constantFrom(0.5, 0.8, 0.95),
  });

  law("a difference of that size is detected with that chance", cases, ({ se, level, power }) => {
    const detectable = minimumDetectable({ se, df: Number.POSITIVE_INFINITY, level, power });
    if (se === null || se === 0) expect(detectable).toBeNull();
    else {
      const critical = normalQuantile((1 + level) / 2);
      expect(isClose(normalTail(critical - detectable! / se), power, 1e-6)).toBe(true);
    }
  });

  law(
    "that number of rows makes a difference of the target's size detectable",
    fc.tuple(fc.integer({ min: 2, max: 5000 }), fc.constantFrom(0.03, -0.4, 2, 0)),
    ([n, target]) => {
      const rows = rowsNeeded(n, 0.25, target);
      if (target === 0) expect(rows).toBeNull();
      else expect(isClose(0.25 * Math.sqrt(n / rows!), Math.abs(target))).toBe(true);
    },
  );
});
