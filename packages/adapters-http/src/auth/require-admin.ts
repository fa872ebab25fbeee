// Operations that require a key for every project and every verb.

import { KEY_VERBS } from "@assay/inference-core/internal";
import { may, type Principal } from "../request/principal.ts";

/**
 * Why `principal` may not do `what`, such as "manage keys", which requires a key for everything; undefined if it may.
 */
export function refusedUnlessAdmin(principal: Principal, what: string): string | undefined {
  const missing = KEY_VERBS.find((verb) => !may(principal, verb));
  if (missing !== undefined) return `this key may not ${missing}: only a key for everything may ${what}`;
  return principal.allows("*", "*") ? undefined : `only a key for everything may ${what}`;
}
