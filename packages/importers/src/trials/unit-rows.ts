// The rows of files that are read together, in typed arrays: a million of them as objects would take gigabytes.

import type { TextBytes } from "@assay/calls/internal";
import { ByteWriter } from "../collections/byte-writer.ts";
import { Dictionary } from "../collections/digest-table.ts";
import { PagedArray } from "../collections/paged-array.ts";
import type { TrialRow } from "./imported-trial.ts";

/** How many characters of the digest of its content are kept to identify a row. */
const CONTENT = 12;

/** Rows with different keys or content, by number. */
export class UnitRows {
  /** Numbers the digests of the rows. */
  readonly byDigest: Dictionary = new Dictionary();
  private readonly digestOf = new PagedArray();
  private readonly digestBytes = new ByteWriter();
  private readonly digestEnds = new PagedArray(Uint32Array);
  private contents = new ByteWriter();
  private made: TextBytes | undefined;

  get length(): number {
    return this.digestOf.length;
  }

  /** The different digests, by number: the same object until there are more rows. */
  get digests(): TextBytes {
    const { digestBytes, digestEnds } = this;
    if (this.made?.length !== digestEnds.length) {
      const bytes = digestBytes.bytes.subarray(0, digestBytes.size);
      this.made = { bytes, ends: digestEnds.toArray(), length: digestEnds.length };
    }
    return this.made!;
  }

  add({ digest, content }: TrialRow): void {
    const number = this.byDigest.ofBytes(digest, 0, digest.length);
    this.digestOf.push(number);
    this.contents.copy(content, 0, CONTENT);
    if (number < this.digestEnds.length) return;
    this.digestBytes.write(digest);
    this.digestEnds.push(this.digestBytes.size);
  }

  /** The number of a row's digest. */
  digestNumber(row: number): number {
    return this.digestOf.get(row);
  }

  /** Writes the digest with a number. */
  writeDigest(to: ByteWriter, number: number): void {
    to.copy(this.digestBytes.bytes, this.digestStart(number), this.digestEnds.get(number));
  }

  haveSameContent(a: number, b: number): boolean {
    const { bytes } = this.contents;
    for (let i = 0; i < CONTENT; i++) if (bytes[a * CONTENT + i] !== bytes[b * CONTENT + i]) return false;
    return true;
  }

  /** Adds a row to the digest of rows in any order. */
  addTo(version: Uint8Array, row: number): void {
    const number = this.digestNumber(row);
    const [start, end] = [this.digestStart(number), this.digestEnds.get(number)];
    for (let i = start; i < end; i++) version[i - start]! ^= this.digestBytes.bytes[i]!;
    for (let i = 0; i < CONTENT; i++) version[end - start + i]! ^= this.contents.bytes[row * CONTENT + i]!;
  }

  /** Releases data that is only used to add and to compare rows. */
  finish(): void {
    this.contents = new ByteWriter();
  }

  private digestStart(number: number): number {
    return number === 0 ? 0 : this.digestEnds.get(number - 1);
  }
}
