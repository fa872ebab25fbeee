// Sums of numbers that 16 bits can represent as whole multiples of one power of two, such as passes, ratings,
// percentages and counts. This needs a quarter of the memory bandwidth, and whole numbers add up without rounding in
// any order, so sums need no correction. The naive form is `exactSum`.

import type { Total } from "@assay/statistics/exact";

/** Stands for a missing number. */
export const NONE = -32_768;

const MOST = 32_767;

// A finer step leaves no room for numbers of 1 and more.
const FINEST = 2 ** 14;

/** Finds a step of which all numbers are multiples. */
export class StepFinder {
  /** Steps per unit: a power of two. */
  private scale = 1;
  private most = 0;
  /** Whether there was a number. */
  found = false;

  /** Looks at `numbers`, ignoring NaN. Returns false if 16 bits cannot hold all numbers so far. */
  add(numbers: Float64Array): boolean {
    let { scale, most } = this;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      if (Number.isNaN(number)) continue;
      this.found = true;
      while (!Number.isInteger(number * scale)) {
        scale *= 2;
        if (scale > FINEST) return false;
      }
      most = Math.max(most, Math.abs(number));
    }
    this.scale = scale;
    this.most = most;
    return most * scale <= MOST;
  }

  /** The largest power of two, at most 1, of which all numbers are multiples. */
  get step(): number {
    return 1 / this.scale;
  }
}

/**
 * Sums the numbers at `place` after each of `starts`, at most 65,536, in units of `step`. The total must be a multiple
 * of it, so that a double holds it exactly.
 */
export function addSmall(
  total: Total,
  numbers: Int16Array,
  starts: Uint32Array,
  place: number,
  step: number,
): void {
  // Without a branch, because which numbers are missing is unpredictable. The marker of a missing number is added like
  // the others and subtracted at the end. It is the only negative value when the largest number is added, so it counts
  // as minus one.
  let [sum, missing] = [0, 0];
  for (let k = 0; k < starts.length; k++) {
    const number = numbers[(starts[k]! + place) >>> 0]!;
    sum = (sum + number) | 0;
    missing = (missing + ((number + MOST) >> 31)) | 0;
  }
  total.high += (sum + missing * NONE) * step;
  total.count += starts.length + missing;
}
