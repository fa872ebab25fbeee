export type { CallText, JoinCalls } from "./call-text.ts";
export type { CallWriter } from "./call-writer.ts";
export {
  type ClickHouse,
  clickHouse,
  type QueryLimits,
  type Rows,
  type RunOptions,
  type Statement,
} from "./clickhouse.ts";
export type { RowWriter } from "./rows.ts";
export { checkSchema, migrate } from "./schema.ts";
export { type ClickHouseStore, type ClickHouseStoreOptions, clickHouseStore } from "./store.ts";
