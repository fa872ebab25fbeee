// Deletes evaluations or a project permanently. ClickHouse rewrites the parts of its tables without the deleted rows,
// including earlier versions of calls, which no query sees, and removes the old parts from its disk.

import { setTimeout } from "node:timers/promises";
import { Fault } from "@assay/base";
import { rowIdOf } from "@assay/calls";
import { rowRefsIn } from "@assay/calls/internal";
import { callScan } from "./calls/call-scan.ts";
import { callReader } from "./calls/calls.ts";
import { inFlightWrites } from "./calls/in-flight-writes.ts";
import type { Versions } from "./calls/versions.ts";
import type { ClickHouse } from "./connection/clickhouse.ts";
import type { Tables } from "./connection/schema.ts";
import { Parameters, type Sql } from "./sql/statement.ts";

/** What to delete: a project, or some evaluations of it. */
export interface ClickHouseDeletion {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** The IDs of their root calls; undefined for the whole project. */
  readonly evaluations?: readonly string[] | undefined;
  /**
   * Whether to keep dataset rows that no call refers to any more, because tables stored elsewhere may list them.
   * Default false.
   */
  readonly keepRows?: boolean;
}

/** What was deleted. */
export interface ClickHouseDeletionReport {
  /** Calls, including those below them. */
  readonly calls: number;
  /** Dataset rows that no other call refers to. */
  readonly rows: number;
  /**
   * Old parts with the deleted data that are still on the disk because a query may be reading them. ClickHouse removes
   * them later.
   */
  readonly old_parts: number;
}

// The number of IDs per statement: each statement rewrites parts, so many share one, although its text then has
// megabytes.
const IDS = 50_000;
// A server looks for old parts every second: if it removes none for this long, someone is reading them.
const PATIENCE = { milliseconds: 5000, pause: 250 };

/** Which rows of a table to delete. */
type Condition = (parameters: Parameters) => Sql;

/**
 * Deletes, and waits a while until the bytes are off the disk. If the process dies meanwhile, some of the data is
 * deleted, and repeating the deletion deletes the rest. Throws a `missing` fault if the project or evaluation does not
 * exist.
 */
export async function deleteRecords(
  clickhouse: ClickHouse,
  tables: Tables,
  versions: Versions,
  { project, evaluations, keepRows = false }: ClickHouseDeletion,
): Promise<ClickHouseDeletionReport> {
  const report =
    evaluations === undefined
      ? await deleteProject(clickhouse, tables, project)
      : await deleteEvaluations(clickhouse, tables, { project, evaluations, keepRows });
  // Other processes keep what they have read until the project reports that calls were removed.
  await inFlightWrites(clickhouse, tables).during(project, versions(0), async () => ({
    what: "calls",
    moved: true,
  }));
  return { ...report, old_parts: await clearOldParts(clickhouse, tables) };
}

type Deleted = Omit<ClickHouseDeletionReport, "old_parts">;

async function deleteProject(clickhouse: ClickHouse, tables: Tables, project: string): Promise<Deleted> {
  const count = async (table: string, more = ""): Promise<number> => {
    const parameters = new Parameters();
    const sql = `SELECT count() FROM ${table} FINAL WHERE project = ${parameters.text(project)}${more}`;
    return Number((await clickhouse.query(parameters.statement(sql)))[0]![0]);
  };
  const [calls, rows] = [await count(tables.calls, " AND isNull(deleted_at)"), await count(tables.rows)];
  if (calls + rows === 0) throw new Fault("missing", `there is no project ${project}`);
  for (const table of Object.values(tables.shard))
    await remove(clickhouse, tables, table, (parameters) => `project = ${parameters.text(project)}`);
  return { calls, rows };
}

async function deleteEvaluations(
  clickhouse: ClickHouse,
  tables: Tables,
  { project, evaluations, keepRows }: Required<ClickHouseDeletion> & { evaluations: readonly string[] },
): Promise<Deleted> {
  const { ids, refs } = await evaluationCalls(clickhouse, tables, project, evaluations);
  const unreferredRows = keepRows ? [] : await unreferred(clickhouse, tables, project, { ids, refs });
  const { shard } = tables;
  const inProject =
    (more: Condition): Condition =>
    (parameters) =>
      `project = ${parameters.text(project)} AND ${more(parameters)}`;
  const among = async (table: string, column: string, values: readonly string[]): Promise<void> => {
    for (let at = 0; at < values.length; at += IDS) {
      const some = values.slice(at, at + IDS);
      await remove(
        clickhouse,
        tables,
        table,
        inProject((parameters) => `${column} IN ${parameters.texts(some)}`),
      );
    }
  };
  await among(shard.rows, "key", unreferredRows);
  const roots = new Set(evaluations);
  for (const table of [shard.trials, shard.payloads]) await among(table, "evaluation", [...roots]);
  await among(
    shard.calls,
    "id",
    [...ids].filter((id) => !roots.has(id)),
  );
  await among(shard.children, "parent", [...ids]);
  // The roots last, so that a repeated deletion finds what is left.
  await among(shard.calls, "id", [...roots]);
  return { calls: ids.size, rows: unreferredRows.length };
}

