// Sources that keep everything in memory: for evaluations that live in the calling process, for tests and examples.

import { bad, type Json, ok, type Result } from "@assay/base";
import { type Call, type CallTree, MAX_CALL_DEPTH, nestsDeeper, readCall, readCallLine } from "./call.ts";
import type { CallSource } from "./ports/call-source.ts";
import type { RowSource } from "./ports/row-source.ts";
import { rowIdOf } from "./row-digest.ts";

/** Calls in memory, and how they get there. */
export interface MemoryCalls extends CallSource {
  /**
   * Adds calls to a project; one with an id that is there replaces it. All or none: when any is no call (issue path:
   * its index and key, codes as `readCall`), nothing is added. The calls must not be changed afterwards.
   */
  put(project: string, calls: readonly unknown[]): Result<number>;
  /** The same from lines of JSON, one call each. */
  putLines(project: string, lines: readonly string[]): Result<number>;
  /** Marks calls as deleted, at an ISO 8601 time. Ids that are not there are ignored. */
  delete(project: string, ids: readonly string[], at: string): void;
}

interface Project {
  readonly calls: Map<string, Call>;
  /** Ids of children by parent, in the order they came. */
  readonly children: Map<string, string[]>;
  /** The id written by each version: version v is `log[v - 1]`. */
  readonly log: string[];
  /** The version at which a call last changed its parent. */
  movedAt: number;
}

/**
 * Keeps calls in memory. The calls given at once are those of every project that nothing else was put into, so that
 * a process with one project need not name it. Throws a TypeError when one of them is no call.
 */
export function memoryCalls(initial: readonly unknown[] = []): MemoryCalls {
  const projects = new Map<string, Project>();
  const unnamed = emptyProject();

  const find = (name: string): Project => projects.get(name) ?? unnamed;
  const open = (name: string): Project => {
    const project = projects.get(name) ?? emptyProject();
    projects.set(name, project);
    return project;
  };

  const write = (project: Project, call: Call): void => {
    const before = project.calls.get(call.id);
    project.calls.set(call.id, call);
    project.log.push(call.id);
    if (before !== undefined && before.parent_id !== null && before.parent_id !== call.parent_id) {
      const left = project.children.get(before.parent_id)!;
      left.splice(left.indexOf(call.id), 1);
      project.movedAt = project.log.length;
    }
    if (call.parent_id === null || (before !== undefined && before.parent_id === call.parent_id)) return;
    const siblings = project.children.get(call.parent_id);
    if (siblings === undefined) project.children.set(call.parent_id, [call.id]);
    else siblings.push(call.id);
  };

  const writeAll = <Item>(
    target: () => Project,
    items: readonly Item[],
    read: (item: Item) => Result<Call>,
  ): Result<number> => {
    const calls: Call[] = [];
    for (const [i, item] of items.entries()) {
      const call = read(item);
      if (!call.ok) return bad(call.issues.map((issue) => ({ ...issue, path: [i, ...issue.path] })));
      calls.push(call.value);
    }
    const project = target();
    for (const call of calls) write(project, call);
    return ok(calls.length);
  };

  const childrenOf = (project: Project, parent: string): Call[] => {
    const found: Call[] = [];
    for (const id of project.children.get(parent) ?? []) {
      const call = project.calls.get(id)!;
      if (call.deleted_at === null) found.push(call);
    }
    return found;
  };
  const treeOf = (project: Project, call: Call): CallTree => ({
    call,
    children: childrenOf(project, call.id),
  });

  const source: MemoryCalls = {
    retains: true,
    put: (name, calls) => writeAll(() => open(name), calls, readShallowCall),
    putLines: (name, lines) => writeAll(() => open(name), lines, readCallLine),
    delete(name, ids, at) {
      const project = open(name);
      for (const id of ids) {
        const call = project.calls.get(id);
        if (call !== undefined) write(project, { ...call, deleted_at: at });
      }
    },
    version: (name) => find(name).log.length,
    calls(name, ids) {
      const project = find(name);
      return ids.map((id) => {
        const call = project.calls.get(id);
        return call?.deleted_at === null ? call : undefined;
      });
    },
    async *trees(name, root) {
      const project = find(name);
      const roots = childrenOf(project, root);
      for (let i = 0; i < roots.length; i += 1024) {
        yield roots.slice(i, i + 1024).map((call) => treeOf(project, call));
      }
    },
    changes(name, root, since) {
      const project = find(name);
      if (project.movedAt > since) return undefined;
      const changed = new Map<string, Call>();
      for (let v = since; v < project.log.length; v++) {
        const call = project.calls.get(project.log[v]!)!;
        const parent = call.parent_id === null ? undefined : project.calls.get(call.parent_id);
        if (call.parent_id === root) changed.set(call.id, call);
        else if (parent?.parent_id === root) changed.set(parent.id, parent);
      }
      return [...changed.values()].map((call) => treeOf(project, call));
    },
  };

  const put = writeAll(() => unnamed, initial, readShallowCall);
  if (!put.ok) throw new TypeError(`call ${put.issues[0]!.path.join(".")}: ${put.issues[0]!.message}`);
  return source;
}

function emptyProject(): Project {
  return { calls: new Map(), children: new Map(), log: [], movedAt: 0 };
}

function readShallowCall(value: unknown): Result<Call> {
  return nestsDeeper(value as Json, MAX_CALL_DEPTH)
    ? bad([{ code: "too_deep", path: [], message: `nested deeper than ${MAX_CALL_DEPTH} levels` }])
    : readCall(value);
}

/** A dataset row: its value under its digest or, when given, under a whole reference. */
export interface DatasetRow {
  /** The id at the end of references to it; for content-addressed rows, `rowDigest(val)`. */
  readonly digest: string;
  /** The row itself. */
  readonly val: Json;
  /** The reference it resolves, `<ref of a dataset>/attr/rows/id/<digest>`, when it resolves that one alone. */
  readonly ref?: string;
}

/** Dataset rows in memory, and how they get there. */
export interface MemoryRows extends RowSource {
  /** Adds rows to a project; a row under a digest or reference that is there replaces it. */
  put(project: string, rows: readonly DatasetRow[]): void;
}

/** Keeps dataset rows in memory. The rows given at once are those of every project, as for `memoryCalls`. */
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
