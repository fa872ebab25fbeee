// Many short texts in few allocations: concatenated UTF-8 bytes, with the end of each text. It can be written to a file
// and read back unchanged. Never holds a JavaScript string per text: a million objects cost more than the texts.

import { chunked, type Work } from "../kernels/work.ts";

// Exists in every runtime this package supports, but in no ECMAScript library; declared here as far as it is used.
declare class TextEncoder {
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
}
declare class TextDecoder {
  constructor(label: "utf-8", options: { readonly ignoreBOM: true });
  decode(bytes: Uint8Array): string;
}

// The work of copying a text in addition to its bytes, in array items touched.
const COPY_COST = 256;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A growing list of texts, in memory or not. */
export interface TextList {
  readonly length: number;
  /** Approximate bytes in memory. */
  readonly size: number;
  /** Adds a text. */
  push(text: string): void;
  get(i: number): string;
  /** The UTF-8 bytes of text `i` (lone surrogates as in WTF-8), valid until the next call. */
  bytesOf(i: number): Uint8Array;
  /** The length of the bytes, without reading them. */
  lengthOf(i: number): number;
  /** The texts, for reading all of them in order. */
  scan(): TextScan;
  /** The texts at `order`, in that order, in memory. */
  pick(order: Uint32Array, work: Work): Promise<Texts>;
  /**
   * A continuation with the same texts, to which more can be added. This list may still be read, but must get no more
   * texts.
   */
  continued(): TextList;
}

/** Reads all texts of an unchanging list, one after another. */
export interface TextScan {
  /** A promise to await before reading text `i`, if it is not in memory; otherwise undefined. */
  ahead(i: number): Promise<void> | undefined;
  get(i: number): string;
  /** The UTF-8 bytes of text `i`, valid until the next call. */
  bytesOf(i: number): Uint8Array;
}

/** A growing list of texts in memory. */
export class Texts implements TextList {
  /** The texts' bytes; those from `ends[length - 1]` on are free space. */
  bytes: Uint8Array;
  /** Where each text ends; it starts where the one before ends. */
  ends: Uint32Array;
  length: number;

  constructor(bytes: Uint8Array = new Uint8Array(64), ends: Uint32Array = new Uint32Array(8), length = 0) {
    this.bytes = bytes;
    this.ends = ends;
    this.length = length;
  }

  get size(): number {
    return this.bytes.byteLength + this.ends.byteLength;
  }

  /** Where text `i` starts. */
  start(i: number): number {
    return i === 0 ? 0 : this.ends[i - 1]!;
  }

  push(text: string): void {
    const start = this.start(this.length);
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (start + text.length * 3 > this.bytes.length) this.reserve(start + text.length * 3);
    this.end(start + encode(text, this.bytes, start));
  }

  /** Adds a text given as bytes. */
  pushBytes(text: Uint8Array): void {
    const start = this.start(this.length);
    const end = start + text.length;
    if (end > this.bytes.length) this.reserve(end);
    this.bytes.set(text, start);
    this.end(end);
  }

  get(i: number): string {
    return decode(this.bytes, this.start(i), this.ends[i]!);
  }

  bytesOf(i: number): Uint8Array {
    return this.bytes.subarray(this.start(i), this.ends[i]!);
  }

  lengthOf(i: number): number {
    return this.ends[i]! - this.start(i);
  }

  /** Compares text `i` of this list with text `j` of `other` by code point, which is the byte order of UTF-8. */
  compare(i: number, other: Texts, j: number): number {
    const a = this.bytes;
    const b = other.bytes;
    let x = this.start(i);
    let y = other.start(j);
    const xEnd = this.ends[i]!;
    const yEnd = other.ends[j]!;
    if (a === b && x === y && xEnd === yEnd) return 0;
    for (; x < xEnd && y < yEnd; x++, y++) {
      if (a[x] !== b[y]) return a[x]! - b[y]!;
    }
    return xEnd - x - (yEnd - y);
  }

  /**
   * Uses the memory of a list with equal texts instead of its own; returns whether it did. A list that grows stops
   * sharing.
   */
  async share(other: Texts, work: Work): Promise<boolean> {
    if (this.isSharedWith(other)) return true;
    // A list with free space grows in place, which the other one must not see.
    if (this.length !== other.length || !this.isFull || !other.isFull) return false;
    // The other list may stop using them meanwhile.
    const { bytes, ends } = other;
    if (!(await same(this.ends, ends, work)) || !(await same(this.bytes, bytes, work))) return false;
    this.bytes = bytes;
    this.ends = ends;
    return true;
  }

  /** Whether it shares the memory of another list, and therefore its texts. */
  isSharedWith({ bytes, ends, length }: Texts): boolean {
    return this.length === length && this.bytes === bytes && this.ends === ends;
  }

  scan(): TextScan {
    return { ahead: () => undefined, get: (i) => this.get(i), bytesOf: (i) => this.bytesOf(i) };
  }

  pick(order: Uint32Array, work: Work): Promise<Texts> {
    return pickTexts(this, order, work);
  }

  continued(): Texts {
    return new Texts(this.bytes, this.ends, this.length);
  }

