/**
 * Assay as a service: `openServer` turns a data directory, or your own stores, into a handler from `Request` to
 * `Response` that you can mount in any server. `openDirectory` opens a data directory to query it in this process.
 *
 * @packageDocumentation
 */
export { openClickHouse } from "./open-clickhouse.ts";
export { openDirectory } from "./open-directory.ts";
export { openServer, type ServerOptions } from "./open-server.ts";
export type { RetentionRules } from "./retention.ts";
export type { DataDirectory, DirectoryOptions, ServerData, ServerStores } from "./server-data.ts";
export { findServer } from "./server-identity.ts";
export type { Server, ServerSettings } from "./server-settings.ts";
export { readTrainingConfig, type TrainingConfig } from "./training/config.ts";
