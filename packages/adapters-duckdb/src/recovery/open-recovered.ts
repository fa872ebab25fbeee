// Opens the database of a data directory as its redo log describes it: missing changes are applied, a missing database
// is rebuilt, a missing log is written again. Doubtful cases are refused, unless a repair was requested. Replaced files
// are kept under another name.

import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Fault } from "@assay/base";
import { type Database, openDatabase, type UnloggedDatabase } from "../database/database.ts";
import { claimFile, lockedFault } from "../database/lock.ts";
import {
  checkSchema,
  createTables,
  FIRST_LOGGED,
  identityOf,
  migrate,
  SCHEMA,
  type StoreIdentity,
  schemaVersion,
} from "../database/schema.ts";
import { PRIVATE_FILE } from "../files/private-files.ts";
import { journalSize } from "../records/journal.ts";
import { DATABASE_FILE, RECORD_FILES, recordsEnd } from "../records/record-files.ts";
import { finishReplacement, removeUnfinished } from "./atomic-replace.ts";
import { type LogPosition, positionOf } from "./log-position.ts";
import { loggedDatabase } from "./logged-database.ts";
import { quarantine } from "./quarantine.ts";
import { hasDamage, redoFrom } from "./redo.ts";
import { type LogHead, openRedoLog, type RedoLog, readHead, readRedoLog, writeRedoLog } from "./redo-log.ts";
import { dumpTables } from "./table-dump.ts";

/** How to open a database. */
export interface RecoveryOptions {
  readonly directory: string;
  readonly readOnly: boolean;
  /** In DuckDB's notation. */
  readonly memory: string;
  /** Called with what was missing or damaged, and what was done about it. */
  readonly tell: (message: string) => void;
  /**
   * Whether to continue if a part of the log or the database is damaged: what is possible is applied, and the rest is
   * reported.
   */
  readonly repair: boolean;
  /** Runs after each transaction. */
  readonly committed: () => void;
  /** Called with each fault after which the directory must be opened again. */
  readonly onBroken?: ((fault: Fault) => void) | undefined;
  /** The size of changes, in bytes, beyond which the log may be rewritten. Default 64 MiB. */
  readonly longLog?: number | undefined;
}

/** A database that matches its log. */
export interface RecoveredDatabase {
  readonly database: Database;
  readonly identity: StoreIdentity;
}

/** The name of the redo log in a data directory. */
export const LOG_FILE = "redo.log";

// A log is rewritten when its changes take more than this and several times its initial state.
const LONG = 64 * 1024 * 1024;
const TIMES = 3;

/** The size of the headers of a database file. A file that is no longer holds nothing. */
const DATABASE_HEADERS = 3 * 4096;

/** Milliseconds after which DuckDB has locked a file that it created. */
const LOCKED_BY = 100;

/** The files of a database, and how to open it. */
interface Files extends RecoveryOptions {
  readonly path: string;
  readonly logPath: string;
}

/** Opens the database of a directory. If its content is in doubt, throws a fault without changing anything. */
export async function openRecovered(options: RecoveryOptions): Promise<RecoveredDatabase> {
  const { directory, tell } = options;
  const [path, logPath] = [join(directory, DATABASE_FILE), join(directory, LOG_FILE)];
  const onBroken = (fault: Fault): void => {
    if (fault.code === "corrupt" && !options.readOnly) mark(path);
    options.onBroken?.(fault);
  };
  const files = { ...options, path, logPath, onBroken };
  finishReplacement(directory, options.readOnly);
  if (options.readOnly) return openAsItIs(files);
  if (!existsSync(path)) {
    if (existsSync(logPath)) tell(`${path} was missing: it is rebuilt from ${LOG_FILE}`);
    else refuseOrphans(directory);
    quarantine(`${path}.wal`, tell);
    rmSync(markOf(path), { force: true });
  }
  const database = await openOrQuarantine(files);
  const found = await recovered(database, files)
    .catch(closing(database))
    .catch((error: unknown) => remakeable(error, files));
  removeUnfinished(directory);
  if ("database" in found) return found;
  await database.close();
  tell(found.why);
  quarantineDatabase(files);
  const fresh = await openFile(files);
  const made = await recovered(fresh, files).catch(closing(fresh));
  if (!("database" in made)) throw new Error("a database that was made from its log is older than that");
  tellUnread(
    directory,
    await Promise.all(RECORD_FILES.map((file) => recordsEnd(made.database, directory, file))),
    tell,
  );
  return made;
}

