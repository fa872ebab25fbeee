// Statistical power: the smallest difference that rows can detect, and the number of rows needed to detect a
// difference.

import { tQuantile } from "../distributions/distributions.ts";
import { square } from "../distributions/elementary.ts";

/**
 * The smallest difference that would be detected with the given power: (t_{1−α/2} + t_{power})·se on `df` degrees of
 * freedom, in the unit of `se`. Null if `se` is unknown or 0. Source: Bowyer, Aitchison and Ivanova, arXiv:2503.01747;
 * Miller, arXiv:2411.00640.
 */
export function minimumDetectable({
  se,
  df,
  level,
  power = 0.8,
}: {
  /** Standard error of the difference. */
  readonly se: number | null;
  /** Its degrees of freedom; infinity if it is known exactly. */
  readonly df: number;
  /** The confidence, 1 − α. */
  readonly level: number;
  /** The chance of detecting the difference. Default 0.8. */
  readonly power?: number | undefined;
}): number | null {
  if (se === null || !(se > 0)) return null;
  const detectable = (tQuantile((1 + level) / 2, df) + tQuantile(power, df)) * se;
  return Number.isFinite(detectable) ? detectable : null;
}

/**
 * The number of rows needed to detect a difference of `target`: n·(detectable/|target|)², where `detectable` is the
 * smallest difference that `n` rows detect. Not rounded. Null if `detectable` is unknown or `target` is 0.
 */
export function rowsNeeded(n: number, detectable: number | null, target: number | null): number | null {
  if (detectable === null || target === null || target === 0) return null;
  const rows = n * square(detectable / target);
  return Number.isFinite(rows) ? rows : null;
}
