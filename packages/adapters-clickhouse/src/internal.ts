/**
 * What other Assay packages need from `@assay/adapters-clickhouse`. Not part of its public API: any release can change
 * or remove a name. Assay packages depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export type { Statement } from "./connection/clickhouse.ts";
export { connectClickHouse } from "./connection/connect.ts";
export type { ClickHouseDeletion, ClickHouseDeletionReport } from "./delete-records.ts";
export { checkSchema } from "./migrate.ts";
