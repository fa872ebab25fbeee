// A file in compressed blocks, any part of which can be read at any time. Each block has the same number of bytes before
// compression; at the end are the lengths of all blocks. It has no checksums: who reads it checks what it holds.

import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { timeSlice } from "@assay/base/internal";

// Small reads of saved columns are of such blocks. With blocks four times as large the file is a tenth smaller, but
// reading a page takes three times as long.
const BLOCK = 8192;
// Memory for such a block, a quarter of the default.
const DEFLATE = { level: 1, windowBits: 13, memLevel: 6 } as const;
// With room for a whole block, its bytes are not put together from several pieces.
const INFLATE = { maxOutputLength: BLOCK, chunkSize: BLOCK } as const;
// Only texts are compressed. Columns of numbers are read whole at every start, and decompressing takes ten times as long
// as reading. In texts, few bytes are below that of a space; in numbers many are, and one in eight of a digest.
const SPACE = 0x20;
const [SAMPLED, MOST_OTHERS] = [61, 1 / 16];
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

/** The bytes of a file with this content, for writing in order. Each part is valid until the next. */
export async function* inBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const lengths: number[] = [];
  const block = new Uint8Array(BLOCK);
  let [size, at] = [0, 0];
  const pause = timeSlice();
  const sealed = (): Uint8Array => {
    const content = block.subarray(0, at);
    const bytes = (isText(content) ? compressed(content) : undefined) ?? content.slice();
    lengths.push(bytes.length);
    at = 0;
    return bytes;
  };
  for await (const piece of pieces) {
    size += piece.length;
    const full: Uint8Array[] = [];
    for (let rest = piece; rest.length > 0; ) {
      const part = rest.subarray(0, BLOCK - at);
      block.set(part, at);
      at += part.length;
      rest = rest.subarray(part.length);
      if (at < BLOCK) continue;
      full.push(sealed());
      const turn = pause();
      if (turn !== undefined) await turn;
    }
    if (full.length > 0) yield Buffer.concat(full);
  }
  if (at > 0) yield Buffer.concat([sealed()]);
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
      const content = decompressed(packed, lengthOf(block));
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

/** Whether a block looks like text, by some of its bytes. */
function isText(block: Uint8Array): boolean {
  let others = 0;
  for (let i = 0; i < block.length; i += SAMPLED) if (block[i]! < SPACE) others++;
  return others < (block.length / SAMPLED) * MOST_OTHERS;
}

/** The block compressed; undefined if that is not shorter. */
function compressed(block: Uint8Array): Uint8Array | undefined {
  const deflated = deflateRawSync(block, DEFLATE);
  return deflated.length < block.length ? deflated : undefined;
}

/** The content of a block; undefined if it is damaged. */
function decompressed(bytes: Uint8Array, length: number): Uint8Array | undefined {
  if (bytes.length === length) return bytes;
  try {
    const content = inflateRawSync(bytes, INFLATE);
    return content.length === length ? content : undefined;
  } catch {
    return undefined;
  }
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
