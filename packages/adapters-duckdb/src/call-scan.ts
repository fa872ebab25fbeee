// Reading calls as they came, in the order of their start: for export, and for clients that list calls.

import type { CallScan, CallScope, KeptCall } from "@assay/eval-engine";
import { compareText } from "@assay/query-lang";
import { type FoundCall, findStartedAfter, findStartedAt, type HashScope } from "./call-index.ts";
import { readCallTexts } from "./call-text.ts";
import type { Database } from "./database.ts";
import { idHash } from "./id-hash.ts";
import type { Journal } from "./journal.ts";
import type { Projects } from "./projects.ts";

// Calls whose texts are in memory together.
const PAGE = 2048;

/** Scans the calls of a database. */
export function callScan(database: Database, journal: Journal, projects: Projects, seed: number): CallScan {
  return {
    async *scan(name, scope = {}) {
      const project = projects.find(name);
      if (project === undefined) return;
      const { number } = project;
      const hashes = hashScope(scope, (id) => idHash(id, number, seed));
      const fits = inScope(scope);
      const read = (founds: readonly FoundCall[]): Read[] =>
        readCallTexts(journal, founds)
          .map((item, i) => ({ item, found: founds[i]! }))
          .filter(({ item }) => fits(item))
          .sort(byStart);
      const texts = (founds: readonly FoundCall[]): KeptCall[] => read(founds).map(({ item }) => item);

      for (let after = Number.NEGATIVE_INFINITY; after < Number.POSITIVE_INFINITY; ) {
        const page = await findStartedAfter(database, number, hashes, after, PAGE);
        if (page.length === 0) return;
        // The last start of a page may go on behind it, so all calls with that start are read on their own.
        after = page.at(-1)!.started;
        yield texts(page.filter(({ started }) => started < after));
        const together = inOrderOfId(await findStartedAt(database, number, hashes, after), read);
        for (let i = 0; i < together.length; i += PAGE) yield texts(together.slice(i, i + PAGE));
      }
    },
  };
}

interface Read {
  readonly item: KeptCall;
  readonly found: FoundCall;
}

function byStart(a: Read, b: Read): number {
  const [x, y] = [a.found.started, b.found.started];
  return x < y ? -1 : x > y ? 1 : compareText(a.item.call.id, b.item.call.id);
}

// However many calls share a start: of their texts only the ids are kept.
function inOrderOfId(
  founds: readonly FoundCall[],
  read: (founds: readonly FoundCall[]) => Read[],
): FoundCall[] {
  if (founds.length <= PAGE) return [...founds];
  const ids: { readonly id: string; readonly found: FoundCall }[] = [];
  for (let i = 0; i < founds.length; i += PAGE) {
    for (const { item, found } of read(founds.slice(i, i + PAGE))) ids.push({ id: item.call.id, found });
  }
  return ids.sort((a, b) => compareText(a.id, b.id)).map(({ found }) => found);
}

function hashScope(
  { ids, traceIds, parentIds, rootsOnly }: CallScope,
  hash: (id: string) => number,
): HashScope {
  return {
    ids: ids?.map(hash),
    traces: traceIds?.map(hash),
    parents: parentIds?.map(hash),
    rootsOnly: rootsOnly ?? false,
  };
}

function inScope({ ids, traceIds, parentIds }: CallScope): (item: KeptCall) => boolean {
  const fits = (wanted: readonly string[] | undefined): ((id: string | null) => boolean) => {
    if (wanted === undefined) return () => true;
    const set = new Set(wanted);
    return (id) => id !== null && set.has(id);
  };
  const [isWanted, inTraces, underParents] = [fits(ids), fits(traceIds), fits(parentIds)];
  return ({ call }) => isWanted(call.id) && inTraces(call.trace_id) && underParents(call.parent_id);
}
