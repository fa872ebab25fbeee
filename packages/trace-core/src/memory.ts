// Stores that keep everything in memory: for tests, examples and single-process use. Nothing outlives the process.

import { compareText, type Json } from "@assay/base";
import {
  type CallScope,
  type CallSource,
  memoryCalls,
  memoryRows,
  microseconds,
  type RowSource,
} from "@assay/calls";
import type { CallStore } from "./ports/call-store.ts";
import type { Feedback, FeedbackStore } from "./ports/feedback-store.ts";
import type { FileStore } from "./ports/file-store.ts";
import type { NumberedVersion, ObjectStore } from "./ports/object-store.ts";
import type { TableStore } from "./ports/table-store.ts";
import type { TraceStores } from "./stores.ts";
import { joinCalls, type TraceCall } from "./trace-call.ts";

const BATCH = 1000;

/** Stores in memory, which the evaluation engine can read as well. */
export interface MemoryTraceStores extends TraceStores {
  /** Calls, for clients and for the engine. */
  readonly calls: CallStore & CallSource;
  /** Tables, and the dataset rows that the engine resolves. */
  readonly tables: TableStore & RowSource;
}

/** Fresh, empty stores in memory. */
export function memoryTraceStores(): MemoryTraceStores {
  return {
    calls: memoryCallStore(),
    objects: memoryObjectStore(),
    tables: memoryTableStore(),
    files: memoryFileStore(),
    feedback: memoryFeedbackStore(),
  };
}

/** Keeps calls in memory. */
export function memoryCallStore(): CallStore & CallSource {
  const projects = new Map<string, Map<string, TraceCall>>();
  const source = memoryCalls();

  return {
    version: source.version,
    calls: source.calls,
    trees: source.trees,
    changes: source.changes,
    retains: true,

    async put(pieces) {
      const joined = new Map<string, Map<string, TraceCall>>();
      for (const piece of pieces) {
        const calls = entry(joined, piece.project_id, () => new Map());
        const known = calls.get(piece.id) ?? projects.get(piece.project_id)?.get(piece.id);
        calls.set(piece.id, known === undefined ? piece : joinCalls(known, piece));
      }
      for (const [project, calls] of joined) {
        const put = source.put(project, [...calls.values()]);
        if (!put.ok) throw new Error(`a call that is none was put: ${put.issues[0]!.message}`);
        const kept = entry(projects, project, () => new Map<string, TraceCall>());
        for (const [id, call] of calls) kept.set(id, call);
      }
    },

    async get(project, ids) {
      return ids.map((id) => {
        const call = projects.get(project)?.get(id);
        return call?.deleted_at === null ? call : undefined;
      });
    },

    async *scan(project, scope) {
      const fits = inScope(scope);
      const calls = [...(projects.get(project)?.values() ?? [])].filter(fits).sort(byStart);
      for (let i = 0; i < calls.length; i += BATCH) yield calls.slice(i, i + BATCH);
    },
  };
}

function inScope({ ids, traceIds, parentIds, rootsOnly }: CallScope): (call: TraceCall) => boolean {
  const [among, traces, parents] = [ids, traceIds, parentIds].map((list) => list && new Set(list));
  return ({ id, trace_id, parent_id, deleted_at }) =>
    deleted_at === null &&
    (among === undefined || among.has(id)) &&
    (traces === undefined || (trace_id !== null && traces.has(trace_id))) &&
    (parents === undefined || (parent_id !== null && parents.has(parent_id))) &&
    (rootsOnly !== true || parent_id === null);
}

function byStart(a: TraceCall, b: TraceCall): number {
  const [x, y] = [microseconds(a.started_at), microseconds(b.started_at)];
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return x < y ? -1 : x > y ? 1 : compareText(a.id, b.id);
}

/** Keeps versions of objects in memory. */
export function memoryObjectStore(): ObjectStore {
  const projects = new Map<string, Map<string, NumberedVersion[]>>();

  return {
    async put(version) {
      const objects = entry(projects, version.project_id, () => new Map<string, NumberedVersion[]>());
      const versions = entry(objects, version.object_id, () => []);
      const at = versions.findIndex(({ digest }) => digest === version.digest);
      const index = versions.filter(({ kind }) => kind === version.kind).length;
      if (at === -1) versions.push({ ...version, version_index: index });
      else versions[at] = { ...versions[at]!, deleted_at: null };
    },

    async versions(project, objects) {
      const all = projects.get(project);
      if (all === undefined) return [];
      const wanted = objects === undefined ? [...all.keys()] : [...new Set(objects)];
      return wanted.sort(compareText).flatMap((object) => all.get(object) ?? []);
    },

    async remove(project, object, digests, deletedAt) {
      const versions = projects.get(project)?.get(object) ?? [];
      for (const [i, version] of versions.entries()) {
        if (digests.includes(version.digest)) versions[i] = { ...version, deleted_at: deletedAt };
      }
    },
  };
}

/** Keeps tables in memory. */
export function memoryTableStore(): TableStore & RowSource {
  const tables = new Map<string, Map<string, readonly string[]>>();
  const rowsOf = new Map<string, Map<string, Json>>();
  const source = memoryRows();

  return {
    version: source.version,
    rows: source.rows,

    async put(project, digest, rowDigests, rows) {
      const kept = entry(rowsOf, project, () => new Map<string, Json>());
      const fresh = rows.filter((row) => !kept.has(row.digest));
      for (const row of fresh) kept.set(row.digest, row.val);
      source.put(project, fresh);
      entry(tables, project, () => new Map<string, readonly string[]>()).set(digest, [...rowDigests]);
    },

    async table(project, digest) {
      return tables.get(project)?.get(digest);
    },

    async rowValues(project, digests) {
      return digests.map((digest) => rowsOf.get(project)?.get(digest));
    },
  };
}

/** Keeps files in memory. */
export function memoryFileStore(): FileStore {
  const projects = new Map<string, Map<string, Uint8Array>>();

  return {
    async put(project, digest, bytes) {
      entry(projects, project, () => new Map<string, Uint8Array>()).set(digest, bytes);
    },
    async get(project, digest) {
      return projects.get(project)?.get(digest);
    },
  };
}

/** Keeps feedback in memory. */
export function memoryFeedbackStore(): FeedbackStore {
  const projects = new Map<string, Map<string, Feedback>>();

  return {
    async put(feedback) {
      for (const one of feedback)
        entry(projects, one.project_id, () => new Map<string, Feedback>()).set(one.id, one);
    },

    async *scan(project, refs) {
      const about = refs && new Set(refs);
      const found = [...(projects.get(project)?.values() ?? [])]
        .filter((one) => about === undefined || about.has(one.weave_ref))
        .sort((a, b) => microseconds(a.created_at) - microseconds(b.created_at) || compareText(a.id, b.id));
      for (let i = 0; i < found.length; i += BATCH) yield found.slice(i, i + BATCH);
    },

    async remove(project, ids) {
      for (const id of ids) projects.get(project)?.delete(id);
    },
  };
}

/** The value under `key`, made when it is not there. */
function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
