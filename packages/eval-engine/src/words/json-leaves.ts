// The leaves of an output, a score or a dataset row, with their paths.

import type { Json } from "@assay/base";
import type { FieldPath } from "@assay/query-lang";

/** A value without parts. */
export type Leaf = boolean | number | string;

/**
 * The leaves of `value`, which is at `path`. A list is one text; null is left out. Calls nest at most 200 levels deep.
 */
export function* leavesOf(value: Json, path: FieldPath): Generator<readonly [FieldPath, Leaf]> {
  if (value === null) return;
  if (Array.isArray(value)) yield [path, JSON.stringify(value)];
  else if (typeof value !== "object") yield [path, value as Leaf];
  else for (const [key, child] of Object.entries(value)) yield* leavesOf(child as Json, [...path, key]);
}
