// A Bloom filter of the trigrams in a block of text, which shows the blocks that a search can skip. If a trigram of a
// word is not in the filter, the word is not in the block; if all are, it may be. The filter is built in one pass over
// the text with one hash function, and has a sixteenth of its size. The naive form searches every block.

// 16,384 characters of English contain some 3,000 different trigrams, which set a third of the bits: a block without a
// six-character word is then searched for it once in a hundred times.
const BITS = 13;

/** One bit for each hash of a trigram. */
export type TrigramFilter = Uint32Array;

/** Bytes of a filter. */
export const FILTER_BYTES: number = 1 << (BITS - 3);

/** The filter of a text. */
export function trigramFilterOf(text: string): TrigramFilter {
  const filter = new Uint32Array(1 << (BITS - 5));
  let [a, b] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = 2; at < text.length; at++) {
    const c = text.charCodeAt(at);
    const bit = hashOf(a, b, c);
    filter[bit >>> 5]! |= 1 << (bit & 31);
    a = b;
    b = c;
  }
  return filter;
}

/** The hashes of a text's trigrams: none for a text with less than three characters, which may be anywhere. */
export function trigramHashes(text: string): readonly number[] {
  const hashes = new Set<number>();
  for (let at = 2; at < text.length; at++)
    hashes.add(hashOf(text.charCodeAt(at - 2), text.charCodeAt(at - 1), text.charCodeAt(at)));
  return [...hashes];
}

/** Whether all trigrams with these hashes may occur. */
export function mayContain(filter: TrigramFilter, hashes: readonly number[]): boolean {
  for (let k = 0; k < hashes.length; k++) {
    const bit = hashes[k]!;
    if ((filter[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

/** Knuth's multiplicative hash of three UTF-16 units. */
function hashOf(a: number, b: number, c: number): number {
  return Math.imul(a ^ (b << 8) ^ (c << 16), 0x9e3779b1) >>> (32 - BITS);
}
