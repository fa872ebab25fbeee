// Encodes texts of letters, digits, "-" and "_" in six bits per character, such as digests in hexadecimal or base64url.
// A compressor would take longer and save no more.

import { chunked, type Work } from "../../kernels/work.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const CHARACTERS = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const OTHER = 64;
/** The two characters of each number of twelve bits. */
const PAIRS = new Uint16Array(
  Uint8Array.from({ length: 2 ** 13 }, (_, i) => CHARACTERS[i % 2 === 0 ? (i >> 1) & 63 : i >> 7]!).buffer,
);
/** The number of each character; `OTHER` for other bytes. */
const NUMBERS = new Uint8Array(256).fill(OTHER);
for (const [number, character] of CHARACTERS.entries()) NUMBERS[character] = number;

// Groups of four characters between two checks of the time, and the work of one in array items touched.
const GROUPS_AT_ONCE = 2 ** 15;
const GROUP_COST = 32;

/** Four characters in three bytes each, the last ones filled up; undefined if there are other characters. */
export async function sixBitsOf(texts: Uint8Array, work: Work): Promise<Uint8Array | undefined> {
  const groups = Math.ceil(texts.length / 4);
  const filled = new Uint8Array(groups * 4).fill(CHARACTERS[0]!, texts.length);
  filled.set(texts);
  const packed = new Uint8Array(groups * 3);
  let all = 0;
  await chunked(work, { length: groups, slice: GROUPS_AT_ONCE }, (from, to) => {
    for (let i = from; i < to && all < OTHER; i++) {
      const [a, b] = [NUMBERS[filled[i * 4]!]!, NUMBERS[filled[i * 4 + 1]!]!];
      const [c, d] = [NUMBERS[filled[i * 4 + 2]!]!, NUMBERS[filled[i * 4 + 3]!]!];
      all |= a | b | c | d;
      packed[i * 3] = a | (b << 6);
      packed[i * 3 + 1] = (b >> 2) | (c << 4);
      packed[i * 3 + 2] = (c >> 4) | (d << 2);
    }
    return (to - from) * GROUP_COST;
  });
  return all < OTHER ? packed : undefined;
}

/** The first `length` characters. */
export async function textsOfSixBits(packed: Uint8Array, length: number, work: Work): Promise<Uint8Array> {
  const groups = Math.ceil(length / 4);
  const pairs = new Uint16Array(groups * 2);
  await chunked(work, { length: groups, slice: GROUPS_AT_ONCE }, (from, to) => {
    for (let i = from; i < to; i++) {
      const bits = packed[i * 3]! | (packed[i * 3 + 1]! << 8) | (packed[i * 3 + 2]! << 16);
      pairs[i * 2] = PAIRS[bits & 4095]!;
      pairs[i * 2 + 1] = PAIRS[bits >> 12]!;
    }
    return (to - from) * GROUP_COST;
  });
  return new Uint8Array(pairs.buffer, 0, length);
}
