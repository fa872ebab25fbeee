// ClickHouse in this process, as a connection of @clickhouse/client. Not TypeScript, because chDB's types name those of
// another package's copy of the client, which are the same and are not taken for the same.

import { Session } from "chdb";
import { createChdbConnection } from "chdb/connection";

/**
 * One in memory, shared by all who ask in this process.
 * @returns {NonNullable<import("@clickhouse/client").ClickHouseClientConfigOptions["connection"]>}
 */
export function chdbConnection() {
  return createChdbConnection({ path: ":memory:" });
}

/**
 * One over the files at `path`, with a server's configuration file.
 * @param {string} path
 * @param {string} config
 */
export function configuredConnection(path, config) {
  // Who opens a path first configures it for all.
  const session = new Session(path, { connectionArgs: [`--config-file=${config}`] });
  const connection =
    /** @type {NonNullable<import("@clickhouse/client").ClickHouseClientConfigOptions["connection"]>} */ (
      createChdbConnection({ path })
    );
  return { connection, close: () => session.close() };
}
