/**
 * What other packages of Assay need of `@assay/adapters-clickhouse`. Not part of its public API: a name can change or
 * go in any release. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export type { Statement } from "./clickhouse.ts";
export { connectClickHouse } from "./connect.ts";
export type { ClickHouseDeletion, ClickHouseDeletionReport } from "./delete-records.ts";
export { checkSchema } from "./migrate.ts";
