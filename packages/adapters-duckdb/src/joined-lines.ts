// Records as the lines of a file, for writing many at once. An import hands over the lines of a file in the memory that
// they were read into, where nearly all of them lie as they will lie on the disk: these are not copied.

const NEWLINE = 0x0a;
/** What ends a line. */
export const LINE_BREAK: Uint8Array = Uint8Array.of(NEWLINE);
// Bytes from which on a piece is worth a write of its own.
const IN_PLACE = 64 * 1024;

/** The records, each with a line break behind it, in few pieces. The records must not change until these are written. */
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

/** The records from the one at `first` on that lie one behind the other in memory, with a line break between them. */
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
  let at = 0;
  for (const run of runs) {
    bytes.set(run, at);
    at += run.length;
    bytes[at++] = NEWLINE;
  }
  return [bytes];
}
