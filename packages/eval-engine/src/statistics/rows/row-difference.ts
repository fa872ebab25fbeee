// The difference of a row between two evaluations. All code that shows, counts or tests differences uses this one.

/** The rounding error of a row's value, in units of the value: it is a rounded mean of rounded trials. */
const ROUNDING = 4 * Number.EPSILON;

/** The rounding error of the difference of two values. */
export function roundingOfRow(a: number, b: number): number {
  return ROUNDING * Math.max(Math.abs(a), Math.abs(b));
}

/** b − a; 0 if only rounding tells them apart: three trials of 0.1 have another mean than one, in doubles. */
export function rowDifference(a: number, b: number): number {
  const difference = b - a;
  return Math.abs(difference) <= roundingOfRow(a, b) ? 0 : difference;
}
