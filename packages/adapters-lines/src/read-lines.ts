// From the bytes of a file to its lines, many at a time: one await per block, not per line.

const NEWLINE = 0x0a;

/**
 * The lines of a stream of bytes, in order, in batches; without their line ends, a last one without an end too.
 * A line of more than `limit` bytes (default 64 MiB) is given as undefined, so that no file can fill the memory.
 * The stream must not write to its blocks again.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  limit: number = 64 * 1024 * 1024,
): AsyncGenerator<readonly (Uint8Array | undefined)[]> {
  let begun: Uint8Array[] = [];
  let size = 0;
  const add = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > limit) begun = [];
    else if (piece.length > 0) begun.push(piece);
  };
  const take = (): Uint8Array | undefined => {
    const line = size > limit ? undefined : begun.length === 1 ? begun[0] : Buffer.concat(begun, size);
    begun = [];
    size = 0;
    return line;
  };
  for await (const block of stream) {
    const lines: (Uint8Array | undefined)[] = [];
    let from = 0;
    for (let end = block.indexOf(NEWLINE); end !== -1; end = block.indexOf(NEWLINE, from)) {
      add(block.subarray(from, end));
      lines.push(take());
      from = end + 1;
    }
    add(block.subarray(from));
    yield lines;
  }
  if (size > 0) yield [take()];
}
