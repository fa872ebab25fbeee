// Examples that are references to dataset rows, as JSON: a common prefix, then the row's digest. Saved segments contain
// the digests anyway.

import { DerivedTexts, type TextSource } from "../../columns/derived-texts.ts";
import { type TextList, Texts } from "../../columns/texts.ts";
import type { Work } from "../../kernels/work.ts";

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;

/** References to the rows with these digests, in order. */
export class References implements TextSource {
  readonly prefix: Uint8Array;
  readonly digests: Texts;
  readonly length: number;
  readonly size = 0;

  /** Text `i` is `prefix`, digest `i` and a quotation mark. */
  constructor(prefix: Uint8Array, digests: Texts) {
    this.prefix = prefix;
    this.digests = digests;
    this.length = digests.length;
  }

  bytesOf(i: number): Uint8Array {
    const { prefix } = this;
    const digest = this.digests.bytesOf(i);
    const bytes = new Uint8Array(prefix.length + digest.length + 1);
    bytes.set(prefix);
    bytes.set(digest, prefix.length);
    bytes[bytes.length - 1] = QUOTE;
    return bytes;
  }

  lengthOf(i: number): number {
    return this.prefix.length + this.digests.lengthOf(i) + 1;
  }
}

/** References as JSON: `prefix` and the digest of each row. `unescaped`: whether `areUnescaped(digests)`. */
export function referenceTexts(prefix: string, digests: Texts, unescaped: boolean): TextList {
  const opening = new Texts();
  opening.push(JSON.stringify(prefix).slice(0, -1));
  if (unescaped) return new DerivedTexts(new References(opening.bytesOf(0), digests));
  const texts = new Texts();
  for (let i = 0; i < digests.length; i++) texts.push(JSON.stringify(prefix + digests.get(i)));
  return texts;
}

/** Whether texts are the same within a JSON text: ASCII without quotation marks, backslashes and control characters. */
export function areUnescaped(texts: Texts): boolean {
  const end = texts.start(texts.length);
  for (let i = 0; i < end; i++) {
    const byte = texts.bytes[i]!;
    if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) return false;
  }
  return true;
}

// The cost of comparing an example, in array items touched.
const COMPARE_COST = 1024;

/** The common prefix of all examples, if each is a reference to the row at its place; otherwise undefined. */
export async function referencePrefix(
  examples: TextList,
  digests: Texts,
  work: Work,
): Promise<Uint8Array | undefined> {
  if (examples.length === 0 || examples.length !== digests.length) return undefined;
  // They are all texts of the source, which has as many as there are digests.
  if (examples instanceof DerivedTexts && examples.source instanceof References)
    if (examples.source.digests === digests && examples.source.length === digests.length)
      return examples.source.prefix;
  const first = examples.bytesOf(0).slice();
  const prefix = first.subarray(0, first.length - digests.lengthOf(0) - 1);
  for (let i = 0; i < examples.length; i++) {
    const [example, digest] = [examples.bytesOf(i), digests.bytesOf(i)];
    const end = example.length - 1;
    if (end !== prefix.length + digest.length || example[end] !== QUOTE) return undefined;
    for (let k = 0; k < prefix.length; k++) if (example[k] !== prefix[k]) return undefined;
    for (let k = 0; k < digest.length; k++) if (example[prefix.length + k] !== digest[k]) return undefined;
    const pause = work.spend(COMPARE_COST);
    if (pause !== undefined) await pause;
  }
  return prefix;
}
