// Compares two JSON values by path: changed values, values that only one has, and equal values.

import type { Json } from "@assay/base";

/** How the value at a path changed. */
interface PathChange {
  /** Keys joined by `.`; empty for the value itself. */
  readonly path: string;
  readonly kind: "equal" | "changed" | "removed" | "added";
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The leaves of two values. */
export interface JsonDiff {
  /** In the order of the first, then those that only the second has. */
  readonly changes: readonly PathChange[];
  /** The number of changed leaves, and of equal ones, that are left out: a value may have any number. */
  readonly left: { readonly changed: number; readonly equal: number };
}

/** The most changed leaves listed, and the most equal ones. */
const MOST_PATHS = 500;

/** The differences between the leaves of two values. */
export function jsonDiff(before: Json, after: Json): JsonDiff {
  const all: PathChange[] = [];
  walk(before, after, [], all);
  const counted = { changed: 0, equal: 0 };
  const changes = all.filter(({ kind }) => ++counted[kind === "equal" ? "equal" : "changed"] <= MOST_PATHS);
  const left = (count: number): number => Math.max(0, count - MOST_PATHS);
  return { changes, left: { changed: left(counted.changed), equal: left(counted.equal) } };
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
