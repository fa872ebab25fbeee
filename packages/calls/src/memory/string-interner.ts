// Interning of strings: each gets a number, from 0, in order of first use. A `Map` takes four times as long: it holds a
// pointer to each id, which the garbage collector follows repeatedly while many are added.
//
// An open-addressing table of numbers in a typed array. Since ids come from outside, someone may choose many that
// collide: an id whose nearest free place is far away is kept in a Map instead, whose hashes cannot be chosen.

// How many places are tried for an id: in a table that is at most half full, hardly any id needs a tenth of them.
const PROBES = 32;
const FREE = -1;

/** Ids and their numbers. */
export class StringInterner {
  private readonly ids: string[] = [];
  /** A hash and a number per place: an id is only compared if its hash is equal. */
  private table: Int32Array = emptyTable(64);
  private readonly crowded: Map<string, number> = new Map();

  /** The number of known ids. */
  get size(): number {
    return this.ids.length;
  }

  /** The number of an id; undefined if it was never named. */
  find(id: string): number | undefined {
    const place = this.placeOf(hashOf(id), id);
    if (place === -1) return this.crowded.get(id);
    const number = this.table[place + 1]!;
    return number === FREE ? undefined : number;
  }

  /** The number of an id, which is assigned if needed. */
  intern(id: string): number {
    const hash = hashOf(id);
    const place = this.placeOf(hash, id);
    const known = place === -1 ? (this.crowded.get(id) ?? FREE) : this.table[place + 1]!;
    if (known !== FREE) return known;
    const number = this.ids.length;
    this.ids.push(id);
    this.put(place, hash, number);
    if (this.ids.length * 4 > this.table.length) this.grow();
    return number;
  }

  /** The place of the id in the table, or the place to put it; -1 if all its places are taken. */
  private placeOf(hash: number, id: string): number {
    const { table, ids } = this;
    const mask = table.length - 1;
    let place = (hash << 1) & mask;
    for (let probe = 0; probe < PROBES; probe++) {
      const number = table[place + 1]!;
      if (number === FREE || (table[place] === hash && ids[number] === id)) return place;
      place = (place + 2) & mask;
    }
    return -1;
  }

  private put(place: number, hash: number, number: number): void {
    if (place === -1) this.crowded.set(this.ids[number]!, number);
    else {
      this.table[place] = hash;
      this.table[place + 1] = number;
    }
  }

  private grow(): void {
    const before = this.table;
    this.table = emptyTable(before.length * 2);
    for (let place = 0; place < before.length; place += 2) {
      const [hash, number] = [before[place]!, before[place + 1]!];
      if (number !== FREE) this.put(this.freePlace(hash), hash, number);
    }
    const crowded = [...this.crowded];
    this.crowded.clear();
    for (const [id, number] of crowded) this.put(this.freePlace(hashOf(id)), hashOf(id), number);
  }

  /** A free place for a new id; -1 if there is none. */
  private freePlace(hash: number): number {
    const mask = this.table.length - 1;
    let place = (hash << 1) & mask;
    for (let probe = 0; probe < PROBES; probe++) {
      if (this.table[place + 1] === FREE) return place;
      place = (place + 2) & mask;
    }
    return -1;
  }
}

/** An empty table of `length` / 2 places, which must be a power of two. */
function emptyTable(length: number): Int32Array {
  return new Int32Array(length).fill(FREE);
}

/** FNV-1a over the UTF-16 units, with the bits mixed again so that the low ones depend on all. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
