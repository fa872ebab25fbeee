/**
 * What other packages of Assay need of this one, not for others: `@assay/adapters-clickhouse` promises
 * nothing of it, and a name can change or go in any release. Packages of Assay name each other's versions exactly.
 *
 * @packageDocumentation
 */
export type { Statement } from "./clickhouse.ts";
export { connectClickHouse } from "./connect.ts";
export type { ClickHouseDeletion, ClickHouseDeletionReport } from "./delete-records.ts";
export { checkSchema } from "./migrate.ts";
