import type { Json } from "@assay/base";

/** A source of dataset rows. Throws a `Fault` if the storage fails. */
export interface RowSource {
  /** Grows with every row added to the project, so that missing rows are looked up again. */
  version(project: string): number | Promise<number>;

  /**
   * The rows for these dataset-row references (`…/attr/rows/id/<digest>`), in the given order; undefined for one that
   * does not exist. A row stored with exactly this reference takes precedence over one stored only with its digest.
   */
  rows(
    project: string,
    refs: readonly string[],
  ): readonly (Json | undefined)[] | Promise<readonly (Json | undefined)[]>;
}
