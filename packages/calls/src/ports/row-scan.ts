/** Lists dataset rows. Throws a `Fault` if the storage fails. */
export interface RowScan {
  /**
   * Rows as lines of JSON, `{"digest", "ref", "val"}` with `ref` if the row has one: all of the project, or those with
   * these digests and references, without duplicates, in batches, in any order. A row written during the scan may be
   * missing or included.
   */
  scan(project: string, names?: readonly string[]): AsyncIterable<readonly string[]>;
}
