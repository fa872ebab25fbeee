// Splits bytes into pieces of a limited size, each with a length that is a multiple of eight. Other work runs between
// pieces.

import type { Work } from "../../kernels/work.ts";
import { checksum } from "./checksum.ts";

// How many bytes are read and summed between checks of the time.
const PIECE = 2 ** 20;

/** The bytes in pieces, of which only the last is copied, to fill it up with zeros. */
export function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) pieces.push(padded(bytes.subarray(at, at + PIECE)));
  return pieces;
}

/** The bytes at the start of a new buffer, with zeros up to a multiple of eight. */
export function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength % 8 === 0 && bytes.byteOffset % 8 === 0) return bytes;
  const whole = new Uint8Array(roundUp(bytes.byteLength));
  whole.set(bytes);
  return whole;
}

/** The next multiple of `step`. */
export function roundUp(length: number, step = 8): number {
  return Math.ceil(length / step) * step;
}

/** The bytes of an array. */
export function bytesOf({
  buffer,
  byteOffset,
  byteLength,
}: Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The checksum of a piece that continues `sum`. */
export async function checksumOf(piece: Uint8Array, sum: number, work: Work): Promise<number> {
  const pause = work.spend(piece.length / 4);
  if (pause !== undefined) await pause;
  return checksum(piece, sum);
}

/** The checksum of all pieces. */
export async function checksumOfAll(pieces: readonly Uint8Array[], work: Work): Promise<number> {
  let sum = 0;
  for (const piece of pieces) sum = await checksumOf(piece, sum, work);
  return sum;
}
