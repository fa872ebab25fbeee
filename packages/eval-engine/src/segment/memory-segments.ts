// Saved segments in memory: for tests, and for short-lived engines in one process.

import type { SavedSegment, SegmentStore } from "../ports/segment-store.ts";

/** Keeps segments in memory: for tests, and for short-lived engines in one process. */
export function memorySegments(): SegmentStore {
  const saved = new Map<string, Uint8Array>();
  const keyOf = (project: string, evaluation: string): string => JSON.stringify([project, evaluation]);
  return {
    async open(project, evaluation) {
      const bytes = saved.get(keyOf(project, evaluation));
      return bytes && savedBytes(bytes);
    },
    async save(project, evaluation, pieces) {
      const copies: Uint8Array[] = [];
      for await (const piece of pieces) copies.push(piece.slice());
      const bytes = new Uint8Array(copies.reduce((size, piece) => size + piece.byteLength, 0));
      let at = 0;
      for (const piece of copies) {
        bytes.set(piece, at);
        at += piece.byteLength;
      }
      saved.set(keyOf(project, evaluation), bytes);
      return savedBytes(bytes);
    },
  };
}

/** Makes a saved segment of bytes that must not change. */
export function savedBytes(bytes: Uint8Array): SavedSegment {
  let closed = false;
  const read = (offset: number, into: Uint8Array): boolean => {
    if (closed || offset + into.byteLength > bytes.byteLength) return false;
    into.set(bytes.subarray(offset, offset + into.byteLength));
    return true;
  };
  return {
    size: bytes.byteLength,
    read,
    load: async (offset, into) => read(offset, into),
    close() {
      closed = true;
    },
  };
}
