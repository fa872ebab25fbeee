import type { Direction } from "@assay/statistics";

/** The direction set for a score; `none` means that none of its values are better. */
export type KeptDirection = Direction | "none";

/** The directions that projects set for their scores. Throws a `Fault` when the storage itself fails. */
export interface ScoreDirections {
  /**
   * The directions of a project, by field (`scores.<path>`, as in requests), in order of fields. Empty if none are
   * set.
   */
  get(project: string): Promise<ReadonlyMap<string, KeptDirection>>;

  /** Sets the directions of these scores, all or none of them; null unsets one. */
  put(project: string, directions: ReadonlyMap<string, KeptDirection | null>): Promise<void>;
}
