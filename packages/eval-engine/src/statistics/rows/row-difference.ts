// The difference of a row between two evaluations. All code that shows, counts or tests differences uses this one.

import type { PairTable } from "./row-table.ts";

/** The rounding error of a row's value, in units of the value: it is a rounded mean of rounded trials. */
const ROUNDING = 4 * Number.EPSILON;

/** The rounding error of the difference of two values. */
export function roundingOfRow(a: number, b: number): number {
  return ROUNDING * Math.max(Math.abs(a), Math.abs(b));
}

/** b − a; 0 if only rounding tells them apart: three trials of 0.1 have another mean than one, in doubles. */
export function rowDifference(a: number, b: number): number {
  const difference = b - a;
  return Math.abs(difference) <= roundingOfRow(a, b) ? 0 : difference;
}

/**
 * Makes values equal that only rounding tells apart: 0.7 − 0.702 and 0.3 − 0.302 differ in doubles, and their spread
 * means nothing.
 */
export function levelRounding(d: Float64Array, pairs: Pick<PairTable, "a" | "b">): void {
  let [low, high, least] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < d.length; i++) {
    const off = roundingOfRow(pairs.a[i]!, pairs.b[i]!);
    low = Math.max(low, d[i]! - off);
    high = Math.min(high, d[i]! + off);
    if (low > high) return;
    least = Math.min(least, d[i]!);
  }
  d.fill(least);
}

/** The rounding error of the sum of differences: 0.4 − 0.3 and 0.2 − 0.3 add up to 5.6e-17 in doubles. */
export function roundingOf(
  d: Float64Array,
  pairs: Pick<PairTable, "a" | "b" | "counts">,
  [from, to]: readonly [number, number] = [0, d.length],
): number {
  const { counts } = pairs;
  let off = 0;
  for (let i = from; i < to; i++) {
    if (d[i] === 0) continue;
    off += (counts === undefined ? 1 : counts[i]!) * roundingOfRow(pairs.a[i]!, pairs.b[i]!);
  }
  return off;
}

/** The mean difference of `n` pairs; 0 if it is within the rounding error. */
export function zeroIfRounding<M extends number | null>(mean: M, n: number, off: number): M | 0 {
  return mean !== null && Math.abs(mean) * n <= off ? 0 : mean;
}
