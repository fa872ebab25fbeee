import { ln } from "./elementary.ts";
import { around, type Interval } from "./interval.ts";

/** Rows before which a confidence sequence says nothing. */
export const SEQUENCE_FROM = 20;

/** What a confidence sequence is made of. */
export interface SequenceOptions {
  /** The mean so far. */
  readonly mean: number;
  /** Sample standard deviation so far; above 0. */
  readonly sd: number;
  /** Independent rows so far. */
  readonly n: number;
  /** The chance, over all looks together, that the interval ever misses the truth. */
  readonly alpha: number;
  /** The number of rows at which it is tightest. Default 500. */
  readonly tunedTo?: number | undefined;
}

/**
 * An interval that holds at every moment at once, however often it is looked at, in large samples:
 * m ± s·√(2(nρ²+1)/(n²ρ²) · ln(√(nρ²+1)/α)), ρ² = (−2 ln α + ln(−2 ln α + 1))/n*. It assumes that rows come in no order
 * that has to do with their difficulty. Null before 20 rows, or when nothing varies.
 * Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
 * sequences", arXiv:2103.06476.
 */
export function confidenceSequence({ mean, sd, n, alpha, tunedTo = 500 }: SequenceOptions): Interval | null {
  if (n < SEQUENCE_FROM || !(sd > 0)) return null;
  const doubt = -2 * ln(alpha);
  const rho = (doubt + ln(doubt + 1)) / tunedTo;
  const scaled = n * rho + 1;
  const half = sd * Math.sqrt(((2 * scaled) / (n * n * rho)) * ln(Math.sqrt(scaled) / alpha));
  return around(mean, half, "confidence_sequence");
}
