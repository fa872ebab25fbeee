// Moments of samples. Every sum is exact, so the order of the values changes no digit, and a sample with counts gives
// the same digits as one that repeats the values.

import {
  covarianceOfSums,
  type DyadicSums,
  dyadicSums,
  momentsOfSums,
  sumOfProducts,
} from "./dyadic-sums.ts";
import { addProducts, meanOf, newTotal, totalOf } from "./exact-total.ts";
import { addSample, addTimes, type Moments, type Pairs, type Sample, sizeOf } from "./sample.ts";

/**
 * The mean and sample variance, in one pass if plain doubles sum exactly, else in two. If all values are equal, the
 * variance is exactly 0.
 */
export function moments(sample: Sample): Moments {
  const sums = dyadicSums(sample);
  if (sums !== undefined) return momentsOfSums(sums);
  const n = sizeOf(sample);
  if (n === 0) return { n, mean: null, variance: null };
  // The mean of equal values is that value, although the division may round to a neighbour.
  const only = onlyValue(sample);
  if (only !== undefined) return { n, mean: only, variance: n < 2 ? null : 0 };
  const total = newTotal();
  addSample(total, sample);
  const mean = meanOf(total, n);
  const squares = sumOfDeviations({ a: sample.values, b: sample.values, counts: sample.counts }, mean, mean);
  return finite({ n, mean, variance: n < 2 ? null : squares / (n - 1) });
}

/** The value that all values equal; undefined if two differ. */
function onlyValue({ values, counts }: Sample): number | undefined {
  let only: number | undefined;
  for (let i = 0; i < values.length; i++) {
    if (counts !== undefined && counts[i] === 0) continue;
    only ??= values[i]!;
    if (values[i] !== only) return undefined;
  }
  return only;
}

/** The exact sum of (a − `aboutA`)·(b − `aboutB`). */
function sumOfDeviations({ a, b, counts }: Pairs, aboutA: number, aboutB: number): number {
  const total = newTotal();
  if (counts === undefined && a instanceof Float64Array && b instanceof Float64Array)
    addProducts(total, { a, b, aboutA, aboutB });
  else
    for (let i = 0; i < a.length; i++)
      addTimes(total, (a[i]! - aboutA) * (b[i]! - aboutB), counts === undefined ? 1 : counts[i]!);
  return totalOf(total);
}

/**
 * The skewness of a sample with these moments: the third central moment over the 3/2nd power of the second (g₁). Null
 * for fewer than three values, or if all are equal.
 */
export function skewness({ values, counts }: Sample, { n, mean, variance }: Moments): number | null {
  if (n < 3 || mean === null || variance === null) return null;
  const total = newTotal();
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i]! - mean;
    addTimes(total, deviation * deviation * deviation, counts === undefined ? 1 : counts[i]!);
  }
  const second = (variance * (n - 1)) / n;
  const skew = totalOf(total) / n / (second * Math.sqrt(second));
  return Number.isFinite(skew) ? skew : null;
}

/**
 * Pearson's correlation of pairs. Pass the moments of both sides if you have them. Null for fewer than two pairs, or
 * if a side never varies.
 */
export function correlation(
  pairs: Pairs,
  [first, second]: readonly [Moments, Moments] = [
    moments({ values: pairs.a, counts: pairs.counts }),
    moments({ values: pairs.b, counts: pairs.counts }),
  ],
): number | null {
  if (!(first.variance! > 0) || !(second.variance! > 0)) return null;
  const [a, b] = [pairs.a, pairs.b].map((values) => dyadicSums({ values, counts: pairs.counts }));
  return a === undefined || b === undefined
    ? pearson(sumOfDeviations(pairs, first.mean!, second.mean!) / (first.n - 1), first, second)
    : correlationOfSums(a, b, sumOfProducts(pairs));
}

/** The same for pairs whose sides have these sums; `products` is Σa·b. */
export function correlationOfSums(a: DyadicSums, b: DyadicSums, products: number): number | null {
  return a.n < 2 ? null : pearson(covarianceOfSums(a, b, products), momentsOfSums(a), momentsOfSums(b));
}

function pearson(covariance: number, a: Moments, b: Moments): number | null {
  const together = covariance / (Math.sqrt(a.variance!) * Math.sqrt(b.variance!));
  return Number.isFinite(together) ? Math.max(-1, Math.min(1, together)) : null;
}

function finite(moments: Moments): Moments {
  const { n, mean, variance } = moments;
  return {
    n,
    mean: Number.isFinite(mean) ? mean : null,
    variance: Number.isFinite(variance) ? variance : null,
  };
}
