// Numbers by text: an index of millions of rows in typed arrays, where a Map would take a gigabyte.

/** The words of a key: a hash of 96 bits, of which no two that occur are the same. */
const KEY = 3;
const LEAST = 1024;
// Of the places that may be taken before the table grows.
const FULL = 0.7;

/** Whole numbers below 2^32, a fixed count of them for each text, or its digest. */
export class DigestTable {
  /** How many texts it has. */
  size = 0;
  private readonly width: number;
  private capacity = LEAST;
  private keys = new Uint32Array(LEAST * KEY);
  private numbers: Uint32Array;

  /** A table with `width` numbers for each text. */
  constructor(width: number) {
    this.width = width;
    this.numbers = new Uint32Array(LEAST * width);
  }

  has(text: string): boolean {
    return this.isTaken(this.find(keyOf(text)));
  }

  /** The numbers of a text, to be read and changed until the next call; all 0 when it was not there. */
  at(text: string): Uint32Array {
    const key = keyOf(text);
    let place = this.find(key);
    if (!this.isTaken(place)) {
      if (this.size >= this.capacity * FULL) {
        this.grow();
        place = this.find(key);
      }
      this.keys.set(key, place * KEY);
      this.size++;
    }
    return this.numbers.subarray(place * this.width, (place + 1) * this.width);
  }

  /** Whether both have some text. */
  meets(other: DigestTable): boolean {
    if (other.size < this.size) return other.meets(this);
    for (let place = 0; place < this.capacity; place++) {
      if (this.isTaken(place) && other.isTaken(other.find(this.keyAt(place)))) return true;
    }
    return false;
  }

  /** How many texts both have. */
  common(other: DigestTable): number {
    if (other.size < this.size) return other.common(this);
    let count = 0;
    for (let place = 0; place < this.capacity; place++)
      if (this.isTaken(place) && other.isTaken(other.find(this.keyAt(place)))) count++;
    return count;
  }

  private isTaken(place: number): boolean {
    return this.keys[place * KEY] !== 0;
  }

  private keyAt(place: number): Uint32Array {
    return this.keys.subarray(place * KEY, (place + 1) * KEY);
  }

  /** Where a key is, or would be. */
  private find(key: ArrayLike<number>): number {
    const { keys, capacity } = this;
    let place = key[1]! & (capacity - 1);
    for (;;) {
      const at = place * KEY;
      if (keys[at] === 0) return place;
      if (keys[at] === key[0] && keys[at + 1] === key[1] && keys[at + 2] === key[2]) return place;
      place = (place + 1) & (capacity - 1);
    }
  }

  private grow(): void {
    const { keys, numbers, capacity, width } = this;
    this.capacity = capacity * 2;
    this.keys = new Uint32Array(this.capacity * KEY);
    this.numbers = new Uint32Array(this.capacity * width);
    for (let old = 0; old < capacity; old++) {
      if (keys[old * KEY] === 0) continue;
      const key = keys.subarray(old * KEY, (old + 1) * KEY);
      const place = this.find(key);
      this.keys.set(key, place * KEY);
      this.numbers.set(numbers.subarray(old * width, (old + 1) * width), place * width);
    }
  }
}

/** A number of 32 bits for a text (FNV-1a). */
export function digestNumber(text: string, from: number = 0, to: number = text.length): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

// The same for all tables of a process, which are compared; another one in each, so that no one can prepare clashes.
const SEED = Math.trunc(Math.random() * 2 ** 32);
const key = new Uint32Array(KEY);

/**
 * The key of a text, until the next is asked for: three multiplicative hashes that take part in each other (after bryc's
 * cyrb128, public domain). Its first word is never 0.
 */
function keyOf(text: string): Uint32Array {
  let [a, b, c] = [1779033703 ^ SEED, 3144134277 ^ SEED, 1013904242 ^ text.length];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = a ^ Math.imul(c ^ unit, 951274213);
  }
  key[0] = Math.imul(c ^ (a >>> 18), 597399067) | 1;
  key[1] = Math.imul(a ^ (b >>> 22), 2869860233);
  key[2] = Math.imul(b ^ (c >>> 17), 951274213);
  return key;
}
