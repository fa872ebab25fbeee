import type { DatasetRow } from "../row/dataset-row.ts";

/**
 * Writes dataset rows to a store. When the promise resolves, every query of the store sees them. Throws a `Fault` if
 * the storage fails; each store documents what is stored in that case.
 */
export interface RowWriter {
  /**
   * Puts rows: a row with an existing digest or reference replaces it; an identical row changes nothing. Returns the
   * number of changed rows.
   */
  put(project: string, rows: readonly DatasetRow[]): Promise<number>;
}
