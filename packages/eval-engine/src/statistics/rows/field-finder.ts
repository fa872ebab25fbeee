// Finds the fields that divide rows into a few parts: texts and booleans with 2 to 50 values, and numbers.

import type { Json } from "@assay/base";
import { compareText } from "@assay/base/internal";
import type { FieldPath } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";

/** The most values of a field that are tracked one by one. */
const MOST_VALUES = 50;

// Limits the memory for rows of any shape.
const MOST_FIELDS = 256;
const DEEPEST = 8;

interface Found {
  readonly path: FieldPath;
  /** The distinct values, until they are too many. */
  readonly values: Set<boolean | number | string>;
  /** Whether all values are numbers. */
  numeric: boolean;
  /** Whether some value is a list. */
  lists: boolean;
}

/** Reads rows in digest order, and reports which fields can slice them. */
export class FieldFinder {
  private readonly found: Map<string, Found> = new Map();

  /** Reads one more row. */
  add(row: Json): void {
    this.walk(row, ["inputs"]);
  }

  /** The fields, as texts. */
  fields(): readonly FieldPath[] {
    return [...this.found.values()]
      .filter(
        ({ values, numeric, lists }) => !lists && values.size >= 2 && (values.size <= MOST_VALUES || numeric),
      )
      .map(({ path }) => path)
      .sort((a, b) => compareText(printFieldPath(a), printFieldPath(b)));
  }

  private walk(value: Json, path: FieldPath): void {
    if (value === null) return;
    if (typeof value === "object" && !Array.isArray(value)) {
      if (path.length > DEEPEST) return;
      for (const [key, child] of Object.entries(value)) if (key !== "") this.walk(child, [...path, key]);
    } else if (path.length > 1) this.note(path, value);
  }

  private note(path: FieldPath, value: Json): void {
    const key = JSON.stringify(path);
    let found = this.found.get(key);
    if (found === undefined) {
      if (this.found.size >= MOST_FIELDS) return;
      found = { path, values: new Set(), numeric: true, lists: false };
      this.found.set(key, found);
    }
    if (typeof value === "object") {
      found.lists = true;
      return;
    }
    if (typeof value !== "number") found.numeric = false;
    if (found.values.size <= MOST_VALUES) found.values.add(value!);
  }
}
