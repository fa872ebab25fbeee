/**
 * A 32-bit checksum of bytes whose length is a multiple of four. It detects damage, but does not protect against
 * malice. Processes four words at a time in four independent sums, each with a multiplication and a rotation as in
 * xxHash (Collet, 2012): gigabytes a second, which a CRC in plain JavaScript does not reach.
 */
export function checksum(bytes: Uint8Array, seed = 0): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let [a, b, c, d] = [seed | 0, seed ^ 0x9e3779b1, seed ^ 0x85ebca77, seed ^ 0xc2b2ae3d];
  const whole = words.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    a = mix(a, words[i]!);
    b = mix(b, words[i + 1]!);
    c = mix(c, words[i + 2]!);
    d = mix(d, words[i + 3]!);
  }
  for (let i = whole; i < words.length; i++) a = mix(a, words[i]!);
  return mix(mix(mix(a, b), c), d ^ bytes.byteLength) >>> 0;
}

function mix(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, 0x9e3779b1);
  return (mixed << 13) | (mixed >>> 19);
}
