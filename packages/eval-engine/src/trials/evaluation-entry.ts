// What evaluations there are, for a person to choose from: made of their root calls and of a count of their trials.

import { compareText } from "@assay/base/internal";
import { type Call, microseconds } from "@assay/calls";
import { summaryMetadata } from "./summary.ts";

/** One evaluation in a list of what is there. */
export interface EvaluationEntry {
  /** Its root call's id: what a query asks for. */
  readonly id: string;
  /** Its display name, or null. */
  readonly name: string | null;
  /** The model's reference or name, when it is a text. */
  readonly model: string | null;
  /** ISO 8601. */
  readonly started_at: string | null;
  /** ISO 8601; null while it is running. */
  readonly ended_at: string | null;
  /** The evaluation object that was run, by its reference; null when it is not known. */
  readonly evaluation_ref: string | null;
  /** Predict-and-score calls so far. */
  readonly trials: number;
}

/** One whose rows were looked at too. */
export interface CountedEvaluation extends EvaluationEntry {
  /** Distinct rows that were tried. */
  readonly rows: number;
  /** The dataset that its rows refer to; null when they stand in the calls, or it is not known. */
  readonly dataset: string | null;
}

/**
 * The evaluations with these root calls, by start (unknown last), then id; `count` gives what is counted of one.
 * Whatever else it counts is in the entry too.
 */
export function evaluationEntries<Counts extends Pick<EvaluationEntry, "trials">>(
  roots: Iterable<Call>,
  count: (id: string) => Counts,
): readonly (EvaluationEntry & Counts)[] {
  return Array.from(roots, (root) => ({ ...labelsOf(root), ...count(root.id) })).sort(byStart);
}

function labelsOf(root: Call): Omit<EvaluationEntry, "trials"> {
  const { id, display_name, started_at, ended_at } = root;
  const { model_ref, evaluation_ref } = summaryMetadata(root);
  return { id, name: display_name, model: model_ref, started_at, ended_at, evaluation_ref };
}

function byStart(a: EvaluationEntry, b: EvaluationEntry): number {
  const [x, y] = [a, b].map(({ started_at }) => microseconds(started_at)) as [number, number];
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || compareText(a.id, b.id);
  return x - y || compareText(a.id, b.id);
}
