import type { Interval } from "./interval.ts";

/** What a comparison concludes. `no_direction`: it is not set whether higher or lower is better. */
export type Verdict = "improved" | "regressed" | "equivalent" | "not_worse" | "inconclusive" | "no_direction";

/** Which values of a measure are better. */
export type Direction = "higher" | "lower";

/** What a verdict goes by. */
export interface VerdictOptions {
  /** The interval of the difference, candidate − baseline; null when it is unknown. */
  readonly interval: Pick<Interval, "low" | "high"> | null;
  /** The adjusted p-value of no difference; null when only the interval decides. */
  readonly p: number | null;
  /** The chance of a false finding that is accepted: 1 − level. */
  readonly alpha: number;
  /** The smallest difference that matters, 0 or more, in the unit of the measure. */
  readonly margin: number;
  /** Which values are better; null when it is not set. */
  readonly direction: Direction | null;
}

/**
 * The verdict, with the interval turned so that up is better. In this order: `equivalent`, all of it within a margin
 * above 0; `improved`, all above 0 and p ≤ α; `regressed`, all below 0 and p ≤ α; `not_worse`, all above minus a margin
 * above 0; else `inconclusive`. Without a direction it is `equivalent` or `no_direction`.
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
