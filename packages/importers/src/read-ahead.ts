// Small parts of a file, one behind the other: read together, since each read of a disk opens the file.

import type { ImportFile } from "./import-file.ts";

const AHEAD = 256 * 1024;

/** The same file, which has at hand what comes behind the part that was read last. */
export function readAhead(file: ImportFile): ImportFile {
  let start = 0;
  let held = new Uint8Array(0);
  return {
    ...file,
    async read(from, to) {
      if (to - from >= AHEAD) return file.read(from, to);
      if (from < start || to > start + held.length) {
        held = (await file.read(from, Math.min(file.size, from + AHEAD))).slice();
        start = from;
      }
      // A copy: what is held is not to be kept alive by a part of it.
      return held.slice(from - start, to - start);
    },
  };
}
