// Properties of all intervals and tests.

import fc from "fast-check";
import { describe, expect } from "vitest";
import { bonettPriceTest } from "../src/comparisons/paired-proportions.ts";
import {
  bonettPrice,
  bootstrapBca,
  clusterEstimate,
  confidenceSequence,
  correlation,
  designEffect,
  effectiveProportion,
  type Interval,
  mcnemar,
  meanEstimate,
  moments,
  newcombe,
  signFlip,
  tInterval,
  tTest,
  welch,
  wilson,
} from "../src/index.ts";
import { exactSum } from "../src/samples/exact-sum.ts";
import { addAll, addExactly, addTotal, newTotal, totalOf } from "../src/samples/exact-total.ts";
import { joinMeans, meanOfPart, partialMean } from "../src/samples/partial-mean.ts";
import { law, levels, rowNumbers } from "./property.ts";

const kind = fc.record({
  values: rowNumbers,
  b: fc.nat({ max: 30 }),
  c: fc.nat({ max: 30 }),
  rest: fc.nat({ max: 30 }),
});

/** Each interval with its estimate. */
function intervals(
  { values, b, c, rest }: typeof kind extends fc.Arbitrary<infer T> ? T : never,
  level: number,
) {
  const n = b + c + rest;
  const estimate = meanEstimate(moments({ values }));
  const clustered = clusterEstimate(
    values,
    values.map((_, i) => i >> 1),
  ).estimate;
  const all: [number, Interval | null][] = [
    [b / n, wilson(b, n, level)],
    [(b - c) / n, bonettPrice(b, c, n, level)],
    [c / n - b / n, newcombe({ successes: b, n }, { successes: c, n }, level)],
  ];
  if (estimate !== null) {
    const sd = estimate.se * Math.sqrt(values.length);
    all.push([estimate.mean, tInterval(estimate, level)]);
    all.push([estimate.mean, confidenceSequence({ ...estimate, sd, n: 50, alpha: 1 - level })]);
    all.push([estimate.mean, bootstrapBca(values, { level, resamples: 30 })]);
  }
  if (clustered !== null) all.push([clustered.mean, tInterval(clustered, level, "cluster_t")]);
  return all;
}

describe("an interval", () => {
  law("contains its estimate", fc.tuple(kind, levels), ([sample, level]) => {
    for (const [estimate, interval] of intervals(sample, level)) {
      if (interval === null) continue;
      expect(interval.low).toBeLessThanOrEqual(estimate + 1e-12 * Math.abs(estimate));
      expect(interval.high).toBeGreaterThanOrEqual(estimate - 1e-12 * Math.abs(estimate));
    }
  });

  law("is no narrower at a higher level", fc.tuple(kind, levels, levels), ([sample, one, other]) => {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    const wider = intervals(sample, high);
    for (const [k, [, interval]] of intervals(sample, low).entries()) {
      if (interval === null) continue;
      expect(wider[k]![1]!.low).toBeLessThanOrEqual(interval.low + 1e-12);
      expect(wider[k]![1]!.high).toBeGreaterThanOrEqual(interval.high - 1e-12);
    }
  });

  law(
    "changes sign when its sides are swapped",
    fc.tuple(kind, levels),
    ([{ values, b, c, rest }, level]) => {
      const n = b + c + rest;
      const turned = (interval: Interval | null) =>
        interval === null ? null : { ...interval, low: -interval.high, high: -interval.low };
      const close = (one: Interval | null, other: Interval | null) => {
        expect(one?.low ?? 0).toBeCloseTo(other?.low ?? 0, 9);
        expect(one?.high ?? 0).toBeCloseTo(other?.high ?? 0, 9);
      };
      close(bonettPrice(b, c, n, level), turned(bonettPrice(c, b, n, level)));
      const [first, second] = [
        { successes: b, n },
        { successes: c, n },
      ];
      close(newcombe(first, second, level), turned(newcombe(second, first, level)));
      expect(mcnemar(b, c).midP).toBe(mcnemar(c, b).midP);
      const negated = values.map((value) => -value);
      expect(signFlip({ values })).toBe(signFlip({ values: negated }));
      const [up, down] = [values, negated].map((of) => meanEstimate(moments({ values: of })));
      if (up == null || down == null) return;
      // A mean of zero has no sign, so 0 and -0 count as equal.
      expect(down.mean === -up.mean).toBe(true);
      expect(down.se).toBe(up.se);
      expect(tTest(down)).toBe(tTest(up));
    },
  );
});

