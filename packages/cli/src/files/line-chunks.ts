// Splits a stream of lines into chunks of whole lines, which are sent one after the other.

/** Some whole lines of a stream. */
export interface LineChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of lines before it. */
  readonly linesBefore: number;
}

/** Chunks of about `size` bytes; a longer line is a separate chunk. */
export async function* lineChunks(
  stream: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<LineChunk> {
  let held: Uint8Array[] = [];
  let length = 0;
  let linesBefore = 0;
  for await (const bytes of stream) {
    const end = length + bytes.length >= size ? bytes.lastIndexOf(NEWLINE) + 1 : 0;
    if (end > 0) {
      const piece = Buffer.concat([...held, bytes.subarray(0, end)]);
      held = [];
      length = 0;
      yield { bytes: piece, linesBefore };
      linesBefore += linesIn(piece);
    }
    const rest = bytes.subarray(end);
    held.push(rest);
    length += rest.length;
  }
  if (length > 0) yield { bytes: Buffer.concat(held), linesBefore };
}

const NEWLINE = 0x0a;

/** The number of lines that end in some bytes. */
export function linesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
