// Reads calls, mostly in order of their start, for export and for clients that list calls.

import { compareText, lruCache, timeSlice } from "@assay/base/internal";
import type { CallOrder, CallScan, CallScope, KeptCall } from "@assay/calls";
import { mergeSortCooperatively } from "@assay/trace-core/store-parts";
import type { Database } from "../database/database.ts";
import type { Projects } from "../database/projects.ts";
import { idHash } from "../records/id-hash.ts";
import type { Journal } from "../records/journal.ts";
import { inSlices } from "../records/read-in-turns.ts";
import {
  countCalls,
  type FoundCall,
  findAfter,
  findOpNames,
  findSkipped,
  findStartedAt,
  type HashScope,
  orderOf,
} from "./call-index.ts";
import { type CallLocation, readCallTextsInTurns, readIdsInTurns } from "./call-text.ts";

// How many calls are looked up together, and of those that started at one instant, like all of an import without times.
const [PAGE, AT_INSTANT] = [2048, 16_384];

/** The memory for orders of calls, in bytes, and what a location takes. */
const [ORDERS_KEPT, LOCATION] = [16 * 2 ** 20, 16];

/** Locations of live calls. */
interface Locations extends Iterable<CallLocation> {
  readonly length: number;
}

/** Scans the calls of a database. */
export function callScan(database: Database, journal: Journal, projects: Projects, seed: number): CallScan {
  const orders = lruCache<string, Locations>(ORDERS_KEPT, ({ length }) => length * LOCATION);

  const hashScope = async (project: number, scope: CallScope): Promise<HashScope> => {
    const { ids, traceIds, parentIds, opNames, ...others } = scope;
    const hash = (id: string): number => idHash(id, project, seed);
    return {
      ...others,
      opNames: opNames && (await findOpNames(database, project, opNames)),
      ids: ids?.map(hash),
      traces: traceIds?.map(hash),
      parents: parentIds?.map(hash),
    };
  };

  /** All calls that started at one instant, in the order they were written. */
  async function* startedAt(project: number, scope: HashScope, at: number): AsyncGenerator<FoundCall[]> {
    for (let behind = -1; ; ) {
      const page = await findStartedAt(database, project, scope, { at, behind, limit: AT_INSTANT });
      if (page.length > 0) yield page;
      if (page.length < AT_INSTANT) return;
      behind = page.at(-1)!.at;
    }
  }

  const scan: CallScan["scan"] = async function* (name, scope = {}, { order = "oldest", skip = 0 } = {}) {
    const project = projects.find(name);
    if (project === undefined) return;
    const { number } = project;
    const hashes = await hashScope(number, scope);
    const fits = inScope(scope);
    const exact = isExact(hashes);
    let [after, left] = exact
      ? await findSkipped(database, number, hashes, order, skip)
      : [Number.NEGATIVE_INFINITY, skip];
    async function* texts(founds: Iterable<CallLocation>): AsyncGenerator<KeptCall[]> {
      const rest = exact ? dropped(founds) : founds;
      for await (const slice of inSlices(rest, ({ size }) => size)) {
        const calls = (await readCallTextsInTurns(journal, slice)).filter(fits);
        if (left < calls.length) yield calls.slice(left);
        left = Math.max(0, left - calls.length);
      }
    }
    function* dropped(founds: Iterable<CallLocation>): Generator<CallLocation> {
      for (const found of founds) {
        if (left === 0) yield found;
        else left--;
      }
    }
    /** The calls that started at one instant, in order. Clients read a long list page by page. */
    const instant = async (at: number): Promise<Iterable<CallLocation>> => {
      const key = exact ? JSON.stringify([number, project.version, at, hashes]) : undefined;
      const known = key === undefined ? undefined : orders.get(key);
      if (known !== undefined) return known;
      const ordered = await inOrderOfId(journal, startedAt(number, hashes, at), order);
      if (key !== undefined && ordered.length > PAGE) orders.set(key, ordered);
      return ordered;
    };

    while (after < Number.POSITIVE_INFINITY) {
      const page = await findAfter(database, number, hashes, { order, after, limit: PAGE });
      if (page.length === 0) return;
      if (order === "any") {
        after = page.at(-1)!.at;
        yield* texts(page);
        continue;
      }
      // More calls may have the last start of a page than fit on it, so all calls with that start are read
      // separately.
      const last = page.at(-1)!;
      after = orderOf(last, order);
      const before = page.filter(({ started }) => started !== last.started);
      const starts = new Set(before.map(({ started }) => started));
      yield* texts(starts.size === before.length ? before : await inOrderOfId(journal, [before], order));
      yield* texts(await instant(last.started));
    }
  };

  return {
    scan,

    async count(name, scope = {}) {
      const project = projects.find(name);
      if (project === undefined) return 0;
      const hashes = await hashScope(project.number, scope);
      if (isExact(hashes)) return countCalls(database, project.number, hashes);
      let count = 0;
      for await (const calls of scan(name, scope, { order: "any" })) count += calls.length;
      return count;
    },
  };
}

/** Whether the index decides which calls are in scope. Two ids may have the same hash, so such calls are read. */
function isExact({ ids, traces, parents }: HashScope): boolean {
  return ids === undefined && traces === undefined && parents === undefined;
}

/** Calls in this order, then by id. A waiting scan holds sixteen bytes per call, however many there are. */
async function inOrderOfId(
  journal: Journal,
  pages: AsyncIterable<readonly FoundCall[]> | Iterable<readonly FoundCall[]>,
  order: CallOrder,
): Promise<Locations> {
  const calls: { readonly id: string; readonly found: FoundCall }[] = [];
  for await (const page of pages)
    for await (const slice of inSlices(page, ({ size }) => size))
      for (const [i, id] of (await readIdsInTurns(journal, slice)).entries())
        calls.push({ id, found: slice[i]! });
  const compare = (a: (typeof calls)[number], b: (typeof calls)[number]): number => {
    if (a.found.started === b.found.started) return compareText(a.id, b.id);
    return orderOf(a.found, order) < orderOf(b.found, order) ? -1 : 1;
  };
  return packed(await mergeSortCooperatively(calls, compare, { pause: timeSlice() }));
}

function packed(calls: readonly { readonly found: FoundCall }[]): Locations {
  const at = Float64Array.from(calls, ({ found }) => found.at);
  const size = Uint32Array.from(calls, ({ found }) => found.size);
  const crc = Uint32Array.from(calls, ({ found }) => found.crc);
  return {
    length: calls.length,
    *[Symbol.iterator]() {
      for (let i = 0; i < at.length; i++) yield { at: at[i]!, size: size[i]!, crc: crc[i]!, deletedAt: null };
    },
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
