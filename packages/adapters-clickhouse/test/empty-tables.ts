// Empties the tables of a database, except the record of migration steps.

import type { ClickHouse } from "../src/index.ts";

/** Deletes all data in the tables of a database on one server, and keeps the tables. */
export async function emptyTables(clickhouse: ClickHouse, database: string): Promise<void> {
  const tables = await clickhouse.query({
    sql: `SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree' AND name NOT LIKE 'schema_steps%' AND total_rows > 0`,
    params: { database },
  });
  for (const [name] of tables) await clickhouse.command(`TRUNCATE TABLE ${database}.${name}`);
}
