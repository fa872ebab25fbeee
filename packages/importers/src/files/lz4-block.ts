// Decompresses a block of LZ4, without a frame, as Parquet files have them.
// https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md

import { Unreadable } from "./errors.ts";

const [LONG, MORE, LEAST_MATCH] = [15, 255, 4] as const;

/** The block decompressed, to the `length` that its container states. */
export function decompressedLz4Block(block: Uint8Array, length: number): Uint8Array {
  const made = new Uint8Array(length);
  let [at, size] = [0, 0];
  const lengthFrom = (stated: number): number => {
    let total = stated;
    for (let more = stated === LONG; more; ) {
      const byte = block[at++] ?? 0;
      total += byte;
      more = byte === MORE;
    }
    return total;
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = lengthFrom(token >>> 4);
    if (at + literals > block.length || size + literals > length) throw invalid();
    made.set(block.subarray(at, at + literals), size);
    [at, size] = [at + literals, size + literals];
    // The last sequence is only literals.
    if (at === block.length) break;
    const back = block[at]! | ((block[at + 1] ?? 0) << 8);
    at += 2;
    const end = size + lengthFrom(token & LONG) + LEAST_MATCH;
    if (back === 0 || back > size || end > length) throw invalid();
    // Byte by byte: a match may continue into what it makes.
    for (; size < end; size++) made[size] = made[size - back]!;
  }
  if (size !== length) throw invalid();
  return made;
}

function invalid(): Unreadable {
  return new Unreadable("not valid LZ4, or truncated");
}
