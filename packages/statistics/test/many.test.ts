// Adjustments for many tests, ranks of many competitors, and statistics of a row's trials, compared with their plain
// forms.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  adjusted,
  benjaminiHochberg,
  holm,
  passAtK,
  passHatK,
  rankIntervals,
  shrunkenMeans,
  tiedGroups,
  varianceComponents,
  verdict,
} from "../src/index.ts";
import { readReducer, rowValue } from "../src/samples/row-value.ts";
import { isClose, law, mean, sum, variance } from "./property.ts";

const pValues = fc.array(fc.constantFrom(null, 0, 0.001, 0.01, 0.02, 0.04, 0.3, 0.9, 1), { maxLength: 7 });

/** Every subset of the places. */
const subsets = (places: readonly number[]): number[][] =>
  places.reduce<number[][]>((all, place) => all.flatMap((one) => [one, [...one, place]]), [[]]);

describe("p-values of several tests", () => {
  law(
    "Holm's equals the closed test: the largest of Bonferroni's over all subsets that contain it",
    pValues,
    (p) => {
      const known = [...p.keys()].filter((i) => p[i] !== null);
      const expected = p.map((own, i) =>
        own === null
          ? null
          : Math.max(
              ...subsets(known)
                .filter((subset) => subset.includes(i))
                .map((subset) => Math.min(1, subset.length * Math.min(...subset.map((j) => p[j]!)))),
            ),
      );
      for (const [i, one] of holm(p).entries()) expect(isClose(one, expected[i])).toBe(true);
    },
  );

  law("a q-value is the smallest false discovery rate at which it is a finding", pValues, (p) => {
    const known = p.filter((one) => one !== null);
    const expected = p.map((own) =>
      own === null
        ? null
        : Math.min(
            1,
            ...known
              .filter((t) => t >= own)
              .map((t) => (known.length * t) / known.filter((one) => one <= t).length),
          ),
    );
    for (const [i, q] of benjaminiHochberg(p).entries()) expect(isClose(q, expected[i])).toBe(true);
  });

  law("unadjusted values stay unchanged", pValues, (p) => {
    expect(adjusted(p, "none")).toEqual(p);
    expect(adjusted(p, "holm")).toEqual(holm(p));
    expect(adjusted(p, "bh")).toEqual(benjaminiHochberg(p));
  });
});

test("at the bounds, an interval that touches one does not pass it, but p = alpha does", () => {
  const at = (
    low: number,
    high: number,
    p: number | null,
    margin: number,
    direction: "higher" | "lower" = "higher",
  ) => verdict({ interval: { low, high }, p, alpha: 0.05, margin, direction });
  expect(at(0, 1, null, 0)).toBe("inconclusive");
  expect(at(-1, 0, null, 0)).toBe("inconclusive");
  expect(at(0.1, 1, 0.05, 0)).toBe("improved");
  expect(at(0.1, 1, 0.0500001, 0)).toBe("inconclusive");
  expect(at(-1, -0.1, 0.05, 0)).toBe("regressed");
  expect(at(-1, -0.1, 0.0500001, 0)).toBe("inconclusive");
  expect(at(0, 0, null, 0)).toBe("inconclusive");
  // Both ends within the margin, then each end on it.
  expect(at(-0.4, 0.4, null, 0.5)).toBe("equivalent");
  expect(at(-0.4, 0.5, null, 0.5)).toBe("not_worse");
  expect(at(-0.5, 0.4, null, 0.5)).toBe("inconclusive");
  expect(at(-0.5, 0.4, null, 0.5, "lower")).toBe("not_worse");
  expect(at(-0.4, 0.5, null, 0.5, "lower")).toBe("inconclusive");
});

test("verdicts are checked in order", () => {
  const of = (low: number, high: number, margin: number, p: number | null = 0.01, direction = "higher") =>
    verdict({
      interval: { low, high },
      p,
      alpha: 0.05,
      margin,
      direction: direction as "higher" | "lower",
    });
  expect(of(0.01, 0.03, 0)).toBe("improved");
  expect(of(0.01, 0.03, 0, 0.06)).toBe("inconclusive");
  expect(of(0.01, 0.03, 0, null)).toBe("improved");
  expect(of(-0.03, -0.01, 0)).toBe("regressed");
  expect(of(-0.03, -0.01, 0, 0.01, "lower")).toBe("improved");
  expect(of(-0.03, -0.01, 0.02)).toBe("regressed");
  expect(of(-0.01, 0.03, 0)).toBe("inconclusive");
  expect(of(-0.01, 0.03, 0.02)).toBe("not_worse");
  expect(of(-0.03, 0.01, 0.02, 0.01, "lower")).toBe("not_worse");
  expect(of(0.005, 0.01, 0.02)).toBe("equivalent");
  expect(of(-0.02, 0.01, 0.02)).toBe("inconclusive");
  expect(verdict({ interval: null, p: 0, alpha: 0.05, margin: 1, direction: "higher" })).toBe("inconclusive");
});

