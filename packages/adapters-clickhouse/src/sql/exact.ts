// Exact sums, independent of order: SQL's own sum of floating-point numbers depends on how the server splits its work.
// Few numbers are summed by the engine's algorithm (Shewchuk, 1997); many are first split into whole numbers.

import type { Sql } from "./statement.ts";

/**
 * The correctly rounded sum of a list of numbers, as the engine's `exactSum` computes it: a list of non-overlapping
 * partial sums, to which each number is added in turn.
 */
export function exactSumOfArray(numbers: Sql): Sql {
  // The rounding error of x + y: exact, computed from the larger of the two.
  const lost = (x: Sql, y: Sql): Sql =>
    `if(abs(${x}) < abs(${y}), ${x} - ((${x} + ${y}) - ${y}), ${y} - ((${x} + ${y}) - ${x}))`;
  const none = "emptyArrayFloat64()";
  const addOne = `arrayFold((a, y) -> (a.1 + y, if(${lost("a.1", "y")} != 0, arrayPushBack(a.2, ${lost("a.1", "y")}), a.2)), p, (x, ${none}))`;
  const partials = `arrayFold((p, x) -> arrayMap(r -> arrayPushBack(r.2, r.1), [${addOne}])[1], ${numbers}, ${none})`;
  // Adds from the largest down until a bit is lost (a.2); then corrects ties to even once, by the sign of the next.
  const zero = "toFloat64(0)";
  const corrected = "(a.1 + 2 * a.2) - a.1 = 2 * a.2 AND ((a.2 < 0 AND y < 0) OR (a.2 > 0 AND y > 0))";
  const down = `arrayFold((a, y) -> multiIf(a.3 = 0, (a.1 + y, y - ((a.1 + y) - a.1), toUInt8(y - ((a.1 + y) - a.1) != 0)), a.3 = 1, (if(${corrected}, a.1 + 2 * a.2, a.1), a.2, toUInt8(2)), a), arrayReverse(p), (${zero}, ${zero}, toUInt8(0))).1`;
  return `arrayMap(p -> ${down}, [${partials}])[1]`;
}

// A number below 2^22 that is a multiple of 2^-70 is split into three whole numbers below 2^31: over up to 2^32 rows,
// their sums stay within 64 bits. Nearly every score is such a number; the others are summed by their exponents. A
// single 128-bit number is not used, because ClickHouse 26.7 rounds a floating-point number beyond 2^64 when it
// converts it to a whole number.
const LIMIT = 2 ** 22;
const UPPER = 40;
const LOWER = 30;
const HALF = 31;

/** Names a piece of SQL over each trial, so that it is written once however often it is used. */
export type Name = (sql: Sql) => Sql;

/**
 * `x` in units of 2^-40, truncated; the rest, in units of 2^-70; and whether both are whole numbers that can be
 * summed. Powers of two lose nothing.
 */
function cutSql(x: Sql, name: Name): { readonly upper: Sql; readonly lower: Sql; readonly fits: Sql } {
  // An aggregate's argument is computed for every row: for numbers that do not fit it must also be a whole number, not
  // infinity.
  const units = name(`if(abs(${x}) < ${LIMIT}, ${x}, 0) * ${2 ** UPPER}`);
  const upper = name(`trunc(${units})`);
  const lower = name(`(${units} - ${upper}) * ${2 ** LOWER}`);
  return { upper, lower, fits: name(`abs(${x}) < ${LIMIT} AND ${lower} = trunc(${lower})`) };
}

/** A number that is 0 if `x` is NULL: that changes no sum, and sums without NULL take half the time. */
function numberSql(x: Sql, name: Name): Sql {
  return name(`ifNull(${x}, 0)`);
}

/** Aggregates for the numbers `x`, a column of type Nullable(Float64), of the rows of a group. */
export function exactSumColumns(x: Sql, name: Name): readonly Sql[] {
  const { upper, lower, fits } = cutSql(numberSql(x, name), name);
  const parts = [
    `bitShiftRight(toInt64(${upper}), ${HALF})`,
    `bitAnd(toInt64(${upper}), ${2 ** HALF - 1})`,
    `toInt64(${lower})`,
  ];
  return [`(${parts.map((part) => `sumIf(${part}, ${fits})`).join(", ")})`, `countIf(NOT ${fits})`];
}

/** Whether those columns leave numbers out, which `restColumns` sums. */
export function leavesRest([, rest]: readonly unknown[]): boolean {
  return Number(rest) > 0;
}

/** Numbers with the same exact sum as the columns of `exactSumColumns`. */
export function exactParts([sums]: readonly unknown[]): readonly number[] {
  const [high, middle, low] = (sums as readonly string[]).map(BigInt) as [bigint, bigint, bigint];
  return scaled((((high << BigInt(HALF)) + middle) << BigInt(LOWER)) + low, -UPPER - LOWER);
}

/** Aggregates for the numbers that `exactSumColumns` leaves out: their 53 bits as whole numbers, by exponent. */
export function restColumns(x: Sql, name: Name): readonly Sql[] {
  const number = numberSql(x, name);
  const { fits } = cutSql(number, name);
  const bits = name(`reinterpretAsUInt64(${number})`);
  const exponent = name(`bitAnd(bitShiftRight(${bits}, 52), 2047)`);
  const hidden = `if(${exponent} > 0, toUInt64(${(2n ** 52n).toString()}), 0)`;
  const digits = name(`toInt128(bitAnd(${bits}, toUInt64(${(2n ** 52n - 1n).toString()})) + ${hidden})`);
  const sums = `sumMapIf([toUInt16(greatest(${exponent}, 1))], [if(${number} < 0, -${digits}, ${digits})], NOT ${fits})`;
  return [`arrayMap((k, v) -> (toString(k), toString(v)), (${sums} AS m_${number}).1, m_${number}.2)`];
}

/** Numbers with the same exact sum as the column of `restColumns`. */
export function restParts([sums]: readonly unknown[]): readonly number[] {
  return (sums as readonly (readonly [string, string])[]).flatMap(([exponent, digits]) =>
    scaled(BigInt(digits), Number(exponent) - 1075),
  );
}

/** `integer * 2^exponent` as numbers that preserve every bit; several if it exceeds the largest double. */
function scaled(integer: bigint, exponent: number): number[] {
  const parts: number[] = [];
  const sign = integer < 0n ? -1 : 1;
  let left = integer < 0n ? -integer : integer;
  for (const large = 1n << BigInt(1023 - exponent); left >= large; left -= large)
    parts.push(sign * 2 ** 1023);
  for (let at = exponent; left > 0n; at += 32, left >>= 32n) {
    const limb = Number(left & 0xffffffffn);
    // In two steps: 2^at by itself may be too small for a double.
    if (limb > 0) parts.push(sign * limb * 2 ** Math.max(at, -1022) * 2 ** Math.min(at + 1022, 0));
  }
  return parts;
}
