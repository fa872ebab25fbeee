// Reuses memory for temporary columns. Dragging a filter on the page creates some thirty columns. Their main cost is
// garbage collection, which traverses all retained memory to find that they are unused. Columns of a pool are valid
// until the pool is released; they must not be kept longer.

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
