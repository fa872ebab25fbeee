// All rows of a database's tables, as changes that append them: what a redo log begins with.

import type { Column, Database } from "../database.ts";
import type { Change } from "./redo-log.ts";

/** What is not part of a store's state: it is made with the tables, or says where the log is. */
const NO_STATE: ReadonlySet<string> = new Set(["schema_version", "store", "log_position"]);
// Rows read together: few enough that others need not wait while they become cells.
const ROWS = 4096;

/**
 * The rows of each table in order, some thousands at a time, but for tables that are left out. Nothing may write to the
 * database meanwhile.
 */
export async function* dumpTables(
  database: Database,
  leftOut: ReadonlySet<string> = NO_STATE,
): AsyncGenerator<readonly Change[]> {
  for (const [table, types] of await tablesOf(database)) {
    if (leftOut.has(table)) continue;
    const [last] = await database.columns(`SELECT coalesce(max(rowid), -1) FROM ${table}`);
    for (let from = 0; from <= (last![0] as number); from += ROWS) {
      const cells = await database.columns(
        `SELECT * FROM ${table} WHERE rowid >= ${from} AND rowid < ${from + ROWS} ORDER BY rowid`,
      );
      if (cells[0]!.length > 0)
        yield [{ table, columns: types.map((type, i) => ({ type, values: cells[i]! })) }];
    }
  }
}

/** The types of each table's columns. The names are those of schema.ts, and so safe in SQL. */
async function tablesOf(database: Database): Promise<ReadonlyMap<string, readonly Column["type"][]>> {
  const [tables, types] = await database.columns(
    `SELECT table_name, data_type FROM information_schema.columns
     WHERE table_schema = 'main' ORDER BY table_name, ordinal_position`,
  );
  const found = new Map<string, Column["type"][]>();
  for (const [i, table] of (tables as readonly string[]).entries()) {
    found.set(table, [...(found.get(table) ?? []), types![i] as Column["type"]]);
  }
  return found;
}