/** Why a database has to be rebuilt. */
interface Remade {
  readonly why: string;
}

/**
 * Why a database that `error` makes unreadable is rebuilt; throws if its log is damaged too, or if the cause is
 * another.
 */
function remakeable(error: unknown, { path, logPath, repair }: Files): Remade {
  if (!isCorrupt(error, path)) throw error;
  const what = error.message.replace(/: it is rebuilt.*/, "");
  if (!repair && (!existsSync(logPath) || headOf(logPath) === undefined || hasDamage(logPath))) {
    const log = `${LOG_FILE} is ${existsSync(logPath) ? "damaged too" : "missing"}`;
    throw new Fault("corrupt", `${what}, and ${log}: run assay doctor`, { cause: error, file: path });
  }
  return { why: `${what}: it is rebuilt from ${LOG_FILE}` };
}

function isCorrupt(error: unknown, path: string): error is Fault {
  return error instanceof Fault && error.code === "corrupt" && error.file === path;
}

/** Reports records that are missing from the log, which means that the log is older than they are. */
function tellUnread(directory: string, ends: readonly number[], tell: (message: string) => void): void {
  for (const [i, { name }] of RECORD_FILES.entries()) {
    const path = join(directory, name);
    const more = journalSize(path) - ends[i]!;
    if (more > 0)
      tell(
        `${path} has ${more} bytes after the last record that ${LOG_FILE} knows of: they are left in place`,
      );
  }
}

/** Closes the database and rethrows the error. */
function closing(database: Database): (error: unknown) => Promise<never> {
  return async (error) => {
    await database.close();
    throw error;
  };
}

async function openFile({ directory, path, readOnly, memory, onBroken }: Files): Promise<UnloggedDatabase> {
  try {
    return await openDatabase(path, { readOnly, memory, threads: 2, onBroken });
  } catch (error) {
    throw error instanceof Fault && error.code === "conflict" ? lockedFault(directory, error) : error;
  }
}

async function openOrQuarantine(files: Files): Promise<UnloggedDatabase> {
  const { path, repair, tell } = files;
  try {
    const database = await openFile(files);
    if (existsSync(markOf(path))) {
      await database.close();
      throw new Fault("corrupt", `${path} is damaged`, { file: path });
    }
    if (repair && existsSync(files.logPath)) await readAll(database).catch(closing(database));
    return database;
  } catch (error) {
    if (isUnfinished(error, files)) return createAgain(files);
    tell(remakeable(error, files).why);
  }
  quarantineDatabase(files);
  return openFile(files);
}

/** Whether a database cannot be opened because the process that created it, the directory's first, died meanwhile. */
function isUnfinished(error: unknown, { directory, path, logPath }: Files): boolean {
  const isFirst =
    [logPath, `${path}.wal`, markOf(path)].every((file) => !existsSync(file)) &&
    recordsIn(directory).length === 0;
  return isFirst && isCorrupt(error, path) && journalSize(path) <= DATABASE_HEADERS;
}

/** Replaces an unfinished database, unless a living process is creating it, which may not have locked it yet. */
async function createAgain(files: Files): Promise<UnloggedDatabase> {
  const release = claimFile(files.path);
  try {
    await setTimeout(LOCKED_BY);
    return await openFile(files).catch((error: unknown) => {
      if (!isUnfinished(error, files)) throw error;
      rmSync(files.path);
      return openFile(files);
    });
  } finally {
    release();
  }
}

/** A file that marks a database as damaged after a read found damage, which opening it does not show. */
const markOf = (path: string): string => `${path}.damaged`;

/** Whether a read found the database of a directory damaged; it is then rebuilt when it is opened next. */
export function isMarkedDamaged(directory: string): boolean {
  return existsSync(markOf(join(directory, DATABASE_FILE)));
}

/** Causes the database to be rebuilt when it is opened next. */
function mark(path: string): void {
  try {
    writeFileSync(markOf(path), "", { mode: PRIVATE_FILE });
  } catch {
    // Without the mark, the next process detects the damage when it reads the same data.
  }
}

