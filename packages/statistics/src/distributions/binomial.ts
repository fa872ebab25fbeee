// Random numbers of a binomial distribution.

import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { exp, ln, log1p } from "./elementary.ts";

/** A number in (0, 1) from the generator's 32 bits. */
export function uniform(generator: RandomGenerator): number {
  return (generator.next() + 2 ** 31 + 0.5) / 2 ** 32;
}

/** How many of `n` independent trials succeed, each with probability `p`. */
export function drawBinomial(generator: RandomGenerator, n: number, p: number): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - drawBinomial(generator, n, 1 - p);
  return n * p < 10 ? byInversion(generator, n, p) : byRejection(generator, n, p);
}

/** Adds up probabilities from 0 on. */
function byInversion(generator: RandomGenerator, n: number, p: number): number {
  let probability = exp(n * log1p(-p));
  let left = uniform(generator);
  let k = 0;
  for (; left > probability && k < n; k++) {
    left -= probability;
    probability *= ((n - k) / (k + 1)) * (p / (1 - p));
  }
  return k;
}

/** Algorithm BTRS of Hörmann, "The generation of binomial random variates", 1993; for n·p of at least 10. */
function byRejection(generator: RandomGenerator, n: number, p: number): number {
  const sd = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * sd;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const inside = 0.92 - 4.2 / b;
  for (;;) {
    const u = uniform(generator) - 0.5;
    const v = uniform(generator);
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + n * p + 0.5);
    if (us >= 0.07 && v <= inside) return k;
    if (k < 0 || k > n) continue;
    const mode = Math.floor((n + 1) * p);
    const bound =
      lnFactorial(mode) +
      lnFactorial(n - mode) -
      lnFactorial(k) -
      lnFactorial(n - k) +
      (k - mode) * ln(p / (1 - p));
    if (ln((v * (2.83 + 5.1 / b) * sd) / (a / (us * us) + b)) <= bound) return k;
  }
}

const FACTORIALS = [1, 1, 2, 6, 24, 120, 720, 5040, 40_320, 362_880];

/** The logarithm of k!, by Stirling's series. */
function lnFactorial(k: number): number {
  if (k < FACTORIALS.length) return ln(FACTORIALS[k]!);
  const square = k * k;
  const series = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / k;
  return (k + 0.5) * ln(k) - k + ln(2 * Math.PI) / 2 + series;
}
