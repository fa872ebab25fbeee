// Reads all rows of a database's tables in batches, for the beginning of a redo log.

import type { Column, DatabaseReader, PlainCells } from "../database/database.ts";
import { TABLES } from "../database/schema.ts";

/** Some rows of a table: a change that appends them, and the names of its columns. */
export interface TableRows {
  readonly table: string;
  readonly names: readonly string[];
  readonly columns: readonly (Column & PlainCells)[];
}

// Rows per batch: few enough that others are not delayed while they become cells.
const ROWS = 4096;

/** The rows of each table in order, a few thousand at a time. Nothing may write to the database meanwhile. */
export async function* dumpTables(database: DatabaseReader): AsyncGenerator<TableRows> {
  for (const [table, columns] of await tablesOf(database)) {
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

/** The columns of each table of schema.ts. Anything else in the file is not part of the store. */
export async function tablesOf(
  database: DatabaseReader,
): Promise<ReadonlyMap<string, readonly NamedColumn[]>> {
  const [tables, names, types] = (await database.columns(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = 'main' ORDER BY table_name, ordinal_position`,
  )) as readonly (readonly string[])[];
  const found = new Map<string, NamedColumn[]>();
  for (const [i, table] of tables!.entries()) {
    if (!TABLES.has(table)) continue;
    const column = { name: names![i]!, type: types![i] as Column["type"] };
    found.set(table, [...(found.get(table) ?? []), column]);
  }
  return found;
}
