// Equality of JSON, without recursion: data may be nested deeper than the stack.

import type { Json } from "@assay/base";

type Composite = { readonly [key: string]: Json };

/** Whether `a` and `b` are equal as JSON: numbers by value (0 equals -0), objects in any order of keys. */
export function deepEqual(a: Json, b: Json): boolean {
  const pairs: [Json, Json][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [x, y] = pair;
    if (x === y) continue;
    if (typeof x !== "object" || typeof y !== "object" || x === null || y === null) return false;
    if (Array.isArray(x) !== Array.isArray(y)) return false;
    // An array's keys are its indexes.
    const keys = Object.keys(x);
    if (keys.length !== Object.keys(y).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(y, key)) return false;
      pairs.push([(x as Composite)[key]!, (y as Composite)[key]!]);
    }
  }
  return true;
}
