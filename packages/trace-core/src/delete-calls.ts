import type { CallScope } from "@assay/calls";
import type { CallStore } from "./ports/call-store.ts";
import { checkWanted, giveWay, type Reading } from "./reading.ts";
import { type TraceCall, unknownCall } from "./trace-call.ts";

const IDS_AT_ONCE = 1000;
/** Levels that are asked for one by one. What is below them is looked for in the whole traces. */
const LEVELS = 16;

/**
 * Deletes these calls and everything below them, at `now`. Gives how many calls that is. In one put: where a store
 * writes all of it or none, a reader never sees a parent gone and its children still there. `reading` says how others are
 * let run meanwhile; until the put, a client that leaves ends it, and nothing was deleted.
 */
export async function deleteCalls(
  store: CallStore,
  project: string,
  ids: readonly string[],
  now: string,
  reading: Reading = {},
): Promise<number> {
  const live = (await store.get(project, [...new Set(ids)])).filter((call) => call !== undefined);
  const doomed = new Set<string>();
  const traces = new Traces();
  // A cycle of parents ends because no call is visited twice.
  const fresh = (found: Iterable<Placed>): Placed[] => {
    const own: Placed[] = [];
    for (const call of found) {
      if (doomed.has(call.id)) continue;
      doomed.add(call.id);
      own.push(call);
    }
    return own;
  };
  const scan = async (scope: CallScope, take: (call: TraceCall) => void): Promise<void> => {
    for await (const calls of store.scan(project, scope)) {
      for (const call of calls) take(call);
      await giveWay(reading);
    }
  };

  let level = fresh(live);
  for (let i = 0; level.length > 0; i++) {
    checkWanted(reading);
    if (i >= LEVELS) {
      const traceIds = traces.unread(level);
      if (traceIds.length > 0) await scan({ traceIds }, (call) => traces.add(call));
      // Grows as it is walked.
      for (const { id } of level) for (const call of fresh(traces.below(id))) level.push(call);
    }
    // Children in the same trace are known by now, and one may be in another.
    const below: Placed[] = [];
    for (let from = 0; from < level.length; from += IDS_AT_ONCE) {
      const parentIds = level.slice(from, from + IDS_AT_ONCE).map(({ id }) => id);
      await scan({ parentIds }, (call) => below.push(placed(call)));
    }
    level = fresh(below);
  }
  await store.put(
    Array.from(doomed, (id) => ({ ...unknownCall(project, id), deleted_at: now })),
    reading,
  );
  return doomed.size;
}

/** A call, and the trace that it is in. */
type Placed = Pick<TraceCall, "id" | "trace_id">;

const placed = ({ id, trace_id }: TraceCall): Placed => ({ id, trace_id });

/** Traces that were read: which calls are below which. */
class Traces {
  readonly #read = new Set<string>();
  readonly #below = new Map<string, Placed[]>();

  /** The traces of these calls that are not read yet; they are from now on. */
  unread(calls: readonly Placed[]): string[] {
    const before = this.#read.size;
    for (const { trace_id: trace } of calls) if (trace !== null) this.#read.add(trace);
    return [...this.#read].slice(before);
  }

  add(call: TraceCall): void {
    if (call.parent_id === null) return;
    const siblings = this.#below.get(call.parent_id);
    if (siblings === undefined) this.#below.set(call.parent_id, [placed(call)]);
    else siblings.push(placed(call));
  }

  below(id: string): readonly Placed[] {
    return this.#below.get(id) ?? [];
  }
}
