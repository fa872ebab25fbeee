// Memory for columns that are worked out and thrown away: a gesture on the page makes some thirty, and what each would
// cost is not its bytes but the garbage collector, which looks through everything that is kept to find that they are
// not. Released memory is used again. Columns of a pool must never be kept: they are valid until it is released.

// Shorter columns cost the collector less than tracking them here.
const SHORTEST = 1024;

// The most bytes kept for reuse: what two evaluations of a million rows need.
const MOST_FREE = 256 * 2 ** 20;

/** Unused buffers by size: powers of two. */
const free = new Map<number, ArrayBuffer[]>();
let freeBytes = 0;

/** Memory for columns, valid until it is released. Columns are not cleared. */
export class BufferPool {
  private readonly used: ArrayBuffer[] = [];

  /** A column of doubles. */
  floats(length: number): Float64Array {
    return length < SHORTEST
      ? new Float64Array(length)
      : new Float64Array(this.buffer(length * 8), 0, length);
  }

  /** A column of whole numbers. */
  integers(length: number): Int32Array {
    return length < SHORTEST ? new Int32Array(length) : new Int32Array(this.buffer(length * 4), 0, length);
  }

  /** A column of small whole numbers, 0 and more. */
  smallIntegers(length: number): Uint16Array {
    return length < SHORTEST ? new Uint16Array(length) : new Uint16Array(this.buffer(length * 2), 0, length);
  }

  /** Releases everything: its columns must not be read any more. */
  release(): void {
    for (const buffer of this.used) {
      if (freeBytes + buffer.byteLength > MOST_FREE) continue;
      freeBytes += buffer.byteLength;
      const alike = free.get(buffer.byteLength);
      if (alike === undefined) free.set(buffer.byteLength, [buffer]);
      else alike.push(buffer);
    }
    this.used.length = 0;
  }

  private buffer(bytes: number): ArrayBuffer {
    const size = 2 ** (32 - Math.clz32(bytes - 1));
    const known = free.get(size)?.pop();
    if (known !== undefined) freeBytes -= size;
    const buffer = known ?? new ArrayBuffer(size);
    this.used.push(buffer);
    return buffer;
  }
}
