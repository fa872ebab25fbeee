/**
 * Opening data to ask it in this process, apart from all that serving takes: whoever only reads or imports loads nothing
 * more.
 *
 * @packageDocumentation
 */
export { openClickHouse } from "./open-clickhouse.ts";
export { openDirectory } from "./open-directory.ts";
export type { DataDirectory, DirectoryOptions, ServerData, ServerStores } from "./server-data.ts";
export { findServer } from "./server-proof.ts";
