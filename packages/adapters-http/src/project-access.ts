// Who may do what under `/v2/{entity}/{project}`: the first thing that every route there asks.

import { KEY_NEEDED } from "./challenge.ts";
import type { Authenticate } from "./principal.ts";
import type { Problem } from "./problem.ts";

/**
 * Why the caller may not access a project: 401 without valid credentials, 404 for a project of others, as if it did
 * not exist. Undefined if it may.
 */
export async function accessProblem(
  authenticate: Authenticate,
  request: Request,
  { entity, project }: { readonly entity: string; readonly project: string },
): Promise<Problem | undefined> {
  const principal = await authenticate(request);
  if (principal === undefined) return KEY_NEEDED;
  return principal.allows(entity, project) ? undefined : { status: 404, detail: "no such project" };
}
