// Checkpoints: a model as bytes, and back, bit for bit. All numbers are little-endian.
//
//   0  8  the text "assaytny"        24  8  updates, as a float64
//   8  4  version, 1                 32     weights, means, variances: float32 each
//  12 12  window, embedding, hidden  end 4  CRC-32 of everything before
import { Fault } from "@assay/base";
import { layoutOf, type TinyModel, type TinyShape } from "./model.ts";

const MAGIC = "assaytny";
const VERSION = 1;
const HEADER = 32;
/** No shape that a checkpoint may ask for is larger: 64 MB of weights. */
const MAX_SIZE = 2 ** 24;

/** `model` as bytes, with the optimiser's memory: training goes on after loading as if it had not stopped. */
export function encodeCheckpoint(model: TinyModel): Uint8Array {
  const parts = [model.weights, model.mean, model.variance];
  const bytes = new Uint8Array(HEADER + 4 * parts.length * model.weights.length + 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
  const { window, embedding, hidden } = model.shape;
  [VERSION, window, embedding, hidden].forEach((value, i) => {
    view.setUint32(8 + 4 * i, value, true);
  });
  view.setFloat64(24, model.updates, true);
  let at = HEADER;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++, at += 4) view.setFloat32(at, part[i]!, true);
  }
  view.setUint32(at, crc32(bytes.subarray(0, at)), true);
  return bytes;
}

/** The model that `bytes` hold. Throws a `Fault` (`corrupt`) when they are not a whole, undamaged checkpoint. */
export function decodeCheckpoint(bytes: Uint8Array): TinyModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
  if (bytes.length < HEADER || magic !== MAGIC)
    throw new Fault("corrupt", "this is not a checkpoint of a tiny model");
  const version = view.getUint32(8, true);
  if (version !== VERSION) throw new Fault("corrupt", `checkpoint version ${version} is not known here`);
  const shape: TinyShape = {
    window: view.getUint32(12, true),
    embedding: view.getUint32(16, true),
    hidden: view.getUint32(20, true),
  };
  const { size } = layoutOf(shape);
  const end = HEADER + 12 * size;
  if (!isShape(shape) || size > MAX_SIZE || bytes.length !== end + 4) {
    throw new Fault("corrupt", `a checkpoint of ${bytes.length} bytes does not hold the shape it names`);
  }
  if (view.getUint32(end, true) !== crc32(bytes.subarray(0, end))) {
    throw new Fault("corrupt", "the checkpoint is damaged: its checksum differs");
  }
  const part = (index: number): Float32Array => {
    const values = new Float32Array(size);
    for (let i = 0, at = HEADER + 4 * index * size; i < size; i++, at += 4)
      values[i] = view.getFloat32(at, true);
    return values;
  };
  return { shape, weights: part(0), mean: part(1), variance: part(2), updates: view.getFloat64(24, true) };
}

function isShape({ window, embedding, hidden }: TinyShape): boolean {
  return window > 0 && embedding > 0 && embedding % 4 === 0 && hidden > 0 && hidden % 4 === 0;
}

const CRC_TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** The CRC-32 of IEEE 802.3, as in zip and png. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}
