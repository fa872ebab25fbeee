/**
 * Exports of `@assay/adapters-clickhouse` for other packages of Assay. Not part of the public API: any release can
 * change or remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export type { Statement } from "./connection/clickhouse.ts";
export { connectClickHouse } from "./connection/connect.ts";
export type { ClickHouseDeletion, ClickHouseDeletionReport } from "./delete-records.ts";
export { checkSchema } from "./migrate.ts";
