// All rows of a database's tables, some at a time: what a redo log begins with.

import type { Column, Database, PlainCells } from "../database.ts";

/** Some rows of a table: a change that appends them, and what its columns are called. */
export interface TableRows {
  readonly table: string;
  readonly names: readonly string[];
  readonly columns: readonly (Column & PlainCells)[];
}

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
): AsyncGenerator<TableRows> {
  for (const [table, columns] of await tablesOf(database)) {
    if (leftOut.has(table)) continue;
    const [last] = await database.columns(`SELECT coalesce(max(rowid), -1) FROM ${table}`);
    for (let from = 0; from <= (last![0] as number); from += ROWS) {
      const cells = await database.columns(
        `SELECT * FROM ${table} WHERE rowid >= ${from} AND rowid < ${from + ROWS} ORDER BY rowid`,
      );
      if (cells[0]!.length > 0)
        yield {
          table,
          names: columns.map(({ name }) => name),
          columns: columns.map(({ type }, i) => ({ type, values: cells[i]! })),
        };
    }
  }
}

interface NamedColumn {
  readonly name: string;
  readonly type: Column["type"];
}

/** The columns of each table. The names are those of schema.ts, and so safe in SQL. */
async function tablesOf(database: Database): Promise<ReadonlyMap<string, readonly NamedColumn[]>> {
  const [tables, names, types] = (await database.columns(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = 'main' ORDER BY table_name, ordinal_position`,
  )) as readonly (readonly string[])[];
  const found = new Map<string, NamedColumn[]>();
  for (const [i, table] of tables!.entries()) {
    const column = { name: names![i]!, type: types![i] as Column["type"] };
    found.set(table, [...(found.get(table) ?? []), column]);
  }
  return found;
}
