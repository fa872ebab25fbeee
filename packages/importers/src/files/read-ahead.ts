// Reads small consecutive parts of a file together, since each disk read opens the file.

import type { ImportFile } from "./import-file.ts";

const AHEAD = 256 * 1024;

/** The same file, with the bytes after the last part read already in memory. */
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
      // A copy, so that a small part does not keep the whole buffer in memory.
      return held.slice(from - start, to - start);
    },
  };
}
