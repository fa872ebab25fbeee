// Memory for indexes that are used before any other work runs: a query that reads few of many trials should not pay for
// clearing memory of the evaluation's size. It must not be used across an `await`, or retained.

let buffer = new Uint32Array(0);

/** Scratch memory for at least `length` items, not cleared. It invalidates the previous one. */
export function scratchBuffer(length: number): Uint32Array {
  if (buffer.length < length) buffer = new Uint32Array(Math.ceil(length * 1.5));
  return buffer;
}
