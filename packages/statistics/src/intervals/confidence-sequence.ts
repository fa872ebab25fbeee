import { ln } from "../distributions/elementary.ts";
import { around, type Interval } from "./interval.ts";

/** The least number of rows for a confidence sequence. */
export const SEQUENCE_FROM = 20;

/** The observations so far, and the error rate. */
export interface SequenceOptions {
  /** The mean so far. */
  readonly mean: number;
  /** Sample standard deviation so far; above 0. */
  readonly sd: number;
  /** Independent rows so far. */
  readonly n: number;
  /** The chance that the interval misses the true value at any look. */
  readonly alpha: number;
  /** The number of rows at which the interval is narrowest. Default 500. */
  readonly tunedTo?: number | undefined;
}

/**
 * An interval that holds simultaneously at all sample sizes, however often you look, for large samples: m ±
 * s·√(2(nρ²+1)/(n²ρ²) · ln(√(nρ²+1)/α)), ρ² = (−2 ln α + ln(−2 ln α + 1))/n*. It assumes that the order of rows does
 * not depend on their difficulty. Null before 20 rows, or if all values are equal. Source: Waudby-Smith, Arbour,
 * Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences",
 * arXiv:2103.06476.
 */
export function confidenceSequence({ mean, sd, n, alpha, tunedTo = 500 }: SequenceOptions): Interval | null {
  if (n < SEQUENCE_FROM || !(sd > 0)) return null;
  const doubt = -2 * ln(alpha);
  const rho = (doubt + ln(doubt + 1)) / tunedTo;
  const scaled = n * rho + 1;
  const half = sd * Math.sqrt(((2 * scaled) / (n * n * rho)) * ln(Math.sqrt(scaled) / alpha));
  return around(mean, half, "confidence_sequence");
}