/** The calls of evaluations, level by level, and the dataset rows that they refer to. */
async function evaluationCalls(
  clickhouse: ClickHouse,
  tables: Tables,
  project: string,
  evaluations: readonly string[],
): Promise<{ readonly ids: ReadonlySet<string>; readonly refs: ReadonlySet<string> }> {
  const { children } = callReader(clickhouse, tables);
  const { scan } = callScan(clickhouse, tables);
  const refs = new Set<string>();
  const ids = new Set<string>();
  const roots = [...new Set(evaluations)];
  const parents = new Set<string>();
  for (let level: readonly string[] = roots; level.length > 0; ) {
    for (let at = 0; at < level.length; at += IDS) {
      for await (const some of scan(project, { ids: level.slice(at, at + IDS) })) {
        for (const { call, text } of some) {
          ids.add(call.id);
          for (const ref of rowRefsIn(text)) refs.add(ref);
        }
      }
    }
    const below = (await children(project, level)).filter(({ gone }) => !gone);
    for (const { parent } of below) parents.add(parent);
    level = [...new Set(below.flatMap(({ id }) => (ids.has(id) ? [] : [id])))];
  }
  // A root that was never logged may still have trials.
  const missing = roots.find((id) => !ids.has(id) && !parents.has(id));
  if (missing !== undefined) throw new Fault("missing", `there is no evaluation ${missing} in ${project}`);
  return { ids, refs };
}

/** The keys of those dataset rows that only deleted calls refer to. */
async function unreferred(
  clickhouse: ClickHouse,
  tables: Tables,
  project: string,
  { ids, refs }: { readonly ids: ReadonlySet<string>; readonly refs: ReadonlySet<string> },
): Promise<readonly string[]> {
  const unreferred = new Map<string, string>();
  for (const ref of refs) unreferred.set(ref, rowIdOf(ref) ?? ref);
  const left = new Set(unreferred.values());
  for await (const some of callScan(clickhouse, tables).scan(project)) {
    if (left.size === 0) return [];
    for (const { call, text } of some)
      if (!ids.has(call.id)) for (const ref of rowRefsIn(text)) left.delete(rowIdOf(ref) ?? ref);
  }
  const names = [...unreferred].flatMap(([ref, id]) => (left.has(id) ? [ref, id] : []));
  const keys: string[] = [];
  for (let at = 0; at < names.length; at += IDS) {
    const parameters = new Parameters();
    const where = `project = ${parameters.text(project)} AND key IN ${parameters.texts(names.slice(at, at + IDS))}`;
    const sql = `SELECT key FROM ${tables.rows} FINAL WHERE ${where}`;
    keys.push(...(await clickhouse.query(parameters.statement(sql))).map(([key]) => key as string));
  }
  return [...new Set(keys)];
}

/** Rewrites the parts of a table without some rows. When it resolves, this is done on every server. */
async function remove(
  clickhouse: ClickHouse,
  { cluster }: Tables,
  table: string,
  where: Condition,
): Promise<void> {
  const parameters = new Parameters();
  const sql = `ALTER TABLE ${table}${onCluster(cluster)} DELETE WHERE ${where(parameters)}`;
  await clickhouse.change(parameters.statement(sql));
}

function onCluster(cluster: string | undefined): Sql {
  return cluster === undefined ? "" : ` ON CLUSTER '${cluster}'`;
}

/**
 * Removes rewritten parts from the disk, where ClickHouse would otherwise leave them for eight minutes. Returns how
 * many are still there.
 */
async function clearOldParts(clickhouse: ClickHouse, tables: Tables): Promise<number> {
  const names = Object.values(tables.shard);
  const set = async (what: Sql): Promise<void> => {
    for (const table of names)
      await clickhouse.change({
        sql: `ALTER TABLE ${table}${onCluster(tables.cluster)} ${what}`,
        params: {},
      });
  };
  await set("MODIFY SETTING old_parts_lifetime = 0");
  try {
    let [left, waited] = [await oldParts(clickhouse, tables), 0];
    while (left > 0 && waited < PATIENCE.milliseconds) {
      await setTimeout(PATIENCE.pause);
      const now = await oldParts(clickhouse, tables);
      waited = now < left ? 0 : waited + PATIENCE.pause;
      left = now;
    }
    return left;
  } finally {
    await set("RESET SETTING old_parts_lifetime");
  }
}

async function oldParts(clickhouse: ClickHouse, { cluster, shard }: Tables): Promise<number> {
  const parameters = new Parameters();
  const all = cluster === undefined ? "system.parts" : `clusterAllReplicas('${cluster}', system.parts)`;
  const sql = `SELECT count() FROM ${all} WHERE NOT active AND concat(database, '.', table) IN ${parameters.texts(Object.values(shard))}`;
  return Number((await clickhouse.query(parameters.statement(sql)))[0]![0]);
}
