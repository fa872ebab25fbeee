// Reads the content of a file from start to end in pieces: decompresses it if needed, and converts text to UTF-8.

import { decompressed, expansionOf, fileCompression } from "./decompress.ts";
import { Unreadable } from "./errors.ts";
import type { ImportFile } from "./import-file.ts";

const PIECE = 256 * 1024;
/** The bytes of a file, unchanged, each read while the one before is used. */
async function* rawPieces(file: ImportFile): AsyncGenerator<Uint8Array> {
  const length = Math.min(PIECE, file.size);
  let rooms = [new Uint8Array(length), new Uint8Array(length)] as const;
  const read = (at: number) => {
    if (at >= file.size) return undefined;
    const [next, room] = rooms;
    rooms = [room, next];
    return file.read(at, Math.min(at + PIECE, file.size), room);
  };
  for (let at = 0, piece = read(0); piece !== undefined; ) {
    const { buffer, byteOffset, length } = await piece;
    at += PIECE;
    piece = read(at);
    // Awaited above, if at all: until then a failure must not count as unhandled.
    piece?.catch(() => undefined);
    // Never one of Node's buffers, whose `slice` does not copy.
    yield new Uint8Array(buffer, byteOffset, length);
  }
}

/** The content of a file in pieces, each valid until the next. Its first bytes decide its compression, and whether it is UTF-16 text. */
export async function* pieces(file: ImportFile): AsyncGenerator<Uint8Array> {
  const compression = await fileCompression(file);
  const content =
    compression === undefined
      ? rawPieces(file)
      : decompressed(rawPieces(file), compression, expansionOf(file.size));
  yield* inUtf8(content);
}

/** Converts UTF-16 text, as PowerShell and spreadsheets write it, to UTF-8; passes anything else through. */
async function* inUtf8(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  const decoded = (piece?: Uint8Array): Uint8Array => {
    try {
      return encoder.encode(
        piece === undefined ? decoder!.decode() : decoder!.decode(piece, { stream: true }),
      );
    } catch {
      throw new Unreadable(`not ${decoder!.encoding.toUpperCase()} text, although it begins as such`);
    }
  };
  for await (const piece of content) {
    if (isFirst) {
      const encoding = utf16Of(piece);
      if (encoding !== undefined) decoder = new TextDecoder(encoding, { fatal: true });
      isFirst = false;
    }
    yield decoder === undefined ? piece : decoded(piece);
  }
  if (decoder !== undefined) yield decoded();
}

/** The UTF-16 variant of a text: by its byte order mark, or by zeros next to its first letters. */
function utf16Of(start: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = start;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  const isText = (byte: number) => byte >= 0x09 && byte < 0x7f;
  if (isText(a) && b === 0 && isText(c) && d === 0) return "utf-16le";
  return a === 0 && isText(b) && c === 0 && isText(d) ? "utf-16be" : undefined;
}
