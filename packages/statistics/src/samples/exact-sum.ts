// Sums that do not depend on the order of addition: the correctly rounded sum of doubles, and their mean.

/** The correctly rounded sum of `values`; infinite if it exceeds the largest double. */
export function exactSum(values: Iterable<number>): number {
  return exactMean([...values], 1);
}

/** Scales a sum beyond the largest double, so that up to 2^64 doubles cannot overflow. Large numbers lose no bit. */
export const SMALLER: number = 2 ** -64;

/** The mean of `n` numbers whose exact sum is that of `values`: finite if they are; NaN if there are none. */
export function exactMean(values: readonly number[], n: number = values.length): number {
  const sum = sumOfPartials(values);
  return Number.isFinite(sum) ? sum / n : sumOfPartials(values.map((value) => value * SMALLER)) / n / SMALLER;
}

/**
 * The sum from non-overlapping partial sums that keep every bit (Shewchuk, "Adaptive Precision Floating-Point
 * Arithmetic", 1997; the algorithm of Python's `math.fsum`).
 */
function sumOfPartials(values: readonly number[]): number {
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
  let high = partials.pop() ?? 0;
  let low = 0;
  while (low === 0 && partials.length > 0) {
    const x = high;
    const y = partials.pop()!;
    high = x + y;
    low = y - (high - x);
  }
  low *= 2;
  // Whether the rest has the same sign; without a rest, this is NaN.
  if (low / partials.at(-1)! > 0 && high + low - high === low) high += low;
  return high;
}