async function readAll(database: Database): Promise<void> {
  for await (const _ of dumpTables(database));
}

function quarantineDatabase({ path, tell }: Files): void {
  quarantine(path, tell);
  quarantine(`${path}.wal`, tell);
  rmSync(markOf(path), { force: true });
}

async function openAsItIs(files: Files): Promise<RecoveredDatabase> {
  const database = await openFile(files);
  return asItIs(database, files).catch(closing(database));
}

async function asItIs(database: Database, { path, logPath }: Files): Promise<RecoveredDatabase> {
  const schema = await schemaVersion(database);
  checkSchema(schema);
  if (schema < SCHEMA) {
    throw new Fault(
      "conflict",
      `the store has schema ${schema} and needs ${SCHEMA}: open it for writing once`,
    );
  }
  if (existsSync(logPath) && hasMore(logPath, schema, await positionOf(database)))
    throw new Fault("conflict", `${path} lacks changes that ${LOG_FILE} has: open it for writing once`);
  return { database, identity: await identityOf(database) };
}

function hasMore(logPath: string, schema: number, known: LogPosition): boolean {
  const head = headOf(logPath);
  if (head === undefined) return false;
  const position = positionIn(known, schema, logPath, head);
  if (position === undefined) return true;
  for (const part of readRedoLog(logPath, position.at)) if ("changes" in part) return true;
  return false;
}

/**
 * Brings an open database to the state of the log and opens the log after it; or returns why the database has to be
 * rebuilt.
 */
async function recovered(database: UnloggedDatabase, files: Files): Promise<RecoveredDatabase | Remade> {
  const { directory, path, logPath, committed, onBroken, longLog = LONG } = files;
  let schema = await schemaVersion(database);
  checkSchema(schema);
  if (schema === 0) {
    if (!existsSync(logPath)) refuseOrphans(directory);
    schema = await makeTables(database, logPath);
  }
  const follow = await followed(database, files, schema);
  if (follow === "older") return { why: `${path} was older than ${LOG_FILE}: it is rebuilt from the log` };
  if (schema < SCHEMA) await migrate(database, schema);
  // A log of another version cannot be continued: it is replayed from its start to tables of that version.
  let log = follow?.head.schema === SCHEMA ? follow : await beginLog(database, logPath, follow);
  const identity = await identityOf(database);

  let longFrom = longLog + TIMES * (await positionOf(database)).began;
  const logged = loggedDatabase(database, {
    log: () => log,
    async committed() {
      committed();
      if (log.end < longFrom) return;
      log = await beginLog(database, logPath, log).catch((error: unknown) =>
        afterFailure(log, logPath, error),
      );
      longFrom = longLog + (TIMES + 1) * log.end;
    },
    onBroken,
  });
  const close = async (): Promise<void> => {
    await logged.close();
    await log.close();
  };
  return { database: { ...logged, close }, identity };
}

/** Creates the tables of an empty database: those of the log's store, or of a new one. Returns their version. */
async function makeTables(database: UnloggedDatabase, logPath: string): Promise<number> {
  const head = existsSync(logPath) ? readHead(logPath) : undefined;
  const schema = head?.schema ?? SCHEMA;
  checkSchema(schema);
  const store = head?.store ?? { id: randomUUID(), seed: randomBytes(4).readUInt32LE() };
  await database.write(async (transaction) => {
    await createTables(transaction, schema, store);
    if (head !== undefined) await transaction.run("UPDATE log_position SET log = ?", [head.log]);
  });
  return schema;
}

/**
 * Applies the changes in the log that the database lacks, and opens the log after them. Undefined if no log can be
 * continued; `older` if the log no longer has every change that the database lacks.
 */
