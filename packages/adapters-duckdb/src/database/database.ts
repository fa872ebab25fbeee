// A small interface to DuckDB: read, write in a transaction, append columns. The only file that uses DuckDB's client.
// External texts are only ever bound parameters.

import { basename } from "node:path";
import { Fault } from "@assay/base";
import { serialQueue } from "@assay/base/internal";
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBValue,
  type DuckDBVector,
  INTEGER,
  LIST,
  listValue,
  UINTEGER,
  VARCHAR,
} from "@duckdb/node-api";
import type { Statement } from "./statements.ts";

/** Values for parameters. Numbers are DOUBLE; lists need a cast in the SQL (`?::DOUBLE[]`). */
export type Parameter = string | number | boolean | null | readonly string[] | readonly number[];

/** A value read back. */
export type Cell = string | number | boolean | null;

/**
 * A column to append: its type in the table, and its cells. In numbers, NaN stands for null, which a typed array cannot
 * hold.
 */
export type Column = { readonly type: "VARCHAR" | "DOUBLE" | "INTEGER" | "UINTEGER" | "BOOLEAN" } & (
  | PlainCells
  | ConstantCells
  | DictionaryCells
);

/** One value per row. */
export interface PlainCells {
  readonly values: Float64Array | readonly Cell[];
}

/** The same value in every row. */
export interface ConstantCells {
  readonly same: Cell;
  readonly count: number;
}

/** One of a few different values in each row, by index. */
export interface DictionaryCells {
  readonly different: readonly Cell[];
  readonly places: Uint8Array;
}

/** The number of rows in a column. */
export function rowsIn(column: Column): number {
  if ("same" in column) return column.count;
  return "places" in column ? column.places.length : column.values.length;
}

/** Reads, within a transaction or outside of one. */
export interface DatabaseReader {
  /** The result's columns, in order, each with a cell for every row. */
  columns(sql: string, parameters?: readonly Parameter[]): Promise<readonly (readonly Cell[])[]>;
}

/** An open transaction: it sees its own writes. */
export interface Transaction extends DatabaseReader {
  /** Runs a statement and ignores its result. Only statements that a redo log can name. */
  run(sql: Statement, parameters?: readonly Parameter[]): Promise<void>;
  /** Adds rows, given as columns of equal length in the table's order. The fastest way to write. */
  append(table: string, columns: readonly Column[]): Promise<void>;
}

/** A transaction without a redo log, which may run any statement. */
export interface UnloggedTransaction extends Transaction {
  run(sql: string, parameters?: readonly Parameter[]): Promise<void>;
}

/** An open database. */
export interface Database extends DatabaseReader {
  /**
   * Runs `work` in a transaction, one at a time. It is on the disk when the promise resolves (DuckDB syncs its
   * write-ahead log on commit). If `work` rejects, nothing changes.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work`, one at a time, on the state at its beginning: it sees no later writes. */
  snapshot<T>(work: (reader: DatabaseReader) => Promise<T>): Promise<T>;
  /** Closes the file after pending work; later requests throw an `unavailable` fault. */
  close(): Promise<void>;
}

/** An open DuckDB file whose transactions are in no redo log. */
export interface UnloggedDatabase extends Database {
  write<T>(work: (transaction: UnloggedTransaction) => Promise<T>): Promise<T>;
}

const TYPES = { VARCHAR, DOUBLE, INTEGER, UINTEGER, BOOLEAN };
const CHUNK = 2048;

/** How to open a DuckDB file. */
export interface DatabaseOptions {
  readonly readOnly: boolean;
  /** In DuckDB's notation. */
  readonly memory: string;
  readonly threads: number;
  /** For a database in memory, the only files other than its own that statements can read and write. Default: none. */
  readonly files?: readonly string[];
  /** Called with each fault after which the file must be opened again, or rebuilt, before it answers. */
  readonly onBroken?: ((fault: Fault) => void) | undefined;
}

/**
 * Opens the file, which is created if missing. No statement, view or macro in it can access other files, the network or
 * the settings. Throws a `conflict` fault if another process holds it.
 */
