/** The method of an interval. */
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

/** An interval at the requested confidence, both bounds included. */
export interface Interval {
  /** The lower bound. */
  readonly low: number;
  /** The upper bound. */
  readonly high: number;
  /** Its method. */
  readonly method: IntervalMethod;
}

/** The interval from `centre` − `half` to `centre` + `half`; null if a bound is infinite. */
export function around(centre: number, half: number, method: IntervalMethod): Interval | null {
  const [low, high] = [centre - half, centre + half];
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high, method } : null;
}
