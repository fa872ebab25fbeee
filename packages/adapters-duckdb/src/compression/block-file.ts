// A file in compressed blocks, any part of which can be read at any time. Each block has the same number of bytes
// before compression; at the end are the lengths of all blocks. It has no checksums: readers verify the content.

import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { bufferFor, compress } from "./compress.ts";
import type { Pieces } from "./compress-pieces.ts";
import { BLOCK, textContent } from "./text-block.ts";

/** How many bytes are compressed together. */
const TOGETHER = 64 * BLOCK;
/** The size before compression, and the number that such a file ends with. */
const TRAILER = 16;
const MAGIC = 0x4b_4c_42_41;

/** Where bytes of a file begin that are not compressed, and where they go. */
interface RawRange {
  readonly from: number;
  readonly into: Uint8Array;
}

/** The content of a file, whose size is the one before compression. */
export interface BlockFile {
  readonly size: number;
  /** Fills `into` with the bytes from `offset`. Returns whether all of them could be read; never throws. */
  read(offset: number, into: Uint8Array): boolean;
  /** The same while other work runs. Never rejects. */
  load(offset: number, into: Uint8Array): Promise<boolean>;
}

/** The bytes of a file with this content, for writing in order. */
export async function* inBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const lengths: number[] = [];
  let [size, used] = [0, 0];
  let room: Uint8Array | undefined;
  // Blocks are compressed while the content of the next ones is made.
  let compressing: Promise<Pieces> | undefined;
  const next = (content: Uint8Array): Promise<Pieces> | undefined => {
    const before = compressing;
    const count = Math.ceil(content.length / BLOCK);
    const ends = Uint32Array.from({ length: count }, (_, i) => Math.min((i + 1) * BLOCK, content.length));
    compressing = compress("text", { bytes: content, ends });
    // Awaited later; until then its failure must not count as unhandled.
    compressing.catch(() => undefined);
    [room, used] = [undefined, 0];
    return before;
  };
  // Called in the order of the blocks, as the later ones may be compressed first.
  const compressed = async (blocks: Promise<Pieces>): Promise<Uint8Array> => {
    const { bytes, ends } = await blocks;
    for (const [i, end] of ends.entries()) lengths.push(end - (i === 0 ? 0 : ends[i - 1]!));
    return bytes;
  };
  for await (const piece of pieces) {
    size += piece.length;
    for (let rest = piece; rest.length > 0; ) {
      room ??= bufferFor(TOGETHER);
      const part = rest.subarray(0, TOGETHER - used);
      room.set(part, used);
      used += part.length;
      rest = rest.subarray(part.length);
      const before = used === TOGETHER ? next(room) : undefined;
      if (before !== undefined) yield await compressed(before);
    }
  }
  const before = room === undefined ? undefined : next(room.subarray(0, used));
  for (const last of [before, compressing]) if (last !== undefined) yield await compressed(last);
  const end = Buffer.alloc(TRAILER);
  end.writeDoubleLE(size, 0);
  end.writeUInt32LE(MAGIC, 12);
  const { buffer, byteLength } = Uint16Array.from(lengths);
  yield Buffer.concat([new Uint8Array(buffer, 0, byteLength), end]);
}

