// The files of a data directory that hold records: its journals, the tables that point into each, and the database.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { SHORTEST } from "../compression/bgzf.ts";
import type { DatabaseReader } from "../database/database.ts";
import { type Journal, journalSize, openJournal } from "./journal.ts";
import { blockEnd, blockOf, openPackedJournal, PACKED, type PackedJournal } from "./packed-journal.ts";
import type { RecordTable } from "./record-index.ts";

/** The database file in a data directory. */
export const DATABASE_FILE = "assay.duckdb";

/** A journal's file, and the tables whose records it holds. */
export interface RecordFile {
  readonly name: string;
  readonly tables: readonly ("calls" | RecordTable)[];
  /** Whether it holds the packed records of its tables, or the others. */
  readonly isPacked: boolean;
}

/** The texts of calls. */
export const CALLS_FILE: RecordFile = { name: "calls.jsonl", tables: ["calls"], isPacked: false };
/** The texts of calls from large writes. */
export const PACKED_CALLS_FILE: RecordFile = { name: "calls.jsonl.gz", tables: ["calls"], isPacked: true };
/** Dataset rows. */
export const ROWS_FILE: RecordFile = { name: "rows.jsonl", tables: ["dataset_rows"], isPacked: false };
/** Dataset rows from large writes. */
export const PACKED_ROWS_FILE: RecordFile = {
  name: "rows.jsonl.gz",
  tables: ["dataset_rows"],
  isPacked: true,
};
/** Versions of objects, tables and feedback. */
export const OBJECTS_FILE: RecordFile = {
  name: "objects.jsonl",
  tables: ["objects", "row_tables", "feedback"],
  isPacked: false,
};
/** Files that clients upload. */
export const FILES_FILE: RecordFile = { name: "files.bin", tables: ["files"], isPacked: false };

/** All record files. */
export const RECORD_FILES: readonly RecordFile[] = [
  CALLS_FILE,
  PACKED_CALLS_FILE,
  ROWS_FILE,
  PACKED_ROWS_FILE,
  OBJECTS_FILE,
  FILES_FILE,
];

/** The SQL condition for a record of one of its tables to be in this file. */
export function inFileSql({ isPacked }: RecordFile): string {
  return `place ${isPacked ? ">=" : "<"} ${PACKED}`;
}

/** The end of the last indexed record in a journal. */
export async function recordsEnd(
  reader: DatabaseReader,
  directory: string,
  file: RecordFile,
): Promise<number> {
  const one = file.isPacked ? "max(place)" : "max(place + size + 1)";
  const ends = file.tables.map((table) => `SELECT ${one} AS one FROM ${table} WHERE ${inFileSql(file)}`);
  const [found] = await reader.columns(`SELECT coalesce(max(one), 0) FROM (${ends.join(" UNION ALL ")})`);
  const last = found![0] as number;
  if (!file.isPacked || last === 0) return last;
  const block = blockOf({ at: last });
  const path = join(directory, file.name);
  const end = existsSync(path) ? blockEnd(path, block) : undefined;
  // The end of a block with a damaged header is unknown.
  return end ?? Math.max(block + SHORTEST, journalSize(path));
}

/** Opens a plain journal of a data directory. */
export async function openPlainRecords(
  reader: DatabaseReader,
  directory: string,
  file: RecordFile,
  readOnly: boolean,
): Promise<Journal> {
  return openJournal(join(directory, file.name), await recordsEnd(reader, directory, file), readOnly);
}

/** Opens a packed journal of a data directory. */
export async function openPackedRecords(
  reader: DatabaseReader,
  directory: string,
  file: RecordFile,
  readOnly: boolean,
): Promise<PackedJournal> {
  return openPackedJournal(join(directory, file.name), await recordsEnd(reader, directory, file), readOnly);
}