export async function openDatabase(path: string, options: DatabaseOptions): Promise<UnloggedDatabase> {
  let instance: DuckDBInstance;
  try {
    instance = await DuckDBInstance.create(path, {
      access_mode: options.readOnly ? "READ_ONLY" : "READ_WRITE",
      memory_limit: options.memory,
      threads: String(options.threads),
      // No extension is needed, and none may be fetched.
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_persistent_secrets: "false",
      ...(options.files === undefined ? { enable_external_access: "false", lock_configuration: "true" } : {}),
    });
    if (options.files !== undefined) await confine(instance, options.files);
  } catch (error) {
    throw openFault(error, path);
  }
  const [reads, writes, snapshots] = [
    await instance.connect(),
    await instance.connect(),
    await instance.connect(),
  ];
  const [readNext, writeNext, snapshotNext] = [serialQueue(), serialQueue(), serialQueue()];
  const faultOf = (error: unknown): Fault => {
    const { fault, isBroken } = queryFault(error, path);
    if (isBroken) options.onBroken?.(fault);
    return fault;
  };
  const reader = connectionReader(reads, faultOf);
  const writer = connectionReader(writes, faultOf);
  const transaction: UnloggedTransaction = {
    columns: writer.columns,
    async run(sql, parameters) {
      await writer.columns(sql, parameters);
    },
    async append(table, columns) {
      try {
        await append(writes, table, columns);
      } catch (error) {
        throw faultOf(error);
      }
    },
  };

  let closed = false;
  const open =
    <T>(task: () => Promise<T>): (() => Promise<T>) =>
    async () => {
      if (closed) throw new Fault("unavailable", "the data directory is closed");
      return task();
    };
  const inTransaction = async <T>(work: (transaction: UnloggedTransaction) => Promise<T>): Promise<T> => {
    if (options.readOnly) throw new Fault("denied", "the data directory is open read-only");
    await transaction.run("BEGIN");
    let result: T;
    try {
      result = await work(transaction);
    } catch (error) {
      // An invalidated database refuses this too; the earlier error explains why.
      await transaction.run("ROLLBACK").catch(() => undefined);
      throw error;
    }
    await transaction.run("COMMIT");
    return result;
  };

  const inSnapshot = async <T>(work: (reader: DatabaseReader) => Promise<T>): Promise<T> => {
    const own = connectionReader(snapshots, faultOf);
    await own.columns("BEGIN");
    try {
      return await work(own);
    } finally {
      // An invalidated database refuses this too; the earlier error explains why.
      await own.columns("ROLLBACK").catch(() => undefined);
    }
  };

  return {
    columns: (sql, parameters) => readNext(open(() => reader.columns(sql, parameters))),
    write: (work) => writeNext(open(() => inTransaction(work))),
    snapshot: (work) => snapshotNext(open(() => inSnapshot(work))),
    async close() {
      await Promise.all([readNext, writeNext, snapshotNext].map((next) => next(async () => undefined)));
      if (closed) return;
      closed = true;
      for (const connection of [reads, writes, snapshots]) connection.closeSync();
      instance.closeSync();
    },
  };
}

