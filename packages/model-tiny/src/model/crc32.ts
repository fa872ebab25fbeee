// The CRC-32 of IEEE 802.3, as in zip and png, four bytes at a time ("slicing", Kounavis and Berry, 2005): a checkpoint is
// several megabytes, and byte by byte these take a tenth of a second.

/** The effect of each byte value on a checksum after 0, 1, 2 and 3 further bytes. */
const TABLES: readonly Int32Array[] = tables();

function tables(): readonly Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  const all = [first];
  for (let i = 1; i < 4; i++) all.push(all[i - 1]!.map((rest) => (rest >>> 8) ^ first[rest & 0xff]!));
  return all;
}

/** The CRC-32 of earlier bytes with CRC-32 `before`, followed by `bytes`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3] = TABLES as [Int32Array, Int32Array, Int32Array, Int32Array];
  const fours = bytes.length - (bytes.length % 4);
  let crc = ~before;
  let i = 0;
  for (; i < fours; i += 4) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc = t3[crc & 0xff]! ^ t2[(crc >>> 8) & 0xff]! ^ t1[(crc >>> 16) & 0xff]! ^ t0[crc >>> 24]!;
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[i]!) & 0xff]!;
  return ~crc >>> 0;
}
