// An index of children by parent, among any number of calls: ids are numbers here, and families are chains in typed arrays, which
// the garbage collector does not walk. Knows nothing of calls but their ids.

import { type GrowableArray, growableIndexes } from "@assay/base/internal";
import { StringInterner } from "./string-interner.ts";

/** Ids and their families. An id has a number from when it is first named, as a call or as a parent. */
export class ChildIndex {
  private readonly numbers: StringInterner = new StringInterner();
  private readonly parents: GrowableArray<Int32Array> = growableIndexes();
  private readonly firstChild: GrowableArray<Int32Array> = growableIndexes();
  private readonly lastChild: GrowableArray<Int32Array> = growableIndexes();
  /** The next child of the same parent, in the order they came; -1 after the last. */
  private readonly next: GrowableArray<Int32Array> = growableIndexes();
  // Siblings mostly come one after the other.
  private lastId: string | undefined;
  private lastNumber = -1;

  /** Ids that have a number. Numbers are given from 0 on. */
  get size(): number {
    return this.numbers.size;
  }

  /** The number of an id; undefined when it was never named. */
  find(id: string): number | undefined {
    return this.numbers.find(id);
  }

  /** The number of an id, given one when it has none. */
  name(id: string): number {
    const number = this.numbers.intern(id);
    if (number === this.parents.length) {
      this.parents.push(-1);
      this.firstChild.push(-1);
      this.lastChild.push(-1);
      this.next.push(-1);
    }
    return number;
  }

  /** The parent's number; -1 when it has none. */
  parentOf(child: number): number {
    return this.parents.array[child]!;
  }

  /** Makes `child` the last child of `parent`, or of none. Whether it left another parent for that. */
  join(child: number, parentId: string | null): boolean {
    const parent = parentId === null ? -1 : this.nameParent(parentId);
    const before = this.parentOf(child);
    if (before === parent) return false;
    if (before !== -1) this.leave(child, before);
    this.parents.set(child, parent);
    if (parent !== -1) {
      const last = this.lastChild.array[parent]!;
      if (last === -1) this.firstChild.set(parent, child);
      else this.next.set(last, child);
      this.lastChild.set(parent, child);
    }
    return before !== -1;
  }

  /** The children of `parent`, in the order they came. */
  childrenOf(parent: number): number[] {
    const children: number[] = [];
    for (let at = this.firstChild.array[parent]!; at !== -1; at = this.next.array[at]!) children.push(at);
    return children;
  }

  private nameParent(id: string): number {
    if (id !== this.lastId) {
      this.lastNumber = this.name(id);
      this.lastId = id;
    }
    return this.lastNumber;
  }

  /** Takes `child` out of its family: as long as the family is large. */
  private leave(child: number, parent: number): void {
    let before = -1;
    for (let at = this.firstChild.array[parent]!; at !== child; at = this.next.array[at]!) before = at;
    const after = this.next.array[child]!;
    if (before === -1) this.firstChild.set(parent, after);
    else this.next.set(before, after);
    if (after === -1) this.lastChild.set(parent, before);
    this.next.set(child, -1);
  }
}
