// Compares two JSON values by path: changed values, values that only one has, and equal values.

import type { Json } from "@assay/base";

/** How the value at a path changed. */
export interface PathChange {
  /** Keys joined by `.`; empty for the value itself. */
  readonly path: string;
  readonly kind: "equal" | "changed" | "removed" | "added";
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The most paths compared: a value may have any number. */
const MOST_PATHS = 500;

/** The leaves of both, in the order of the first, then those that only the second has. */
export function jsonDiff(before: Json, after: Json): readonly PathChange[] {
  const changes: PathChange[] = [];
  walk(before, after, [], changes);
  return changes;
}

/** Whether two values can be compared by path: both are objects, or both are lists. */
export function hasPaths(before: Json, after: Json): boolean {
  const isObject = (value: Json) => typeof value === "object" && value !== null;
  return isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after);
}

function walk(
  before: Json | undefined,
  after: Json | undefined,
  path: readonly string[],
  into: PathChange[],
): void {
  if (into.length >= MOST_PATHS) return;
  const both = before !== undefined && after !== undefined;
  if (both && hasPaths(before, after)) {
    const [left, right] = [entriesOf(before), entriesOf(after)];
    if (left.size + right.size > 0) {
      for (const key of new Set([...left.keys(), ...right.keys()]))
        walk(left.get(key), right.get(key), [...path, key], into);
      return;
    }
  }
  const kind =
    before === undefined
      ? "added"
      : after === undefined
        ? "removed"
        : JSON.stringify(before) === JSON.stringify(after)
          ? "equal"
          : "changed";
  into.push({ path: path.join("."), kind, before, after });
}

function entriesOf(value: Json): ReadonlyMap<string, Json> {
  return new Map(Object.entries(value as { readonly [key: string]: Json }));
}
