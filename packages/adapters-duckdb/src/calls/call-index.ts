// DuckDB's index of calls: where each is stored, its parent, and when it was written. Never reads a call's text.

import type { CallOrder, CallScope } from "@assay/calls";
import type { DatabaseReader, Parameter, Transaction } from "../database/database.ts";
import type { RecordLocation } from "../records/journal.ts";
import { mapInTurns } from "../records/read-in-turns.ts";
import { numbersOf } from "../records/record-index.ts";
import type { IndexEntries } from "./index-entries.ts";

/** The location of a call, and the hashes by which it was found. */
export interface FoundCall extends RecordLocation {
  readonly idHash: number;
  readonly parentHash: number | null;
  readonly deletedAt: string | null;
  /** Microseconds since 1970; infinity if unknown. */
  readonly started: number;
}

const START = "coalesce(started, 'Infinity'::DOUBLE)";
const FOUND = `place, size, crc, id_hash, parent_hash, deleted_at, ${START}`;

async function find(
  reader: DatabaseReader,
  where: string,
  parameters: readonly Parameter[],
): Promise<FoundCall[]> {
  const columns = await reader.columns(`SELECT ${FOUND} FROM calls WHERE ${where}`, parameters);
  const [at, size, crc, idHash, parentHash, deletedAt, started] = columns as [
    readonly number[],
    readonly number[],
    readonly number[],
    readonly number[],
    readonly (number | null)[],
    readonly (string | null)[],
    readonly number[],
  ];
  return mapInTurns(at.keys(), (i) => ({
    at: at[i]!,
    size: size[i]!,
    crc: crc[i]!,
    idHash: idHash[i]!,
    parentHash: parentHash[i]!,
    deletedAt: deletedAt[i]!,
    started: started[i]!,
  }));
}

// How many hashes DuckDB compares one by one; for more it joins.
const FEW = 4;

/**
 * That `column` has one of these hashes. A few of them are compared one by one: that is faster than a join, of which
 * DuckDB also keeps up to 4 KiB until tens of thousands of joins later.
 */
function isAmong(column: string, hashes: readonly number[]): [condition: string, parameters: Parameter[]] {
  return hashes.length === 0 || hashes.length > FEW
    ? [`${column} IN (SELECT unnest(?::DOUBLE[]))`, [hashes]]
    : [`${column} IN (${hashes.map(() => "?::DOUBLE").join(", ")})`, [...hashes]];
}

/** Calls whose id may have one of these hashes, including deleted calls. */
export function findById(
  reader: DatabaseReader,
  project: number,
  hashes: readonly number[],
): Promise<FoundCall[]> {
  const [isOne, parameters] = isAmong("id_hash", hashes);
  return find(reader, `project = ? AND ${isOne}`, [project, ...parameters]);
}

/**
 * Live calls whose parent may have one of these hashes, in the order they were written; on request also deleted ones.
 */
export function findChildren(
  reader: DatabaseReader,
  project: number,
  parents: readonly number[],
  which: "live" | "all" = "live",
): Promise<FoundCall[]> {
  const live = which === "live" ? "AND deleted_at IS NULL" : "";
  const [isOne, parameters] = isAmong("parent_hash", parents);
  return find(reader, `project = ? ${live} AND ${isOne} ORDER BY place`, [project, ...parameters]);
}

/**
 * Children of `root`, including deleted ones, that were written after `since`, or that gained, changed or lost children
 * after it.
 */
export function findChanged(
  reader: DatabaseReader,
  project: number,
  root: number,
  since: number,
): Promise<FoundCall[]> {
  return find(
    reader,
    `project = ? AND parent_hash = ? AND (version > ? OR id_hash IN (
      SELECT parent_hash FROM calls WHERE project = ? AND version > ? AND parent_hash IS NOT NULL
      UNION ALL SELECT parent_hash FROM moves WHERE project = ? AND version > ?
    ))`,
    [project, root, since, project, since, project, since],
  );
}

/** Whether a call was moved away from `root` after `since`. */
export async function hasLostChild(
  reader: DatabaseReader,
  project: number,
  root: number,
  since: number,
): Promise<boolean> {
  const [found] = await reader.columns(
    "SELECT 1 FROM moves WHERE project = ? AND version > ? AND parent_hash = ? LIMIT 1",
    [project, since, root],
  );
  return found!.length > 0;
}

/** A scope of calls, with hashes to look for; undefined ones match anything. */
export interface HashScope extends Pick<CallScope, "rootsOnly" | "startedOnly"> {
  /** The whole names of ops. */
  readonly opNames: readonly string[] | undefined;
  readonly ids: readonly number[] | undefined;
  readonly traces: readonly number[] | undefined;
  readonly parents: readonly number[] | undefined;
}

/** The number by which calls are ordered, lowest first. */
export function orderOf({ started, at }: FoundCall, order: CallOrder): number {
  if (order === "any") return at;
  return order === "oldest" || started === Number.POSITIVE_INFINITY ? started : -started;
}

