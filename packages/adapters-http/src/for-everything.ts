// What only a key for everything may be used for: every project and every verb.

import { KEY_VERBS } from "@assay/inference-core/internal";
import { may, type Principal } from "./principal.ts";

/** Why `principal` may not do `what`, as in "manage keys", which takes a key for everything; undefined when it may. */
export function refusedForEverything(principal: Principal, what: string): string | undefined {
  const missing = KEY_VERBS.find((verb) => !may(principal, verb));
  if (missing !== undefined) return `this key may not ${missing}: only one for everything may ${what}`;
  return principal.allows("*", "*") ? undefined : `only a key for everything may ${what}`;
}
