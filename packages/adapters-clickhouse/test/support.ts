// Helpers shared by the tests: ClickHouse in this process, or the server in ASSAY_TEST_CLICKHOUSE_URL.

import { createClient } from "@clickhouse/client";
import { afterAll } from "vitest";
import type { ClickHouseStore } from "../src/index.ts";
import { type ClickHouse, clickHouse, clickHouseStore, migrateClickHouse } from "../src/index.ts";
import { chdbConnection } from "./chdb-connection.mjs";
import { emptyTables } from "./empty-tables.ts";

export { whole } from "./whole.ts";

const url = process.env["ASSAY_TEST_CLICKHOUSE_URL"];

/** All tests of a file share one connection, because a process has one ClickHouse. */
const client =
  url === undefined
    ? createClient({
        connection: chdbConnection(),
        // Tests send thousands of small queries, for which threads only cost time.
        clickhouse_settings: { max_threads: 1 },
      })
    : createClient({ url });

/** Sends statements to it. */
export const clickhouse: ClickHouse = clickHouse(client);

const databases: string[] = [];

afterAll(async () => {
  for (const name of databases) await clickhouse.command(`DROP DATABASE IF EXISTS ${name}`);
  await client.close();
});

/** Creates a database with all tables, dropped after the file's tests. */
export async function freshDatabase(): Promise<string> {
  const name = `assay_test_${process.pid}_${databases.length}`;
  databases.push(name);
  await migrateClickHouse(clickhouse, name);
  return name;
}

/** The stores of a new database. */
export async function freshStore(): Promise<ClickHouseStore> {
  return clickHouseStore(clickhouse, { database: await freshDatabase() });
}

/**
 * The stores of a database shared by all tests of a file, emptied before each. For tests that need one store at a time,
 * because creating tables takes longer than most tests.
 */
export async function emptyStore(): Promise<ClickHouseStore> {
  shared ??= freshDatabase();
  const database = await shared;
  await emptyTables(clickhouse, database);
  return clickHouseStore(clickhouse, { database });
}

let shared: Promise<string> | undefined;
