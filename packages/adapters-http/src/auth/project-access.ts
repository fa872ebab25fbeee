// Access to a project under `/v2/{entity}/{project}`: every route there checks it first.

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
