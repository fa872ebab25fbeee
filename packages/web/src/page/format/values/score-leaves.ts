// The leaves of a trial's scores, by path.

import type { Json } from "@assay/base";
import { type Leaf, leafField, leavesOf } from "@assay/eval-engine/words";

/** The values by their fields in requests. A list is one text, and null is left out. */
export function scoreLeaves(scores: Json): ReadonlyMap<string, Leaf> {
  return new Map([...leavesOf(scores, [])].map(([path, value]) => [leafField(path), value]));
}
