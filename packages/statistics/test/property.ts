// Property tests: ASSAY_RUNS makes them longer (each runs a hundredth of it), ASSAY_SEED repeats a run.

import fc from "fast-check";
import { test } from "vitest";

const seed = process.env["ASSAY_SEED"];
const numRuns = Math.ceil(Number(process.env["ASSAY_RUNS"] ?? 20_000) / 100);

/** Declares a test that `holds` for every value. */
export function law<T>(name: string, values: fc.Arbitrary<T>, holds: (value: T) => void): void {
  test(name, () =>
    fc.assert(fc.property(values, holds), { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) }),
  );
}

/** Values of rows, from a small pool so that equal values occur. */
export const rowNumbers: fc.Arbitrary<readonly number[]> = fc.array(
  fc.constantFrom(0, 1, 0.5, 1 / 3, 2 / 3, 0.1, 0.7, -2, 1e6, 12.25),
  { maxLength: 40, size: "max" },
);

export const levels: fc.Arbitrary<number> = fc.constantFrom(0.5, 0.8, 0.9, 0.95, 0.99, 0.999);

/** Whether two numbers are equal except for rounding. */
export function isClose(
  a: number | null | undefined,
  b: number | null | undefined,
  tolerance = 1e-9,
): boolean {
  if (a == null || b == null) return a === b;
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}

export const sum = (values: readonly number[]): number => values.reduce((total, x) => total + x, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;
export const variance = (values: readonly number[]): number =>
  sum(values.map((x) => (x - mean(values)) ** 2)) / (values.length - 1);

/** Simpson's rule over `pieces` pieces. */
export function integral(f: (x: number) => number, from: number, to: number, pieces = 400): number {
  const step = (to - from) / pieces;
  const at = Array.from({ length: pieces }, (_, k) => {
    const x = from + k * step;
    return f(x) + 4 * f(x + step / 2) + f(x + step);
  });
  return (sum(at) * step) / 6;
}

/** P(Z ≥ z) of the standard normal distribution. */
export function normalTail(z: number): number {
  const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  return z < 0 ? 0.5 + integral(density, z, 0, 200) : integral(density, z, z + 10, 200);
}

/** The quantile of the standard normal distribution at p. */
export function normalQuantile(p: number): number {
  let [low, high] = [-9, 9];
  for (let i = 0; i < 45; i++) {
    const middle = (low + high) / 2;
    if (1 - normalTail(middle) < p) low = middle;
    else high = middle;
  }
  return low;
}
