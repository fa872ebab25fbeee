// ClickHouse in this process, as a connection of @clickhouse/client. Not TypeScript: chDB's types name those of another
// package's copy of the client, which are the same and are not taken for the same.

import { createChdbConnection } from "chdb/connection";

/**
 * One over the files at `path`.
 * @param {string} path
 * @returns {NonNullable<import("@clickhouse/client").ClickHouseClientConfigOptions["connection"]>}
 */
export function chdbConnection(path) {
  return createChdbConnection({ path });
}
