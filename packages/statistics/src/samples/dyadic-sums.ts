// Sums of dyadic numbers, which are whole multiples of one power of two: passes, ratings, counts, means of two or four
// trials. While the sum of their squares is exactly representable as a multiple, plain additions do not round in any
// order, and the variance follows from whole numbers. Whether this holds depends only on the numbers, so the same
// numbers always give the same digits. The naive form is `exactSum`.

import type { Moments, Pairs, Sample } from "./sample.ts";

/** Sums that were computed without rounding. */
export interface DyadicSums {
  /** The number of values. */
  readonly n: number;
  /** Their sum. */
  readonly sum: number;
  /** The sum of their squares. */
  readonly squares: number;
  /** A power of two, 1 or more, that makes all values whole numbers. */
  readonly scale: number;
}

/** Every whole number up to this is exact as a double. */
const MOST = 2 ** 53;

// Values that need a finer step leave too few exact multiples to be worth the search.
const FINEST = 2 ** 30;

/** The least power of two, `from` or more, that makes `value` whole; infinity if there is none. */
function scaleFor(value: number, from: number): number {
  for (let scale = from; scale <= FINEST; scale *= 2)
    if (Math.floor(value * scale) === value * scale) return scale;
  return Number.POSITIVE_INFINITY;
}

/** The least power of two, 1 or more, that makes all `values` except NaN whole; infinity if there is none. */
export function dyadicScale(values: Float64Array): number {
  let scale = 1;
  for (let i = 0; i < values.length && scale <= FINEST; i++)
    if (!Number.isNaN(values[i]!)) scale = scaleFor(values[i]!, scale);
  return scale;
}

/** The sums of a sample; undefined if they would have to be rounded. */
export function dyadicSums({ values, counts }: Sample): DyadicSums | undefined {
  const sums =
    counts === undefined && values instanceof Float64Array
      ? sumsOfColumn(values)
      : sumsOfCounted(values, counts);
  return isExact(sums) ? sums : undefined;
}

function sumsOfColumn(values: Float64Array): DyadicSums {
  let sum = 0;
  let squares = 0;
  let scale = 1;
  for (let i = 0; i < values.length && scale <= FINEST; i++) {
    const value = values[i]!;
    const units = value * scale;
    if (Math.floor(units) !== units) scale = scaleFor(value, scale);
    sum += value;
    squares += value * value;
  }
  return { n: values.length, sum, squares, scale };
}

function sumsOfCounted(values: ArrayLike<number>, counts: ArrayLike<number> | undefined): DyadicSums {
  let n = 0;
  let sum = 0;
  let squares = 0;
  let scale = 1;
  for (let i = 0; i < values.length && scale <= FINEST; i++) {
    const value = values[i]!;
    const count = counts === undefined ? 1 : counts[i]!;
    if (count === 0) continue;
    scale = scaleFor(value, scale);
    n += count;
    sum += value * count;
    squares += value * value * count;
  }
  return { n, sum, squares, scale };
}

/** Whether no addition can have rounded. Of whole numbers, no partial sum exceeds the sum of their squares. */
export function isExact({ squares, scale }: DyadicSums): boolean {
  return squares * scale * scale <= MOST;
}

/** The mean and sample variance that follow from the sums. */
export function momentsOfSums({ n, sum, squares, scale }: DyadicSums): Moments {
  if (n === 0) return { n, mean: null, variance: null };
  const unit = scale * scale;
  return {
    n,
    mean: sum / n,
    variance:
      n < 2 ? null : wholeDifference(n, squares * unit, sum * scale, sum * scale) / (n * (n - 1)) / unit,
  };
}

/**
 * The sample covariance of pairs, from the sums of both sides. `products` is Σa·b, which is exact if the sums are: by
 * Cauchy and Schwarz it cannot exceed the greater sum of squares.
 */
export function covarianceOfSums(a: DyadicSums, b: DyadicSums, products: number): number {
  const { n } = a;
  const unit = a.scale * b.scale;
  return wholeDifference(n, products * unit, a.sum * a.scale, b.sum * b.scale) / (n * (n - 1)) / unit;
}

/** Σa·b over pairs. */
export function sumOfProducts({ a, b, counts }: Pairs): number {
  let sum = 0;
  if (counts === undefined && a instanceof Float64Array && b instanceof Float64Array)
    for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  else for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]! * (counts === undefined ? 1 : counts[i]!);
  return sum;
}

/** n·products − sumA·sumB of whole numbers, rounded once. */
function wholeDifference(n: number, products: number, sumA: number, sumB: number): number {
  const first = n * products;
  const second = sumA * sumB;
  if (Math.abs(first) <= MOST && Math.abs(second) <= MOST) return first - second;
  return Number(BigInt(n) * BigInt(products) - BigInt(sumA) * BigInt(sumB));
}
