// Numbers by text: an index of millions of rows in typed arrays, where a Map would take a gigabyte.

import { grown } from "./byte-writer.ts";
import { PagedArray } from "./paged-array.ts";

/** The words of a key: a 96-bit hash, assumed to be unique. */
const KEY = 3;
const LEAST = 1024;
// The share of places in use at which the table grows.
const FULL = 0.7;

/** Numbers texts from 0, in order of first appearance. */
export class Dictionary {
  /** The number of texts. */
  size = 0;
  /** Ordinals plus 1, by hash; 0 for a free place. */
  private places = placesOf(LEAST);
  /** Hashes, by ordinal. */
  private readonly keys = new PagedArray(Uint32Array);

  /** The ordinal of a text, which is added if it is new: its ordinal is then the previous `size`. */
  of(text: string): number {
    hashText(text);
    return this.ofHashed();
  }

  /** The ordinal of a text given as bytes, for tables that are only used with bytes. */
  ofBytes(bytes: Uint8Array, start: number, end: number): number {
    beginHash();
    hashBytes(bytes, start, end);
    return this.ofHashed();
  }

  /** The ordinal of a text, or -1. */
  known(text: string): number {
    hashText(text);
    endHash();
    return this.places.get(this.find(hash0, hash1, hash2)) - 1;
  }

  /** The ordinal of a text given as bytes, or -1. */
  knownBytes(bytes: Uint8Array, start: number, end: number): number {
    beginHash();
    hashBytes(bytes, start, end);
    endHash();
    return this.places.get(this.find(hash0, hash1, hash2)) - 1;
  }

  /** The ordinal of the text that another table has as number `i`, or -1. */
  knownOf({ keys }: Dictionary, i: number): number {
    const at = i * KEY;
    return this.places.get(this.find(keys.get(at), keys.get(at + 1), keys.get(at + 2))) - 1;
  }

  /** The ordinal of a pair of numbers, for tables that are only used with pairs. */
  ofPair(first: number, second: number): number {
    hash0 = first;
    hash1 = Math.imul(Math.imul(first ^ SEED, 597399067) ^ second, 2869860233) >>> 0;
    hash1 = (hash1 ^ (hash1 >>> 15)) >>> 0;
    hash2 = second;
    return this.ofKey();
  }

  /** The ordinal of the bytes hashed since `beginHash`. */
  ofHashed(): number {
    endHash();
    return this.ofKey();
  }

  private ofKey(): number {
    const { keys, places } = this;
    const place = this.find(hash0, hash1, hash2);
    const known = places.get(place);
    if (known !== 0) return known - 1;
    const ordinal = this.size++;
    keys.push(hash0);
    keys.push(hash1);
    keys.push(hash2);
    places.set(place, this.size);
    if (this.size > places.length * FULL) this.grow();
    return ordinal;
  }

  /** The place of a key, or the free place for it. */
  private find(a: number, b: number, c: number): number {
    const { places, keys } = this;
    const mask = places.length - 1;
    for (let place = b & mask; ; place = (place + 1) & mask) {
      const known = places.get(place);
      if (known === 0) return place;
      const at = (known - 1) * KEY;
      if (keys.get(at) === a && keys.get(at + 1) === b && keys.get(at + 2) === c) return place;
    }
  }

  private grow(): void {
    const places = placesOf(this.places.length * 2);
    const mask = places.length - 1;
    for (let ordinal = 0; ordinal < this.size; ordinal++) {
      let place = this.keys.get(ordinal * KEY + 1) & mask;
      while (places.get(place) !== 0) place = (place + 1) & mask;
      places.set(place, ordinal + 1);
    }
    this.places = places;
  }
}

function placesOf(length: number): PagedArray {
  const places = new PagedArray(Uint32Array);
  places.extend(length);
  return places;
}

/** A fixed count of whole numbers below 2^32 for each text or digest. */
export class DigestTable {
  private readonly texts = new Dictionary();
  private readonly width: number;
  private numbers: Uint32Array;

  /** A table with `width` numbers for each text. */
  constructor(width: number) {
    this.width = width;
    this.numbers = new Uint32Array(LEAST * width);
  }

  /** The number of texts. */
  get size(): number {
    return this.texts.size;
  }

  has(text: string): boolean {
    return this.texts.known(text) !== -1;
  }

  /** The numbers of a text, to read and change until the next call; all 0 for a new text. */
  at(text: string): Uint32Array {
    const at = this.texts.of(text) * this.width;
    if (at + this.width > this.numbers.length)
      this.numbers = grown(this.numbers, this.numbers.length * 1.5 + this.width);
    return this.numbers.subarray(at, at + this.width);
  }
}

/** A 32-bit hash of a text (FNV-1a). */
export function digestNumber(text: string, from: number = 0, to: number = text.length): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

// The same for all tables of a process, since they are compared; random, so that no one can prepare collisions.
const SEED = Math.trunc(Math.random() * 2 ** 32);
/** The state of the current hash, and the last finished hash. */
let [a, b, c] = [0, 0, 0];
let [hash0, hash1, hash2] = [0, 0, 0];

/** Begins a hash: three multiplicative hashes that mix with each other (after bryc's cyrb128, public domain). */
export function beginHash(): void {
  a = 1779033703 ^ SEED;
  b = 3144134277 ^ SEED;
  c = 1013904242;
}

/** Adds bytes to the hash. The same bytes split differently hash differently. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): void {
  let [x, y, z] = [a, b, c ^ (end - start)];
  let i = start;
  for (; i + 4 <= end; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    // Rotated, because a product passes bits on only to higher ones.
    const turned = Math.imul((word << 15) | (word >>> 17), 597399067);
    x = Math.imul((x << 13) | (x >>> 19), 2869860233) ^ turned ^ y;
    y = Math.imul((y << 17) | (y >>> 15), 951274213) ^ word ^ z;
    z = Math.imul((z << 11) | (z >>> 21), 597399067) ^ turned ^ x;
  }
  for (; i < end; i++) {
    const byte = bytes[i]!;
    x = y ^ Math.imul(x ^ byte, 597399067);
    y = z ^ Math.imul(y ^ byte, 2869860233);
    z = x ^ Math.imul(z ^ byte, 951274213);
  }
  [a, b, c] = [x, y, z];
}

function hashText(text: string): void {
  beginHash();
  let [x, y, z] = [a, b, c ^ text.length];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    x = y ^ Math.imul(x ^ unit, 597399067);
    y = z ^ Math.imul(y ^ unit, 2869860233);
    z = x ^ Math.imul(z ^ unit, 951274213);
  }
  [a, b, c] = [x, y, z];
}

function endHash(): void {
  const x = Math.imul((a << 13) | (a >>> 19), 2869860233) ^ b;
  const y = Math.imul((b << 17) | (b >>> 15), 951274213) ^ c;
  const z = Math.imul((c << 11) | (c >>> 21), 597399067) ^ x;
  hash0 = Math.imul(z ^ (x >>> 18), 597399067) >>> 0;
  hash1 = Math.imul(x ^ (y >>> 22), 2869860233) >>> 0;
  hash2 = Math.imul(y ^ (z >>> 17), 951274213) >>> 0;
}
