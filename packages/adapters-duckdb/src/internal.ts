/**
 * Exports of `@assay/adapters-duckdb` for other packages of Assay. Not part of the public API: any release can change
 * or remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export { rewriteFiles } from "./deletion/delete-records.ts";
export type { UsageLedger } from "./inference/usage.ts";
export { type ParquetColumn, writeParquetFile } from "./parquet-file.ts";
export type { StoreCounts } from "./store-counts.ts";
export type { FileArtifacts } from "./training/artifacts.ts";
