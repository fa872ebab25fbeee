// Stores in memory: for tests, examples and single-process use. Their content ends with the process.

import type { Json } from "@assay/base";
import { compareText } from "@assay/base/internal";
import { type CallSource, memoryRows, memoryStore, microseconds, type RowSource } from "@assay/calls";
import { callStoreOver } from "./calls/call-store-over.ts";
import type { CallStore } from "./ports/call-store.ts";
import type { CostStore, TokenCost } from "./ports/cost-store.ts";
import type { Feedback, FeedbackStore } from "./ports/feedback-store.ts";
import type { FileStore } from "./ports/file-store.ts";
import type { NumberedVersion, ObjectStore } from "./ports/object-store.ts";
import type { TraceStores } from "./ports/stores.ts";
import type { TableStore } from "./ports/table-store.ts";

const BATCH = 1000;

/** Stores in memory, which the evaluation engine can also read. */
export interface MemoryTraceStores extends TraceStores {
  /** Calls, for clients and for the engine. */
  readonly calls: CallStore & CallSource;
  /** Tables, and the dataset rows that the engine resolves. */
  readonly tables: TableStore & RowSource;
}

/** Empty stores in memory. */
export function memoryTraceStores(): MemoryTraceStores {
  return {
    calls: memoryCallStore(),
    objects: memoryObjectStore(),
    tables: memoryTableStore(),
    files: memoryFileStore(),
    feedback: memoryFeedbackStore(),
    costs: memoryCostStore(),
  };
}

/** Keeps calls in memory. */
export function memoryCallStore(): CallStore & CallSource {
  const { calls } = memoryStore();
  const { version, trees, changes } = calls;
  return { ...callStoreOver(calls), version, calls: calls.calls, trees, changes, retains: true };
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
      return wanted
        .sort(compareText)
        .flatMap((object) => all.get(object) ?? [])
        .map(({ val: _, ...head }) => head);
    },

    async values(project, heads) {
      return heads.map(({ object_id, digest }) => {
        const versions = projects.get(project)?.get(object_id) ?? [];
        return versions.find((version) => version.digest === digest)?.val ?? null;
      });
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
  const projects = new Map<string, Map<string, readonly Uint8Array[]>>();

  return {
    async put(project, digest, pieces) {
      entry(projects, project, () => new Map<string, readonly Uint8Array[]>()).set(digest, pieces);
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

/** Keeps token costs in memory. */
export function memoryCostStore(): CostStore {
  const projects = new Map<string, Map<string, TokenCost>>();

  return {
    async put(costs) {
      for (const cost of costs)
        entry(projects, cost.project_id, () => new Map<string, TokenCost>()).set(cost.id, cost);
    },
    async all(project) {
      return [...(projects.get(project)?.values() ?? [])].sort(
        (a, b) => microseconds(a.created_at) - microseconds(b.created_at) || compareText(a.id, b.id),
      );
    },
    async remove(project, ids) {
      for (const id of ids) projects.get(project)?.delete(id);
    },
  };
}

/** The value under `key`, created if it is missing. */
function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
