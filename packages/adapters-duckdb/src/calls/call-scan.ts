// Reads calls in order of their start, for export and for clients that list calls.

import { compareText, timeSlice } from "@assay/base/internal";
import type { CallScan, CallScope, KeptCall } from "@assay/calls";
import { mergeSortCooperatively } from "@assay/trace-core/store-parts";
import type { Database } from "../database/database.ts";
import type { Projects } from "../database/projects.ts";
import { idHash } from "../records/id-hash.ts";
import type { Journal } from "../records/journal.ts";
import { inSlices } from "../records/read-in-turns.ts";
import { type FoundCall, findStartedAfter, findStartedAt, type HashScope } from "./call-index.ts";
import { type CallLocation, readCallTextsInTurns } from "./call-text.ts";

// How many calls are looked up together.
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
      async function* texts(founds: Iterable<CallLocation>): AsyncGenerator<KeptCall[]> {
        for await (const slice of inSlices(founds, ({ size }) => size))
          yield (await readCallTextsInTurns(journal, slice)).filter(fits);
      }

      for (let after = Number.NEGATIVE_INFINITY; after < Number.POSITIVE_INFINITY; ) {
        const page = await findStartedAfter(database, number, hashes, after, PAGE);
        if (page.length === 0) return;
        // More calls may have the last start of a page than fit on it, so all calls with that start are read
        // separately.
        after = page.at(-1)!.started;
        const before = page.filter(({ started }) => started < after);
        const starts = new Set(before.map(({ started }) => started));
        yield* texts(starts.size === before.length ? before : await inOrderOfId(journal, [before]));
        yield* texts(await inOrderOfId(journal, startedAt(number, hashes, after)));
      }
    },
  };
}

/** Live calls, ordered by start, then id. A waiting scan holds sixteen bytes per call, however many there are. */
async function inOrderOfId(
  journal: Journal,
  pages: AsyncIterable<readonly FoundCall[]> | Iterable<readonly FoundCall[]>,
): Promise<Iterable<CallLocation>> {
  const calls: { readonly id: string; readonly found: FoundCall }[] = [];
  for await (const page of pages)
    for await (const slice of inSlices(page, ({ size }) => size))
      for (const [i, { call }] of (await readCallTextsInTurns(journal, slice)).entries())
        calls.push({ id: call.id, found: slice[i]! });
  const byStart = (a: FoundCall, b: FoundCall): number =>
    a.started === b.started ? 0 : a.started < b.started ? -1 : 1;
  const compare = (a: (typeof calls)[number], b: (typeof calls)[number]): number =>
    byStart(a.found, b.found) || compareText(a.id, b.id);
  return packed(await mergeSortCooperatively(calls, compare, { pause: timeSlice() }));
}

function packed(calls: readonly { readonly found: FoundCall }[]): Iterable<CallLocation> {
  const at = Float64Array.from(calls, ({ found }) => found.at);
  const size = Uint32Array.from(calls, ({ found }) => found.size);
  const crc = Uint32Array.from(calls, ({ found }) => found.crc);
  return {
    *[Symbol.iterator]() {
      for (let i = 0; i < at.length; i++) yield { at: at[i]!, size: size[i]!, crc: crc[i]!, deletedAt: null };
    },
  };
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
