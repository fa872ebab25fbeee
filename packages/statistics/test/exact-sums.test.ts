// Exact sums keep every bit: each loop that adds equals `exactSum` of its numbers, however large and small numbers
// cancel.

import fc from "fast-check";
import { expect, test } from "vitest";
import { correlation, moments, skewness } from "../src/index.ts";
import { exactMean, exactSum } from "../src/samples/exact-sum.ts";
import {
  addAll,
  addColumn,
  addExactly,
  addProducts,
  addTotal,
  clearTotal,
  meanOf,
  newTotal,
  type Total,
  totalOf,
} from "../src/samples/exact-total.ts";
import { addSample, addTimes } from "../src/samples/sample.ts";
import { law } from "./property.ts";

/** Numbers that lose digits when plainly added, in any order. */
const cancelling = fc.array(
  fc.constantFrom(
    1,
    -1,
    0.1,
    -0.1,
    1 / 3,
    -1 / 3,
    2 ** 53,
    -(2 ** 53),
    1e16,
    -1e16,
    1e-9,
    2 ** 70,
    -(2 ** 70),
    3e-17,
  ),
  { maxLength: 30, size: "max" },
);

/** Their total, added one by one. */
function oneByOne(values: Iterable<number>): Total {
  const total = newTotal();
  for (const value of values) addExactly(total, value);
  return total;
}

law("numbers are summed exactly, one by one and as a column", cancelling, (values) => {
  const total = oneByOne(values);
  expect(totalOf(total)).toBe(exactSum(values));
  const column = newTotal();
  addColumn(column, Float64Array.from(values));
  expect(column).toEqual(total);
});

law("two totals are added exactly", fc.tuple(cancelling, cancelling), ([first, second]) => {
  const total = oneByOne(first);
  addTotal(total, oneByOne(second));
  expect(total.count).toBe(first.length + second.length);
  expect(totalOf(total)).toBe(exactSum([...first, ...second]));
});

/** Numbers whose sums leave the range of doubles, midway or at the end. */
const large = fc.array(
  fc.constantFrom(1e308, -1e308, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 970, -1e292, 1, 0.1, 1e-200),
  { minLength: 1, maxLength: 20 },
);

law(
  "a sum that overflows midway is right, and infinite only if the sum itself is",
  fc.tuple(large, fc.nat()),
  ([values, seed]) => {
    const sum = exactSum(values);
    const mean = rationalMean(values);
    expect(sum).not.toBeNaN();
    if (Number.isFinite(sum)) expect(sum / values.length).toBeCloseTo(mean, 12);
    else expect(sum * mean).toBe(Number.POSITIVE_INFINITY);
    const turned = values.map((_, i) => values[(i + seed) % values.length]!);
    expect(exactSum(turned.values())).toBe(sum);
  },
);

law(
  "the mean of finite numbers is finite, in any order and any parts",
  fc.tuple(large, large, fc.nat()),
  ([first, second, seed]) => {
    const values = [...first, ...second];
    const mean = exactMean(values);
    expect(Math.abs(mean)).toBeLessThanOrEqual(Math.max(...values.map(Math.abs)));
    expect(mean).toBe(rationalMean(values));
    const turned = values.map((_, i) => values[(i + seed) % values.length]!);
    expect(exactMean(turned)).toBe(mean);
    expect(meanOf(oneByOne(turned))).toBe(mean);
    const joined = oneByOne(first);
    addTotal(joined, oneByOne(second));
    expect(meanOf(joined)).toBe(mean);
    const column = newTotal();
    addColumn(column, Float64Array.from(turned));
    expect(meanOf(column)).toBe(mean);
    const chosen = newTotal();
    addAll(chosen, Float64Array.from(values), Uint32Array.from(values.keys()), 1, 0);
    expect(meanOf(chosen)).toBe(mean);
  },
);

test("a mean is finite although rounding its sum exceeds the largest double", () => {
  const values = [-1e308, 2 ** 970, Number.MAX_VALUE, 1e308, 0];
  expect(totalOf(oneByOne(values))).toBe(Number.POSITIVE_INFINITY);
  expect(meanOf(oneByOne(values))).toBe(exactMean(values));
});

