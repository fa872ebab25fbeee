// The directions of scores, collected from the files for each project.

import { compareText } from "@assay/base/internal";
import type { PlannedEvaluation } from "../trials/planned-evaluation.ts";

/** The directions of a project's scores in the files. */
export interface ProjectDirections {
  /** By field, as in requests: `scores.<path>`. */
  readonly directions: ReadonlyMap<string, "higher" | "lower">;
  /** Scores on which evaluations disagree, so that no direction is stored; shown to the user. */
  readonly disputed: readonly string[];
}

/** The score directions in the files of these evaluations, ordered by field. */
export function projectDirections(evaluations: readonly PlannedEvaluation[]): ProjectDirections {
  const directions = new Map<string, "higher" | "lower">();
  const disputed = new Map<string, string>();
  for (const { path, type, direction } of evaluations.flatMap(({ scores }) => scores)) {
    if (direction === undefined || type === "text" || type === "mixed") continue;
    const field = `scores.${path}`;
    if ((directions.get(field) ?? direction) !== direction) disputed.set(field, path);
    directions.set(field, direction);
  }
  const agreed = [...directions].filter(([field]) => !disputed.has(field));
  return {
    directions: new Map(agreed.sort(([a], [b]) => compareText(a, b))),
    disputed: Array.from(
      disputed.values(),
      (path) => `${path}: some files say that higher is better, others that lower is; no direction is stored`,
    ),
  };
}
