// Reads the content of a file from start to end in pieces: decompresses it if needed, and converts text to UTF-8.
// Decompressed size is limited relative to the file's size, so a few kilobytes that expand to terabytes end in an error
// message.

import { builtinModule } from "@assay/base/internal";
import { Gunzip, Inflate } from "fflate";
import { Decompress } from "fzstd";
import { Unreadable } from "./errors.ts";
import type { ImportFile } from "./import-file.ts";
import { ZstandardWindows } from "./zstandard-windows.ts";

const PIECE = 256 * 1024;
// Decompressors get little input at a time, since they return all output for it at once: up to 1000 times as much with
// DEFLATE, and 128 KiB for four bytes with Zstandard.
const MOUTHFUL: Readonly<Record<Compression, number>> = { gzip: 8 * 1024, deflate: 8 * 1024, zstd: 1024 };

/** The limit on decompressed size: a multiple of the compressed size, and at least this much. */
const EXPANSION = { times: 200, least: 128 * 1024 * 1024 };

/** How bytes are compressed. */
export type Compression = "gzip" | "deflate" | "zstd";

/** The bytes of a file, unchanged, each read while the one before is used. */
async function* rawPieces(file: ImportFile): AsyncGenerator<Uint8Array> {
  const read = (at: number) => (at < file.size ? file.read(at, Math.min(at + PIECE, file.size)) : undefined);
  for (let at = 0, piece = read(0); piece !== undefined; ) {
    const { buffer, byteOffset, length } = await piece;
    at += PIECE;
    piece = read(at);
    // Awaited above, if at all: until then a failure must not count as unhandled.
    piece?.catch(() => undefined);
    // Never one of Node's buffers, whose `slice` is no copy.
    yield new Uint8Array(buffer, byteOffset, length);
  }
}

/** The content of a file. Its first bytes decide its compression, and whether it is UTF-16 text. */
export async function* pieces(file: ImportFile): AsyncGenerator<Uint8Array> {
  const compression = await fileCompression(file);
  const content =
    compression === undefined
      ? rawPieces(file)
      : decompressed(rawPieces(file), compression, expansionOf(file.size));
  yield* inUtf8(content);
}

/** A file's compression, by its first bytes. */
export async function fileCompression(file: ImportFile): Promise<Compression | undefined> {
  return compressionOf(await file.read(0, Math.min(4, file.size)));
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

/** The most bytes that `size` compressed bytes may become. */
export function expansionOf(size: number): number {
  return Math.max(EXPANSION.least, size * EXPANSION.times);
}

function compressionOf(start: Uint8Array): Compression | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return "gzip";
  const [a, b, c, d] = start;
  return a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd ? "zstd" : undefined;
}

/** Decompresses pieces, up to `limit` bytes. */
export async function* decompressed(
  compressed: AsyncIterable<Uint8Array>,
  compression: Compression,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  let [size, ended] = [0, false];
  const decompressor = decompressorOf(compression, (piece, final) => {
    size += piece.length;
    ended ||= final;
    if (size > limit) throw new Unreadable(`more than ${limit} bytes after decompression`);
    if (piece.length > 0) made.push(piece.slice());
  });
  const push = (piece: Uint8Array, final: boolean): void => {
    try {
      decompressor.push(piece, final);
    } catch (error) {
      throw error instanceof Unreadable ? error : brokenOff(compression);
    }
  };
  const mouthful = MOUTHFUL[compression];
  for await (const piece of compressed) {
    for (let at = 0; at < piece.length; at += mouthful) {
      push(piece.slice(at, at + mouthful), false);
      yield* made;
      made = [];
    }
  }
  push(new Uint8Array(0), true);
  yield* made;
  if (!ended) throw brokenOff(compression);
}

type DecompressPiece = (
  piece: Uint8Array,
  options: { readonly maxOutputLength: number; readonly chunkSize: number },
) => Uint8Array;

// The runtime's own decompression takes a fraction of the time; browsers have none that is synchronous.
const { gunzipSync, inflateRawSync } = builtinModule<{
  readonly gunzipSync: DecompressPiece;
  readonly inflateRawSync: DecompressPiece;
}>("node:zlib");

/**
 * Decompresses a complete piece with the runtime, to the `length` that its container states. Undefined if the runtime
 * cannot, or the content is damaged or of another length: `decompressed` says what is wrong.
 */
export function decompressedByRuntime(
  piece: Uint8Array,
  compression: Compression,
  length: number,
): Uint8Array | undefined {
  const decompress = { gzip: gunzipSync, deflate: inflateRawSync, zstd: undefined }[compression];
  if (decompress === undefined || length === 0) return undefined;
  try {
    // With room for its end, all of it is made in one step.
    const made = decompress(piece, { maxOutputLength: length, chunkSize: length + END_ROOM });
    return made.length === length ? made : undefined;
  } catch {
    return undefined;
  }
}

const END_ROOM = 64;

/** Decompresses a complete piece to the `length` that its container states. */
export function decompressedPiece(piece: Uint8Array, compression: Compression, length: number): Uint8Array {
  const whole = decompressedByRuntime(piece, compression, length);
  if (whole !== undefined) return whole;
  const made = new Uint8Array(length);
  let size = 0;
  const decompressor = decompressorOf(compression, (part) => {
    if (size + part.length > length)
      throw new Unreadable(`more than the stated ${length} bytes after decompression`);
    made.set(part, size);
    size += part.length;
  });
  const mouthful = MOUTHFUL[compression];
  for (let at = 0; at < piece.length; at += mouthful)
    decompressor.push(piece.slice(at, at + mouthful), at + mouthful >= piece.length);
  if (size < length) throw brokenOff(compression);
  return made;
}

interface Decompressor {
  push(piece: Uint8Array, final: boolean): void;
}

function decompressorOf(
  compression: Compression,
  give: (piece: Uint8Array, final: boolean) => void,
): Decompressor {
  if (compression === "gzip") return new Gunzip((piece, final) => give(piece, final));
  if (compression === "deflate") return new Inflate((piece, final) => give(piece, final));
  const windows = new ZstandardWindows();
  const decompressor = new Decompress((piece, final) => give(piece, final ?? false));
  return {
    push(piece, final) {
      windows.watch(piece);
      decompressor.push(piece, final);
    },
  };
}

function brokenOff(compression: Compression): Unreadable {
  return new Unreadable(`not valid ${compression}, or truncated`);
}
