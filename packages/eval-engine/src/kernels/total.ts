// A running sum with twice a double's precision, in plain doubles: what is added keeps some 106 bits, so that the
// rounded total does not depend on the order of what is added. The naive form is `exactSum`.

/** A sum in two parts, and how many numbers are in it. Changed in place: loops make no garbage. */
export interface Total {
  high: number;
  low: number;
  count: number;
  clear(): void;
}

/** A total of nothing. */
export function newTotal(): Total {
  return {
    high: 0,
    low: 0,
    count: 0,
    clear() {
      this.high = 0;
      this.low = 0;
      this.count = 0;
    },
  };
}

/** Adds a number (Knuth's two-sum; the error goes to the low part, which is kept normalised). */
export function addExactly(total: Total, value: number): void {
  const sum = total.high + value;
  const shadow = sum - total.high;
  const error = total.high - (sum - shadow) + (value - shadow) + total.low;
  total.high = sum + error;
  total.low = error - (total.high - sum);
  total.count++;
}

/** The sum, rounded once. */
export function totalOf(total: Total): number {
  return total.high + total.low;
}
