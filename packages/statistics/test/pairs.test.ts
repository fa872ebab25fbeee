// Statistics of paired rows, and of two evaluations of different rows, compared with their plain forms.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bonettPrice,
  correlation,
  mcnemar,
  meanEstimate,
  moments,
  newcombe,
  proportionsTest,
  signFlip,
  welch,
  wilson,
} from "../src/index.ts";
import {
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

const counts = fc.nat({ max: 40 });

function choose(n: number, k: number): bigint {
  let result = 1n;
  for (let i = 0; i < k; i++) result = (result * BigInt(n - i)) / BigInt(i + 1);
  return result;
}

describe("rows that pass or fail", () => {
  law("McNemar's test equals coin flips", fc.tuple(counts, counts), ([b, c]) => {
    const least = Math.min(b, c);
    const upTo = sum(Array.from({ length: least + 1 }, (_, i) => Number(choose(b + c, i)))) / 2 ** (b + c);
    const at = Number(choose(b + c, least)) / 2 ** (b + c);
    const { exact, midP } = mcnemar(b, c);
    expect(isClose(exact, Math.min(1, 2 * upTo), 1e-12)).toBe(true);
    expect(isClose(midP, b === c ? 1 : 2 * upTo - at, 1e-12)).toBe(true);
  });

  law(
    "Bonett and Price add one row to each kind of disagreement",
    fc.tuple(counts, counts, counts, levels),
    ([b, c, others, level]) => {
      const n = b + c + others;
      const found = bonettPrice(b, c, n, level);
      if (n === 0) {
        expect(found).toBeNull();
        return;
      }
      // The variance of the mean of n + 2 differences: those observed, plus one 1 and one −1.
      const seen = [
        ...Array<number>(b + 1).fill(1),
        ...Array<number>(c + 1).fill(-1),
        ...Array<number>(others).fill(0),
      ];
      const spread = sum(seen.map((x) => (x - mean(seen)) ** 2)) / seen.length ** 2;
      const half = normalQuantile((1 + level) / 2) * Math.sqrt(spread);
      const difference = (b - c) / n;
      expect(isClose(found!.low, Math.min(difference, Math.max(-1, mean(seen) - half)), 1e-7)).toBe(true);
      expect(isClose(found!.high, Math.max(difference, Math.min(1, mean(seen) + half)), 1e-7)).toBe(true);
    },
  );
});

describe("sign flips", () => {
  const steps = fc.constantFrom(1, 0.5, 1 / 3, 0.25, 1 / 7, 0.01);
  const onGrid = fc
    .tuple(steps, fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 11 }))
    .map(([step, multiples]) => multiples.map((multiple) => multiple * step));

  law("p is the share of sign patterns that are at least as extreme", onGrid, (differences) => {
    const reached = Math.abs(sum(differences)) * (1 - 1e-9);
    const sums = differences.reduce<number[]>(
      (before, d) => before.flatMap((total) => [total + d, total - d]),
      [0],
    );
    const share = sums.filter((total) => Math.abs(total) >= reached - 1e-9).length / sums.length;
    expect(isClose(signFlip({ values: differences }), share, 1e-12)).toBe(true);
  });

  law(
    "a repeated difference may be given once with its count",
    fc.tuple(onGrid, fc.nat({ max: 5 })),
    ([values, count]) => {
      const repeated = values.flatMap((value) => Array<number>(count).fill(value));
      expect(signFlip({ values, counts: values.map(() => count) })).toBe(signFlip({ values: repeated }));
    },
  );

  test("for ±1 it equals the exact McNemar's test, however small p is", () => {
    for (const [b, c] of [
      [30, 12],
      [600, 300],
      [40_000, 25_536],
      [1000, 0],
      [70, 70],
    ] as const)
      expect(
        isClose(
          Math.log(signFlip({ values: [1, -1], counts: [b, c] })!),
          Math.log(mcnemar(b, c).exact),
          1e-10,
        ),
      ).toBe(true);
  });

  test("with thousands of rows on a grid it is still the share of all sign patterns", () => {
    for (const [counts, shift] of [
      [[900, 700, 400, 150], 60],
      [[1200, 1], 10],
      [[40, 30, 20, 300, 3, 1, 0, 9], 400],
      [[2000, 1500], 900],
    ] as const) {
      // The distribution of the sum, adding one row at a time.
      let at = [1];
      for (const [k, count] of counts.entries()) {
        const size = k + 1;
        for (let row = 0; row < count; row++) {
          const next = new Array<number>(at.length + size).fill(0);
          for (const [i, p] of at.entries()) {
            next[i]! += p / 2;
            next[i + size]! += p / 2;
          }
          at = next;
        }
      }
      const largest = at.length - 1;
      // Half of the rows up and half down, then rows of the first size are flipped to shift the sum.
      const up = counts.map((count) => Math.floor(count / 2));
      up[0]! = Math.min(counts[0], up[0]! + shift);
      const observed = Math.abs(2 * sum(up.map((rows, k) => rows * (k + 1))) - largest);
      const share = 2 * sum(at.slice((largest + observed) / 2));
      const found = signFlip({
        values: [...counts.keys()].flatMap((k) => [0.25 * (k + 1), -0.25 * (k + 1)]),
        counts: counts.flatMap((count, k) => [up[k]!, count - up[k]!]),
      });
      expect(Math.abs(found! / Math.min(1, share) - 1)).toBeLessThan(1e-10);
    }
  });

  test("without a grid, or without differences, there is no exact test", () => {
    expect(signFlip({ values: [1, Math.SQRT2, Math.PI] })).toBeNull();
    expect(signFlip({ values: [1, 65_536] })).toBeNull();
    expect(signFlip({ values: [] })).toBeNull();
    expect(signFlip({ values: [0, 0] })).toBe(1);
  });
});

