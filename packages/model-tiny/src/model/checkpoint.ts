// Checkpoints: a model as bytes, and back, bit for bit. All numbers are little-endian.
//
//   0  8  the text "assaytny"                          36  4  nothing
//   8  4  version, 2                                   40  8  updates, as a float64
//  12 24  window, embedding, hidden, context, words,   48     weights, means, variances: float32 each
//         layers                                       end 4  CRC-32 of everything before
//
// Version 1, which is still read, had only a window, an embedding and a hidden layer: then updates at 24, weights at 32.
import { Fault } from "@assay/base";
import { crc32 } from "./crc32.ts";
import { layoutOf, type TinyModel, type TinyShape, type TinyWeights } from "./model.ts";

const MAGIC = "assaytny";
const VERSION = 2;
const HEADER = 48;
/** The size of the largest allowed shape: 64 MB of weights. */
const MAX_SIZE = 2 ** 24;
/** The number of numbers written at once. */
const PIECE = 2 ** 16;

/** `model` as bytes, with the optimiser's state: after loading, training continues as if it had not stopped. */
export function encodeCheckpoint(model: TinyModel): Uint8Array {
  const pieces = [...checkpointPieces(model)];
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The bytes of `encodeCheckpoint` in chunks, each of which takes a millisecond. */
export function* checkpointPieces(model: TinyModel): Generator<Uint8Array, void> {
  const header = headerOf(model);
  let crc = crc32(header);
  yield header;
  for (const part of [model.weights, model.mean, model.variance]) {
    for (let from = 0; from < part.length; from += PIECE) {
      const piece = bytesOf(part.subarray(from, from + PIECE));
      crc = crc32(piece, crc);
      yield piece;
    }
  }
  const end = new Uint8Array(CHECKSUM);
  new DataView(end.buffer).setUint32(0, crc, true);
  yield end;
}

function headerOf({ shape, updates }: TinyModel): Uint8Array {
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
  const { window, embedding, hidden, context = window, words = 0, layers = 0 } = shape;
  [VERSION, window, embedding, hidden, context, words, layers].forEach((value, i) => {
    view.setUint32(8 + 4 * i, value, true);
  });
  view.setFloat64(40, updates, true);
  return bytes;
}

function bytesOf(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i]!, true);
  return bytes;
}

/** The model in `bytes`. Throws a `Fault` (`corrupt`) if they are not a complete, undamaged checkpoint. */
export function decodeCheckpoint(bytes: Uint8Array): TinyModel {
  return decodeChecked(bytes, checksumOf(bytes));
}

/** The CRC-32 of a checkpoint's bytes except the last four, which contain the expected one. */
function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes.subarray(0, Math.max(0, bytes.length - CHECKSUM)));
}

/** The number of bytes of the checksum at the end of a checkpoint. */
export const CHECKSUM = 4;

/** Like `decodeCheckpoint`, for callers that have already computed the checksum. */
export function decodeChecked(bytes: Uint8Array, checksum: number): TinyModel {
  const { shape, updates, part } = opened(bytes, checksum);
  return { shape, weights: part(0), mean: part(1), variance: part(2), updates };
}

/** Like `decodeChecked`, without the optimiser's state. */
export function decodeWeights(bytes: Uint8Array, checksum: number): TinyWeights {
  const { shape, part } = opened(bytes, checksum);
  return { shape, weights: part(0) };
}

/** The header of a verified checkpoint; `part` reads its weights, means or variances. */
function opened(bytes: Uint8Array, checksum: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
  if (bytes.length < HEADER || magic !== MAGIC)
    throw new Fault("corrupt", "this is not a checkpoint of a tiny model");
  const { shape, updates, header } = readHeader(view);
  const { size } = layoutOf(shape);
  const end = header + 12 * size;
  if (!isShape(shape) || size > MAX_SIZE || bytes.length !== end + CHECKSUM) {
    throw new Fault("corrupt", `a checkpoint of ${bytes.length} bytes does not match its shape`);
  }
  if (view.getUint32(end, true) !== checksum) {
    throw new Fault("corrupt", "the checkpoint is damaged: its checksum differs");
  }
  const part = (index: number): Float32Array => {
    const values = new Float32Array(size);
    for (let i = 0, at = header + 4 * index * size; i < size; i++, at += 4)
      values[i] = view.getFloat32(at, true);
    return values;
  };
  return { shape, updates, part };
}

function readHeader(view: DataView): { shape: TinyShape; updates: number; header: number } {
  const version = view.getUint32(8, true);
  const number = (index: number) => view.getUint32(12 + 4 * index, true);
  const [window, embedding, hidden] = [number(0), number(1), number(2)];
  if (version === 1)
    return { shape: { window, embedding, hidden }, updates: view.getFloat64(24, true), header: 32 };
  if (version !== VERSION) throw new Fault("corrupt", `checkpoint version ${version} is not supported`);
  const shape = { window, embedding, hidden, context: number(3), words: number(4), layers: number(5) };
  return { shape, updates: view.getFloat64(40, true), header: HEADER };
}

function isShape({ window, embedding, hidden, context = window }: TinyShape): boolean {
  const sized = embedding > 0 && embedding % 4 === 0 && hidden > 0 && hidden % 4 === 0;
  return sized && window > 0 && context > 0 && context <= LONGEST_CONTEXT;
}

/** A context takes a buffer for each answer. */
const LONGEST_CONTEXT = 2 ** 16;
