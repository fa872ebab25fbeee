// Texts that stay in a segment's file, because only the returned page needs them. They are read block by block, with
// only the last block in memory. Reading all of them in order uses a window of blocks that is loaded ahead.

import type { TextSource } from "../../columns/derived-texts.ts";
import { type TextList, Texts } from "../../columns/texts.ts";
import type { Work } from "../../kernels/work.ts";
import { BLOCK_BYTES, BLOCK_ROOM, Block, blocksFor, type SegmentFile } from "./segment-file.ts";

/** Access to the content of blocks. */
interface BlockReader {
  /** The content of block `number` of the texts, valid until another is requested. */
  room(number: number): Uint8Array;
}

/** Consecutive texts in the blocks of a file. */
export class TextBlocks implements BlockReader {
  private readonly file: SegmentFile;
  private readonly first: number;
  /** Where each text ends. */
  readonly ends: Uint32Array;
  private block: Block | undefined;
  /** The number of the block in memory. */
  private inBlock = -1;

  /** The texts begin at the start of block `first`. */
  constructor(file: SegmentFile, first: number, ends: Uint32Array) {
    this.file = file;
    this.first = first;
    this.ends = ends;
  }

  start(i: number): number {
    return i === 0 ? 0 : this.ends[i - 1]!;
  }

  /** The bytes of text `i`, valid until another text is requested. */
  bytesOf(i: number, rooms: BlockReader = this): Uint8Array {
    const [start, end] = [this.start(i), this.ends[i]!];
    const at = start % BLOCK_ROOM;
    // Most texts are in a single block.
    if (start < end && at + end - start <= BLOCK_ROOM)
      return rooms.room((start - at) / BLOCK_ROOM).subarray(at, at + end - start);
    const bytes = new Uint8Array(end - start);
    for (let from = start; from < end; ) {
      const at = from % BLOCK_ROOM;
      const part = rooms.room((from - at) / BLOCK_ROOM).subarray(at, at + end - from);
      bytes.set(part, from - start);
      from += part.length;
    }
    return bytes;
  }

  /** A window of blocks for reading texts in order. */
  window(): BlockWindow {
    return new BlockWindow(this, this.file, this.first);
  }

  room(number: number): Uint8Array {
    this.block ??= new Block();
    if (number !== this.inBlock) {
      this.inBlock = -1;
      this.file.read(this.first + number, this.block);
      this.inBlock = number;
    }
    return this.block.room;
  }
}

// How many blocks are written, and read ahead, together.
const BLOCKS_AT_ONCE = 128;

/** Consecutive blocks of texts, loaded asynchronously. */
class BlockWindow implements BlockReader {
  private readonly texts: TextBlocks;
  private readonly file: SegmentFile;
  private readonly first: number;
  private blocks: readonly Block[] = [];
  /** The numbers of the first block in memory, and of the first after the window. */
  private from = 0;
  private to = 0;

  /** The blocks of `texts` begin with number `first` of `file`. */
  constructor(texts: TextBlocks, file: SegmentFile, first: number) {
    this.texts = texts;
    this.file = file;
    this.first = first;
  }

  /** Loads the blocks of text `i` and those after it; undefined if they are loaded. */
  ahead(i: number): Promise<void> | undefined {
    const from = Math.floor(this.texts.start(i) / BLOCK_ROOM);
    const to = blocksFor(this.texts.ends[i]!);
    if (to <= from || (from >= this.from && to <= this.to)) return undefined;
    return this.load(from, Math.max(to, Math.min(from + BLOCKS_AT_ONCE, blocksFor(this.texts.ends.at(-1)!))));
  }

  room(number: number): Uint8Array {
    return number >= this.from && number < this.to
      ? this.blocks[number - this.from]!.room
      : this.texts.room(number);
  }

  private async load(from: number, to: number): Promise<void> {
    const bytes = new Uint8Array((to - from) * BLOCK_BYTES);
    const blocks = blocksIn(bytes);
    await this.file.load(this.first + from, blocks, bytes);
    this.blocks = blocks;
    [this.from, this.to] = [from, to];
  }
}

function blocksIn(bytes: Uint8Array): readonly Block[] {
  return Array.from(
    { length: bytes.length / BLOCK_BYTES },
    (_, k) => new Block(bytes.subarray(k * BLOCK_BYTES, (k + 1) * BLOCK_BYTES)),
  );
}

/** Texts that are stored without their common prefix. */
export interface Shortened {
  readonly list: TextList;
  /** The common prefix. */
  readonly prefix: Uint8Array;
}

/** A shorter prefix, in bytes, is not worth copying each text that is read. */
const SHORTEST_PREFIX = 16;

