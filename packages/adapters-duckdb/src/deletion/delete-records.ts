// Deletes evaluations or a project so that none of their bytes remain: journals, redo log and database are rewritten
// without them and replace the old files together. Calls that were deleted individually before are removed too.

import { Fault } from "@assay/base";
import { type Cell, type Column, type Database, type PlainCells, rowsIn } from "../database/database.ts";
import { claimInProcess } from "../database/lock.ts";
import { openProjects } from "../database/projects.ts";
import { LIST_TABLES, SCHEMA } from "../database/schema.ts";
import type { Journal } from "../records/journal.ts";
import { type PackedJournal, packingJournal } from "../records/packed-journal.ts";
import {
  CALLS_FILE,
  FILES_FILE,
  inFileSql,
  OBJECTS_FILE,
  openPackedRecords,
  openPlainRecords,
  PACKED_CALLS_FILE,
  PACKED_ROWS_FILE,
  type RecordFile,
  ROWS_FILE,
} from "../records/record-files.ts";
import { locationsOf } from "../records/record-index.ts";
import { finishReplacement, markReady, newFile } from "../recovery/atomic-replace.ts";
import { openRecovered } from "../recovery/open-recovered.ts";
import { type LoggedChange, writeRedoLog } from "../recovery/redo-log.ts";
import { dumpTables, type TableRows } from "../recovery/table-dump.ts";
import { type MovedRecords, writeCompacted } from "./compacted-journal.ts";
import { type DeletionParts, type RecordsToDelete, recordsToDelete } from "./records-to-delete.ts";
import { type TrackingToDelete, trackingToDelete } from "./tracking-to-delete.ts";

/** What to delete: a project, or some of its evaluations. */
export interface Deletion {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** The ids of their root calls. Default: the whole project. */
  readonly evaluations?: readonly string[] | undefined;
}

/** What was deleted. */
export interface DeletionReport {
  /** Calls, including all descendants. */
  readonly calls: number;
  /** Dataset rows that nothing else refers to. */
  readonly rows: number;
  /** Runs logged by W&B clients; only deleted with a whole project. */
  readonly runs: number;
  /** Versions of artifacts; only deleted with a whole project. */
  readonly artifacts: number;
}

/** The result of `prepareDeletion`. */
export interface PreparedDeletion extends DeletionReport {
  /** Names of artifact files that are no longer needed. */
  readonly unused: readonly string[];
}

/**
 * Deletes from a data directory that no process has open, by rewriting its files: no byte of what was deleted remains
 * in them. If the process dies meanwhile, the directory is unchanged, or is completed when it is opened next. Models,
 * training jobs, keys and token counts stay. Throws a fault: `conflict` if the directory is open, `missing` if nothing
 * has that name, `corrupt` if a record is damaged.
 */
export function deleteRecords(
  directory: string,
  deletion: Deletion,
  tell: (message: string) => void = () => {},
): Promise<DeletionReport> {
  return writeAnew(directory, deletion, tell);
}

/**
 * Rewrites the files of a data directory that no process has open, like `deleteRecords`: no byte of earlier deletions
 * remains in them. Throws a `conflict` fault if the directory is open.
 */
export async function rewriteFiles(
  directory: string,
  tell: (message: string) => void = () => {},
): Promise<void> {
  await writeAnew(directory, undefined, tell);
}

async function writeAnew(
  directory: string,
  deletion: Deletion | undefined,
  tell: (message: string) => void,
): Promise<DeletionReport> {
  const release = claimInProcess(directory);
  try {
    const { unused: _, ...report } = await prepareDeletion(directory, deletion, tell, (prepared) =>
      markReady(directory, prepared),
    );
    finishReplacement(directory, false);
    const { database } = await openRecovered({ ...opening(directory), tell: () => {} });
    await database.close();
    return report;
  } finally {
    release();
  }
}

