import type { Interval } from "../intervals/interval.ts";

/** The conclusion of a comparison. `no_direction`: it is unknown whether higher or lower is better. */
export type Verdict = "improved" | "regressed" | "equivalent" | "not_worse" | "inconclusive" | "no_direction";

/** Whether higher or lower values of a measure are better. */
export type Direction = "higher" | "lower";

/** The input of a verdict. */
export interface VerdictOptions {
  /** The interval of the difference, candidate − baseline; null if unknown. */
  readonly interval: Pick<Interval, "low" | "high"> | null;
  /** The adjusted p-value for no difference; null if only the interval decides. */
  readonly p: number | null;
  /** The accepted chance of a false finding: 1 − level. */
  readonly alpha: number;
  /** The smallest difference that matters, 0 or more, in the unit of the measure. */
  readonly margin: number;
  /** Whether higher or lower is better; null if unknown. */
  readonly direction: Direction | null;
}

/**
 * The verdict. With the interval turned so that higher is better, the first of these that holds: `equivalent` if it
 * lies within a margin above 0; `improved` if it lies above 0 and p ≤ α; `regressed` if it lies below 0 and p ≤ α;
 * `not_worse` if it lies above −margin with a margin above 0; else `inconclusive`. Without a direction the verdict is
 * `equivalent` or `no_direction`.
 */
export function verdict({ interval, p, alpha, margin, direction }: VerdictOptions): Verdict {
  if (direction === null) {
    const within = interval !== null && -margin < interval.low && interval.high < margin;
    return within ? "equivalent" : "no_direction";
  }
  if (interval === null) return "inconclusive";
  const [low, high] =
    direction === "higher" ? [interval.low, interval.high] : [-interval.high, -interval.low];
  const found = (p ?? 0) <= alpha;
  if (-margin < low && high < margin) return "equivalent";
  if (low > 0 && found) return "improved";
  if (high < 0 && found) return "regressed";
  return margin > 0 && low > -margin ? "not_worse" : "inconclusive";
}
