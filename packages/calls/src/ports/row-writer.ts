import type { DatasetRow } from "../dataset-row.ts";

/**
 * How dataset rows get into a store. What is put is there for every query of the store when the promise resolves. When
 * the storage itself fails, it throws a `Fault`; what is then there, each store says for itself.
 */
export interface RowWriter {
  /**
   * Puts rows: a row under an existing digest or reference replaces it; the same row again changes nothing. The number
   * of rows that changed.
   */
  put(project: string, rows: readonly DatasetRow[]): Promise<number>;
}
