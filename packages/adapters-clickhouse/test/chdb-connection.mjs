// ClickHouse in this process, as a connection of @clickhouse/client. Not TypeScript, because chDB's types name those of
// another package's copy of the client, which are the same and are not taken for the same.

import { createChdbConnection } from "chdb/connection";

/**
 * One in memory, shared by all who ask in this process.
 * @returns {NonNullable<import("@clickhouse/client").ClickHouseClientConfigOptions["connection"]>}
 */
export function chdbConnection() {
  return createChdbConnection({ path: ":memory:" });
}