describe("ranks", () => {
  const tournament = fc
    .integer({ min: 0, max: 6 })
    .chain((n) => fc.tuple(fc.constant(n), fc.array(fc.boolean(), { minLength: n * n, maxLength: n * n })));

  test("never count an evaluation against itself", () => {
    expect(rankIntervals(3, () => true)).toEqual(Array(3).fill({ low: 3, high: 1 }));
  });

  law("count better and worse evaluations", tournament, ([n, won]) => {
    const beats = (i: number, j: number) => i < j && won[i * n + j]!;
    const others = (i: number) => [...Array(n).keys()].filter((j) => j !== i);
    expect(rankIntervals(n, beats)).toEqual(
      [...Array(n).keys()].map((i) => ({
        low: 1 + others(i).filter((j) => beats(j, i)).length,
        high: n - others(i).filter((j) => beats(i, j)).length,
      })),
    );
    const groups = tiedGroups(n, beats);
    for (const [i, group] of groups.entries()) {
      const first = groups.indexOf(group);
      if (first < i) expect(beats(first, i)).toBe(false);
      else if (i > 0) expect(beats(groups.indexOf(group - 1), i)).toBe(true);
    }
  });

  law(
    "means are shrunk in proportion to the noise",
    fc.array(fc.tuple(fc.constantFrom(0.1, 0.2, 0.5, 0.9), fc.constantFrom(0, 0.001, 0.1)), { maxLength: 8 }),
    (rows) => {
      const [means, errors] = [rows.map(([m]) => m), rows.map(([, e]) => e)];
      const found = shrunkenMeans(means, errors);
      if (means.length < 4) {
        expect(found).toBeNull();
        return;
      }
      const spread = sum(means.map((m) => (m - mean(means)) ** 2));
      const kept = spread === 0 ? 1 : Math.max(0, 1 - ((means.length - 3) * mean(errors)) / spread);
      for (const [i, m] of means.entries())
        expect(isClose(found![i], mean(means) + kept * (m - mean(means)))).toBe(true);
    },
  );
});

describe("a row's trials", () => {
  const passes = fc.array(fc.constantFrom(0, 1), { maxLength: 8 });
  const by = (trials: readonly number[], name: string) => rowValue(trials, readReducer(name)!);

  law(
    "pass@k and pass^k equal the average over every draw of k trials",
    fc.tuple(passes, fc.integer({ min: 1, max: 9 })),
    ([trials, k]) => {
      const draws = subsets([...trials.keys()]).filter((draw) => draw.length === k);
      const share = (holds: (draw: readonly number[]) => boolean) =>
        draws.length === 0 ? null : draws.filter(holds).length / draws.length;
      const some = share((draw) => draw.some((i) => trials[i] === 1));
      const all = share((draw) => draw.every((i) => trials[i] === 1));
      expect(isClose(by(trials, `pass@${k}`), some)).toBe(true);
      expect(isClose(by(trials, `pass^${k}`), all)).toBe(true);
      expect(isClose(passAtK(trials.length, sum(trials), k), some)).toBe(true);
      expect(isClose(passHatK(trials.length, sum(trials), k), all)).toBe(true);
      if (k === 1 && trials.length > 0)
        expect([some, all].map((x) => isClose(x, by(trials, "mean")))).toEqual([true, true]);
    },
  );

  law("any, all and majority reduce booleans", passes, (trials) => {
    const expected =
      trials.length === 0
        ? [null, null, null]
        : [
            trials.includes(1),
            !trials.includes(0),
            trials.filter((t) => t === 1).length > trials.filter((t) => t === 0).length,
          ].map(Number);
    expect(["any", "all", "majority"].map((name) => by(trials, name))).toEqual(expected);
  });

  law(
    "mean, max, min and median reduce numbers",
    fc.array(fc.constantFrom(0.1, 0.2, 0.7, -3, 1e9), { maxLength: 7 }),
    (trials) => {
      const ascending = trials.toSorted((a, b) => a - b);
      const middle = (ascending[(trials.length - 1) >> 1]! + ascending[trials.length >> 1]!) / 2;
      const expected =
        trials.length === 0
          ? [null, null, null, null]
          : [mean(trials), Math.max(...trials), Math.min(...trials), middle];
      for (const [k, name] of ["mean", "max", "min", "median"].entries())
        expect(isClose(by(trials, name), expected[k])).toBe(true);
    },
  );

  test("the median of equal trials is their value, however large or small", () => {
    for (const value of [Number.MAX_VALUE, Number.MIN_VALUE, -Number.MAX_VALUE])
      expect(by([value, value], "median")).toBe(value);
    expect(by([Number.MAX_VALUE, Number.MAX_VALUE / 2], "median")).toBe(0.75 * Number.MAX_VALUE);
  });

  test("an unknown reducer is reported", () => {
    for (const name of ["", "best", "pass@", "pass@0", "pass@01", "pass^10001", "pass@1.5", "Mean"])
      expect(readReducer(name)).toBeUndefined();
    expect(readReducer("pass^10")).toEqual({ by: "pass^", k: 10, ofPasses: true });
  });

  law(
    "variance is split into that of trials and that of rows",
    fc.array(fc.array(fc.constantFrom(0, 1, 0.5), { minLength: 1, maxLength: 5 }), { maxLength: 8 }),
    (rows) => {
      const found = varianceComponents(rows);
      if (rows.length < 2 || rows.some(({ length }) => length < 2)) {
        expect(found).toBeNull();
        return;
      }
      const ofRowMeans = variance(rows.map(mean));
      const fromTrials = mean(rows.map((row) => variance(row) / row.length));
      expect(isClose(found!.ofRowMeans, ofRowMeans)).toBe(true);
      expect(isClose(found!.within, mean(rows.map(variance)))).toBe(true);
      expect(isClose(found!.fromTrials, fromTrials)).toBe(true);
      expect(isClose(found!.fromRows, Math.max(0, ofRowMeans - fromTrials))).toBe(true);
      expect(isClose(found!.se, Math.sqrt(ofRowMeans / rows.length))).toBe(true);
    },
  );
});
