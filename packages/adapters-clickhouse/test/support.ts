// What the tests share: ClickHouse in this process, or the server that ASSAY_TEST_CLICKHOUSE_URL names.

import { createClient } from "@clickhouse/client";
import { afterAll } from "vitest";
import type { ClickHouseStore } from "../src/index.ts";
import { type ClickHouse, clickHouse, clickHouseStore, migrateClickHouse } from "../src/index.ts";
import { chdbConnection } from "./chdb-connection.mjs";
import { emptyTables } from "./empty-tables.ts";

export { whole } from "./whole.ts";

const url = process.env["ASSAY_TEST_CLICKHOUSE_URL"];

/** One connection for all tests of a file: a process has one ClickHouse. */
const client =
  url === undefined
    ? createClient({
        connection: chdbConnection(),
        // Tests ask thousands of small questions: threads only cost time.
        clickhouse_settings: { max_threads: 1 },
      })
    : createClient({ url });

/** Statements to it. */
export const clickhouse: ClickHouse = clickHouse(client);

const databases: string[] = [];

afterAll(async () => {
  for (const name of databases) await clickhouse.command(`DROP DATABASE IF EXISTS ${name}`);
  await client.close();
});

/** A database of its own with all tables, dropped after the file's tests. */
export async function freshDatabase(): Promise<string> {
  const name = `assay_test_${process.pid}_${databases.length}`;
  databases.push(name);
  await migrateClickHouse(clickhouse, name);
  return name;
}

/** The stores of a database of their own. */
export async function freshStore(): Promise<ClickHouseStore> {
  return clickHouseStore(clickhouse, { database: await freshDatabase() });
}

/**
 * The stores of one database for all tests of a file, emptied before each: for tests that need one at a time, since to
 * make tables takes longer than most tests.
 */
export async function emptyStore(): Promise<ClickHouseStore> {
  shared ??= freshDatabase();
  const database = await shared;
  await emptyTables(clickhouse, database);
  return clickHouseStore(clickhouse, { database });
}

let shared: Promise<string> | undefined;
