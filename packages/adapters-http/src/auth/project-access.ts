// Who may do what under `/v2/{entity}/{project}`: the first thing that every route there asks.

import type { Authenticate } from "../request/principal.ts";
import type { Problem } from "../response/problem.ts";
import { KEY_REQUIRED } from "./www-authenticate.ts";

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
  if (principal === undefined) return KEY_REQUIRED;
  return principal.allows(entity, project) ? undefined : { status: 404, detail: "no such project" };
}
