// Means computed in parts: the mean of all rows except some is that of the parts before and after them, without reading
// a row twice and without cancellation.

import { addTotal, meanOf, newTotal, type Total } from "./exact-total.ts";
import { addSample, type Sample, sizeOf } from "./sample.ts";

/** The count, sum and extremes of some values. */
export interface PartialMean {
  /** Number of values. */
  readonly n: number;
  /** Their sum. Must not be changed. */
  readonly total: Readonly<Total>;
  /** The smallest value; infinity without values. */
  readonly least: number;
  /** The largest value; minus infinity without values. */
  readonly greatest: number;
}

/** The partial mean of a sample. */
export function partialMean(sample: Sample): PartialMean {
  const { values, counts } = sample;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    if (counts !== undefined && counts[i] === 0) continue;
    const value = values[i]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const total = newTotal();
  addSample(total, sample);
  return { n: sizeOf(sample), total, least, greatest };
}

/** Two partial means combined. */
export function joinMeans(a: PartialMean, b: PartialMean): PartialMean {
  const total = { ...a.total };
  addTotal(total, b.total);
  return {
    n: a.n + b.n,
    total,
    least: Math.min(a.least, b.least),
    greatest: Math.max(a.greatest, b.greatest),
  };
}

/** The mean of a part, the same as `moments` computes from its values; null without values. */
export function meanOfPart({ n, total, least, greatest }: PartialMean): number | null {
  if (n === 0) return null;
  // The mean of equal values is that value, although the division may round to a neighbour.
  if (least === greatest) return least;
  return meanOf(total, n);
}
