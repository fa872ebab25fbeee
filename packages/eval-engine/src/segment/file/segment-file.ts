// The part of a saved segment that stays in its file until it is read: blocks, each with a checksum. Never returns
// bytes of a damaged block.

import { Fault } from "@assay/base";
import type { SavedSegment } from "../../ports/segment-store.ts";
import { checksum } from "./checksum.ts";

// A block is its checksum, then its content. It is small because the trials of a sorted page are far apart, so most of
// what is read for each is not needed. Larger blocks hardly make reading all of them faster.
/** The size of a block in bytes. */
export const BLOCK_BYTES = 8192;
const SUM_BYTES = 4;

/** The size of a block's content in bytes. */
export const BLOCK_ROOM: number = BLOCK_BYTES - SUM_BYTES;

/** One block in memory. */
export class Block {
  /** Its content. */
  readonly room: Uint8Array;
  private readonly bytes: Uint8Array;
  private readonly sum: Uint32Array;

  /** `bytes`: `BLOCK_BYTES` of them, aligned to four. */
  constructor(bytes: Uint8Array = new Uint8Array(BLOCK_BYTES)) {
    this.bytes = bytes;
    this.room = bytes.subarray(SUM_BYTES);
    this.sum = new Uint32Array(bytes.buffer, bytes.byteOffset, 1);
  }

  /** Prepares it for writing as number `number` of the file with this seed. It is valid only there. */
  seal(seed: number, number: number): void {
    this.sum[0] = checksum(this.room, seed + number);
  }

  /** Reads it from `offset` of a file. Returns whether it is undamaged. */
  read(saved: SavedSegment, offset: number, seed: number, number: number): boolean {
    return saved.read(offset, this.bytes) && this.isSealed(seed, number);
  }

  /** Whether it is undamaged. */
  isSealed(seed: number, number: number): boolean {
    return this.sum[0] === checksum(this.room, seed + number);
  }
}

/** How many blocks `length` bytes take. */
export function blocksFor(length: number): number {
  return Math.ceil(length / BLOCK_ROOM);
}

/** The blocks of a saved segment, shared with the copies that are made when it changes. */
export class SegmentFile {
  /** Whether a damaged block was found: the segment then has to be built again. */
  damaged = false;
  private holders = 1;
  private readonly saved: SavedSegment;
  private readonly start: number;
  private readonly seed: number;

  /** Blocks begin at byte `start` and were sealed with `seed`. The file is closed when no reference is left. */
  constructor(saved: SavedSegment, start: number, seed: number) {
    this.saved = saved;
    this.start = start;
    this.seed = seed;
  }

  /** Reads block `number`. Throws a `corrupt` fault if it is damaged or cannot be read. */
  read(number: number, into: Block): void {
    if (!into.read(this.saved, this.start + number * BLOCK_BYTES, this.seed, number)) this.refuse(number);
  }

  /** Loads consecutive blocks from number `first` into `bytes`, without blocking others. */
  async load(first: number, blocks: readonly Block[], bytes: Uint8Array): Promise<void> {
    if (!(await this.saved.load(this.start + first * BLOCK_BYTES, bytes))) this.refuse(first);
    const damaged = blocks.findIndex((block, k) => !block.isSealed(this.seed, first + k));
    if (damaged !== -1) this.refuse(first + damaged);
  }

  private refuse(number: number): never {
    this.damaged = true;
    throw new Fault("corrupt", `block ${number} of a saved segment is damaged`);
  }

  /** Adds a reference. */
  hold(): void {
    this.holders++;
  }

  /** Removes a reference. */
  release(): void {
    if (--this.holders === 0) this.saved.close();
  }
}
