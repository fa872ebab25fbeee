// Decompresses content. Its size is limited relative to the compressed size, so a few kilobytes that expand to terabytes
// end in an error message.

import { builtinModule } from "@assay/base/internal";
import { Gunzip, Inflate } from "fflate";
import { Decompress } from "fzstd";
import { Unreadable } from "./errors.ts";
import type { ImportFile } from "./import-file.ts";
import { ZstandardWindows } from "./zstandard-windows.ts";

// Decompressors get little input at a time, since they return all output for it together: up to 1000 times as much with
// DEFLATE, and 128 KiB for four bytes with Zstandard.
const MOST_INPUT: Readonly<Record<Compression, number>> = { gzip: 8 * 1024, deflate: 8 * 1024, zstd: 1024 };

/** The limit on decompressed size: a multiple of the compressed size, and at least this much. */
const EXPANSION = { times: 200, least: 128 * 1024 * 1024 };

/** How bytes are compressed. */
export type Compression = "gzip" | "deflate" | "zstd";

/** A file's compression, by its first bytes. */
export async function fileCompression(file: ImportFile): Promise<Compression | undefined> {
  const [a, b, c, d] = await file.read(0, Math.min(4, file.size));
  if (a === 0x1f && b === 0x8b) return "gzip";
  return a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd ? "zstd" : undefined;
}

/** The most bytes that `size` compressed bytes may become. */
export function expansionOf(size: number): number {
  return Math.max(EXPANSION.least, size * EXPANSION.times);
}

/** Decompresses pieces, up to `limit` bytes. */
export async function* decompressed(
  compressed: AsyncIterable<Uint8Array>,
  compression: Compression,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let output: Uint8Array[] = [];
  let [size, ended] = [0, false];
  const decompressor = decompressorOf(compression, (piece, final) => {
    size += piece.length;
    ended ||= final;
    if (size > limit) throw new Unreadable(`more than ${limit} bytes after decompression`);
    if (piece.length > 0) output.push(piece.slice());
  });
  const push = (piece: Uint8Array, final: boolean): void => {
    try {
      decompressor.push(piece, final);
    } catch (error) {
      throw error instanceof Unreadable ? error : invalid(compression);
    }
  };
  const most = MOST_INPUT[compression];
  for await (const piece of compressed) {
    for (let at = 0; at < piece.length; at += most) {
      push(piece.slice(at, at + most), false);
      yield* output;
      output = [];
    }
  }
  push(new Uint8Array(0), true);
  yield* output;
  if (!ended) throw invalid(compression);
}

const END_ROOM = 64;

type DecompressPiece = (
  piece: Uint8Array,
  options: { readonly maxOutputLength: number; readonly chunkSize: number },
) => Uint8Array;

// The runtime's own decompression takes a fraction of the time; browsers have none that is synchronous.
const { gunzipSync, inflateRawSync, brotliDecompressSync } = builtinModule<{
  readonly gunzipSync: DecompressPiece;
  readonly inflateRawSync: DecompressPiece;
  readonly brotliDecompressSync: DecompressPiece;
}>("node:zlib");

/** Decompresses Brotli of at most `length` bytes; undefined if the runtime cannot. */
export const decompressedBrotli: ((piece: Uint8Array, length: number) => Uint8Array) | undefined =
  brotliDecompressSync === undefined
    ? undefined
    : (piece, length) =>
        brotliDecompressSync(piece, { maxOutputLength: length, chunkSize: length + END_ROOM });

/**
 * Decompresses a complete piece with the runtime, to the `length` that its container states. Undefined if the runtime
 * cannot, or the content is damaged or of another length: `decompressed` reports the error.
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
  const most = MOST_INPUT[compression];
  for (let at = 0; at < piece.length; at += most)
    decompressor.push(piece.slice(at, at + most), at + most >= piece.length);
  if (size < length) throw invalid(compression);
  return made;
}

interface Decompressor {
  push(piece: Uint8Array, final: boolean): void;
}

function decompressorOf(
  compression: Compression,
  onOutput: (piece: Uint8Array, final: boolean) => void,
): Decompressor {
  if (compression === "gzip") return new Gunzip((piece, final) => onOutput(piece, final));
  if (compression === "deflate") return new Inflate((piece, final) => onOutput(piece, final));
  const windows = new ZstandardWindows();
  const decompressor = new Decompress((piece, final) => onOutput(piece, final ?? false));
  return {
    push(piece, final) {
      windows.watch(piece);
      decompressor.push(piece, final);
    },
  };
}

function invalid(compression: Compression): Unreadable {
  return new Unreadable(`not valid ${compression}, or truncated`);
}
