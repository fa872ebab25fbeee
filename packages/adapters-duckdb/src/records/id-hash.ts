// Ids as numbers. The index holds these instead of ids: 8 bytes, compared in one instruction, read as a column.

/**
 * A whole number below 2^53 for a text in a project. Texts with the same number are distinguished by reading what they
 * refer to, so a collision costs a read but never changes an answer. The seed differs per store, so that no one can
 * prepare collisions.
 *
 * Two multiplicative 32-bit hashes side by side (bryc's cyrb53, public domain), of which 53 bits are kept.
 */
export function idHash(text: string, project: number, seed: number): number {
  const [a, b] = begun(text, project, seed);
  return ended(a, b);
}

/** The same hash for texts that all begin with `start` and continue with other ASCII bytes. */
export function idHashAfter(
  start: string,
  project: number,
  seed: number,
): (bytes: Uint8Array, from: number, to: number) => number {
  const [startA, startB] = begun(start, project, seed);
  return (bytes, from, to) => {
    let [a, b] = [startA, startB];
    for (let i = from; i < to; i++) {
      a = Math.imul(a ^ bytes[i]!, 2654435761);
      b = Math.imul(b ^ bytes[i]!, 1597334677);
    }
    return ended(a, b);
  };
}

function begun(text: string, project: number, seed: number): readonly [number, number] {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ Math.imul(seed, 0x9e3779b1);
  a = Math.imul(a ^ project, 2654435761);
  b = Math.imul(b ^ project, 1597334677);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  return [a, b];
}

function ended(begunA: number, begunB: number): number {
  let [a, b] = [begunA, begunB];
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (b & 0x1fffff) + (a >>> 0);
}
