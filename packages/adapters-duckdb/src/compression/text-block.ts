// Blocks of a file of columns: compressed if they are text.

import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * The size of a block's content in bytes. Small reads of saved columns are of such blocks. With blocks four times as
 * large the file is a tenth smaller, but reading a page takes three times as long.
 */
export const BLOCK = 8192;
// Memory for such a block, a quarter of the default.
const DEFLATE = { level: 1, windowBits: 13, memLevel: 6 } as const;
// With room for a whole block, its bytes are not put together from several pieces.
const INFLATE = { maxOutputLength: BLOCK, chunkSize: BLOCK } as const;
// Only texts are compressed. Columns of numbers are read whole at every start, and decompressing takes ten times as long
// as reading. In texts, few bytes are below that of a space; in numbers many are, and one in eight of a digest.
const SPACE = 0x20;
const [SAMPLED, MOST_OTHERS] = [61, 1 / 16];

/** A block with this content: compressed if it is text and that makes it shorter. */
export function textBlock(content: Uint8Array): Uint8Array {
  const compressed = isText(content) ? deflateRawSync(content, DEFLATE) : content;
  return compressed.length < content.length ? compressed : content;
}

/** The content of a block, which has this length; undefined if it is damaged. */
export function textContent(block: Uint8Array, length: number): Uint8Array | undefined {
  if (block.length === length) return block;
  try {
    const content = inflateRawSync(block, INFLATE);
    return content.length === length ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Whether content looks like text, by some of its bytes. */
function isText(content: Uint8Array): boolean {
  let others = 0;
  for (let i = 0; i < content.length; i += SAMPLED) if (content[i]! < SPACE) others++;
  return others < (content.length / SAMPLED) * MOST_OTHERS;
}
