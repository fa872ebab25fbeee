// What the tests share: ClickHouse in this process, or the server that ASSAY_TEST_CLICKHOUSE_URL names.

import { type Call, readCall } from "@assay/eval-engine";
import { createClient } from "@clickhouse/client";
import { afterAll } from "vitest";
import type { CallText, ClickHouseStore } from "../src/index.ts";
import { type ClickHouse, clickHouse, clickHouseStore, migrate } from "../src/index.ts";
import { chdbConnection } from "./chdb-connection.mjs";

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
  await migrate(clickhouse, name);
  return name;
}

/** The stores of a database of their own. */
export async function freshStore(): Promise<ClickHouseStore> {
  return clickHouseStore(clickhouse, { database: await freshDatabase() });
}

/** A call as it is put; what it does not say is null. */
export function whole(call: Partial<Call> & { readonly id: string }): CallText {
  const read = readCall(call);
  if (!read.ok) throw new TypeError(read.issues[0]!.message);
  return { call: read.value, text: JSON.stringify(read.value) };
}