/** The content of an open file; undefined if it is not such a file or is cut off. */
export async function openBlocks(handle: FileHandle): Promise<BlockFile | undefined> {
  const trailerAt = (await handle.stat()).size - TRAILER;
  const trailer = Buffer.alloc(TRAILER);
  if (trailerAt < 0 || !(await loadWhole(handle, trailerAt, trailer))) return undefined;
  const size = trailer.readDoubleLE(0);
  const count = Math.ceil(size / BLOCK);
  const listAt = trailerAt - count * 2;
  if (trailer.readUInt32LE(12) !== MAGIC || !(size >= 0 && listAt >= 0)) return undefined;
  const lengths = new Uint16Array(count);
  if (!(await loadWhole(handle, listAt, new Uint8Array(lengths.buffer)))) return undefined;
  const ends = endsOf(lengths);
  const start = (block: number): number => (block === 0 ? 0 : ends[block - 1]!);
  if (start(count) !== listAt) return undefined;
  const lengthOf = (block: number): number => Math.min(BLOCK, size - block * BLOCK);

  /** The bytes for `into` in these blocks; undefined if one of the blocks is compressed. */
  const rawRangeOf = (
    first: number,
    last: number,
    offset: number,
    into: Uint8Array,
  ): RawRange | undefined => {
    const before = Math.max(0, offset - first * BLOCK);
    const at = first * BLOCK + before - offset;
    const whole = Math.min((last + 1) * BLOCK, size) - first * BLOCK;
    if (start(last + 1) - start(first) !== whole) return undefined;
    return { from: start(first) + before, into: into.subarray(at, at + whole - before) };
  };
  /** Decompresses the blocks from `first` to `last`, which are in `bytes`, into `into`. */
  const unpack = (
    bytes: Uint8Array,
    first: number,
    last: number,
    offset: number,
    into: Uint8Array,
  ): boolean => {
    for (let block = first; block <= last; block++) {
      const packed = bytes.subarray(start(block) - start(first), start(block + 1) - start(first));
      const content = textContent(packed, lengthOf(block));
      if (content === undefined) return false;
      const at = block * BLOCK - offset;
      into.set(content.subarray(Math.max(0, -at), into.length - at), Math.max(0, at));
    }
    return true;
  };
  /** The blocks with these bytes; undefined if there are not as many. */
  const blocksWith = (offset: number, length: number): readonly [first: number, last: number] | undefined =>
    offset + length > size
      ? undefined
      : [Math.floor(offset / BLOCK), Math.ceil((offset + length) / BLOCK) - 1];
  return {
    size,
    read(offset, into) {
      const blocks = blocksWith(offset, into.length);
      if (blocks === undefined) return false;
      const [first, last] = blocks;
      const raw = rawRangeOf(first, last, offset, into);
      if (raw !== undefined) return readWhole(handle.fd, raw.from, raw.into);
      const bytes = new Uint8Array(start(last + 1) - start(first));
      return readWhole(handle.fd, start(first), bytes) && unpack(bytes, first, last, offset, into);
    },
    async load(offset, into) {
      const blocks = blocksWith(offset, into.length);
      if (blocks === undefined) return false;
      for (let [first, end] = blocks; first <= end; first += AT_ONCE) {
        const last = Math.min(first + AT_ONCE - 1, end);
        const raw = rawRangeOf(first, last, offset, into);
        if (raw !== undefined) {
          if (await loadWhole(handle, raw.from, raw.into)) continue;
          return false;
        }
        const bytes = new Uint8Array(start(last + 1) - start(first));
        if (!(await loadWhole(handle, start(first), bytes))) return false;
        if (!unpack(bytes, first, last, offset, into)) return false;
      }
      return true;
    },
  };
}

// How many blocks are read and decompressed together: that takes a few milliseconds.
const AT_ONCE = 128;

function endsOf(lengths: Uint16Array): Float64Array {
  const ends = new Float64Array(lengths.length);
  let end = 0;
  // By index, because an iterator takes ten times as long.
  for (let block = 0; block < lengths.length; block++) {
    end += lengths[block]!;
    ends[block] = end;
  }
  return ends;
}

function readWhole(fd: number, offset: number, into: Uint8Array): boolean {
  try {
    for (let have = 0; have < into.byteLength; ) {
      const n = readSync(fd, into, have, into.byteLength - have, offset + have);
      if (n === 0) return false;
      have += n;
    }
    return true;
  } catch {
    return false;
  }
}

async function loadWhole(handle: FileHandle, offset: number, into: Uint8Array): Promise<boolean> {
  try {
    for (let have = 0; have < into.byteLength; ) {
      const { bytesRead } = await handle.read(into, have, into.byteLength - have, offset + have);
      if (bytesRead === 0) return false;
      have += bytesRead;
    }
    return true;
  } catch {
    return false;
  }
}
