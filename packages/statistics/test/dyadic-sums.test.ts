// Sums that plain doubles hold without rounding, compared with integers of any size.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayFlip } from "../src/comparisons/sign-flip.ts";
import { correlation, moments, signFlip } from "../src/index.ts";
import { dyadicScale, dyadicSums, isExact, momentsOfSums } from "../src/samples/dyadic-sums.ts";
import { exactSum } from "../src/samples/exact-sum.ts";
import { correlationOfSums } from "../src/samples/moments.ts";
import { isClose, law, rowNumbers } from "./property.ts";

/** Multiples of 2^-k whose sums fit in 53 bits, and many whose sums do not. */
const dyadic = fc
  .tuple(
    fc.integer({ min: 0, max: 31 }),
    fc.array(fc.integer({ min: -(2 ** 28), max: 2 ** 28 }), { maxLength: 12 }),
  )
  .map(([k, whole]) => whole.map((one) => one / 2 ** k));

/** n·Σa·b − Σa·Σb in exact integers. */
function wholeDifference(a: readonly number[], b: readonly number[], scale: number): bigint {
  const whole = (values: readonly number[]): bigint[] => values.map((value) => BigInt(value * scale));
  const [x, y] = [whole(a), whole(b)];
  const sum = (values: readonly bigint[]): bigint => values.reduce((total, one) => total + one, 0n);
  return BigInt(a.length) * sum(x.map((one, i) => one * y[i]!)) - sum(x) * sum(y);
}

describe("dyadic numbers", () => {
  law("have the moments computed from integers", fc.tuple(dyadic, fc.boolean()), ([values, typed]) => {
    const sample = { values: typed ? Float64Array.from(values) : values };
    const sums = dyadicSums(sample);
    const { n, mean, variance } = moments(sample);
    expect(n).toBe(values.length);
    if (sums === undefined || n < 2) return;
    const { scale } = sums;
    expect(mean).toBe(exactSum(values) / n);
    const exact = Number(wholeDifference(values, values, scale)) / (n * (n - 1)) / scale ** 2;
    expect(variance).toBe(exact);
  });

  law("have the correlation computed from integers", fc.tuple(dyadic, dyadic), ([first, second]) => {
    const n = Math.min(first.length, second.length);
    const [a, b] = [first.slice(0, n), second.slice(0, n)];
    const [x, y] = [dyadicSums({ values: a }), dyadicSums({ values: b })];
    if (x === undefined || y === undefined || n < 2) return;
    const scale = Math.max(x.scale, y.scale);
    const [xx, yy, xy] = [
      wholeDifference(a, a, scale),
      wholeDifference(b, b, scale),
      wholeDifference(a, b, scale),
    ];
    const expected =
      xx === 0n || yy === 0n ? null : Number(xy) / Math.sqrt(Number(xx)) / Math.sqrt(Number(yy));
    expect(isClose(correlation({ a, b }), expected, 1e-14)).toBe(true);
  });

  law(
    "have equal results at a finer scale than necessary",
    fc.tuple(dyadic, fc.nat({ max: 3 })),
    ([values, finer]) => {
      const sums = dyadicSums({ values });
      if (sums === undefined) return;
      const wider = { ...sums, scale: sums.scale * 2 ** finer };
      if (!isExact(wider)) return;
      expect(momentsOfSums(wider)).toEqual(momentsOfSums(sums));
      const products = exactSum(values.map((value) => value * value));
      expect(correlationOfSums(wider, wider, products)).toBe(correlationOfSums(sums, sums, products));
    },
  );

  law("are distinguished from others", rowNumbers, (values) => {
    const isDyadic = values.every((value) => Number.isInteger(value * 4));
    expect(dyadicSums({ values }) !== undefined).toBe(isDyadic);
    expect(Number.isFinite(dyadicScale(Float64Array.from([...values, Number.NaN])))).toBe(isDyadic);
  });

  test("with sums beyond exact doubles are not added plainly", () => {
    for (const values of [[2 ** 27, 1], [1e300, 1], [Number.NaN], [Number.POSITIVE_INFINITY]])
      expect(dyadicSums({ values: Float64Array.from(values) })).toBeUndefined();
    expect(dyadicSums({ values: [2 ** 26, 0.5], counts: [2, 0] })).toEqual({
      n: 2,
      sum: 2 ** 27,
      squares: 2 ** 53,
      scale: 1,
    });
  });
});

law("differences without a sufficiently coarse grid have no exact test", rowNumbers, (values) => {
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const may = mayFlip({ least: Math.min(...sizes), sum: sizes.reduce((sum, size) => sum + size, 0) });
  if (!may) expect(signFlip({ values })).toBeNull();
  if (values.every((value) => value === 0)) expect(may).toBe(true);
});
