// What evaluations are called where they stand side by side.

import type { EvaluationEntry } from "../trials/evaluation-entry.ts";
import { refName } from "../trials/ref-name.ts";

/** What tells evaluations apart, in order: their names, else their models, else their ids. */
export function distinctLabels(
  evaluations: readonly Pick<EvaluationEntry, "id" | "name" | "model">[],
): readonly string[] {
  const known: readonly (readonly (string | null)[])[] = [
    evaluations.map(({ name }) => name),
    evaluations.map(({ model }) => refName(model)),
  ];
  const isTelling = (labels: readonly (string | null)[]): labels is readonly string[] =>
    labels.every((label) => label !== null && label !== "") && new Set(labels).size === labels.length;
  return known.find(isTelling) ?? evaluations.map(({ id }) => id);
}
