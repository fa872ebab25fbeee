// Joins records to the lines of a file, for writing many at once. An import passes lines in the memory that they were
// read into, mostly contiguous as they will be on the disk: these are not copied.

/** The byte of a line break. */
export const NEWLINE = 0x0a;
/** The line break. */
export const LINE_BREAK: Uint8Array = Uint8Array.of(NEWLINE);
// Pieces of at least this many bytes are written separately.
const IN_PLACE = 64 * 1024;

/**
 * The records, each followed by a line break, in few pieces. The records must not change until the pieces are written.
 */
export function joinedLines(records: readonly Uint8Array[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  for (let i = 0; i < records.length; ) {
    const { run, next } = runFrom(records, i);
    i = next;
    if (run.length < IN_PLACE) small.push(run);
    else {
      pieces.push(...copied(small), run, LINE_BREAK);
      small = [];
    }
  }
  return [...pieces, ...copied(small)];
}

/** Writes the records, each followed by a line break. */
export function copyLines(into: Uint8Array, records: readonly Uint8Array[]): void {
  let at = 0;
  for (let i = 0; i < records.length; ) {
    const { run, next } = runFrom(records, i);
    into.set(run, at);
    at += run.length;
    into[at++] = NEWLINE;
    i = next;
  }
}

/** The records from `first` that are contiguous in memory, separated by line breaks. */
function runFrom(
  records: readonly Uint8Array[],
  first: number,
): { readonly run: Uint8Array; readonly next: number } {
  const { buffer, byteOffset, length } = records[first]!;
  const memory = new Uint8Array(buffer);
  let end = byteOffset + length;
  let next = first + 1;
  for (; next < records.length; next++) {
    const record = records[next]!;
    if (record.byteOffset !== end + 1 || record.buffer !== buffer || memory[end] !== NEWLINE) break;
    end = record.byteOffset + record.length;
  }
  return { run: memory.subarray(byteOffset, end), next };
}

function copied(runs: readonly Uint8Array[]): readonly Uint8Array[] {
  if (runs.length === 0) return [];
  const bytes = Buffer.allocUnsafeSlow(runs.reduce((sum, run) => sum + run.length + 1, 0));
  copyLines(bytes, runs);
  return [bytes];
}