describe("the order of rows", () => {
  law(
    "changes no digit, nor do counts instead of repeated values",
    fc.tuple(rowNumbers, rowNumbers),
    ([a, other]) => {
      const b = a.map((value, i) => other[i] ?? value);
      const shuffled = [...a.keys()].sort((i, j) => ((i * 7919) % 31) - ((j * 7919) % 31));
      const [a2, b2] = [shuffled.map((i) => a[i]!), shuffled.map((i) => b[i]!)];
      expect(moments({ values: a2 })).toEqual(moments({ values: a }));
      expect(correlation({ a: a2, b: b2 })).toBe(correlation({ a, b }));
      expect(signFlip({ values: a2 })).toBe(signFlip({ values: a }));
      const counts = new Map<string, number>();
      for (const [i, value] of a.entries()) {
        const key = JSON.stringify([value, b[i]]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      const pairs = [...counts].map(
        ([key, count]) => [...(JSON.parse(key) as [number, number]), count] as const,
      );
      const counted = {
        a: pairs.map(([x]) => x),
        b: pairs.map(([, y]) => y),
        counts: pairs.map(([, , n]) => n),
      };
      expect(moments({ values: counted.a, counts: counted.counts })).toEqual(moments({ values: a }));
      expect(correlation(counted)).toBe(correlation({ a, b }));
      expect(signFlip({ values: counted.a, counts: counted.counts })).toBe(signFlip({ values: a }));
    },
  );

  law(
    "changes nothing if a value occurs very often",
    fc.tuple(fc.constantFrom(0.1, 1 / 3, 1e300, 5e-310, 0.7), fc.nat({ max: 3000 })),
    ([value, count]) => {
      const repeated = [...Array<number>(count).fill(value), 0.2, -0.4];
      expect(moments({ values: [value, 0.2, -0.4], counts: [count, 1, 1] })).toEqual(
        moments({ values: repeated }),
      );
    },
  );
});

/** Rows that pass or fail on both sides, and the cluster of each. */
const clusteredPairs = fc
  .array(fc.tuple(fc.boolean(), fc.boolean(), fc.nat({ max: 5 })), {
    minLength: 2,
    maxLength: 60,
    size: "max",
  })
  .map((rows) => {
    const names = [...new Set(rows.map(([, , name]) => name))];
    return {
      a: rows.map(([a]) => Number(a)),
      b: rows.map(([, b]) => Number(b)),
      clusterOf: rows.map(([, , name]) => names.indexOf(name)),
    };
  })
  .filter(({ clusterOf }) => new Set(clusterOf).size > 1);

describe("rates of rows in clusters", () => {
  law(
    "have intervals within 0 … 1 that contain their mean",
    fc.tuple(clusteredPairs, levels),
    ([{ a, clusterOf }, level]) => {
      const of = moments({ values: a });
      const { successes, n, df } = effectiveProportion(of, clusterEstimate(a, clusterOf))!;
      const { low, high } = wilson(successes, n, level, df)!;
      expect(0 <= low && low <= of.mean! + 1e-12 && of.mean! - 1e-12 <= high && high <= 1).toBe(true);
      // Clustered rows are worth at most as much as independent ones.
      expect(n).toBeLessThanOrEqual(a.length * (1 + 1e-9));
    },
  );

  law(
    "differ by −1 … 1, and the test agrees with the interval",
    fc.tuple(clusteredPairs, levels),
    ([{ a, b, clusterOf }, level]) => {
      const d = a.map((x, i) => b[i]! - x);
      const clustered = clusterEstimate(d, clusterOf);
      const effect = designEffect(moments({ values: d }), clustered);
      const [up, down] = [1, -1].map((sign) => d.filter((x) => x === sign).length / effect);
      const of = [up!, down!, d.length / effect] as const;
      const { low, high } = bonettPrice(...of, level, clustered.clusters - 1)!;
      expect(-1 <= low && low <= high && high <= 1).toBe(true);
      const p = bonettPriceTest(...of, clustered.clusters - 1);
      if (Math.abs(p - (1 - level)) > 1e-9) expect(low > 0 || high < 0).toBe(p < 1 - level);
    },
  );

  law("equal unclustered rates if each row is a cluster", clusteredPairs, ({ a }) => {
    const of = moments({ values: a });
    const alone = { clusters: a.length, estimate: meanEstimate(of) };
    expect(designEffect(of, alone)).toBeCloseTo(1, 12);
    expect(effectiveProportion(of, alone)!.n).toBeCloseTo(a.length, 9);
  });
});

law(
  "one cluster per row equals no clusters",
  rowNumbers.filter((values) => new Set(values).size > 1),
  (values) => {
    const rows = meanEstimate(moments({ values }))!;
    const clusters = clusterEstimate(
      values,
      values.map((_, i) => i),
    ).estimate!;
    expect(clusters.se).toBeCloseTo(rows.se, 6 - Math.ceil(Math.log10(1 + rows.se)));
    expect([clusters.mean, clusters.df]).toEqual([rows.mean, rows.df]);
  },
);

// On a grid of sixteenths, so that adding the constant needs no rounding.
const sixteenths = fc.array(fc.integer({ min: -64, max: 64 }), { maxLength: 40, size: "max" });

law(
  "a constant added to both sides changes no difference",
  fc.tuple(sixteenths, sixteenths, fc.integer({ min: -1600, max: 1600 })),
  ([first, second, constant]) => {
    const pairs = first.slice(0, second.length).map((a, i) => [a / 16, second[i]! / 16] as const);
    const found = (shift: number) => {
      const [a, b] = [pairs.map(([x]) => x + shift), pairs.map(([, y]) => y + shift)];
      const d = a.map((x, i) => b[i]! - x);
      const estimate = meanEstimate(moments({ values: d }));
      return {
        moments: moments({ values: d }),
        signFlip: signFlip({ values: d }),
        interval: estimate && tInterval(estimate, 0.95),
        clusters: clusterEstimate(
          d,
          d.map((_, i) => i >> 1),
        ),
        bootstrap: bootstrapBca(d, { level: 0.95, resamples: 30 }),
      };
    };
    const shifted = found(constant / 16);
    expect(shifted).toEqual(found(0));
    // With different rows, each side's mean is rounded separately.
    const apart = (shift: number) => {
      const [a, b] = [0, 1].map((side) =>
        meanEstimate(moments({ values: pairs.map((pair) => pair[side]! + shift) })),
      );
      return a == null || b == null ? null : welch(a, b);
    };
    const [here, there] = [apart(0), apart(constant / 16)];
    expect(there === null).toBe(here === null);
    if (here === null || there === null) return;
    expect(there.mean).toBeCloseTo(here.mean, 9);
    expect(there.se).toBeCloseTo(here.se, 9);
    expect(there.df).toBeCloseTo(here.df, 6);
  },
);

law(
  "a mean equals that of its parts, however it is divided",
  fc.tuple(rowNumbers, fc.nat({ max: 40 }), fc.nat({ max: 40 })),
  ([values, one, other]) => {
    const cuts = [0, Math.min(one, other), Math.max(one, other), values.length];
    const parts = [0, 1, 2].map((k) => partialMean({ values: values.slice(cuts[k], cuts[k + 1]) }));
    expect(meanOfPart(parts.reduce(joinMeans))).toBe(moments({ values }).mean);
  },
);

// A total keeps about 159 bits. Numbers that span more need `exactSum`.
law(
  "a total is the exact sum, rounded once, in any order",
  fc.array(fc.constantFrom(0.1, 0.2, 0.3, 1e16, -1e16, 1, -0.7, 1e-6, 3e8), { maxLength: 60, size: "max" }),
  (numbers) => {
    for (const order of [numbers, numbers.toReversed()]) {
      const total = newTotal();
      for (const number of order) addExactly(total, number);
      const all = newTotal();
      // Each index has two numbers, of which the second is added.
      addAll(
        all,
        Float64Array.from([Number.NaN, ...order].flatMap((number) => [7, number])),
        Uint32Array.from({ length: order.length + 1 }, (_, i) => i),
        2,
        1,
      );
      const parts = newTotal();
      for (const part of [total, newTotal(), all]) addTotal(parts, part);
      expect([total, all].map(totalOf)).toEqual([exactSum(numbers) + 0, exactSum(numbers) + 0]);
      expect(totalOf(parts)).toBe(exactSum([...numbers, ...numbers]) + 0);
      expect([total.count, all.count, parts.count]).toEqual([1, 1, 2].map((times) => times * numbers.length));
    }
  },
);

describe("clusters of the same decimals", () => {
  const decimals = fc.array(fc.integer({ min: -999, max: 999 }), { minLength: 1, maxLength: 8 });

  law("do not vary, whatever their order", fc.tuple(decimals, fc.nat({ max: 7 })), ([rows, turn]) => {
    const turned = rows.map((_, i) => rows[(i + turn) % rows.length]!);
    const values = [...rows, ...turned, ...turned.toReversed()].map((value) => value / 1000);
    const clusterOf = values.map((_, i) => Math.floor(i / rows.length));
    expect(clusterEstimate(values, clusterOf)).toEqual({ clusters: 3, estimate: null, residuals: [] });
  });

  law("vary if one of them is a thousandth larger", decimals, (rows) => {
    const values = [...rows, ...rows.with(0, rows[0]! + 1)].map((value) => value / 1000);
    const clusterOf = values.map((_, i) => Math.floor(i / rows.length));
    expect(clusterEstimate(values, clusterOf).estimate!.se).toBeCloseTo(0.0005 / rows.length, 12);
  });
});
