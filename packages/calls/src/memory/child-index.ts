// An index of children by parent for any number of calls. Ids are numbers, and children are chains in typed arrays,
// which the garbage collector does not traverse. It knows only the ids of calls.

import { type GrowableArray, growableIndexes } from "@assay/base/internal";
import { StringInterner } from "./string-interner.ts";

/** Ids with their parents and children. An id gets a number when it is first named, as a call or as a parent. */
export class ChildIndex {
  private readonly numbers: StringInterner = new StringInterner();
  private readonly parents: GrowableArray<Int32Array> = growableIndexes();
  private readonly firstChild: GrowableArray<Int32Array> = growableIndexes();
  private readonly lastChild: GrowableArray<Int32Array> = growableIndexes();
  /** The next child of the same parent, in order of arrival; -1 after the last. */
  private readonly next: GrowableArray<Int32Array> = growableIndexes();
  // Siblings are mostly consecutive.
  private lastId: string | undefined;
  private lastNumber = -1;

  /** The number of known ids. Numbers start at 0. */
  get size(): number {
    return this.numbers.size;
  }

  /** The number of an id; undefined if it was never named. */
  find(id: string): number | undefined {
    return this.numbers.find(id);
  }

  /** The number of an id, which is assigned if needed. */
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

  /** The parent's number; -1 if it has none. */
  parentOf(child: number): number {
    return this.parents.array[child]!;
  }

  /** Makes `child` the last child of `parent`, or a root. Returns whether it left another parent. */
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

  /** The children of `parent`, in order of arrival. */
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

  /** Removes `child` from the chain of its parent, in time proportional to the number of siblings. */
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