/** The mean by integer arithmetic: the sum rounded to 53 bits, then divided, as doubles with a wider exponent would. */
function rationalMean(values: readonly number[]): number {
  const ulp = 1074;
  const units = (value: number): bigint => {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, value);
    const raw = bits.getBigUint64(0);
    const exponent = Number((raw >> 52n) & 2047n);
    const fraction = raw & (2n ** 52n - 1n);
    const size = exponent === 0 ? fraction : (fraction + 2n ** 52n) << BigInt(exponent - 1);
    return value < 0 ? -size : size;
  };
  const sum = values.reduce((total, value) => total + units(value), 0n);
  const size = sum < 0n ? -sum : sum;
  // Rounds half to even at 53 bits, then scales into the range of doubles.
  const cut = BigInt(Math.max(0, size.toString(2).length - 53));
  const [kept, left] = [size >> cut, size & ((1n << cut) - 1n)];
  const half = cut === 0n ? 1n : 1n << (cut - 1n);
  const rounded = kept + (cut > 0n && (left > half || (left === half && kept % 2n === 1n)) ? 1n : 0n);
  const shift = Number(cut) - ulp;
  const quotient = Number(rounded) / values.length;
  const mean =
    shift > 900
      ? quotient * 2 ** (shift - 64) * 2 ** 64
      : quotient * 2 ** Math.max(shift, -1000) * 2 ** Math.min(shift + 1000, 0);
  return sum < 0n ? -mean : mean;
}

law(
  "products of deviations are summed exactly",
  fc.tuple(cancelling, fc.constantFrom(0, 0.5, -3)),
  ([values, aboutA]) => {
    const [a, b, aboutB] = [Float64Array.from(values), Float64Array.from(values.toReversed()), 0.25];
    const total = newTotal();
    addProducts(total, { a, b, aboutA, aboutB });
    expect(total).toEqual(oneByOne(values.map((_, i) => (a[i]! - aboutA) * (b[i]! - aboutB))));
  },
);

law("numbers chosen by indexes are summed exactly, without NaN", cancelling, (values) => {
  const numbers = Float64Array.from(values.flatMap((value, i) => [7, i % 5 === 4 ? Number.NaN : value, 9]));
  const indexes = Uint32Array.from(values.keys()).filter((i) => i % 3 !== 1);
  const total = newTotal();
  addAll(total, numbers, indexes, 3, 1);
  const chosen = [...indexes].filter((i) => i % 5 !== 4).map((i) => values[i]!);
  expect(total.count).toBe(chosen.length);
  expect(totalOf(total)).toBe(exactSum(chosen));
});

law(
  "a repeated number is summed exactly, even if its halves overflow or vanish",
  fc.tuple(
    fc.oneof(
      fc.constantFrom(
        0,
        -0,
        0.1,
        -1 / 3,
        2 ** 480,
        -(2 ** 479.5),
        2 ** 481,
        2 ** -480,
        2 ** -481,
        2 ** -1074,
        2 ** 1000 / 3,
      ),
      fc.double({ min: -(2 ** 500), max: 2 ** 500, noNaN: true }),
    ),
    fc.nat({ max: 40 }),
    cancelling,
  ),
  ([value, count, others]) => {
    const total = oneByOne(others);
    addTimes(total, value, count);
    // An empty sum is 0, never −0.
    expect(totalOf(total)).toBe(0 + exactSum([...others, ...Array<number>(count).fill(value)]));
  },
);

law("a sample in any form is summed exactly", cancelling, (values) => {
  const total = oneByOne(values);
  const ones = values.map(() => 1);
  for (const sample of [{ values }, { values: Float64Array.from(values) }, { values, counts: ones }]) {
    const other = newTotal();
    addSample(other, sample);
    expect(totalOf(other)).toBe(totalOf(total));
    expect(moments(sample)).toEqual(moments({ values }));
    expect(skewness(sample, moments(sample))).toBe(skewness({ values }, moments({ values })));
  }
  const counts = values.map((_, i) => i % 3);
  const repeated = values.flatMap((value, i) => Array<number>(i % 3).fill(value));
  const counted = { values: Float64Array.from(values), counts };
  expect(moments(counted)).toEqual(moments({ values: repeated }));
  const reversed = values.toReversed();
  const again = values.flatMap((_, i) => Array<number>(i % 3).fill(reversed[i]!));
  expect(correlation({ a: values, b: reversed, counts })).toBe(correlation({ a: repeated, b: again }));
  const columns = { a: Float64Array.from(values), b: Float64Array.from(reversed) };
  expect(correlation(columns)).toBe(correlation({ a: values, b: reversed }));
});

test("a cleared total is zero", () => {
  const total = oneByOne([2 ** 53, 1, 2 ** -60]);
  clearTotal(total);
  expect(total).toEqual(newTotal());
});
