// Growable typed arrays. A loop reads `array` once and iterates over the first `length` items.

type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** A growing typed array; unset items read as `blank`. */
export class GrowableArray<A extends Numbers> {
  /** The items, with room behind them. Replaced when the array grows. */
  array: A;
  /** The number of items. */
  length: number;
  private readonly blank: number;

  constructor(array: A, blank: number, length: number = array.length) {
    this.array = array;
    this.blank = blank;
    this.length = length;
  }

  /** Appends an item. */
  push(value: number): void {
    this.set(this.length, value);
  }

  /** Sets item `i`; skipped items are blank. */
  set(i: number, value: number): void {
    if (i >= this.length) {
      this.extend(i);
      if (i === this.array.length) this.grow(i + 1);
      this.length = i + 1;
    }
    this.array[i] = value;
  }

  /** Makes room for `length` items; new ones are blank. */
  extend(length: number): void {
    if (length <= this.length) return;
    if (length > this.array.length) this.grow(length);
    // An earlier user of the same memory may have left values here.
    this.array.fill(this.blank, this.length, length);
    this.length = length;
  }

  /** The items at `order`, in that order. */
  pick(order: Uint32Array): GrowableArray<A> {
    const picked = this.make(order.length);
    for (let k = 0; k < order.length; k++) picked[k] = this.array[order[k]!]!;
    return new GrowableArray(picked, this.blank);
  }

  /** An independent copy. */
  clone(): GrowableArray<A> {
    return new GrowableArray(this.array.slice() as A, this.blank, this.length);
  }

  /**
   * A continuation that may grow in the same memory, without copying. This array may still be read, but must not grow
   * any more.
   */
  continued(): GrowableArray<A> {
    return new GrowableArray(this.array, this.blank, this.length);
  }

  /** The items, without the room behind them. */
  trimmed(): A {
    return this.array.subarray(0, this.length) as A;
  }

  private grow(length: number): void {
    const next = this.make(Math.max(length, Math.ceil(this.array.length * 1.5), 16));
    next.set(this.array);
    if (this.blank !== 0) next.fill(this.blank, this.array.length);
    this.array = next;
  }

  private make(length: number): A {
    return new (this.array.constructor as new (length: number) => A)(length);
  }
}

/** Doubles; NaN if unset. */
export function growableFloats(array: Float64Array = new Float64Array(0)): GrowableArray<Float64Array> {
  return new GrowableArray(array, Number.NaN);
}

/** Indexes; -1 if unset. */
export function growableIndexes(array: Int32Array = new Int32Array(0)): GrowableArray<Int32Array> {
  return new GrowableArray(array, -1);
}

/** Small numbers; 0 if unset. */
export function growableBytes(array: Uint8Array = new Uint8Array(0)): GrowableArray<Uint8Array> {
  return new GrowableArray(array, 0);
}