async function followed(
  database: UnloggedDatabase,
  files: Files,
  schema: number,
): Promise<RedoLog | "older" | undefined> {
  const { directory, logPath, tell, repair } = files;
  // Older databases did not know of logs.
  const known = schema >= FIRST_LOGGED ? await positionOf(database) : undefined;
  if (!existsSync(logPath)) {
    if (known !== undefined && known.log !== "")
      tell(`${logPath} was missing: it is rewritten from the database`);
    return undefined;
  }
  const rebuild = (what: string): undefined => {
    tell(`${logPath} ${what}: it is rewritten from the database`);
    quarantine(logPath, tell);
  };
  const head = headOf(logPath);
  if (head === undefined) return rebuild("does not begin like a redo log");
  if (head.store.id !== (await identityOf(database)).id)
    throw new Fault("corrupt", `${DATABASE_FILE} and ${LOG_FILE} in ${directory} belong to different stores`);
  const position = known && positionIn(known, schema, logPath, head);
  if (position === undefined) return "older";
  if (position.log !== known?.log) await record(database, position);
  if (position.at > journalSize(logPath)) return rebuild("ends before what the database has");
  const { end, isWhole } = await redoFrom({ database, logPath, position, tell, repair });
  if (!isWhole || (repair && hasDamage(logPath))) return rebuild("is damaged");
  return openRedoLog(logPath, end);
}

function headOf(logPath: string): LogHead | undefined {
  try {
    return readHead(logPath);
  } catch (error) {
    if (error instanceof Fault && error.code === "corrupt") return undefined;
    throw error;
  }
}

/**
 * The position in the log of a database with tables of version `schema`, which may know only the log that this one
 * continues. Undefined if the log does not have every change that the database lacks, migrations included.
 */
function positionIn(
  known: LogPosition,
  schema: number,
  logPath: string,
  head: LogHead,
): LogPosition | undefined {
  const { log, continues } = head;
  if (known.log === log) return known;
  if (continues?.log !== known.log || continues.at !== known.at || head.schema !== schema) return undefined;
  // The process died between rewriting the log and recording that it had.
  for (const part of readRedoLog(logPath, 0)) {
    if (!("changes" in part)) break;
    if (part.changes.length === 0) return { log, at: part.end, began: part.end };
  }
  return undefined;
}

/** Writes the log anew from the database's content, replacing `before`. */
async function beginLog(
  database: UnloggedDatabase,
  logPath: string,
  before: RedoLog | undefined,
): Promise<RedoLog> {
  const store = await identityOf(database);
  // Also of a database without a log: the process may die before the database knows of its first one.
  const { log: known, at: done } = await positionOf(database);
  const continues = { log: known, at: done };
  async function* state() {
    for await (const { table, columns } of dumpTables(database)) yield [{ table, columns }];
    // An empty list of changes marks the end of the state.
    yield [];
  }
  const { log, at } = await writeRedoLog(logPath, { store, schema: SCHEMA, continues }, state());
  await record(database, { log, at, began: at });
  await before?.close();
  return openRedoLog(logPath, at);
}

/** Records the database's position in its log. */
async function record(database: UnloggedDatabase, { log, at, began }: LogPosition): Promise<void> {
  await database.write((transaction) =>
    transaction.run("UPDATE log_position SET log = ?, done_to = ?, began = ?", [log, at, began]),
  );
}

/**
 * The log to continue with if rewriting failed: the same log, to be rewritten when it has grown by as much again. If
 * another log has already replaced it, unknown to the database, a log that takes no changes: opening the directory
 * again finds the database's position in it.
 */
function afterFailure(log: RedoLog, logPath: string, error: unknown): RedoLog {
  if (headOf(logPath)?.log === log.head.log) return log;
  const fault = new Fault("unavailable", `${LOG_FILE} was rewritten but cannot be used`, {
    cause: error,
    file: logPath,
  });
  return { ...log, end: log.end, broken: fault, prepare: () => Promise.reject(fault) };
}

/** The files that hold records, with their sizes. */
function recordsIn(directory: string): readonly string[] {
  return RECORD_FILES.map(({ name }) => ({ name, size: journalSize(join(directory, name)) }))
    .filter(({ size }) => size > 0)
    .map(({ name, size }) => `${name} (${size} bytes)`);
}

/** Throws if there are records but nothing that shows which projects they belong to. */
function refuseOrphans(directory: string): void {
  const found = recordsIn(directory);
  if (found.length === 0) return;
  const wayOut =
    "put one of these back, or import calls.jsonl and calls.jsonl.gz, and rows.jsonl and rows.jsonl.gz with --rows, into another data directory";
  throw new Fault(
    "corrupt",
    `${directory} has ${found.join(", ")} but neither ${DATABASE_FILE} nor ${LOG_FILE}, which say to which project records belong: ${wayOut}`,
  );
}
