// What evaluations there are, for a person to choose from: made of their root calls and of a count of their trials.

import { compareText } from "@assay/query-lang";
import type { Call } from "./call.ts";
import { microseconds } from "./timestamp.ts";

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
  /** Predict-and-score calls so far. */
  readonly trials: number;
}

/** One whose rows are counted too. */
export interface CountedEvaluation extends EvaluationEntry {
  /** Distinct rows that were tried. */
  readonly rows: number;
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

function labelsOf({ id, display_name, inputs, started_at, ended_at }: Call): Omit<EvaluationEntry, "trials"> {
  const model = typeof inputs === "object" && inputs !== null && "model" in inputs ? inputs["model"] : null;
  return { id, name: display_name, model: typeof model === "string" ? model : null, started_at, ended_at };
}

function byStart(a: EvaluationEntry, b: EvaluationEntry): number {
  const [x, y] = [a, b].map(({ started_at }) => microseconds(started_at)) as [number, number];
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || compareText(a.id, b.id);
  return x - y || compareText(a.id, b.id);
}
