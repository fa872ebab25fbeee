// Follows the frames and blocks of a Zstandard stream (RFC 8878) without decoding them, to see what they cost a decoder
// before it starts: a frame of 18 bytes can require two gigabytes of memory, a block of four bytes can expand to two
// megabytes of one letter, or make the decoder move a window of a hundred megabytes for one letter.

import { Unreadable } from "./errors.ts";

// The default limit of the reference implementation.
const LARGEST_WINDOW = 128 * 1024 * 1024;
// The maximum content of a block (RFC 8878, 3.1.1.2.4). The decoder does not check it.
const LARGEST_BLOCK = 128 * 1024;
// The decoder moves its whole window for each block. Well-compressed data has hundreds of bytes per block and a window
// of some megabytes: this allows a hundred times as much as any log needs, and about ten seconds per megabyte.
const MOVED = { least: 512 * 1024 ** 2, times: 100_000 };
const SKIPPABLE = 0x184d2a5;

/** Checks the bytes of a stream as they pass. */
export class ZstandardWindows {
  private kept: number[] = [];
  private skip = 0;
  private next: "frame" | "block" = "frame";
  private checksum = 0;
  private window = 0;
  /** Bytes received, and bytes of windows moved for them. */
  private readonly work = { input: 0, moved: 0 };

  /** Checks the next bytes. Throws if they require more memory or time than any log-writing tool produces. */
  watch(piece: Uint8Array): void {
    this.work.input += piece.length;
    for (let at = 0; at < piece.length; ) {
      if (this.skip > 0) {
        const skipped = Math.min(this.skip, piece.length - at);
        this.skip -= skipped;
        at += skipped;
      } else {
        this.kept.push(piece[at++]!);
        if (this.kept.length >= this.needed()) this.step();
      }
    }
  }

  /** The length of the current header, as far as its first bytes determine it. */
  private needed(): number {
    if (this.next === "block") return 3;
    if (this.kept.length < 5) return 5;
    if (this.isSkippable()) return 8;
    const flags = this.kept[4]!;
    const single = (flags >> 5) & 1;
    const size = flags >> 6;
    return 5 + (1 - single) + [0, 1, 2, 4][flags & 3]! + (size === 0 ? single : 1 << size);
  }

  private step(): void {
    const bytes = this.kept;
    this.kept = [];
    if (this.next === "block") this.block(bytes);
    else if (isSkippable(bytes)) this.skip = little(bytes, 4, 4);
    else this.frame(bytes);
  }

  private block([a, b, c]: readonly number[]): void {
    const header = a! | (b! << 8) | (c! << 16);
    const size = header >> 3;
    const runLength = ((header >> 1) & 3) === 1;
    if (size > LARGEST_BLOCK)
      throw new Unreadable(`a block of ${size} bytes; Zstandard allows at most ${LARGEST_BLOCK}`);
    this.work.moved += this.window;
    if (this.work.moved > MOVED.least + MOVED.times * this.work.input)
      throw new Unreadable("too many small blocks: decompressing it would take too long");
    this.skip = runLength ? 1 : size;
    if ((header & 1) === 0) return;
    this.skip += this.checksum;
    this.next = "frame";
  }

  private frame(bytes: readonly number[]): void {
    const flags = bytes[4]!;
    const single = (flags >> 5) & 1;
    const size = flags >> 6;
    const length = size === 0 ? single : 1 << size;
    const base = 2 ** (10 + (bytes[5]! >> 3));
    const window =
      single === 1 ? little(bytes, bytes.length - length, length) : base + (base / 8) * (bytes[5]! & 7);
    if (window > LARGEST_WINDOW) {
      throw new Unreadable(
        `decompression needs ${window} bytes of memory; at most ${LARGEST_WINDOW} are allowed`,
      );
    }
    this.window = window;
    this.checksum = (flags >> 2) & 1 ? 4 : 0;
    this.next = "block";
  }

  private isSkippable(): boolean {
    return isSkippable(this.kept);
  }
}

function isSkippable(bytes: readonly number[]): boolean {
  return Math.floor(little(bytes, 0, 4) / 16) === SKIPPABLE;
}

function little(bytes: readonly number[], from: number, length: number): number {
  let value = 0;
  for (let i = length - 1; i >= 0; i--) value = value * 256 + bytes[from + i]!;
  return value;
}