const opening = (directory: string) => ({
  directory,
  readOnly: false,
  memory: "256MB",
  repair: false,
  committed: () => undefined,
});

/**
 * Writes the new files next to the old ones, which stay in place, and calls `ready` while no other process can open the
 * directory, which would remove them. Without `deletion`, only removes what was deleted before.
 */
export async function prepareDeletion(
  directory: string,
  deletion: Deletion | undefined,
  tell: (message: string) => void = () => {},
  ready: (prepared: PreparedDeletion) => void = () => {},
): Promise<PreparedDeletion> {
  const { database, identity } = await openRecovered({ ...opening(directory), tell });
  const journals = new Map<RecordFile, Journal | PackedJournal>();
  try {
    const opened = async (file: RecordFile, packed?: RecordFile): Promise<Journal> => {
      const plain = await openPlainRecords(database, directory, file, true);
      journals.set(file, plain);
      if (packed === undefined) return plain;
      const others = await openPackedRecords(database, directory, packed, true);
      journals.set(packed, others);
      return packingJournal(plain, others);
    };
    const calls = await opened(CALLS_FILE, PACKED_CALLS_FILE);
    const rows = await opened(ROWS_FILE, PACKED_ROWS_FILE);
    const objects = await opened(OBJECTS_FILE);
    await opened(FILES_FILE);
    const target = await targetOf({ database, seed: identity.seed, calls, rows, objects }, deletion);
    const { runs, artifacts, bytes } = target.tracking ?? NO_TRACKING;
    const counts = { calls: 0, rows: 0, runs: runs.size, artifacts: artifacts.size, unused: bytes };
    const moved = new Map<string, MovedRecords>();
    for (const [file, journal] of journals) {
      const kept = await remainingLocations(database, file, target, counts);
      const records = await writeCompacted(newFile(directory, file.name), { file, journal, kept });
      for (const table of file.tables) moved.set(table, bothMoved(moved.get(table), records));
    }
    await writeRedoLog(
      newFile(directory, "redo.log"),
      { store: identity, schema: SCHEMA, continues: undefined },
      stateWithout(database, target, moved),
    );
    ready(counts);
    return counts;
  } finally {
    for (const journal of journals.values()) await journal.close();
    await database.close();
  }
}

const NO_TRACKING = { runs: new Set(), artifacts: new Set(), bytes: [] } as const;

interface DeletionTarget {
  /** The number of the project; undefined to only remove what was deleted before. */
  readonly project: number | undefined;
  /** Undefined for the whole project. */
  readonly records: RecordsToDelete | undefined;
  /** Set for the whole project. */
  readonly tracking: TrackingToDelete | undefined;
}

async function targetOf(parts: DeletionParts, deletion: Deletion | undefined): Promise<DeletionTarget> {
  if (deletion === undefined) return { project: undefined, records: undefined, tracking: undefined };
  const { project, evaluations } = deletion;
  const number = (await openProjects(parts.database)).find(project)?.number;
  const missing = () => new Fault("missing", `there is no project ${project}`);
  if (evaluations !== undefined) {
    if (number === undefined) throw missing();
    return {
      project: number,
      records: await recordsToDelete(parts, number, evaluations),
      tracking: undefined,
    };
  }
  const tracking = await trackingToDelete(parts.database, project);
  if (number === undefined && tracking.isEmpty) throw missing();
  return { project: number, records: undefined, tracking };
}

/** Whether a record of a table is kept. Calls deleted before are not. */
function stays(
  table: string,
  { project, records }: DeletionTarget,
): (of: number, at: number, deleted: boolean) => boolean {
  const locations = records?.[table as keyof RecordsToDelete];
  return (of, at, deleted) =>
    !deleted && (of !== project || (records !== undefined && locations?.has(at) !== true));
}

/** Combines the moves of a table's records in two files. */
function bothMoved(some: MovedRecords | undefined, others: MovedRecords): MovedRecords {
  if (some === undefined) return others;
  return { newLocation: (at) => some.newLocation(at) ?? others.newLocation(at) };
}

