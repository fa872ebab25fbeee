// Compresses pieces of bytes to blocks of a file.

import { blockWith } from "./bgzf.ts";
import { textBlock } from "./text-block.ts";

/** The format of a block: a member of a BGZF file, or text that is compressed if that makes it shorter. */
export type BlockFormat = "bgzf" | "text";

/** Pieces that follow each other in memory. */
export interface Pieces {
  readonly bytes: Uint8Array;
  /** Where each piece ends. */
  readonly ends: Uint32Array;
}

const BLOCKS: { readonly [Format in BlockFormat]: (content: Uint8Array) => Uint8Array } = {
  bgzf: blockWith,
  text: textBlock,
};

/** The block of a piece. */
export function blockIn(format: BlockFormat, { bytes, ends }: Pieces, i: number): Uint8Array {
  return BLOCKS[format](bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]));
}

/** Blocks, copied to follow each other in memory. */
export function concatBlocks(blocks: readonly Uint8Array[]): Pieces {
  const ends = new Uint32Array(blocks.length);
  let size = 0;
  for (const [i, { length }] of blocks.entries()) {
    size += length;
    ends[i] = size;
  }
  const bytes = new Uint8Array(size);
  for (const [i, block] of blocks.entries()) bytes.set(block, ends[i]! - block.length);
  return { bytes, ends };
}
