// The lengths of texts in saved form: as narrow as the longest text permits.

/** The length of each text, given where each ends. */
export function lengthsOf(ends: Uint32Array): Uint8Array | Uint16Array | Uint32Array {
  let longest = 0;
  let start = 0;
  // By index, because an iterator takes ten times as long.
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]!;
    if (end - start > longest) longest = end - start;
    start = end;
  }
  const Narrow = longest < 2 ** 8 ? Uint8Array : longest < 2 ** 16 ? Uint16Array : Uint32Array;
  const lengths = new Narrow(ends.length);
  for (let i = 0; i < ends.length; i++) lengths[i] = ends[i]! - (i === 0 ? 0 : ends[i - 1]!);
  return lengths;
}

/** Where each text ends, given the bytes of lengths of `width` bytes each. */
export function endsOfLengths({ buffer, byteOffset, byteLength }: Uint8Array, width: number): Uint32Array {
  const count = byteLength / width;
  const lengths =
    width === 1
      ? new Uint8Array(buffer, byteOffset, count)
      : width === 2
        ? new Uint16Array(buffer, byteOffset, count)
        : new Uint32Array(buffer, byteOffset, count);
  const ends = new Uint32Array(lengths.length);
  let end = 0;
  for (let i = 0; i < ends.length; i++) {
    end += lengths[i]!;
    ends[i] = end;
  }
  return ends;
}
