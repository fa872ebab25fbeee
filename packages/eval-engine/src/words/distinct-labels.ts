// Labels of evaluations that are shown side by side.

import type { EvaluationEntry } from "../trials/evaluation-entry.ts";
import { refName } from "../trials/ref-name.ts";

/**
 * Labels that distinguish evaluations: their names, else their models, else their ids. Without a label, the id is used.
 */
export function distinctLabels(
  evaluations: readonly Pick<EvaluationEntry, "id" | "name" | "model">[],
): readonly string[] {
  const known: readonly (readonly (string | null)[])[] = [
    evaluations.map(({ name }) => name),
    evaluations.map(({ model }) => refName(model)),
  ];
  const telling = known.find((labels) => new Set(labels.map((label) => label ?? "")).size === labels.length);
  return evaluations.map(({ id }, i) => telling?.[i] || id);
}
