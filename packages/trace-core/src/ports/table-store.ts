import type { Json } from "@assay/base";

/** One row of a table: its value with its digest. */
export interface TableRow {
  /** The digest of `val` (docs/reference/semantics.md, "Row identity"). */
  readonly digest: string;
  /** The row itself. */
  readonly val: Json;
}

/**
 * Where tables and their rows are kept, each under the digest of its content. Throws a `Fault` when the storage itself
 * fails. It is also the evaluation engine's `RowSource`, over the same rows.
 */
export interface TableStore {
  /** Adds rows, and the table that lists rows by digest. All or nothing; durable when the promise resolves. */
  put(
    project: string,
    digest: string,
    rowDigests: readonly string[],
    rows: readonly TableRow[],
  ): Promise<void>;

  /** The digests of the table's rows in order; undefined if the table does not exist. */
  table(project: string, digest: string): Promise<readonly string[] | undefined>;

  /** The rows with these digests, in the requested order; undefined for unknown ones. */
  rowValues(project: string, digests: readonly string[]): Promise<readonly (Json | undefined)[]>;
}
