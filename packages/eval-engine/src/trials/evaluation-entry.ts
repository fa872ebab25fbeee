// An entry in a list of evaluations, for a person to choose from: made from the root call and a count of trials.

import { compareText } from "@assay/base/internal";
import { type Call, microseconds } from "@assay/calls";
import { summaryMetadata } from "./summary.ts";
import { compareTimes } from "./trials.ts";

/** One evaluation in a list. */
export interface EvaluationEntry {
  /** Its root call's ID, which queries use. */
  readonly id: string;
  /** Its display name, or null. */
  readonly name: string | null;
  /** The model's reference or name, if it is a text. */
  readonly model: string | null;
  /** ISO 8601. */
  readonly started_at: string | null;
  /** ISO 8601; null while it is running. */
  readonly ended_at: string | null;
  /** The reference of its evaluation object; null if unknown. */
  readonly evaluation_ref: string | null;
  /** The number of predict-and-score calls so far. */
  readonly trials: number;
}

/** An entry with counted rows. */
export interface CountedEvaluation extends EvaluationEntry {
  /** The number of distinct rows. */
  readonly rows: number;
  /** The dataset of its rows; null if the calls contain the rows, or if it is unknown. */
  readonly dataset: string | null;
}

/** The entry of the evaluation with this root call and number of trials. */
export function evaluationEntry(root: Call, trials: number): EvaluationEntry {
  const { id, display_name, started_at, ended_at } = root;
  const { model_ref, evaluation_ref } = summaryMetadata(root);
  return { id, name: display_name, model: model_ref, started_at, ended_at, evaluation_ref, trials };
}

/** Compares evaluations by start (unknown last), then ID. */
export function byStart<Entry extends Pick<EvaluationEntry, "id" | "started_at">>(
  entries: Iterable<Entry>,
): readonly Entry[] {
  const timed = Array.from(entries, (entry) => ({ entry, at: microseconds(entry.started_at) }));
  return timed
    .sort((a, b) => compareTimes(a.at, b.at) || compareText(a.entry.id, b.entry.id))
    .map(({ entry }) => entry);
}
