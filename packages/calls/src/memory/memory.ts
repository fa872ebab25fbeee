// Sources in memory: for evaluations in the same process, tests and examples.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import {
  type Call,
  type CallInput,
  type CallTree,
  MAX_CALL_DEPTH,
  nestsDeeper,
  readCall,
} from "../call/call.ts";
import { LineCall } from "../call/line-call.ts";
import type { CallSource } from "../ports/call-source.ts";
import type { RowSource } from "../ports/row-source.ts";
import type { DatasetRow } from "../row/dataset-row.ts";
import { rowIdOf } from "../row/row-digest.ts";
import { ChildIndex } from "./child-index.ts";

/** Calls in memory, and how to add and delete them. */
export interface MemoryCalls extends CallSource {
  /**
   * Adds calls to a project; a call with an existing id replaces it. If any of them is not a call, none is added (issue
   * path: its index and key; codes: `readCall`'s). The calls must not be changed afterwards.
   */
  put(project: string, calls: readonly CallInput[]): Result<number>;
  /** The same from lines of JSON, one call each. The lines are kept, and parsed again on access. */
  putLines(project: string, lines: readonly string[]): Result<number>;
  /** Marks calls as deleted, at an ISO 8601 time. Unknown ids are ignored. */
  delete(project: string, ids: readonly string[], at: string): void;
}

interface Project {
  readonly families: ChildIndex;
  /** Calls by number; undefined for one that is only known as a parent. */
  readonly calls: (Call | undefined)[];
  /** The number of the call written by each version: version v is `log[v - 1]`. */
  readonly log: number[];
  /** The version at which a call last changed its parent. */
  movedAt: number;
}

/**
 * Keeps calls in memory. The `initial` calls belong to every project that nothing was added to, so that a process with
 * one project need not name it. Throws a TypeError if one of them is not a call.
 */
export function memoryCalls(initial: readonly CallInput[] = []): MemoryCalls {
  const projects = new Map<string, Project>();
  const unnamed = emptyProject();

  const find = (name: string): Project => projects.get(name) ?? unnamed;
  const open = (name: string): Project => {
    const project = projects.get(name) ?? emptyProject();
    projects.set(name, project);
    return project;
  };

  const source: MemoryCalls = {
    retains: true,
    put: (name, calls) => writeAll(() => open(name), calls, readShallowCall),
    putLines: (name, lines) => writeAll(() => open(name), lines, LineCall.read),
    delete(name, ids, at) {
      const project = open(name);
      for (const id of ids) {
        const call = callWithId(project, id);
        if (call !== undefined)
          write(project, call instanceof LineCall ? call.deleted(at) : { ...call, deleted_at: at });
      }
    },
    version: (name) => find(name).log.length,
    calls(name, ids) {
      const project = find(name);
      return ids.map((id) => {
        const call = callWithId(project, id);
        if (call === undefined || call.deleted_at !== null) return undefined;
        return call instanceof LineCall ? call.whole() : call;
      });
    },
    async *trees(name, root) {
      const project = find(name);
      const number = project.families.find(root);
      if (number === undefined) return;
      const children = project.families.childrenOf(number);
      for (const some of inBatches(children, (child) => treeOf(project, child)))
        yield some.filter(({ call }) => call.deleted_at === null);
    },
    changes(name, root, since) {
      const project = find(name);
      const { families, log } = project;
      if (project.movedAt > since) return undefined;
      const number = families.find(root);
      if (number === undefined) return [];
      const changed = new Set<number>();
      for (let v = since; v < log.length; v++) {
        const parent = families.parentOf(log[v]!);
        if (parent === number) changed.add(log[v]!);
        else if (parent !== -1 && families.parentOf(parent) === number) changed.add(parent);
      }
      return inBatches([...changed], (child) => treeOf(project, child));
    },
  };

  const put = writeAll(() => unnamed, initial, readShallowCall);
  if (!put.ok) throw new TypeError(wrongCalls(put.issues));
  return source;
}

const BATCH = 1024;

function* inBatches(
  children: readonly number[],
  treeOf: (child: number) => CallTree,
): Generator<readonly CallTree[]> {
  for (let i = 0; i < children.length; i += BATCH) yield children.slice(i, i + BATCH).map(treeOf);
}

/** The issues of calls, with a hint for users who have other data. */
function wrongCalls(issues: readonly Issue[]): string {
  const faults = issues.map(({ path, message }) => `call ${path.join(".")}: ${message}`).join("; ");
  return `${faults}; for a table of answers there is fromTable, and evaluation for trials one by one`;
}

function emptyProject(): Project {
  return { families: new ChildIndex(), calls: [], log: [], movedAt: 0 };
}

function writeAll<Item>(
  target: () => Project,
  items: readonly Item[],
  read: (item: Item) => Result<Call>,
): Result<number> {
  const calls: Call[] = [];
  for (const [i, item] of items.entries()) {
    const call = read(item);
    if (!call.ok) return bad(call.issues.map((issue) => ({ ...issue, path: [i, ...issue.path] })));
    calls.push(call.value);
  }
  const project = target();
  for (const call of calls) write(project, call);
  return ok(calls.length);
}

function write(project: Project, call: Call): void {
  const { families, calls, log } = project;
  const number = families.name(call.id);
  log.push(number);
  if (families.join(number, call.parent_id)) project.movedAt = log.length;
  // Filled in numeric order: an array with holes would be slow.
  while (calls.length < families.size) calls.push(undefined);
  calls[number] = call;
}

function callWithId({ families, calls }: Project, id: string): Call | undefined {
  const number = families.find(id);
  return number === undefined ? undefined : calls[number];
}

/** An existing call, with its live children. */
function treeOf({ families, calls }: Project, number: number): CallTree {
  const children: Call[] = [];
  for (const child of families.childrenOf(number)) {
    const call = calls[child]!;
    if (call.deleted_at === null) children.push(call);
  }
  return { call: calls[number]!, children };
}

function readShallowCall(value: unknown): Result<Call> {
  return nestsDeeper(value as Json, MAX_CALL_DEPTH)
    ? bad([{ code: "too_deep", path: [], message: `nested deeper than ${MAX_CALL_DEPTH} levels` }])
    : readCall(value);
}

/** Dataset rows in memory, and how to add them. */
export interface MemoryRows extends RowSource {
  /** Adds rows to a project; a row with an existing digest or reference replaces it. */
  put(project: string, rows: readonly DatasetRow[]): void;
}

/** Keeps dataset rows in memory. The `initial` rows belong to every project, as in `memoryCalls`. */
export function memoryRows(initial: readonly DatasetRow[] = []): MemoryRows {
  interface Rows {
    version: number;
    readonly rows: Map<string, Json>;
  }
  const projects = new Map<string, Rows>();
  const unnamed: Rows = { version: 0, rows: new Map() };

  const add = (project: Rows, rows: readonly DatasetRow[]): void => {
    for (const { digest, val, ref } of rows) project.rows.set(ref ?? digest, val);
    project.version += rows.length;
  };
  add(unnamed, initial);

  return {
    put(name, rows) {
      const project = projects.get(name) ?? { version: 0, rows: new Map() };
      projects.set(name, project);
      add(project, rows);
    },
    version: (name) => (projects.get(name) ?? unnamed).version,
    rows(name, refs) {
      const { rows } = projects.get(name) ?? unnamed;
      return refs.map((ref) => (rows.has(ref) ? rows.get(ref) : rows.get(rowIdOf(ref) ?? ref)));
    },
  };
}
