// Sums that do not depend on the order of what is added: the correctly rounded sum of doubles, and their mean.

/**
 * The correctly rounded sum of `values`, from non-overlapping partial sums that keep every bit (Shewchuk, "Adaptive
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
  // Adds from the largest down until a bit is lost, then corrects ties to even once.
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

/** Scales a sum beyond the largest double, so that up to 2^64 doubles cannot overflow. Large numbers lose no bit. */
export const SMALLER: number = 2 ** -64;

/** The mean of `n` numbers whose exact sum is that of `values`: finite if they are; NaN if there are none. */
export function exactMean(values: readonly number[], n: number = values.length): number {
  const sum = exactSum(values);
  return Number.isFinite(sum) ? sum / n : exactSum(values.map((value) => value * SMALLER)) / n / SMALLER;
}
