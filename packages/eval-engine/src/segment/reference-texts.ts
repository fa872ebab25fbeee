// Examples that are references to dataset rows, as JSON: a common prefix, then the row's digest. A saved segment holds
// the digests anyway.

import { decode, pickTexts, type TextList, type TextScan, Texts } from "../columns/texts.ts";
import type { Work } from "../kernels/work.ts";

const QUOTE = 0x22;

/** References to the rows with these digests, in order; and a tail. */
export class ReferenceTexts implements TextList {
  private readonly prefix: Uint8Array;
  private readonly digests: Texts;
  private readonly count: number;
  private readonly tail: Texts;

  /** Item `i` is `prefix`, digest `i` and a quotation mark; those from `count` on are in `tail`. */
  constructor(prefix: Uint8Array, digests: Texts, count: number, tail: Texts = new Texts()) {
    this.prefix = prefix;
    this.digests = digests;
    this.count = count;
    this.tail = tail;
  }

  get length(): number {
    return this.count + this.tail.length;
  }

  get size(): number {
    return this.tail.size;
  }

  push(text: string): void {
    this.tail.push(text);
  }

  get(i: number): string {
    const bytes = this.bytesOf(i);
    return decode(bytes, 0, bytes.length);
  }

  bytesOf(i: number): Uint8Array {
    if (i >= this.count) return this.tail.bytesOf(i - this.count);
    const { prefix } = this;
    const digest = this.digests.bytesOf(i);
    const bytes = new Uint8Array(prefix.length + digest.length + 1);
    bytes.set(prefix);
    bytes.set(digest, prefix.length);
    bytes[bytes.length - 1] = QUOTE;
    return bytes;
  }

  lengthOf(i: number): number {
    if (i >= this.count) return this.tail.lengthOf(i - this.count);
    return this.prefix.length + this.digests.lengthOf(i) + 1;
  }

  scan(): TextScan {
    return { ahead: () => undefined, get: (i) => this.get(i) };
  }

  pick(order: Uint32Array, work: Work): Promise<Texts> {
    return pickTexts(this, order, work);
  }

  continued(): ReferenceTexts {
    return new ReferenceTexts(this.prefix, this.digests, this.count, this.tail.continued());
  }
}

/** The common prefix of all examples, if each is a reference to the row at its place; otherwise undefined. */
export function referencePrefix(examples: TextList, digests: Texts): Uint8Array | undefined {
  if (examples.length === 0 || examples.length !== digests.length) return undefined;
  const first = examples.bytesOf(0).slice();
  const prefix = first.subarray(0, first.length - digests.lengthOf(0) - 1);
  for (let i = 0; i < examples.length; i++) {
    const [example, digest] = [examples.bytesOf(i), digests.bytesOf(i)];
    const end = example.length - 1;
    if (end !== prefix.length + digest.length || example[end] !== QUOTE) return undefined;
    for (let k = 0; k < prefix.length; k++) if (example[k] !== prefix[k]) return undefined;
    for (let k = 0; k < digest.length; k++) if (example[prefix.length + k] !== digest[k]) return undefined;
  }
  return prefix;
}
