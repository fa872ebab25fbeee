export type { CallScan, ScanScope } from "./call-scan.ts";
export type { CallText, JoinCalls } from "./call-text.ts";
export type { CallWriter, ProjectCalls } from "./call-writer.ts";
export {
  type ClickHouse,
  clickHouse,
  type QueryLimits,
  type Rows,
  type RunOptions,
  type Statement,
} from "./clickhouse.ts";
export { type Connection, connectClickHouse } from "./connect.ts";
export type { EvaluationEntry } from "./evaluations.ts";
export { checkSchema, type MigrateOptions, migrate } from "./migrate.ts";
export type { RowScan, RowWriter } from "./rows.ts";
export { type ClickHouseStore, type ClickHouseStoreOptions, clickHouseStore } from "./store.ts";
