/**
 * Opens data to query it in this process, apart from everything that serving needs, so that reading and importing
 * load nothing more.
 *
 * @packageDocumentation
 */
export { openClickHouse } from "./open-clickhouse.ts";
export { openDirectory } from "./open-directory.ts";
export type { DataDirectory, DirectoryOptions, ServerData, ServerStores } from "./server-data.ts";
export { findServer } from "./server-proof.ts";
