// What a key may be used for; checked for every route before it answers.

import { KEY_VERBS } from "@assay/inference-core/internal";
import { type Authenticate, may } from "../request/principal.ts";
import type { Problem } from "../response/problem.ts";
import type { MetRoute } from "../routing/route-table.ts";

/**
 * Why the key of a request may not use its route; undefined if it may, or if there is no valid key, which the route
 * reports.
 */
export async function permissionProblem(
  { route: { verbs }, asked }: MetRoute,
  authenticate: Authenticate,
): Promise<Problem | undefined> {
  if (verbs.length === 0) return undefined;
  const principal = await authenticate(asked.request);
  if (principal === undefined || verbs.some((verb) => may(principal, verb))) return undefined;
  const allowed = KEY_VERBS.filter((verb) => may(principal, verb));
  const detail = `this key may ${allowed.join(" and ")}, but the request needs ${verbs.join(" or ")}: create a key with assay keys create --can ${[...allowed, verbs[0]].join(",")}`;
  return { status: 403, detail };
}
