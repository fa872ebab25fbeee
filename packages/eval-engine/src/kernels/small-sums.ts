// Sums of numbers that 16 bits hold as whole multiples of one power of two: passes, ratings, percentages, counts. A
// quarter of the memory is a quarter of the waiting for it, whole numbers add up without rounding in any order, and
// nothing has to be made up for afterwards. The naive form is `exactSum`.

import type { Total } from "@assay/statistics/exact";

/** Stands for no number. */
export const NONE = -32_768;

const MOST = 32_767;

// A finer step leaves no room for numbers of one and more.
const FINEST = 2 ** 14;

/** Finds the step of which numbers are multiples. */
export class StepFinder {
  /** Steps in one: a power of two. */
  private scale = 1;
  private most = 0;
  /** Whether there was a number. */
  found = false;

  /** Looks at `numbers`, of which NaN is none. Returns false when 16 bits do not hold all that was looked at so far. */
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

  /** The largest power of two, at most 1, that all numbers are multiples of. */
  get step(): number {
    return 1 / this.scale;
  }
}

/**
 * Adds the numbers at `place` after each of `starts`, at most 65,536, in units of `step`. The total must be a
 * multiple of it: a double then holds it exactly.
 */
export function addSmall(
  total: Total,
  numbers: Int16Array,
  starts: Uint32Array,
  place: number,
  step: number,
): void {
  // Without a branch: which numbers are missing is unpredictable. The marker of a missing number is added like the
  // others and subtracted at the end. It is the only negative one when the largest number is added, and so counts as
  // minus one.
  let [sum, missing] = [0, 0];
  for (let k = 0; k < starts.length; k++) {
    const number = numbers[(starts[k]! + place) >>> 0]!;
    sum = (sum + number) | 0;
    missing = (missing + ((number + MOST) >> 31)) | 0;
  }
  total.high += (sum + missing * NONE) * step;
  total.count += starts.length + missing;
}
