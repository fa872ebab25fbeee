/** Lists dataset rows. Throws a `Fault` when the storage itself fails. */
export interface RowScan {
  /**
   * Rows as lines of JSON, `{"digest", "ref", "val"}` with `ref` where the row has one: all of the project, or those
   * under these digests and references, each once, in batches, in any order. One that is written during the scan may
   * be missed or be there.
   */
  scan(project: string, names?: readonly string[]): AsyncIterable<readonly string[]>;
}
