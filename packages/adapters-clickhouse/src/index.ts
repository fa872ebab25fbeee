/**
 * Calls, dataset rows and pushed-down evaluation queries in ClickHouse, implementing the ports of the evaluation
 * engine.
 *
 * @packageDocumentation
 */
export { type ClickHouse, clickHouse, type QueryLimits } from "./connection/clickhouse.ts";
export { migrateClickHouse } from "./migrate.ts";
export { type ClickHouseStore, type ClickHouseStoreOptions, clickHouseStore } from "./store.ts";
