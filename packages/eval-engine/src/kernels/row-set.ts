// A set of a frame's rows with one bit per row, in which filters mark rows. A page of rows fits in a few cache lines,
// and rows are listed in order. The naive form is a Set of numbers, sorted.

/** One bit per row. */
export type RowSet = Uint32Array;

/** An empty set for rows up to `length`. */
export function noRows(length: number): RowSet {
  return new Uint32Array((length + 31) >>> 5);
}

/** Adds a row. */
export function addRow(set: RowSet, row: number): void {
  set[row >>> 5]! |= 1 << (row & 31);
}

/** Whether it contains a row. */
export function hasRow(set: RowSet, row: number): boolean {
  return (set[row >>> 5]! & (1 << (row & 31))) !== 0;
}

/** Intersects `into` with `other`. */
export function intersectInto(into: RowSet, other: RowSet): void {
  for (let i = 0; i < into.length; i++) into[i]! &= other[i]!;
}

/** The number of common rows. */
export function commonSize(a: RowSet, b: RowSet): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) count += ones(a[i]! & b[i]!);
  return count;
}

/** The number of rows. */
export function sizeOf(set: RowSet): number {
  let count = 0;
  for (let i = 0; i < set.length; i++) count += ones(set[i]!);
  return count;
}

/** The rows, ascending. */
export function rowsIn(set: RowSet): Uint32Array {
  const rows = new Uint32Array(sizeOf(set));
  let n = 0;
  for (let i = 0; i < set.length; i++) {
    for (let bits = set[i]!; bits !== 0; bits &= bits - 1)
      rows[n++] = (i << 5) + 31 - Math.clz32(bits & -bits);
  }
  return rows;
}

/** The number of set bits of a word: pairs, then fours, then bytes are summed in parallel. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