const ORDERS: { readonly [order in CallOrder]: string } = {
  oldest: START,
  newest: "coalesce(-started, 'Infinity'::DOUBLE)",
  any: "place",
};

/**
 * A number after which the call at `skip` comes in this order, and how many of the calls before it come after the
 * number as well.
 */
export async function findSkipped(
  reader: DatabaseReader,
  project: number,
  scope: HashScope,
  order: CallOrder,
  skip: number,
): Promise<readonly [after: number, left: number]> {
  if (skip === 0) return [Number.NEGATIVE_INFINITY, 0];
  const [where, parameters] = inScope(project, scope);
  const calls = `SELECT ${ORDERS[order]} AS number FROM calls WHERE ${where}`;
  const [ats] = await reader.columns(`${calls} ORDER BY number LIMIT 1 OFFSET ?::INTEGER`, [
    ...parameters,
    skip,
  ]);
  if (ats!.length === 0) return [Number.POSITIVE_INFINITY, 0];
  const [last, counts] = await reader.columns(
    `SELECT coalesce(max(number), '-Infinity'::DOUBLE), count(*)::DOUBLE FROM (${calls}) WHERE number < ?::DOUBLE`,
    [...parameters, ats![0] as number],
  );
  return [last![0] as number, skip - (counts![0] as number)];
}

/** Live calls in scope that come after the number `after` in this order: the first `limit`. */
export function findAfter(
  reader: DatabaseReader,
  project: number,
  scope: HashScope,
  { order, after, limit }: { readonly order: CallOrder; readonly after: number; readonly limit: number },
): Promise<FoundCall[]> {
  const by = ORDERS[order];
  return findStarted(reader, project, scope, `${by} > ?::DOUBLE ORDER BY ${by} LIMIT ?::INTEGER`, [
    after,
    limit,
  ]);
}

/** Live calls in scope that started at `at` and are stored after byte `behind`: the first `limit` by location. */
export function findStartedAt(
  reader: DatabaseReader,
  project: number,
  scope: HashScope,
  { at, behind, limit }: { readonly at: number; readonly behind: number; readonly limit: number },
): Promise<FoundCall[]> {
  const when = `${START} = ?::DOUBLE AND place > ?::DOUBLE ORDER BY place LIMIT ?::INTEGER`;
  return findStarted(reader, project, scope, when, [at, behind, limit]);
}

async function findStarted(
  reader: DatabaseReader,
  project: number,
  scope: HashScope,
  when: string,
  whenParameters: readonly Parameter[],
): Promise<FoundCall[]> {
  const [where, parameters] = inScope(project, scope);
  return find(reader, `${where} AND ${when}`, [...parameters, ...whenParameters]);
}

/** The number of live calls in scope, of those that may have its hashes. */
export async function countCalls(reader: DatabaseReader, project: number, scope: HashScope): Promise<number> {
  const [where, parameters] = inScope(project, scope);
  const [counts] = await reader.columns(`SELECT count(*)::DOUBLE FROM calls WHERE ${where}`, parameters);
  return counts![0] as number;
}

function inScope(
  project: number,
  { ids, traces, parents, rootsOnly, opNames, startedOnly }: HashScope,
): [condition: string, parameters: Parameter[]] {
  const where = ["project = ?", "deleted_at IS NULL"];
  const parameters: Parameter[] = [project];
  const lists = [
    ["id_hash", ids] as const,
    ["trace_hash", traces] as const,
    ["parent_hash", parents] as const,
  ];
  for (const [column, hashes] of lists) {
    if (hashes === undefined) continue;
    const [isOne, its] = isAmong(column, hashes);
    where.push(isOne);
    parameters.push(...its);
  }
  if (rootsOnly === true) where.push("parent_hash IS NULL");
  if (startedOnly === true) where.push("(op_name <> '' OR started IS NOT NULL)");
  if (opNames !== undefined) {
    where.push("op_name IN (SELECT unnest(?::VARCHAR[]))");
    parameters.push(opNames);
  }
  return [where.join(" AND "), parameters];
}

/** The names of a project's ops that a scope means: a project has few ops, and a scope may have thousands of names. */
export async function findOpNames(
  reader: DatabaseReader,
  project: number,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const [names] = await reader.columns("SELECT DISTINCT op_name FROM calls WHERE project = ?", [project]);
  const exact = new Set(wanted);
  const isMeant = (name: string): boolean => {
    if (exact.has(name)) return true;
    for (let at = name.indexOf(":"); at !== -1; at = name.indexOf(":", at + 1))
      if (exact.has(`${name.slice(0, at)}:*`)) return true;
    return false;
  };
  return (names as readonly string[]).filter(isMeant);
}

