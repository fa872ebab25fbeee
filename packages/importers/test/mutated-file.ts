// Files of tools, corrupted in many ways, or a gigabyte long. For tests.

import { type Change as ByteChange, mutatedBytes, placeIn, somewhere } from "@assay/testing/mutated-bytes";
import fc from "fast-check";
import { bytesFile, type ImportFile } from "../src/index.ts";

/** One change of a file. `at` is the position, as a fraction of its length. */
export type Change =
  | ByteChange
  /** Replaces the rest with one repeated letter, up to `size` bytes. */
  | { readonly kind: "endless"; readonly at: number; readonly size: number };

/** A change that makes a file a gigabyte long. */
export const endless: fc.Arbitrary<Change> = fc.record({
  kind: fc.constant("endless" as const),
  at: somewhere,
  size: fc.constant(2 ** 30),
});

/** The file after all changes in turn. In an archive, changes of values affect one entry. */
export async function mutatedFile(file: ImportFile, changes: readonly Change[]): Promise<ImportFile> {
  let bytes = await file.read(0, file.size);
  for (const one of changes) {
    if (one.kind === "endless")
      return endlessFile(file.path, bytes.subarray(0, placeIn(bytes, one.at)), one.size);
    bytes = mutatedBytes(bytes, [one]);
  }
  return bytesFile(file.path, bytes);
}

/** A file of `size` bytes that starts with `head`, repeats one letter, and takes no memory. */
export function endlessFile(path: string, head: Uint8Array, size: number): ImportFile {
  return {
    path,
    size,
    read: async (from, to) => {
      const bytes = new Uint8Array(Math.max(0, to - from)).fill(0x61);
      if (from < head.length) bytes.set(head.subarray(from, to));
      return bytes;
    },
  };
}
