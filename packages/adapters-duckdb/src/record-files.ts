// The files of a data directory that hold records: its journals, the tables that point into each, and their database.

import type { Reader } from "./database.ts";
import type { RecordTable } from "./record-index.ts";

/** The database's file in a data directory. */
export const DATABASE_FILE = "assay.duckdb";

/** A journal's file, and the tables whose records it holds. */
export interface RecordFile {
  readonly name: string;
  readonly tables: readonly ("calls" | RecordTable)[];
}

/** The texts of calls. */
export const CALLS_FILE: RecordFile = { name: "calls.jsonl", tables: ["calls"] };
/** Dataset rows. */
export const ROWS_FILE: RecordFile = { name: "rows.jsonl", tables: ["dataset_rows"] };
/** Versions of objects, tables and feedback. */
export const OBJECTS_FILE: RecordFile = {
  name: "objects.jsonl",
  tables: ["objects", "row_tables", "feedback"],
};
/** What clients upload. */
export const FILES_FILE: RecordFile = { name: "files.bin", tables: ["files"] };

/** All of them. */
export const RECORD_FILES: readonly RecordFile[] = [CALLS_FILE, ROWS_FILE, OBJECTS_FILE, FILES_FILE];

/** Where the last record that the database points at ends in a journal. */
export async function recordsEnd(reader: Reader, { tables }: RecordFile): Promise<number> {
  const ends = tables.map((table) => `SELECT max(place + size + 1) AS one FROM ${table}`);
  const [end] = await reader.columns(`SELECT coalesce(max(one), 0) FROM (${ends.join(" UNION ALL ")})`);
  return end![0] as number;
}
