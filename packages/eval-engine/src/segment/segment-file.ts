// What is left in a saved segment's file until it is looked at: blocks, each with its checksum. Must never hand out a
// byte of a block that is not as it was written.

import { Fault } from "@assay/base";
import type { SavedSegment } from "../ports/segment-store.ts";
import { checksum } from "./checksum.ts";

// A block's checksum, then what it holds. Small, because the trials of a sorted page lie far apart: most of what is
// read for one is read for nothing. Larger ones hardly make reading all of them faster.
/** Bytes of a block in a file. */
export const BLOCK_BYTES = 8192;
const SUM_BYTES = 4;

/** Bytes that a block holds. */
export const BLOCK_ROOM: number = BLOCK_BYTES - SUM_BYTES;

/** One block in memory. */
export class Block {
  /** What it holds. */
  readonly room: Uint8Array;
  private readonly bytes: Uint8Array;
  private readonly sum: Uint32Array;

  /** `bytes`: `BLOCK_BYTES` of them, at a multiple of four. */
  constructor(bytes: Uint8Array = new Uint8Array(BLOCK_BYTES)) {
    this.bytes = bytes;
    this.room = bytes.subarray(SUM_BYTES);
    this.sum = new Uint32Array(bytes.buffer, bytes.byteOffset, 1);
  }

  /** Makes it ready to be written: as number `number` of the file of `seed`, and nowhere else. */
  seal(seed: number, number: number): void {
    this.sum[0] = checksum(this.room, seed + number);
  }

  /** Reads it from `offset` of a file: whether it is as it was sealed. */
  read(saved: SavedSegment, offset: number, seed: number, number: number): boolean {
    return saved.read(offset, this.bytes) && this.isSealed(seed, number);
  }

  /** Whether it is as it was sealed. */
  isSealed(seed: number, number: number): boolean {
    return this.sum[0] === checksum(this.room, seed + number);
  }
}

/** How many blocks hold `length` bytes. */
export function blocksFor(length: number): number {
  return Math.ceil(length / BLOCK_ROOM);
}

/** The blocks of a saved segment, which it shares with the copies that are made when it changes. */
export class SegmentFile {
  /** Whether a block was found that is not as it was written: the segment has to be built again. */
  damaged = false;
  private holders = 1;
  private readonly saved: SavedSegment;
  private readonly start: number;
  private readonly seed: number;

  /**
   * Blocks begin at byte `start`; `seed` is what they were sealed with. The file is closed when no reference is left.
   */
  constructor(saved: SavedSegment, start: number, seed: number) {
    this.saved = saved;
    this.start = start;
    this.seed = seed;
  }

  /** Reads block `number`. Throws a `corrupt` fault when it is not as it was written, or cannot be read. */
  read(number: number, into: Block): void {
    if (!into.read(this.saved, this.start + number * BLOCK_BYTES, this.seed, number)) this.refuse(number);
  }

  /** Loads the blocks from number `first` on, which lie one after another in `bytes`, and lets others run meanwhile. */
  async load(first: number, blocks: readonly Block[], bytes: Uint8Array): Promise<void> {
    if (!(await this.saved.load(this.start + first * BLOCK_BYTES, bytes))) this.refuse(first);
    const damaged = blocks.findIndex((block, k) => !block.isSealed(this.seed, first + k));
    if (damaged !== -1) this.refuse(first + damaged);
  }

  private refuse(number: number): never {
    this.damaged = true;
    throw new Fault("corrupt", `block ${number} of a saved segment is damaged`);
  }

  /** One more segment uses it. */
  hold(): void {
    this.holders++;
  }

  /** One fewer. */
  release(): void {
    if (--this.holders === 0) this.saved.close();
  }
}
