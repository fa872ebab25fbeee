// Numbers by digest: an index of millions of rows in typed arrays, where a Map of texts would take a gigabyte.

/** The words of a key: 96 bits of a digest, of which no two that occur are the same. */
const KEY = 3;
const LEAST = 1024;
// Of the places that may be taken before the table grows.
const FULL = 0.7;

/** Whole numbers below 2^32, a fixed count of them for each digest. */
export class DigestTable {
  /** How many digests it has. */
  size = 0;
  private readonly width: number;
  private capacity = LEAST;
  private keys = new Uint32Array(LEAST * KEY);
  private numbers: Uint32Array;

  /** A table with `width` numbers for each digest. */
  constructor(width: number) {
    this.width = width;
    this.numbers = new Uint32Array(LEAST * width);
  }

  has(digest: string): boolean {
    return this.isTaken(this.find(keyOf(digest)));
  }

  /** The numbers of a digest, to be read and changed until the next call; all 0 when it was not there. */
  at(digest: string): Uint32Array {
    const key = keyOf(digest);
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

  /** Whether both have some digest. */
  meets(other: DigestTable): boolean {
    if (other.size < this.size) return other.meets(this);
    for (let place = 0; place < this.capacity; place++) {
      if (this.isTaken(place) && other.isTaken(other.find(this.keyAt(place)))) return true;
    }
    return false;
  }

  /** How many digests both have. */
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

/** A number of 32 bits for a text that is random already. */
export function digestNumber(text: string, from: number = 0, to: number = text.length): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Parts of a digest that are long enough to fill a word each. The first word of a key is never 0. */
function keyOf(digest: string): readonly number[] {
  const third = Math.floor(digest.length / KEY);
  return [
    (digestNumber(digest, 0, third) | 1) >>> 0,
    digestNumber(digest, third, 2 * third),
    digestNumber(digest, 2 * third),
  ];
}
