import type { Json } from "@assay/base";

/** Where dataset rows come from. When the storage itself fails, it throws a `Fault`. */
export interface RowSource {
  /** Grows with every row added to the project, so that a row that was missing is looked up again. */
  version(project: string): number | Promise<number>;

  /**
   * The rows that dataset-row references (`…/attr/rows/id/<digest>`) name, in the order asked; undefined for one that
   * is not there. A row stored under exactly this reference comes before one stored only under its digest.
   */
  rows(
    project: string,
    refs: readonly string[],
  ): readonly (Json | undefined)[] | Promise<readonly (Json | undefined)[]>;
}
