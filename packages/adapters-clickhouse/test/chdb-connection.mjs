// ClickHouse in this process, as a connection of @clickhouse/client. Written in JavaScript, because chDB's types refer
// to another copy of the client, whose identical types TypeScript treats as different.

import { createChdbConnection } from "chdb/connection";

/**
 * A connection to an in-memory database, shared by all callers in this process.
 * @returns {NonNullable<import("@clickhouse/client").ClickHouseClientConfigOptions["connection"]>}
 */
export function chdbConnection() {
  return createChdbConnection({ path: ":memory:" });
}
