// Labels of the evaluations in an answer.

import type { EvalResults, EvaluationEntry } from "@assay/eval-engine";
import { cutText, distinctLabels } from "@assay/eval-engine/words";

/** An evaluation in a list. */
type Listed = Pick<EvaluationEntry, "id" | "name" | "model">;

/**
 * Distinct labels of the evaluations in an answer, by ID. An answer without rows describes none: `asked` then lists
 * those in the question.
 */
export function labelsOf(
  { rows, summary }: EvalResults,
  asked: readonly Listed[] = [],
): ReadonlyMap<string, string> {
  const summarized = summary?.evaluations ?? [];
  const described: readonly Listed[] = [
    ...asked,
    ...summarized.map((of) => ({ id: of.evaluation_call_id, name: of.display_name, model: of.model_ref })),
  ];
  const ids = new Set([
    ...described.map(({ id }) => id),
    ...rows.flatMap(({ evaluations }) => evaluations.map(({ evaluation_call_id: id }) => id)),
  ]);
  const known = new Map(described.map((of) => [of.id, of]));
  const labels = distinctLabels([...ids].map((id) => known.get(id) ?? { id, name: null, model: null }));
  // A common prefix of all names distinguishes none of them, and takes space.
  const shared = labels.length < 2 ? 0 : sharedWords(labels);
  return new Map([...ids].map((id, i) => [id, cutText(labels[i]!.slice(shared))]));
}

/**
 * The length of the words, each with its space, that all texts start with and do not need. Single letters or digits
 * such as `1` and `2` would not tell what they count, so at least one word with several letters remains.
 */
function sharedWords(texts: readonly string[]): number {
  const [first = "", ...others] = texts;
  let end = first.lastIndexOf(" ") + 1;
  while (end > 0 && !others.every((text) => text.startsWith(first.slice(0, end)))) {
    end = wordBefore(first, end);
  }
  while (end > 0 && !texts.every((text) => /\p{L}/u.test(text.slice(end)))) end = wordBefore(first, end);
  return end;
}

function wordBefore(text: string, end: number): number {
  return end < 2 ? 0 : text.lastIndexOf(" ", end - 2) + 1;
}