  private end(end: number): void {
    if (this.length === this.ends.length) this.ends = grown(this.ends, Math.max(8, this.length * 2));
    this.ends[this.length++] = end;
  }

  private get isFull(): boolean {
    return this.ends.length === this.length && this.bytes.length === this.start(this.length);
  }

  private reserve(size: number): void {
    this.bytes = grown(this.bytes, Math.max(size, Math.ceil(this.bytes.length * 1.5)));
  }
}

/** The texts of `list` at `order`, in that order, packed. */
export async function pickTexts(list: TextList, order: Uint32Array, work: Work): Promise<Texts> {
  const ends = new Uint32Array(order.length);
  let size = 0;
  for (let k = 0; k < order.length; k++) {
    size += list.lengthOf(order[k]!);
    ends[k] = size;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let k = 0; k < order.length; k++) {
    const text = list.bytesOf(order[k]!);
    bytes.set(text, at);
    at += text.length;
    const pause = work.spend(COPY_COST + text.length / 4);
    if (pause !== undefined) await pause;
  }
  return new Texts(bytes, ends, order.length);
}

/** Short ASCII, such as IDs and digests, is written faster here than by the runtime. */
function encode(text: string, bytes: Uint8Array, at: number): number {
  if (text.length <= 48) {
    let i = 0;
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) break;
      bytes[at + i] = unit;
    }
    if (i === text.length) return i;
  }
  const room = bytes.subarray(at);
  const { written } = encoder.encodeInto(text, room);
  // Lone surrogates are encoded starting with this byte, which is very rare in texts.
  const mayBeLone = room.subarray(0, written).includes(REPLACEMENT);
  return mayBeLone && LONE.test(text) ? encodeLone(text, room) : written;
}

// The first byte of U+FFFD, and of nearby characters.
const REPLACEMENT = 0xef;
const LONE = /\p{Cs}/u;
const EACH_LONE = /(\p{Cs})/u;

/** Encodes a text with lone surrogates, which UTF-8 cannot represent, as WTF-8, in three bytes each. */
function encodeLone(text: string, bytes: Uint8Array): number {
  let at = 0;
  for (const part of text.split(EACH_LONE)) {
    if (LONE.test(part)) {
      const unit = part.charCodeAt(0);
      bytes[at++] = 0xe0 | (unit >> 12);
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else at += encoder.encodeInto(part, bytes.subarray(at)).written;
  }
  return at;
}

/** Decodes UTF-8, or WTF-8. */
function decodeAll(bytes: Uint8Array): string {
  let text = "";
  let from = 0;
  for (let at = bytes.indexOf(SURROGATE); at !== -1; at = bytes.indexOf(SURROGATE, at + 1)) {
    // Below this, the character is not a surrogate.
    if (bytes[at + 1]! < 0xa0) continue;
    text += decoder.decode(bytes.subarray(from, at));
    text += String.fromCharCode(0xd000 | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f));
    from = at + 3;
  }
  return text + decoder.decode(from === 0 ? bytes : bytes.subarray(from));
}

// The first byte of a surrogate in WTF-8, and of Hangul and others near it.
const SURROGATE = 0xed;

/** Decodes the bytes from `start` to `end`, as encoded in `Texts`. */
export function decode(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= 48) {
    let text = "";
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      if (byte > 0x7f) return decodeAll(bytes.subarray(start, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }
  return decodeAll(bytes.subarray(start, end));
}

/** Whether two arrays are equal; other work runs meanwhile. */
async function same(a: Uint8Array | Uint32Array, b: Uint8Array | Uint32Array, work: Work): Promise<boolean> {
  if (a.length !== b.length) return false;
  let alike = true;
  await chunked(work, { length: a.length, slice: ITEMS_AT_ONCE }, (from, to) => {
    for (let i = from; i < to && alike; i++) alike = a[i] === b[i];
    return alike ? to - from : 0;
  });
  return alike;
}

// The number of items compared between two checks of the time.
const ITEMS_AT_ONCE = 2 ** 20;

function grown<A extends Uint8Array | Uint32Array>(array: A, length: number): A {
  const next = new (array.constructor as new (length: number) => A)(length);
  next.set(array);
  return next;
}

// The number of prefixes read between two checks of the time, and the work of one in array items touched.
const PREFIXES_AT_ONCE = 16_384;
const PREFIX_COST = 16;

/** The first six bytes of each text as a number with the same order. */
export async function prefixesOf(texts: Texts, work: Work): Promise<Float64Array> {
  const prefixes = new Float64Array(texts.length);
  await chunked(work, { length: texts.length, slice: PREFIXES_AT_ONCE }, (from, to) => {
    for (let i = from; i < to; i++) prefixes[i] = prefixOf(texts, i);
    return (to - from) * PREFIX_COST;
  });
  return prefixes;
}

function prefixOf(texts: Texts, i: number): number {
  const start = texts.start(i);
  const end = texts.ends[i]!;
  let prefix = 0;
  for (let at = start; at < start + 6; at++) prefix = prefix * 256 + (at < end ? texts.bytes[at]! : 0);
  return prefix;
}