const twoSamples = fc.tuple(rowNumbers, rowNumbers);

describe("two means", () => {
  law("correlation equals the plain formula", twoSamples, ([first, second]) => {
    const n = Math.min(first.length, second.length);
    const [a, b] = [first.slice(0, n), second.slice(0, n)];
    const found = correlation({ a, b });
    if (new Set(a).size < 2 || new Set(b).size < 2) expect(found).toBeNull();
    else {
      const together = sum(a.map((x, i) => (x - mean(a)) * (b[i]! - mean(b)))) / (n - 1);
      expect(isClose(found, together / Math.sqrt(variance(a) * variance(b)), 1e-7)).toBe(true);
    }
  });

  law("Welch adds variances and weighs degrees of freedom", twoSamples, ([a, b]) => {
    const [first, second] = [a, b].map((values) => meanEstimate(moments({ values })));
    if (first == null || second == null) return;
    const found = welch(first, second);
    const [va, vb] = [variance(a) / a.length, variance(b) / b.length];
    expect(isClose(found.mean, mean(b) - mean(a))).toBe(true);
    expect(isClose(found.se ** 2, va + vb)).toBe(true);
    const df = (va + vb) ** 2 / (va ** 2 / (a.length - 1) + vb ** 2 / (b.length - 1));
    expect(isClose(found.df, df, 1e-7)).toBe(true);
  });

  const proportion = fc
    .tuple(counts, counts)
    .map(([successes, failures]) => ({ successes, n: successes + failures }));

  law(
    "Newcombe squares and adds Wilson's bounds",
    fc.tuple(proportion, proportion, levels),
    ([a, b, level]) => {
      const found = newcombe(a, b, level);
      if (a.n === 0 || b.n === 0) {
        expect(found).toBeNull();
        return;
      }
      const [p, q] = [a.successes / a.n, b.successes / b.n];
      const [of, other] = [wilson(a.successes, a.n, level)!, wilson(b.successes, b.n, level)!];
      expect(isClose((q - p - found!.low) ** 2, (q - other.low) ** 2 + (of.high - p) ** 2)).toBe(true);
      expect(isClose((found!.high - (q - p)) ** 2, (other.high - q) ** 2 + (p - of.low) ** 2)).toBe(true);
    },
  );

  law(
    "the test of proportions equals χ² of the two-by-two table",
    fc.tuple(proportion, proportion),
    ([a, b]) => {
      const found = proportionsTest(a, b);
      if (a.n === 0 || b.n === 0) {
        expect(found).toBeNull();
        return;
      }
      const passes = (a.successes + b.successes) / (a.n + b.n);
      if (passes === 0 || passes === 1) {
        expect(found).toBe(1);
        return;
      }
      const chiSquared = sum(
        [a, b].flatMap(({ successes, n }) => [
          (successes - n * passes) ** 2 / (n * passes),
          (n - successes - n * (1 - passes)) ** 2 / (n * (1 - passes)),
        ]),
      );
      expect(isClose(found, 2 * normalTail(Math.sqrt(chiSquared)), 1e-7)).toBe(true);
    },
  );
});
