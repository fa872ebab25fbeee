import type { CallScope } from "@assay/calls";
import type { CallStore } from "../ports/call-store.ts";
import { type ReadContext, throwIfCancelled, yieldNow } from "../ports/read-context.ts";
import { type TraceCall, unknownCall } from "../ports/trace-call.ts";

const IDS_AT_ONCE = 1000;
/** The number of levels that are queried one by one. Deeper calls are looked up in their whole traces. */
const LEVELS = 16;

/**
 * Deletes these calls and everything below them, at `now`. Returns the number of deleted calls. They are deleted in
 * one put: in a store that writes all of it or none, readers never see a deleted parent whose children still exist.
 * `reading` lets other work run; a client that disconnects before the put cancels the deletion.
 */
export async function deleteCalls(
  store: CallStore,
  project: string,
  ids: readonly string[],
  now: string,
  reading: ReadContext = {},
): Promise<number> {
  const live = (await store.get(project, [...new Set(ids)])).filter((call) => call !== undefined);
  const deleted = new Set<string>();
  const traces = new Traces();
  // Cycles of parents end, because no call is visited twice.
  const fresh = (found: Iterable<CallKey>): CallKey[] => {
    const own: CallKey[] = [];
    for (const call of found) {
      if (deleted.has(call.id)) continue;
      deleted.add(call.id);
      own.push(call);
    }
    return own;
  };
  const scan = async (scope: CallScope, take: (call: TraceCall) => void): Promise<void> => {
    for await (const calls of store.scan(project, scope)) {
      for (const call of calls) take(call);
      await yieldNow(reading);
    }
  };

  let level = fresh(live);
  for (let i = 0; level.length > 0; i++) {
    throwIfCancelled(reading);
    if (i >= LEVELS) {
      const traceIds = traces.unread(level);
      if (traceIds.length > 0) await scan({ traceIds }, (call) => traces.add(call));
      // Grows while it is walked.
      for (const { id } of level) for (const call of fresh(traces.below(id))) level.push(call);
    }
    // Children in the same trace are known by now; one may be in another trace.
    const below: CallKey[] = [];
    for (let from = 0; from < level.length; from += IDS_AT_ONCE) {
      const parentIds = level.slice(from, from + IDS_AT_ONCE).map(({ id }) => id);
      await scan({ parentIds }, (call) => below.push(callKey(call)));
    }
    level = fresh(below);
  }
  await store.put(
    Array.from(deleted, (id) => ({ ...unknownCall(project, id), deleted_at: now })),
    reading,
  );
  return deleted.size;
}

/** A call with its trace. */
type CallKey = Pick<TraceCall, "id" | "trace_id">;

const callKey = ({ id, trace_id }: TraceCall): CallKey => ({ id, trace_id });

/** Traces that were read: the children of their calls. */
class Traces {
  readonly #read = new Set<string>();
  readonly #below = new Map<string, CallKey[]>();

  /** The traces of these calls that have not been read; marks them as read. */
  unread(calls: readonly CallKey[]): string[] {
    const before = this.#read.size;
    for (const { trace_id: trace } of calls) if (trace !== null) this.#read.add(trace);
    return [...this.#read].slice(before);
  }

  add(call: TraceCall): void {
    if (call.parent_id === null) return;
    const siblings = this.#below.get(call.parent_id);
    if (siblings === undefined) this.#below.set(call.parent_id, [callKey(call)]);
    else siblings.push(callKey(call));
  }

  below(id: string): readonly CallKey[] {
    return this.#below.get(id) ?? [];
  }
}
