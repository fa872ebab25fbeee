// Splits the bytes of a file into blocks of complete lines, each in separate memory, so that threads can pass them on
// without a copy.

/** Complete lines; undefined stands for a line that is too long and was not kept. */
export type LineBlock = Uint8Array<ArrayBuffer> | undefined;

/** A line without its line break; undefined if it is too long. */
export type TextLine = Buffer | undefined;

const NEWLINE = 0x0a;
const BLOCK = 1024 * 1024;
// The approximate number of lines in a block: each takes memory once it is read, however short it is.
const LINES = 16_384;

/**
 * The lines of a stream in blocks of about a megabyte. Of a line with more than `longest` bytes, at most that many are
 * held.
 */
export async function* lineBlocks(
  stream: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<LineBlock> {
  let held: Uint8Array[] = [];
  let size = 0;
  let lines = 0;
  // Bytes of an unfinished line at the end of the held bytes.
  let open = 0;
  let isTooLong = false;
  const take = (): Uint8Array<ArrayBuffer> => {
    const block = blockOf(held, size);
    [held, size, lines] = [[], 0, 0];
    return block;
  };
  for await (const bytes of stream) {
    if (!ArrayBuffer.isView(bytes))
      throw new TypeError(`lines are read from bytes, not from ${typeof bytes}s`);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    let from = 0;
    if (isTooLong) {
      from = bytes.indexOf(NEWLINE) + 1;
      if (from === 0) continue;
      isTooLong = false;
      yield undefined;
    }
    if (end > from) {
      held.push(bytes.subarray(from, end));
      size += end - from;
      lines += linesOf(bytes, from, end);
      open = 0;
      from = end;
      if (size >= BLOCK || lines >= LINES) yield take();
    }
    held.push(bytes.subarray(from));
    size += bytes.length - from;
    open += bytes.length - from;
    if (open > longest) {
      held = [blockOf(held, size - open)];
      size -= open;
      open = 0;
      isTooLong = true;
      if (size > 0) yield take();
    }
  }
  if (isTooLong) yield undefined;
  else if (size > 0) yield take();
}

function linesOf(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1 && at < to; at = bytes.indexOf(NEWLINE, at + 1))
    count++;
  return count;
}

/** The first `size` bytes of the pieces, copied. */
function blockOf(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  // Filled below. Not from Node's pool, so that it can be transferred to a thread.
  const block = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer as ArrayBuffer);
  let at = 0;
  for (const piece of pieces) {
    if (at === size) break;
    const part = piece.subarray(0, size - at);
    block.set(part, at);
    at += part.length;
  }
  return block;
}

/** The lines of a block, sharing its memory. */
export function linesIn(block: LineBlock, longest: number): readonly TextLine[] {
  if (block === undefined) return [undefined];
  const bytes = bytesIn(block);
  let from = 0;
  return lineEnds(bytes).map((end) => {
    const line = lineAt(bytes, from, end, longest);
    from = end + 1;
    return line;
  });
}

/** The bytes of a block, sharing its memory. */
export function bytesIn(block: LineBlock): Buffer {
  return block === undefined ? NOTHING : Buffer.from(block.buffer, block.byteOffset, block.length);
}

const NOTHING = Buffer.alloc(0);

/** The end of each line, before its line break. */
export function lineEnds(bytes: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline === -1 ? bytes.length : newline;
    ends.push(end);
    from = end + 1;
  }
  return ends;
}

/** One line, sharing the memory. */
export function lineAt(bytes: Buffer, from: number, end: number, longest: number): TextLine {
  return end - from > longest ? undefined : bytes.subarray(from, end);
}
