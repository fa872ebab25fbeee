// The evaluation engine's view of the calls in ClickHouse: by ID, by tree, and by change.

import type { Call, CallSource, CallTree } from "@assay/calls";
import type { ClickHouse } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { Parameters } from "../sql/statement.ts";
import { callOf } from "./call-text.ts";

// The number of trees in memory at once.
const BATCH = 1000;
// The number of reported project versions that are remembered.
const REMEMBERED = 100;

/** Calls by ID, including deleted ones, and children by parent. */
export interface CallReader {
  /** The calls with these IDs, by ID. */
  read(project: string, ids: readonly string[]): Promise<ReadonlyMap<string, Call>>;
  /** The calls that are, or once were, children of these, with the version of that write. */
  children(project: string, parents: readonly string[]): Promise<readonly ChildEntry[]>;
}

/** One call under one parent. */
export interface ChildEntry {
  readonly parent: string;
  readonly id: string;
  readonly version: bigint;
  /** Whether it now has another parent. */
  readonly gone: boolean;
}

/** Reads calls from the tables of a database. */
export function callReader(clickhouse: ClickHouse, tables: Tables): CallReader {
  return {
    async read(project, ids) {
      const found = new Map<string, Call>();
      for (let at = 0; at < ids.length; at += BATCH) {
        const parameters = new Parameters();
        const [p, some] = [parameters.text(project), parameters.texts(ids.slice(at, at + BATCH))];
        const sql = `SELECT id, text, deleted_at FROM ${tables.calls} FINAL WHERE project = ${p} AND id IN ${some}`;
        for (const row of await clickhouse.query(parameters.statement(sql))) {
          const [id, text, deletedAt] = row as [string, string, string | null];
          found.set(id, callOf(id, text, deletedAt));
        }
      }
      return found;
    },
    async children(project, parents) {
      const found: ChildEntry[] = [];
      for (let at = 0; at < parents.length; at += BATCH) {
        const parameters = new Parameters();
        const [p, some] = [parameters.text(project), parameters.texts(parents.slice(at, at + BATCH))];
        const sql = `SELECT parent, id, toString(version), gone FROM ${tables.children} FINAL WHERE project = ${p} AND parent IN ${some}`;
        for (const row of await clickhouse.query(parameters.statement(sql))) {
          const [parent, id, version, gone] = row as [string, string, string, number];
          found.push({ parent, id, version: BigInt(version), gone: gone === 1 });
        }
      }
      return found;
    },
  };
}

/**
 * The calls of a database, for the engine. `settle` is the number of microseconds by which a write may arrive later
 * than its version indicates, because its writer's clock is behind or the write took long.
 */
export function callSource(clickhouse: ClickHouse, tables: Tables, settle: number): CallSource {
  const reader = callReader(clickhouse, tables);

  const treesOf = async (project: string, root: string, ids: readonly string[]): Promise<CallTree[]> => {
    const entries = (await reader.children(project, ids)).filter(({ gone }) => !gone);
    const calls = await reader.read(project, [...ids, ...entries.map(({ id }) => id)]);
    const children = new Map<string, Call[]>();
    for (const { parent, id } of entries) {
      const child = calls.get(id);
      if (child === undefined || child.deleted_at !== null || child.parent_id !== parent) continue;
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [child]);
      else siblings.push(child);
    }
    return ids.flatMap((id) => {
      const call = calls.get(id);
      return call?.parent_id === root ? [{ call, children: children.get(id) ?? [] }] : [];
    });
  };

  async function* treesInBatches(
    project: string,
    root: string,
    ids: readonly string[],
  ): AsyncGenerator<readonly CallTree[]> {
    for (let at = 0; at < ids.length; at += BATCH)
      yield await treesOf(project, root, ids.slice(at, at + BATCH));
  }

  // The versions of calls when a version of the project was reported. The project's version is the number of writes,
  // whose order does not depend on clocks.
  const seen = new Map<string, { readonly writes: number; readonly version: number }[]>();

  const versionsOf = async (project: string) => {
    const parameters = new Parameters();
    const sql = `SELECT toString(sum(call_writes)), toString(max(version)), toString(max(moved)) FROM ${tables.projects} WHERE project = ${parameters.text(project)}`;
    const [row] = await clickhouse.query(parameters.statement(sql));
    const [writes, version, moved] = row!.map(Number) as [number, number, number];
    return { writes, version, moved };
  };

  return {
    async version(project) {
      const { writes, version } = await versionsOf(project);
      const known = (seen.get(project) ?? []).filter((one) => one.writes !== writes);
      seen.set(project, [...known.slice(-REMEMBERED), { writes, version }]);
      return writes;
    },

    async calls(project, ids) {
      const found = await reader.read(project, ids);
      return ids.map((id) => {
        const call = found.get(id);
        return call?.deleted_at === null ? call : undefined;
      });
    },

    async *trees(project, root) {
      const ids = (await reader.children(project, [root])).flatMap(({ id, gone }) => (gone ? [] : [id]));
      for await (const trees of treesInBatches(project, root, ids))
        yield trees.filter(({ call }) => call.deleted_at === null);
    },

    async changes(project, root, since) {
      const then = seen.get(project)?.find(({ writes }) => writes === since);
      if (then === undefined) return undefined;
      const after = Math.max(0, then.version - settle);
      if ((await versionsOf(project)).moved > after) return undefined;
      const parameters = new Parameters();
      const [p, from] = [parameters.text(project), parameters.bind("UInt64", after)];
      const changed = `SELECT id, parent FROM ${tables.calls} FINAL WHERE project = ${p} AND version > ${from} AND isNotNull(parent)`;
      const under = `SELECT id FROM ${tables.children} FINAL WHERE project = ${p} AND parent = ${parameters.text(root)} AND gone = 0`;
      const sql = `SELECT DISTINCT if(parent = ${parameters.text(root)}, id, assumeNotNull(parent)) AS tree FROM (${changed}) WHERE tree IN (${under})`;
      const ids = (await clickhouse.query(parameters.statement(sql))).map(([id]) => id as string);
      return treesInBatches(project, root, ids);
    },
  };
}
