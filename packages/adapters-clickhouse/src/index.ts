/**
 * Calls, dataset rows and pushed-down evaluation queries in ClickHouse, behind the ports of the eval-engine.
 *
 * @packageDocumentation
 */
export {
  type ClickHouse,
  clickHouse,
  type QueryLimits,
  type Rows,
  type RunOptions,
  type Statement,
} from "./clickhouse.ts";
export { type Connection, connectClickHouse } from "./connect.ts";
export type { ClickHouseDeletion, ClickHouseDeletionReport } from "./delete-records.ts";
export { checkSchema, type MigrateOptions, migrate } from "./migrate.ts";
export { type ClickHouseStore, type ClickHouseStoreOptions, clickHouseStore } from "./store.ts";
