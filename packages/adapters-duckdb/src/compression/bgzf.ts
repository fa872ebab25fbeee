// Blocks of BGZF (SAM/BAM format specification, section 4.1): gzip members that state their length, of at most 64 KiB
// each, before and after compression.

import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/** The range of positions within a block. */
export const IN_BLOCK = 65_536;
/**
 * The maximum size of a block in bytes before compression, so that it stays below 64 KiB even if it cannot be
 * compressed.
 */
export const ROOM = 65_280;

// A gzip header that states the length of its member: without time or name, and with a field "BC" of two bytes, the
// length minus one.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 0x42, 0x43, 2, 0, 0, 0]);
const LENGTH_AT = 16;
// The CRC-32 and length of its content.
const TRAILER = 8;
/** The size of a block's header in bytes. */
export const BLOCK_HEADER: number = HEADER.length;
/** The size of the shortest block in bytes. */
export const SHORTEST: number = HEADER.length + TRAILER;

// With room for a whole block, its bytes are not put together from several pieces.
const INFLATE = { maxOutputLength: IN_BLOCK, chunkSize: IN_BLOCK } as const;

/** A block with this content. */
export function blockWith(content: Uint8Array): Uint8Array {
  const packed = deflateRawSync(content, { level: 1 });
  const length = SHORTEST + packed.length;
  const block = Buffer.allocUnsafe(length);
  HEADER.copy(block);
  block.writeUInt16LE(length - 1, LENGTH_AT);
  packed.copy(block, HEADER.length);
  block.writeUInt32LE(crc32(content), length - TRAILER);
  block.writeUInt32LE(content.length, length - 4);
  return block;
}

/** The content of a block; undefined if it cannot be decompressed. Its checksum is not checked. */
export function blockContent(block: Uint8Array): Buffer | undefined {
  try {
    return inflateRawSync(block.subarray(HEADER.length, -TRAILER), INFLATE);
  } catch {
    return undefined;
  }
}

/** The size of the block that begins with these bytes; undefined if they are not the header of a block. */
export function blockLength(bytes: Buffer): number | undefined {
  if (bytes.length < HEADER.length) return undefined;
  if (bytes.compare(HEADER, 0, LENGTH_AT, 0, LENGTH_AT) !== 0) return undefined;
  const length = bytes.readUInt16LE(LENGTH_AT) + 1;
  return length < SHORTEST ? undefined : length;
}
