import type { Direction } from "@assay/statistics";

/** What is kept of a score: which of its values are better, or that none are. */
export type KeptDirection = Direction | "none";

/** What projects say of their scores. When the storage itself fails, it throws a `Fault`. */
export interface ScoreDirections {
  /** What a project says, by field (`scores.<path>`, as a request has it), in order of fields. Empty when it says nothing. */
  get(project: string): Promise<ReadonlyMap<string, KeptDirection>>;

  /** Sets the directions of these scores, all or none of them; null unsets one. */
  put(project: string, said: ReadonlyMap<string, KeptDirection | null>): Promise<void>;
}
