// Ids as numbers. The index holds these instead of the ids: 8 bytes, compared in one instruction, read as a column.

/**
 * A whole number below 2^53 for a text in a project. Texts that share one are told apart by reading what they name, so
 * a clash costs a read and never an answer. The seed differs per store, so that no one can prepare clashes.
 *
 * Two multiplicative 32-bit hashes side by side (bryc's cyrb53, public domain), of which 53 bits are kept.
 */
export function idHash(text: string, project: number, seed: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ Math.imul(seed, 0x9e3779b1);
  a = Math.imul(a ^ project, 2654435761);
  b = Math.imul(b ^ project, 1597334677);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (b & 0x1fffff) + (a >>> 0);
}
