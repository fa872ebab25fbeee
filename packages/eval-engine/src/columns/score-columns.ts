// The score dimensions of a segment: one typed column for each leaf of any trial's scores.

import type { Json } from "@assay/base";
import type { FieldPath } from "@assay/query-lang";
import { ValueColumn } from "./value-column.ts";

/** A leaf of the scores: `keys` lead to it, starting with the scorer's name. */
export interface ScoreColumn {
  readonly keys: FieldPath;
  readonly values: ValueColumn;
}

/** A path in the scores at which some trial has a value. */
interface ScoreNode {
  readonly keys: FieldPath;
  readonly children: Map<string, ScoreNode>;
  column: ScoreColumn | undefined;
  /** Some trial has an object or an array here, so the leaf column does not have every trial's value. */
  structured: boolean;
  /** Some trial has an array here: paths below it have no columns. */
  array: boolean;
}

/** All score columns of a segment, in the order in which their leaves first appeared. */
export class ScoreColumns {
  readonly columns: ScoreColumn[] = [];
  private readonly root: ScoreNode = scoreNode([]);

  /** Sets the scores of trial `i`, which has none yet. */
  set(i: number, scores: { readonly [scorer: string]: Json }): void {
    for (const scorer of Object.keys(scores)) this.setAt(childOf(this.root, scorer), i, scores[scorer]!);
  }

  /**
   * The column with the value at `keys` for every trial, or undefined if there is no such column. A missing path is
   * null everywhere, and so is its column.
   */
  find(keys: FieldPath): ValueColumn | undefined {
    let here = this.root;
    for (const key of keys) {
      if (here.array) return undefined;
      const next = here.children.get(key);
      if (next === undefined) return EMPTY;
      here = next;
    }
    if (here.structured || here.array) return undefined;
    return here.column?.values ?? EMPTY;
  }

  /** Makes every column cover `length` trials. */
  extend(length: number): void {
    for (const { values } of this.columns) values.extend(length);
    EMPTY.extend(length);
  }

  /** The same with columns mapped: for copies and other orders of the trials. */
  map(each: (values: ValueColumn, k: number) => ValueColumn): ScoreColumns {
    const next = new ScoreColumns();
    for (const [k, column] of this.columns.entries()) {
      const at = next.placeAt(column.keys);
      at.column = { keys: column.keys, values: each(column.values, k) };
      next.columns.push(at.column);
    }
    for (const { keys, array } of this.structures()) {
      const at = next.placeAt(keys);
      at.structured = true;
      at.array = array;
    }
    return next;
  }

  /** The paths that are not leaves: together with `columns`, everything needed to rebuild the score columns. */
  structures(): { readonly keys: FieldPath; readonly array: boolean }[] {
    const found: { keys: FieldPath; array: boolean }[] = [];
    const left = [this.root];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (at.structured) found.push({ keys: at.keys, array: at.array });
      left.push(...at.children.values());
    }
    return found;
  }

  static restore(
    columns: readonly ScoreColumn[],
    structures: readonly { readonly keys: FieldPath; readonly array: boolean }[],
  ): ScoreColumns {
    const restored = new ScoreColumns();
    for (const column of columns) {
      restored.placeAt(column.keys).column = column;
      restored.columns.push(column);
    }
    for (const { keys, array } of structures) {
      const at = restored.placeAt(keys);
      at.structured = true;
      at.array = array;
    }
    return restored;
  }

  /** Recurses as deep as the scores nest: at most `MAX_CALL_DEPTH`. */
  private setAt(at: ScoreNode, i: number, value: Json): void {
    if (value === null) return;
    if (typeof value !== "object") {
      if (at.column === undefined) {
        at.column = { keys: at.keys, values: new ValueColumn() };
        this.columns.push(at.column);
      }
      at.column.values.set(i, value);
      return;
    }
    at.structured = true;
    if (Array.isArray(value)) {
      at.array = true;
      return;
    }
    for (const key of Object.keys(value)) {
      this.setAt(childOf(at, key), i, (value as { readonly [key: string]: Json })[key]!);
    }
  }

  private placeAt(keys: FieldPath): ScoreNode {
    let here = this.root;
    for (const key of keys) here = childOf(here, key);
    return here;
  }
}

// Null for every trial.
const EMPTY = new ValueColumn();

function scoreNode(keys: FieldPath): ScoreNode {
  return { keys, children: new Map(), column: undefined, structured: false, array: false };
}

function childOf(at: ScoreNode, key: string): ScoreNode {
  let child = at.children.get(key);
  if (child === undefined) {
    child = scoreNode([...at.keys, key]);
    at.children.set(key, child);
  }
  return child;
}
