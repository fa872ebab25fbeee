// Which values of scores are better, as the files of an import say it of all evaluations that a project gets.

import { compareText } from "@assay/base/internal";
import type { PlannedEvaluation } from "./survey.ts";

/** What files say of a project's scores. */
export interface ProjectDirections {
  /** By field, as a request has it: `scores.<path>`. */
  readonly directions: ReadonlyMap<string, "higher" | "lower">;
  /** Scores of which some evaluations say one thing and some the other, so that nothing is kept: for a person. */
  readonly disputed: readonly string[];
}

/** What the files of these evaluations say of their scores, in order of fields. */
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
      (path) => `${path}: some files say that more of it is better, and some that less is; neither is kept`,
    ),
  };
}
