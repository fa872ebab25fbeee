// Collects the fields of values and their contents, one value after the other, with limited memory.

import type { Json } from "@assay/base";
import { compareText } from "@assay/base/internal";
import type { FieldPath } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import type { FieldOutline, FieldValue } from "./wire/response.ts";

// Limits the memory for values of any shape.
const MOST_FIELDS = 256;
const DEEPEST = 8;
const MOST_DIFFERENT = 1000;
const LONGEST_TEXT = 200;

/** The most values of a field to report. */
const SHOWN = 20;

type Scalar = string | number | boolean;

interface Field {
  readonly path: FieldPath;
  readonly types: Set<FieldOutline["types"][number]>;
  count: number;
  min: number;
  max: number;
  /** The count of each value; undefined if there are too many to keep. */
  values: Map<Scalar, number> | undefined;
}

/** Collects the fields of values. */
export class FieldTally {
  private readonly fields: Map<string, Field> = new Map();

  /** Reads the value at `path`. */
  add(value: Json, path: FieldPath): void {
    if (value === null) return;
    if (typeof value === "object" && !Array.isArray(value)) {
      if (path.length > DEEPEST) return;
      for (const [key, member] of Object.entries(value)) if (key !== "") this.add(member, [...path, key]);
    } else this.note(value as Scalar | readonly Json[], path);
  }

  /** The fields, by name. */
  outlines(): readonly FieldOutline[] {
    return [...this.fields.values()]
      .map(({ path, types, count, min, max, values }) => ({
        field: printFieldPath(path),
        types: [...types].sort(),
        count,
        min: types.has("number") ? min : null,
        max: types.has("number") ? max : null,
        values: frequent(values, count),
      }))
      .sort((a, b) => compareText(a.field, b.field));
  }

  private note(value: Scalar | readonly Json[], path: FieldPath): void {
    const key = JSON.stringify(path);
    let field = this.fields.get(key);
    if (field === undefined) {
      if (this.fields.size >= MOST_FIELDS) return;
      const [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      field = { path, types: new Set(), count: 0, min, max, values: new Map() };
      this.fields.set(key, field);
    }
    field.count++;
    if (typeof value === "object") {
      field.types.add("array");
      field.values = undefined;
      return;
    }
    field.types.add(typeof value as "string" | "number" | "boolean");
    if (typeof value === "number") {
      if (value < field.min) field.min = value;
      if (value > field.max) field.max = value;
    }
    if (typeof value === "string" && value.length > LONGEST_TEXT) field.values = undefined;
    field.values?.set(value, (field.values.get(value) ?? 0) + 1);
    if (field.values !== undefined && field.values.size > MOST_DIFFERENT) field.values = undefined;
  }
}

/** The values to choose from; none if nearly all values are distinct. */
function frequent(values: ReadonlyMap<Scalar, number> | undefined, count: number): readonly FieldValue[] {
  if (values === undefined || (values.size > SHOWN && values.size > count / 2)) return [];
  return [...values]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compareText(String(a.value), String(b.value)))
    .slice(0, SHOWN);
}
