/**
 * What other packages of Assay need of this one, not for others: `@assay/adapters-duckdb` promises
 * nothing of it, and a name can change or go in any release. Packages of Assay name each other's versions exactly.
 *
 * @packageDocumentation
 */
export { writeFilesAnew } from "./deletion/delete-records.ts";
export type { UsageLedger } from "./inference/usage.ts";
export { type ParquetColumn, writeParquetFile } from "./parquet-file.ts";
export type { StoreCounts } from "./store-counts.ts";
export type { FileArtifacts } from "./training/artifacts.ts";
