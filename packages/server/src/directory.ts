/**
 * Opens data to query it in this process. It is separate from everything that serving needs, to load less.
 *
 * @packageDocumentation
 */
export { openClickHouse } from "./open-clickhouse.ts";
export { openDirectory } from "./open-directory.ts";
export type { DataDirectory, DirectoryOptions, ServerData, ServerStores } from "./server-data.ts";
export { findServer } from "./server-identity.ts";
