// Examples that are references to dataset rows, as JSON: a common prefix, then the row's digest. A saved segment holds
// the digests anyway.

import { decode, pickTexts, type TextList, type TextScan, Texts } from "../columns/texts.ts";
import type { Work } from "../kernels/work.ts";

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;

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

  /** The prefix, if all references are to rows with these digests. */
  prefixOver(digests: Texts): Uint8Array | undefined {
    return this.digests === digests && this.tail.length === 0 ? this.prefix : undefined;
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

/** References as JSON: `prefix` and the digest of each row. */
export function referenceTexts(prefix: string, digests: Texts): TextList {
  const opening = new Texts();
  opening.push(JSON.stringify(prefix).slice(0, -1));
  if (isUnescaped(digests)) return new ReferenceTexts(opening.bytesOf(0), digests, digests.length);
  const texts = new Texts();
  for (let i = 0; i < digests.length; i++) texts.push(JSON.stringify(prefix + digests.get(i)));
  return texts;
}

/** Whether texts are the same within a JSON text: ASCII without quotation marks, backslashes and control characters. */
function isUnescaped(texts: Texts): boolean {
  const end = texts.start(texts.length);
  for (let i = 0; i < end; i++) {
    const byte = texts.bytes[i]!;
    if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) return false;
  }
  return true;
}

/** The common prefix of all examples, if each is a reference to the row at its place; otherwise undefined. */
export function referencePrefix(examples: TextList, digests: Texts): Uint8Array | undefined {
  if (examples.length === 0 || examples.length !== digests.length) return undefined;
  const known = examples instanceof ReferenceTexts ? examples.prefixOver(digests) : undefined;
  if (known !== undefined) return known;
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
