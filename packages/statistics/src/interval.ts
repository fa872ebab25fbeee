/** How an interval was made. */
export type IntervalMethod =
  | "wilson"
  | "clopper_pearson"
  | "jeffreys"
  | "t"
  | "cluster_t"
  | "cluster_wilson"
  | "cluster_bonett_price"
  | "cluster_newcombe"
  | "bootstrap_bca"
  | "bonett_price"
  | "newcombe"
  | "welch"
  | "confidence_sequence";

/** Where a quantity lies with the confidence asked for, both bounds included. */
export interface Interval {
  /** The lower bound. */
  readonly low: number;
  /** The upper bound. */
  readonly high: number;
  /** How it was made. */
  readonly method: IntervalMethod;
}

/** The interval `half` to both sides of `centre`, or null when it has no finite bounds. */
export function around(centre: number, half: number, method: IntervalMethod): Interval | null {
  const [low, high] = [centre - half, centre + half];
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high, method } : null;
}
