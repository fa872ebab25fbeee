// Collects the changes that a source reports, for tests that examine all of them.

import type { CallTree } from "../call/call.ts";
import type { CallSource } from "../ports/call-source.ts";

/** The trees of `root` written to since a version; undefined if the source does not know. */
export async function changesSince(
  source: CallSource,
  project: string,
  root: string,
  since: number,
): Promise<CallTree[] | undefined> {
  const changes = await source.changes(project, root, since);
  if (changes === undefined) return undefined;
  const trees: CallTree[] = [];
  for await (const batch of changes) trees.push(...batch);
  return trees;
}
