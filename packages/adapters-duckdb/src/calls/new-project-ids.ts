// Detects that calls of a new project cannot exist yet. An import writes a project's first calls, hundreds of thousands
// of them, and would look up each in the index. This never misses a call that was written; a false positive only costs
// the lookup.

/** The ids of all calls of the most recently created project, as hashes. */
export interface NewProjectIds {
  /**
   * Adds the ids of calls that are about to be written. Returns true if none of them can exist: the project had no
   * calls when it was first passed, and all ids added so far are different.
   */
  addNew(project: { readonly number: number; readonly version: number }, hashes: readonly number[]): boolean;
}

// How many hashes are kept, in a table that is at most half full: 16 MB. For larger projects the index is used.
const MOST = 1024 * 1024;
// They are in this many tables, so that none takes long to grow.
const TABLES = 64;
const FIRST_SLOTS = 64;

/** Creates a set that knows no project yet. */
export function newProjectIds(): NewProjectIds {
  let number: number | undefined;
  let ids: readonly HashSet[] | undefined;
  let size = 0;
  return {
    addNew(project, hashes) {
      if (project.number !== number) {
        // Calls written before this set was created are unknown to it.
        if (project.version !== 0) return false;
        number = project.number;
        ids = Array.from({ length: TABLES }, () => new HashSet());
        size = 0;
      }
      if (ids === undefined) return false;
      size += hashes.length;
      if (size > MOST) {
        ids = undefined;
        return false;
      }
      let areNew = true;
      for (const hash of hashes) areNew = ids[Math.floor(hash / TABLE_HASHES)]!.add(hash) && areNew;
      return areNew;
    },
  };
}

/** The upper bits of a hash choose its table, and the lower ones its slot there. */
const TABLE_HASHES = 2 ** 53 / TABLES;

/** A set of whole numbers below 2^53: a `Set` takes five times the memory. */
class HashSet {
  private size = 0;
  // NaN marks a free slot.
  private slots: Float64Array = new Float64Array(FIRST_SLOTS).fill(Number.NaN);

  /** Returns false if it was in the set. */
  add(hash: number): boolean {
    if (!insertHash(this.slots, hash)) return false;
    this.size++;
    if (this.size * 2 > this.slots.length) {
      const larger = new Float64Array(this.slots.length * 2).fill(Number.NaN);
      for (const one of this.slots) if (!Number.isNaN(one)) insertHash(larger, one);
      this.slots = larger;
    }
    return true;
  }
}

/** Linear probing; the low bits of an id's hash are as good as any. */
function insertHash(slots: Float64Array, hash: number): boolean {
  const mask = slots.length - 1;
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const there = slots[i]!;
    if (there === hash) return false;
    if (Number.isNaN(there)) {
      slots[i] = hash;
      return true;
    }
  }
}
