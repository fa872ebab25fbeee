/**
 * Opens data to query it in this process. It is separate from everything that serving needs, to load less.
 *
 * @packageDocumentation
 */
export { openClickHouse } from "./backends/open-clickhouse.ts";
export { openDirectory } from "./backends/open-directory.ts";
export type { DataDirectory, DirectoryOptions, ServerData, ServerStores } from "./data/server-data.ts";
export { findServer } from "./identity/server-identity.ts";
