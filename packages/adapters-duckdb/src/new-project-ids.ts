// Which calls of a new project cannot be there yet. An import brings a project's first calls, hundreds of thousands of
// them, and would ask the index of each whether it has it. Nothing that was written is ever missing here: what says that
// a call may be there only costs the question.

/** The ids of all calls of the project that was new last, as hashes. */
export interface NewProjectIds {
  /**
   * Adds the ids of calls that are about to be written. True when none of them can be there: the project had no call
   * when it was first named here, and no two of these and of those added before are the same.
   */
  addNew(project: { readonly number: number; readonly version: number }, hashes: readonly number[]): boolean;
}

// Hashes that are kept, in a table that is at most half full: 16 MB. Of a larger project the index is asked again.
const MOST = 1024 * 1024;
const FIRST_SLOTS = 4096;

/** Knows of no project yet. */
export function newProjectIds(): NewProjectIds {
  let number: number | undefined;
  let ids: HashSet | undefined;
  return {
    addNew(project, hashes) {
      if (project.number !== number) {
        // Of one whose calls were written before this was made, nothing is known.
        if (project.version !== 0) return false;
        number = project.number;
        ids = new HashSet();
      }
      if (ids === undefined) return false;
      if (ids.size + hashes.length > MOST) {
        ids = undefined;
        return false;
      }
      let areNew = true;
      for (const hash of hashes) areNew = ids.add(hash) && areNew;
      return areNew;
    },
  };
}

/** Whole numbers below 2^53, side by side: a `Set` of them takes five times the memory. */
class HashSet {
  size = 0;
  // NaN stands for nothing.
  private slots: Float64Array = new Float64Array(FIRST_SLOTS).fill(Number.NaN);

  /** False when it was there. */
  add(hash: number): boolean {
    if (!place(this.slots, hash)) return false;
    this.size++;
    if (this.size * 2 > this.slots.length) {
      const larger = new Float64Array(this.slots.length * 2).fill(Number.NaN);
      for (const one of this.slots) if (!Number.isNaN(one)) place(larger, one);
      this.slots = larger;
    }
    return true;
  }
}

/** Linear probing; the low bits of an id's hash are as good as any. */
function place(slots: Float64Array, hash: number): boolean {
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
