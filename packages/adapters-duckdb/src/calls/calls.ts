// The calls of the store as the evaluation engine reads them: by id, by tree, by change. Hashes find candidates in the
// index; their text then decides whether they match.

import type { Call, CallSource, CallTree } from "@assay/calls";
import type { Database } from "../database/database.ts";
import type { Projects } from "../database/projects.ts";
import { idHash } from "../records/id-hash.ts";
import type { Journal } from "../records/journal.ts";
import { recordCache } from "../records/record-cache.ts";
import { type FoundCall, findById, findChanged, findChildren, hasLostChild } from "./call-index.ts";
import { readCalls } from "./call-text.ts";

// How many trees have their children looked up together, and how many have their texts in memory together.
const LOOKUP = 16_384;
const BATCH = 128;

/** The calls of a store, for the engine. */
export function callSource(
  database: Database,
  journal: Journal,
  projects: Projects,
  seed: number,
): CallSource {
  async function* treesOf(
    project: number,
    root: string,
    founds: readonly FoundCall[],
  ): AsyncGenerator<CallTree[]> {
    for (let from = 0; from < founds.length; from += LOOKUP) {
      const some = founds.slice(from, from + LOOKUP);
      const hashes = some.map(({ idHash }) => idHash);
      const children = byParent(await findChildren(database, project, hashes));
      for (let i = 0; i < some.length; i += BATCH) yield readTrees(root, some.slice(i, i + BATCH), children);
    }
  }

  // A tree's calls are mostly stored together, so they are read together.
  const readTrees = (
    root: string,
    founds: readonly FoundCall[],
    children: ReadonlyMap<number, readonly FoundCall[]>,
  ): CallTree[] => {
    const families = founds.map((found) => [found, ...(children.get(found.idHash) ?? [])]);
    const calls = readCalls(journal, families.flat());
    const trees: CallTree[] = [];
    let next = 0;
    for (const family of families) {
      const [call, ...others] = calls.slice(next, next + family.length) as [Call, ...Call[]];
      next += family.length;
      if (call.parent_id !== root) continue;
      trees.push({ call, children: others.filter(({ parent_id }) => parent_id === call.id) });
    }
    return trees;
  };

  const recent = recordCache<Call>();

  return {
    version: (name) => projects.find(name)?.version ?? 0,

    async calls(name, ids) {
      const project = projects.find(name);
      if (project === undefined || ids.length === 0) return ids.map(() => undefined);
      return recent(project.number, project.version, ids, async (some) => {
        const hashes = some.map((id) => idHash(id, project.number, seed));
        const founds = await findById(database, project.number, hashes);
        const live = founds.filter(({ deletedAt }) => deletedAt === null);
        const calls = new Map(
          readCalls(journal, live).map((value, i) => [value.id, { value, size: live[i]!.size }]),
        );
        return some.map((id) => calls.get(id) ?? { value: undefined, size: 0 });
      });
    },

    async *trees(name, root) {
      const project = projects.find(name);
      if (project === undefined) return;
      const founds = await findChildren(database, project.number, [idHash(root, project.number, seed)]);
      yield* treesOf(project.number, root, founds);
    },

    async changes(name, root, since) {
      const project = projects.find(name);
      if (project === undefined || project.version <= since) return [];
      const hash = idHash(root, project.number, seed);
      if (await hasLostChild(database, project.number, hash, since)) return undefined;
      return treesOf(project.number, root, await findChanged(database, project.number, hash, since));
    },
  };
}

function byParent(founds: readonly FoundCall[]): ReadonlyMap<number, readonly FoundCall[]> {
  const families = new Map<number, FoundCall[]>();
  for (const found of founds) {
    const family = families.get(found.parentHash!);
    if (family === undefined) families.set(found.parentHash!, [found]);
    else family.push(found);
  }
  return families;
}