async function remainingLocations(
  database: Database,
  file: RecordFile,
  target: DeletionTarget,
  counts: { calls: number; rows: number },
) {
  const kept: ReturnType<typeof locationsOf> = [];
  for (const table of file.tables) {
    const deleted = table === "calls" ? "deleted_at IS NOT NULL" : "FALSE";
    const columns = await database.columns(
      `SELECT place, size, crc, project, ${deleted} FROM ${table} WHERE ${inFileSql(file)}`,
    );
    const does = stays(table, target);
    for (const [i, location] of locationsOf(columns).entries()) {
      if (does(columns[3]![i] as number, location.at, columns[4]![i] as boolean)) kept.push(location);
      else if (table === "calls" && columns[4]![i] === false) counts.calls++;
      else if (table === "dataset_rows") counts.rows++;
    }
  }
  return kept;
}

/**
 * The rows of all tables for the beginning of the new log: without what is deleted, and with the new locations of the
 * rest.
 */
async function* stateWithout(
  database: Database,
  target: DeletionTarget,
  moved: ReadonlyMap<string, MovedRecords>,
): AsyncGenerator<readonly LoggedChange[]> {
  const lists = await listsThatStay(database, target);
  for await (const rows of dumpTables(database)) {
    const columns = LIST_TABLES.some((table) => table === rows.table)
      ? rowsOfProjects(rows, lists)
      : changedRows(rows, target, moved.get(rows.table));
    if (rowsIn(columns[0]!) > 0) yield [{ table: rows.table, columns }];
  }
  // An empty list of changes marks the end of the state.
  yield [];
}

/** Projects whose lists stay valid: they contain no calls deleted now or earlier. */
async function listsThatStay(database: Database, { project }: DeletionTarget): Promise<ReadonlySet<Cell>> {
  const [current] = await database.columns(
    "SELECT number FROM projects JOIN evaluation_lists ON number = project AND projects.version = evaluation_lists.version",
  );
  return new Set(current!.filter((number) => number !== project));
}

function rowsOfProjects({ names, columns }: TableRows, which: ReadonlySet<Cell>): readonly Column[] {
  const projects = columns[names.indexOf("project")]!.values;
  const stay = Array.from(projects, (_, i) => i).filter((i) => which.has(projects[i]!));
  return columns.map(({ type, values }) => ({ type, values: stay.map((i) => values[i]!) }));
}

function changedRows(
  { table, names, columns }: TableRows,
  { project, records, tracking }: DeletionTarget,
  moved: MovedRecords | undefined,
): readonly Column[] {
  const values = (name: string): PlainCells["values"] | undefined => columns[names.indexOf(name)]?.values;
  const isProjects = table === "projects";
  const projects = values(isProjects ? "number" : "project");
  const locations = moved && values("place")!;
  // Models and token counts refer to projects by name, and are kept.
  const isOfProject = (i: number): boolean => project !== undefined && projects?.[i] === project;
  const isTracked = (i: number): boolean =>
    tracking?.includes(table, (column) => values(column)?.[i]) === true;
  const stay = Array.from(columns[0]!.values, (_, i) => i).filter((i) =>
    locations === undefined
      ? (records !== undefined || !isOfProject(i)) && !isTracked(i)
      : moved!.newLocation(locations[i] as number) !== undefined,
  );
  const valueIn = (name: string, of: PlainCells["values"], i: number): Cell => {
    const value = of[i]!;
    if (name === "place" && moved !== undefined) return moved.newLocation(value as number)!;
    // A higher version invalidates cached data of the project.
    if (isProjects && isOfProject(i) && /version$/.test(name)) return (value as number) + 1;
    return value;
  };
  return columns.map(({ type, values: of }, c) => ({
    type,
    values: stay.map((i) => valueIn(names[c]!, of, i)),
  }));
}
