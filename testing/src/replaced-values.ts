// Copies of JSON values in which one place is replaced, for readers of JSON that anybody may send.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";

const SHADOWING: Json = { toString: 1, valueOf: 1, toJSON: 1, then: 1, constructor: 1, length: -1 };

/**
 * Copies of a value in each of which one place has an object whose members are named like the methods that JavaScript
 * calls on values, or, in every second copy, a list of it. `Number` and `String` throw for both.
 */
export function* withShadowedMethods(value: Json): Generator<Json> {
  let count = 0;
  yield* replaced(value, () => (count++ % 2 === 0 ? SHADOWING : [SHADOWING]));
}

function* replaced(value: Json, by: () => Json): Generator<Json> {
  yield by();
  if (Array.isArray(value))
    for (const [i, item] of (value as readonly Json[]).entries())
      for (const other of replaced(item, by)) yield value.map((one, k) => (k === i ? other : one));
  else if (isJsonObject(value))
    for (const [key, member] of Object.entries(value))
      for (const other of replaced(member as Json, by)) yield { ...value, [key]: other } as Json;
}