/** Splits texts into their common prefix and the rest. */
export async function shortened(list: TextList): Promise<Shortened> {
  let prefix: Uint8Array = new Uint8Array(0);
  let length = Number.POSITIVE_INFINITY;
  const scan = list.scan();
  for (let i = 0; i < list.length && length >= SHORTEST_PREFIX; i++) {
    const loading = scan.ahead(i);
    if (loading !== undefined) await loading;
    const text = scan.bytesOf(i);
    if (i === 0) {
      prefix = text.slice();
      length = prefix.length;
    }
    let same = 0;
    while (same < length && text[same] === prefix[same]) same++;
    length = same;
  }
  return { list, prefix: prefix.subarray(0, length >= SHORTEST_PREFIX ? length : 0) };
}

/** A number of empty texts. */
export function emptyTexts(length: number): Texts {
  return new Texts(new Uint8Array(0), new Uint32Array(length), length);
}

/** Every n-th of the texts in a file, where they are stored next to other texts of the same item. */
export class SavedTexts implements TextSource {
  readonly length: number;
  private readonly blocks: TextBlocks;
  private readonly every: number;
  private readonly offset: number;
  private readonly prefix: Uint8Array;

  /** Item `i` is `prefix` and text `i * every + offset` of `blocks`. */
  constructor(blocks: TextBlocks, every: number, offset: number, prefix: Uint8Array) {
    this.blocks = blocks;
    this.every = every;
    this.offset = offset;
    this.prefix = prefix;
    this.length = blocks.ends.length / every;
  }

  get size(): number {
    return this.blocks.ends.byteLength / this.every;
  }

  bytesOf(i: number, rooms?: BlockReader): Uint8Array {
    const { prefix } = this;
    const rest = this.blocks.bytesOf(this.place(i), rooms);
    if (prefix.length === 0) return rest;
    const bytes = new Uint8Array(prefix.length + rest.length);
    bytes.set(prefix);
    bytes.set(rest, prefix.length);
    return bytes;
  }

  lengthOf(i: number): number {
    const place = this.place(i);
    return this.prefix.length + this.blocks.ends[place]! - this.blocks.start(place);
  }

  scan(): ReturnType<NonNullable<TextSource["scan"]>> {
    const window = this.blocks.window();
    return {
      ahead: (i) => window.ahead(this.place(i)),
      bytesOf: (i) => this.bytesOf(i, window),
    };
  }

  private place(i: number): number {
    return i * this.every + this.offset;
  }
}

/** Where each text ends if the first of each list come first, then the second of each, and so on. */
export function endsOf(lists: readonly Shortened[]): Uint32Array {
  const { length } = lists[0]!.list;
  const ends = new Uint32Array(length * lists.length);
  let [end, k] = [0, 0];
  for (let i = 0; i < length; i++) {
    for (const { list, prefix } of lists) {
      end += list.lengthOf(i) - prefix.length;
      ends[k++] = end;
    }
  }
  return ends;
}

// A view of a shorter text costs more than copying it byte by byte.
const SHORT = 256;

/** Copies as much of a text, from `from` on, to `at` as there is room for. Returns the number of bytes. */
function copy(text: Uint8Array, from: number, room: Uint8Array, at: number): number {
  const count = Math.min(text.length - from, room.length - at);
  if (count > SHORT) room.set(text.subarray(from, from + count), at);
  else for (let k = 0; k < count; k++) room[at + k] = text[from + k]!;
  return count;
}

// The cost of copying a trial's texts, in array items touched.
const COPY_COST = 512;

/**
 * The same texts in blocks, of which the first is number `first`. Yields many blocks together, valid until the next
 * yield. Returns the number of blocks.
 */
export async function* blocksOf(
  lists: readonly Shortened[],
  seed: number,
  first: number,
  work: Work,
): AsyncGenerator<Uint8Array, number> {
  const bytes = new Uint8Array(BLOCKS_AT_ONCE * BLOCK_BYTES);
  const blocks = blocksIn(bytes);
  // The number of returned blocks, of further full blocks, and of bytes in the current one.
  let given = 0;
  let full = 0;
  let at = 0;
  const scans = lists.map(({ list, prefix }) => ({ list, prefix, scan: list.scan() }));
  for (let i = 0; i < lists[0]!.list.length; i++) {
    for (const { list, prefix, scan } of scans) {
      if (list.lengthOf(i) === prefix.length) continue;
      const loading = scan.ahead(i);
      if (loading !== undefined) await loading;
      const text = scan.bytesOf(i);
      for (let from = prefix.length; from < text.length; ) {
        const { room } = blocks[full]!;
        const copied = copy(text, from, room, at);
        from += copied;
        at += copied;
        if (at < room.length) continue;
        blocks[full]!.seal(seed, first + given + full);
        full++;
        at = 0;
        if (full < blocks.length) continue;
        yield bytes;
        given += full;
        full = 0;
      }
    }
    const pause = work.spend(COPY_COST);
    if (pause !== undefined) await pause;
  }
  if (at > 0) {
    blocks[full]!.room.fill(0, at);
    blocks[full]!.seal(seed, first + given + full);
    full++;
  }
  if (full > 0) yield bytes.subarray(0, full * BLOCK_BYTES);
  return given + full;
}