/** List settings cannot be set while opening a database, nor after it is locked down, so this runs first. */
async function confine(instance: DuckDBInstance, files: readonly string[]): Promise<void> {
  const connection = await instance.connect();
  const listed = files.map((file) => `'${file.replaceAll("'", "''")}'`);
  await connection.run(`SET allowed_paths = [${listed.join(", ")}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
  connection.closeSync();
}

function connectionReader(connection: DuckDBConnection, faultOf: (error: unknown) => Fault): DatabaseReader {
  return {
    async columns(sql, parameters = []) {
      try {
        // Prepared anew each time: DuckDB uses facts about a table in the plan (its highest number, that a column is
        // all null), and a cached plan keeps using them when they no longer hold.
        const statement = await connection.prepare(sql);
        try {
          for (const [i, parameter] of parameters.entries()) bind(statement, i + 1, parameter);
          return await readColumns(await statement.run());
        } finally {
          statement.destroySync();
        }
      } catch (error) {
        throw faultOf(error);
      }
    },
  };
}

async function readColumns(result: DuckDBResult): Promise<Cell[][]> {
  const columns: Cell[][] = Array.from({ length: result.columnCount }, () => []);
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    for (const [c, column] of columns.entries()) {
      const vector = chunk.getColumnVector(c);
      for (let i = 0; i < vector.itemCount; i++) column.push(cell(vector.getItem(i)));
    }
  }
  return columns;
}

function bind(statement: DuckDBPreparedStatement, index: number, parameter: Parameter): void {
  if (parameter === null) statement.bindNull(index);
  else if (typeof parameter === "string") statement.bindVarchar(index, parameter);
  else if (typeof parameter === "number") statement.bindDouble(index, parameter);
  else if (typeof parameter === "boolean") statement.bindBoolean(index, parameter);
  else if (isTexts(parameter)) statement.bindList(index, listValue(parameter), LIST(VARCHAR));
  // The cast from text takes a tenth of the time of passing one number after another.
  else statement.bindVarchar(index, JSON.stringify(parameter));
}

function isTexts(list: readonly string[] | readonly number[]): list is readonly string[] {
  return typeof list[0] === "string";
}

function cell(value: DuckDBValue): Cell {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value === "number" || typeof value === "string" || typeof value === "boolean")
    return value;
  throw new Error("a column of a type that is never read");
}

async function append(
  connection: DuckDBConnection,
  table: string,
  columns: readonly Column[],
): Promise<void> {
  const appender = await connection.createAppender(table);
  const types = columns.map(({ type }) => TYPES[type]);
  const rows = rowsIn(columns[0]!);
  let chunk: DuckDBDataChunk | undefined;
  for (let from = 0; from < rows; from += CHUNK) {
    const size = Math.min(CHUNK, rows - from);
    // The appender copies its input: one chunk is reused, and cells that are the same in all rows stay in it.
    if (chunk?.rowCount !== size) {
      chunk = DuckDBDataChunk.create(types, size);
      for (const [c, column] of columns.entries())
        if ("same" in column) fill(chunk.getColumnVector(c), cellsOf(column, from));
    }
    for (const [c, column] of columns.entries())
      if (!("same" in column)) fill(chunk.getColumnVector(c), cellsOf(column, from));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** The cells of a column, beginning with row `from`. */
export function cellsOf(column: Column, from: number): (row: number) => Cell {
  if ("same" in column) return () => column.same;
  if ("places" in column) {
    const { different, places } = column;
    return (row) => different[places[from + row]!]!;
  }
  const { values } = column;
  return (row) => values[from + row]!;
}

function fill(vector: DuckDBVector, cellAt: (row: number) => Cell): void {
  // Nulls last: after the first null, setting a value takes ten times as long.
  const nulls: number[] = [];
  for (let row = 0; row < vector.itemCount; row++) {
    const cell = cellAt(row);
    if (cell === null || Number.isNaN(cell)) nulls.push(row);
    else vector.setItem(row, cell);
  }
  for (const row of nulls) vector.setItem(row, null);
  vector.flush();
}

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function openFault(error: unknown, path: string): Fault {
  const [reason = ""] = text(error).split("\n");
  // DuckDB's message; its messages for a damaged file also contain "block".
  if (/could not set lock|conflicting lock|used by another process/i.test(reason)) {
    return new Fault("conflict", "another process has the data directory open", { cause: error });
  }
  if (/does not exist|no such file/i.test(reason)) {
    return new Fault("missing", `there is no database at ${path}`, { cause: error });
  }
  const message = `${path} cannot be opened (${reason})`;
  const options = { cause: error, file: path };
  if (/permission denied|read-only file system/i.test(reason)) return new Fault("denied", message, options);
  if (/no space left/i.test(reason)) return new Fault("exhausted", message, options);
  return new Fault(DAMAGE.test(reason) ? "corrupt" : "unavailable", message, options);
}

/** The fault for a failed statement, and whether the database can still be used. */
function queryFault(error: unknown, path: string): { readonly fault: Fault; readonly isBroken: boolean } {
  if (error instanceof Fault) return { fault: error, isBroken: false };
  const message = text(error);
  const cause = { cause: error, file: path === ":memory:" ? undefined : path };
  const name = basename(path);
  if (DAMAGE.test(message)) {
    const message = `${name} is damaged: it is rebuilt from its redo log the next time it is opened`;
    return { fault: new Fault("corrupt", message, cause), isBroken: true };
  }
  const full = /no space left|disk quota exceeded/i.test(message);
  if (/fatal error|has been invalidated/i.test(message)) {
    const fault = new Fault(full ? "exhausted" : "unavailable", `${name} could not be written`, cause);
    return { fault, isBroken: true };
  }
  // DuckDB names the file, which may be one next to its own.
  const [, file] = /could not \w+ (?:[\w ]{1,100} )?file "([^"]+)"/i.exec(message) ?? [];
  if (file !== undefined) {
    const options = { cause: error, file };
    const message = full ? `no space left to write ${basename(file)}` : `${basename(file)} failed`;
    return { fault: new Fault(full ? "exhausted" : "unavailable", message, options), isBroken: false };
  }
  const exhausted = full || /out of memory/i.test(message);
  const fault = new Fault(exhausted ? "exhausted" : "unavailable", "the embedded database failed", cause);
  return { fault, isBroken: false };
}

// DuckDB's messages for a file whose bytes changed.
const DAMAGE =
  /corrupt|not a valid duckdb database|could not read enough bytes|does not match stored checksum|read a database file with version|failed to deserialize|serialization error/i;
