/**
 * Assay as a service: `openServer` turns a data directory, or your own stores, into a handler from `Request` to
 * `Response` that you can mount in any server. `openDirectory` opens a data directory to query it in this process.
 *
 * @packageDocumentation
 */
export { openClickHouse } from "./backends/open-clickhouse.ts";
export { openDirectory } from "./backends/open-directory.ts";
export type { RetentionRules } from "./data/retention.ts";
export type { DataDirectory, DirectoryOptions, ServerData, ServerStores } from "./data/server-data.ts";
export { findServer } from "./identity/server-identity.ts";
export { openServer, type ServerOptions } from "./open-server.ts";
export type { Server, ServerSettings } from "./settings/server-settings.ts";
export { readTrainingConfig, type TrainingConfig } from "./training/config.ts";
