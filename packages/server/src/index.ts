/**
 * Assay as a service: `openServer` makes one handler from `Request` to `Response` of a data directory, or of stores of one's
 * own, to be mounted in any server. `openDirectory` opens a data directory to ask it in this process.
 *
 * @packageDocumentation
 */
export type { ServerAccess, WhoMayAsk } from "./access.ts";
export type { AreaName } from "./areas/areas.ts";
export type { ClickHouseData, ClickHouseDataOptions } from "./clickhouse-data.ts";
export type { DataAccess } from "./data-access.ts";
export { evaluationProgress } from "./evaluation-progress.ts";
export type { ListedProject } from "./listed-projects.ts";
export { openClickHouse } from "./open-clickhouse.ts";
export { openDirectory } from "./open-directory.ts";
export {
  openServer,
  type Server,
  type ServerOptions,
  type ServerPlace,
  type ServerSettings,
} from "./open-server.ts";
export { type PriceableData, withPrices } from "./priced-data.ts";
export { expiredEvaluations, type RetentionRules } from "./retention.ts";
export type { DataDirectory, DirectoryOptions, ServerData, ServerStores } from "./server-data.ts";
export { findServer } from "./server-proof.ts";
export { systemClock } from "./system-clock.ts";
export { readTrainingConfig, type TrainerConfig, type TrainingConfig } from "./training/config.ts";