/** Adds entries. */
export async function addEntries(transaction: Transaction, entries: IndexEntries): Promise<void> {
  const { locations } = entries;
  if (locations.length === 0) return;
  await transaction.append("calls", [
    { type: "INTEGER", same: entries.project, count: locations.length },
    { type: "DOUBLE", same: entries.version, count: locations.length },
    { type: "DOUBLE", values: entries.idHashes },
    { type: "DOUBLE", values: entries.parentHashes },
    { type: "DOUBLE", values: entries.traceHashes },
    { type: "VARCHAR", values: entries.opNames },
    { type: "DOUBLE", values: entries.started },
    { type: "VARCHAR", values: entries.deletedAt },
    { type: "DOUBLE", values: numbersOf(locations, "at") },
    { type: "UINTEGER", values: numbersOf(locations, "size") },
    { type: "UINTEGER", values: numbersOf(locations, "crc") },
  ]);
}

/** Removes the calls at these locations from the index. */
export async function removeEntries(
  transaction: Transaction,
  locations: readonly RecordLocation[],
): Promise<void> {
  if (locations.length === 0) return;
  const ats = locations.map(({ at }) => at);
  // Locations grow, so their range limits the blocks of the table to scan: for recent calls, only the last ones.
  await transaction.run(
    "DELETE FROM calls WHERE place >= ?::DOUBLE AND place <= ?::DOUBLE AND place IN (SELECT unnest(?::DOUBLE[]))",
    [ats.reduce((a, b) => Math.min(a, b)), ats.reduce((a, b) => Math.max(a, b)), ats],
  );
}

/** Marks the calls at these locations as deleted. */
export async function markDeleted(
  transaction: Transaction,
  locations: readonly RecordLocation[],
  version: number,
  deletedAt: string,
): Promise<void> {
  await transaction.run(
    "UPDATE calls SET version = ?, deleted_at = ? WHERE place IN (SELECT unnest(?::DOUBLE[]))",
    [version, deletedAt, locations.map(({ at }) => at)],
  );
}

/** Records that calls were moved away from these parents. */
export async function addMoves(
  transaction: Transaction,
  moves: readonly { readonly project: number; readonly version: number; readonly parentHash: number }[],
): Promise<void> {
  if (moves.length === 0) return;
  await transaction.append("moves", [
    { type: "INTEGER", values: moves.map(({ project }) => project) },
    { type: "DOUBLE", values: moves.map(({ version }) => version) },
    { type: "DOUBLE", values: moves.map(({ parentHash }) => parentHash) },
  ]);
}

/** The different op names in a project. */
export async function opNames(reader: DatabaseReader, project: number): Promise<readonly string[]> {
  const [names] = await reader.columns("SELECT DISTINCT op_name FROM calls WHERE project = ?", [project]);
  return names as readonly string[];
}

// Calls written or deleted after a version, their parents, and parents that calls were moved away from.
const CHANGED = `
  SELECT id_hash AS hash FROM calls WHERE project = ? AND version > ?
  UNION SELECT parent_hash FROM calls WHERE project = ? AND version > ? AND parent_hash IS NOT NULL
  UNION SELECT parent_hash FROM moves WHERE project = ? AND version > ?`;

function changedSince(project: number, since: number): readonly Parameter[] {
  return [project, since, project, since, project, since];
}

/** The hashes of calls that changed since version `since`, or whose children did. */
export async function changedHashes(
  reader: DatabaseReader,
  project: number,
  since: number,
): Promise<readonly number[]> {
  const [hashes] = await reader.columns(CHANGED, changedSince(project, since));
  return hashes as readonly number[];
}

// A call that is its own parent is not its own trial.
const TRIALS = `project = ? AND deleted_at IS NULL AND parent_hash IS NOT NULL AND parent_hash <> id_hash
  AND op_name IN (SELECT unnest(?::VARCHAR[]))`;

/**
 * The number of live calls with one of these op names, by hash of their parent, for parents changed after version
 * `since`.
 */
export async function countByParent(
  reader: DatabaseReader,
  project: number,
  opNames: readonly string[],
  since: number,
): Promise<ReadonlyMap<number, number>> {
  const [which, parameters] =
    since === 0 ? ["", []] : [`AND parent_hash IN (${CHANGED})`, changedSince(project, since)];
  const [parents, counts] = await reader.columns(
    `SELECT parent_hash, count(*) FROM calls WHERE ${TRIALS} ${which} GROUP BY parent_hash`,
    [project, opNames, ...parameters],
  );
  return new Map(parents!.map((parent, i) => [parent as number, counts![i] as number]));
}

/** Live calls with one of these op names whose parent may have one of these hashes, in the order they were written. */
export function findTrials(
  reader: DatabaseReader,
  project: number,
  opNames: readonly string[],
  parents: readonly number[],
): Promise<FoundCall[]> {
  const [isOne, parameters] = isAmong("parent_hash", parents);
  return find(reader, `${TRIALS} AND ${isOne} ORDER BY place`, [project, opNames, ...parameters]);
}
