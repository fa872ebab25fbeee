// Sums that do not depend on the order of what is added: the correctly rounded sum of doubles, and their mean.

/**
 * The correctly rounded sum of `values`: partial sums that do not overlap keep every bit (Shewchuk, "Adaptive
 * Precision Floating-Point Arithmetic", 1997; the algorithm of Python's `math.fsum`).
 */
export function exactSum(values: Iterable<number>): number {
  let partials: number[] = [];
  for (let x of values) {
    const kept: number[] = [];
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) kept.push(low);
      x = high;
    }
    kept.push(x);
    partials = kept;
  }
  // From the largest down, until a bit falls off; then one correction for ties to even.
  let i = partials.length - 1;
  if (i < 0) return 0;
  let high = partials[i--]!;
  let low = 0;
  while (i >= 0) {
    const x = high;
    const y = partials[i--]!;
    high = x + y;
    low = y - (high - x);
    if (low !== 0) break;
  }
  if (i >= 0 && ((low < 0 && partials[i]! < 0) || (low > 0 && partials[i]! > 0))) {
    const doubled = low * 2;
    const x = high + doubled;
    if (doubled === x - high) high = x;
  }
  return high;
}

/** What a sum beyond the largest double is scaled by: of up to 2^64 doubles it is then none. Loses no bit of large ones. */
export const SMALLER: number = 2 ** -64;

/** The mean of `n` numbers whose exact sum is that of `values`: finite when they are; NaN of none. */
export function exactMean(values: readonly number[], n: number = values.length): number {
  const sum = exactSum(values);
  return Number.isFinite(sum) ? sum / n : exactSum(values.map((value) => value * SMALLER)) / n / SMALLER;
}
