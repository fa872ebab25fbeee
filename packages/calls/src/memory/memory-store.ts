// A store that keeps calls and dataset rows in memory and implements every port of a store: for tests, examples and
// single processes. Its content ends with the process.

import { atOnce, type Json, jsonText } from "@assay/base";
import { compareText, keepNumberText, parseJson } from "@assay/base/internal";
import { type Call, readCallLine } from "../call/call.ts";
import { microseconds } from "../call/timestamp.ts";
import { utf8Text } from "../encoding/utf8-text.ts";
import type { CallOrder, CallScan, CallScope } from "../ports/call-scan.ts";
import type { CallSource } from "../ports/call-source.ts";
import type { CallText, CallWriter, KeptCall } from "../ports/call-writer.ts";
import type { RowScan } from "../ports/row-scan.ts";
import type { RowSource } from "../ports/row-source.ts";
import type { RowWriter } from "../ports/row-writer.ts";
import type { DatasetRow } from "../row/dataset-row.ts";
import { rowIdOf } from "../row/row-digest.ts";
import { isSameCall, writePlan } from "../write-plan.ts";
import { memoryCalls } from "./memory.ts";

/** Calls and dataset rows in memory. */
export interface MemoryStore {
  /** Its calls. */
  readonly calls: CallSource & CallWriter & CallScan;
  /** Its dataset rows. */
  readonly rows: RowSource & RowWriter & RowScan;
}

/** Creates an empty store in memory. */
export function memoryStore(): MemoryStore {
  return { calls: storedCalls(), rows: storedRows() };
}

// The size of a scan's batches.
const BATCH = 1000;

function storedCalls(): MemoryStore["calls"] {
  const { put: keep, delete: mark, putLines: _, ...source } = memoryCalls();
  const projects = new Map<string, Map<string, KeptCall>>();
  const keptIn = (project: string) => projects.get(project) ?? new Map<string, KeptCall>();

  const put: CallWriter["put"] = async (project, calls, join) => {
    const kept = keptIn(project);
    const plan = writePlan<KeptCall, undefined>({
      find: (id) => kept.get(id),
      callOf: (stored) => stored,
      isSame: isSameCall,
    });
    for (const piece of calls) atOnce(plan.add(piece, undefined, join));
    const changes = plan.changes().map(({ item }) => keptCall(item));
    if (changes.length === 0) return 0;
    const done = keep(
      project,
      changes.map(({ call }) => call),
    );
    if (!done.ok) throw new Error(`an invalid call was put: ${done.issues[0]!.message}`);
    for (const item of changes) kept.set(item.call.id, item);
    projects.set(project, kept);
    return changes.length;
  };

  return {
    ...source,
    put,
    async putTogether(parts, join) {
      let changed = 0;
      for (const { project, calls } of parts) changed += await put(project, calls, join);
      return changed;
    },
    async delete(project, ids, at) {
      const kept = keptIn(project);
      const live = [...new Set(ids)].filter((id) => kept.get(id)?.call.deleted_at === null);
      if (live.length === 0) return 0;
      mark(project, live, at);
      for (const id of live) {
        const { call, text } = kept.get(id)!;
        kept.set(id, { call: deletedAt(call, at), text });
      }
      return live.length;
    },
    async *scan(project, scope = {}, { order = "oldest", skip = 0 } = {}) {
      const calls = inScope(keptIn(project), scope);
      if (order !== "any") calls.sort((a, b) => byStart(a.call, b.call, order));
      for (let i = skip; i < calls.length; i += BATCH) yield calls.slice(i, i + BATCH);
    },
    count: async (project, scope = {}) => inScope(keptIn(project), scope).length,
  };
}

/** A call with its payload, read from its text if needed. */
function keptCall({ call, text: given }: CallText): KeptCall {
  const text = utf8Text(given);
  const read = readCallLine(text);
  if (!read.ok) throw new Error(`an invalid call was put: ${read.issues[0]!.message}`);
  return { call: deletedAt(read.value, call.deleted_at), text };
}

/** The call with another time of deletion. A numeric output keeps its notation. */
function deletedAt(call: Call, at: string | null): Call {
  if (call.deleted_at === at) return call;
  const marked = { ...call, deleted_at: at };
  keepNumberText(call as unknown as Json, "output", marked, "output");
  return marked;
}

function inScope(kept: ReadonlyMap<string, KeptCall>, scope: CallScope): KeptCall[] {
  const { ids, traceIds, parentIds, rootsOnly, opNames, startedOnly } = scope;
  const [among, traces, parents] = [ids, traceIds, parentIds].map((list) => list && new Set(list));
  const isOp = (name: string): boolean | undefined =>
    opNames?.some((op) => (op.endsWith(":*") ? name.startsWith(op.slice(0, -1)) : name === op));
  return [...kept.values()].filter(
    ({ call: { id, trace_id, parent_id, op_name, started_at, deleted_at } }) =>
      deleted_at === null &&
      (among === undefined || among.has(id)) &&
      (traces === undefined || (trace_id !== null && traces.has(trace_id))) &&
      (parents === undefined || (parent_id !== null && parents.has(parent_id))) &&
      (rootsOnly !== true || parent_id === null) &&
      isOp(op_name) !== false &&
      (startedOnly !== true || op_name !== "" || !Number.isNaN(microseconds(started_at))),
  );
}

function byStart(a: Call, b: Call, order: CallOrder): number {
  const [x, y] = [microseconds(a.started_at), microseconds(b.started_at)];
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  if (x === y || Number.isNaN(x)) return compareText(a.id, b.id);
  return x < y === (order === "oldest") ? -1 : 1;
}

function storedRows(): MemoryStore["rows"] {
  interface Rows {
    version: number;
    /** Lines of JSON, by digest or reference. */
    readonly lines: Map<string, string>;
  }
  const projects = new Map<string, Rows>();
  const rowValueOf = (line: string | undefined): Json | undefined =>
    line === undefined ? undefined : (parseJson(line) as unknown as DatasetRow).val;

  return {
    version: (project) => projects.get(project)?.version ?? 0,
    rows(project, refs) {
      const lines = projects.get(project)?.lines;
      return refs.map((ref) => rowValueOf(lines?.get(ref) ?? lines?.get(rowIdOf(ref) ?? ref)));
    },
    async put(project, rows) {
      const kept = projects.get(project) ?? { version: 0, lines: new Map<string, string>() };
      projects.set(project, kept);
      let changed = 0;
      for (const { digest, val, ref } of rows) {
        const line = jsonText({ digest, ...(ref !== undefined && { ref }), val });
        if (kept.lines.get(ref ?? digest) === line) continue;
        kept.lines.set(ref ?? digest, line);
        changed++;
      }
      kept.version += changed;
      return changed;
    },
    async *scan(project, names) {
      const lines = projects.get(project)?.lines ?? new Map<string, string>();
      const found =
        names === undefined
          ? [...lines.values()]
          : [...new Set(names)].flatMap((name) => lines.get(name) ?? []);
      for (let i = 0; i < found.length; i += BATCH) yield found.slice(i, i + BATCH);
    },
  };
}
