/**
 * Assay as a service: `openServer` makes one handler from `Request` to `Response` of a data directory, or of stores of one's
 * own, to be mounted in any server. `openDirectory` opens a data directory to ask it in this process.
 *
 * @packageDocumentation
 */
export { openClickHouse } from "./open-clickhouse.ts";
export { openDirectory } from "./open-directory.ts";
export { openServer, type ServerOptions } from "./open-server.ts";
export type { RetentionRules } from "./retention.ts";
export type { DataDirectory, DirectoryOptions, ServerData, ServerStores } from "./server-data.ts";
export { findServer } from "./server-proof.ts";
export type { Server, ServerSettings } from "./server-settings.ts";
export { readTrainingConfig, type TrainingConfig } from "./training/config.ts";
