// Memory for indexes that are used up before anything else runs: a query that looks at few trials of many should not
// pay for clearing memory the size of the evaluation. Must never be held across an `await` or by what is kept.

let buffer = new Uint32Array(0);

/** Scratch memory for at least `length` items, not cleared. It invalidates the previous one. */
export function scratchBuffer(length: number): Uint32Array {
  if (buffer.length < length) buffer = new Uint32Array(Math.ceil(length * 1.5));
  return buffer;
}
