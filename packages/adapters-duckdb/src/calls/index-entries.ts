// Index entries of calls while they are written, as the columns of the table: objects for each call would live just
// long enough to burden the garbage collector.

import { type Call, type CallLines, microseconds } from "@assay/calls";
import { idHash } from "../records/id-hash.ts";
import type { RecordLocation } from "../records/journal.ts";

/** Index entries of calls, for one version of one project. Hashes are from `idHash`; NaN stands for null. */
export interface IndexEntries {
  /** The project's number. */
  readonly project: number;
  /** The project's version that wrote them. */
  readonly version: number;
  readonly locations: readonly RecordLocation[];
  readonly idHashes: Float64Array;
  readonly parentHashes: Float64Array;
  readonly traceHashes: Float64Array;
  readonly opNames: readonly string[];
  /** Microseconds since 1970. */
  readonly started: Float64Array;
  readonly deletedAt: readonly (string | null)[];
}

/** Calls that are written together, with the hashes of their ids and their locations. */
interface WrittenCalls {
  readonly project: number;
  readonly version: number;
  /** The store's seed for hashes. */
  readonly seed: number;
  readonly calls: readonly { readonly item: { readonly call: Call }; readonly idHash: number }[];
  readonly locations: readonly RecordLocation[];
}

/** The index entries of calls. */
export function indexEntriesOf({ project, version, seed, calls, locations }: WrittenCalls): IndexEntries {
  const numbers = (): Float64Array => new Float64Array(calls.length).fill(Number.NaN);
  const [idHashes, parentHashes, traceHashes, started] = [numbers(), numbers(), numbers(), numbers()];
  const opNames: string[] = [];
  const deletedAt: (string | null)[] = [];
  // Calls of one trace are mostly consecutive.
  let trace: { readonly id: string; readonly hash: number } | undefined;
  for (const [i, { item, idHash: hash }] of calls.entries()) {
    const { parent_id, trace_id, op_name, started_at, deleted_at } = item.call;
    idHashes[i] = hash;
    if (parent_id !== null) parentHashes[i] = idHash(parent_id, project, seed);
    if (trace_id !== null) {
      if (trace?.id !== trace_id) trace = { id: trace_id, hash: idHash(trace_id, project, seed) };
      traceHashes[i] = trace.hash;
    }
    started[i] = microseconds(started_at);
    opNames.push(op_name);
    deletedAt.push(deleted_at);
  }
  return { project, version, locations, idHashes, parentHashes, traceHashes, opNames, started, deletedAt };
}

/** The index entries of calls given as lines that this process built. */
export function indexEntriesOfLines({
  calls,
  idHashes,
  ...written
}: Omit<WrittenCalls, "calls"> & {
  readonly calls: readonly CallLines[];
  readonly idHashes: readonly number[];
}): IndexEntries {
  const { project, version, seed, locations } = written;
  const [parentHashes, started] = [new Float64Array(locations.length), new Float64Array(locations.length)];
  const opNames: string[] = [];
  for (const some of calls) {
    const from = opNames.length;
    for (let i = 0; i < some.started.length; i++) opNames.push(some.opName);
    parentHashes.fill(idHash(some.root, project, seed), from, opNames.length);
    started.set(some.started, from);
  }
  const deletedAt = new Array<null>(locations.length).fill(null);
  const ids = Float64Array.from(idHashes);
  const shared = { project, version, locations, parentHashes, opNames, started, deletedAt };
  return { ...shared, idHashes: ids, traceHashes: parentHashes };
}
