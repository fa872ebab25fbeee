// Reading calls as they came, in the order of their start: for export, and for clients that list calls.

import { compareText, givingWay } from "@assay/base/internal";
import type { CallScan, CallScope, KeptCall } from "@assay/calls";
import { sortInTurns } from "@assay/trace-core/store-parts";
import { type FoundCall, findStartedAfter, findStartedAt, type HashScope } from "./call-index.ts";
import { readCallTextsInTurns } from "./call-text.ts";
import type { Database } from "./database.ts";
import { idHash } from "./id-hash.ts";
import type { Journal } from "./journal.ts";
import type { Projects } from "./projects.ts";
import { inSlices } from "./read-in-turns.ts";
import { runsOf } from "./runs-of.ts";

// Calls that are looked up together.
const PAGE = 2048;

/** Scans the calls of a database. */
export function callScan(database: Database, journal: Journal, projects: Projects, seed: number): CallScan {
  /** All calls that started at one instant, in the order they were written. */
  async function* startedAt(project: number, scope: HashScope, at: number): AsyncGenerator<FoundCall[]> {
    for (let behind = -1; ; ) {
      const page = await findStartedAt(database, project, scope, { at, behind, limit: PAGE });
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      behind = page.at(-1)!.at;
    }
  }

  return {
    async *scan(name, scope = {}) {
      const project = projects.find(name);
      if (project === undefined) return;
      const { number } = project;
      const hashes = hashScope(scope, (id) => idHash(id, number, seed));
      const fits = inScope(scope);
      const read = async (founds: readonly FoundCall[]): Promise<Read[]> => {
        const items = await readCallTextsInTurns(journal, founds);
        const all = items.map((item, i) => ({ item, found: founds[i]! }));
        return all.filter(({ item }) => fits(item)).sort(byStart);
      };
      /** Calls of one start that are in the order of their ids, or few enough to be put in order together. */
      async function* texts(founds: readonly FoundCall[]): AsyncGenerator<KeptCall[]> {
        for (const run of runsOf(founds)) {
          const slices = inSlices(await read(run), ({ found }) => found.size);
          for await (const slice of slices) yield slice.map(({ item }) => item);
        }
      }
      async function* inOrderOfStart(founds: readonly FoundCall[]): AsyncGenerator<KeptCall[]> {
        for (const run of runsOf(founds, (a, b) => a.started !== b.started)) {
          const runs = [...runsOf(run)];
          if (runs.length === 1) yield* texts(run);
          else {
            const byId = await inOrderOfId(runs, read);
            yield* texts(byId.sort((a, b) => (a.started < b.started ? -1 : Number(a.started > b.started))));
          }
        }
      }

      for (let after = Number.NEGATIVE_INFINITY; after < Number.POSITIVE_INFINITY; ) {
        const page = await findStartedAfter(database, number, hashes, after, PAGE);
        if (page.length === 0) return;
        // The last start of a page may go on behind it, so all calls with that start are read on their own.
        after = page.at(-1)!.started;
        yield* inOrderOfStart(page.filter(({ started }) => started < after));
        const together = await inOrderOfId(startedAt(number, hashes, after), read);
        yield* texts(together);
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
async function inOrderOfId(
  pages: AsyncIterable<readonly FoundCall[]> | Iterable<readonly FoundCall[]>,
  read: (founds: readonly FoundCall[]) => Promise<Read[]>,
): Promise<FoundCall[]> {
  const ids: { readonly id: string; readonly found: FoundCall }[] = [];
  for await (const page of pages)
    for (const run of runsOf(page))
      for (const { item, found } of await read(run)) ids.push({ id: item.call.id, found });
  const sorted = await sortInTurns(ids, (a, b) => compareText(a.id, b.id), { pause: givingWay() });
  return sorted.map(({ found }) => found);
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
