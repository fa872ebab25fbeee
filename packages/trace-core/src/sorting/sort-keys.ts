// Sorts by fields of JSON: numbers before text, text by code point, missing values last in both directions.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import { compareText } from "@assay/base/internal";
import type { FieldPath } from "@assay/query-lang";
import { asText, readFieldPath } from "@assay/query-lang/internal";

/** A field to sort by. */
export interface SortKey {
  /** The path of the value. */
  readonly path: FieldPath;
  /** Largest first. */
  readonly descending: boolean;
}

/** The most keys in one request. */
const MAX_KEYS = 16;

/** Reads `[{ field, direction }]`. `fault` explains why a field is not allowed as a key. */
export function readSortKeys(
  given: readonly { readonly field: string; readonly direction: "asc" | "desc" }[],
  at: Issue["path"],
  fault: (path: FieldPath, text: string) => string | undefined,
): Result<readonly SortKey[]> {
  if (given.length > MAX_KEYS)
    return bad([
      { code: "too_long", path: at, message: `at most ${MAX_KEYS} keys to sort by, not ${given.length}` },
    ]);
  const keys: SortKey[] = [];
  const issues: Issue[] = [];
  for (const [i, { field, direction }] of given.entries()) {
    const path = readFieldPath(field);
    const wrong = path.ok ? fault(path.value, field) : path.issues[0]!.message;
    if (wrong !== undefined) issues.push({ code: "value_error", path: [...at, i, "field"], message: wrong });
    else if (path.ok) keys.push({ path: path.value, descending: direction === "desc" });
  }
  return issues.length === 0 ? ok(keys) : bad(issues);
}

/** The order of two lists of values, one for each of `keys`. */
export function compareByKeys(keys: readonly SortKey[], a: readonly Json[], b: readonly Json[]): number {
  for (const [i, { descending }] of keys.entries()) {
    const [x, y] = [a[i]!, b[i]!];
    if (x === null || y === null) {
      if (x !== y) return x === null ? 1 : -1;
      continue;
    }
    const order = compareValues(x, y);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** The comparable form of a value, computed once: an object is compared by its text, which takes long to print. */
export function sortValue(value: Json): Json {
  return typeof value === "object" && value !== null ? asText(value)! : value;
}

function compareValues(a: Json, b: Json): number {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x - y;
  if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
  return compareText(asText(a)!, asText(b)!);
}

function numberOf(value: Json): number | undefined {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" ? value : undefined;
}
