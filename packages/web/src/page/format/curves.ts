// The metrics of a job, a run or a model as curves over steps: one for each number in the steps.

import { type HistoryLine, stepOf } from "../data/run-answers.ts";
import type { Checkpoint, TrainingEvent } from "../data/training-answers.ts";

/** A curve. */
export interface Curve {
  readonly name: string;
  /** Steps, from 1. */
  readonly steps: readonly number[];
  readonly values: readonly number[];
}

/** The number of points of a curve: more would be narrower than a pixel. */
const MOST_POINTS = 2000;

/** The most informative names, in drawing order. */
const FIRST = ["reward", "loss", "policy_loss", "entropy", "kl", "grad_norm", "learning_rate"];

/** The curves of all numbers in the job's `gradient_step` events, the most informative first. */
export function curvesOf(events: readonly TrainingEvent[]): readonly Curve[] {
  const steps = events.filter(({ type }) => type === "gradient_step");
  return curvesOfPoints(steps.map(({ data }, at) => ({ step: at + 1, values: data })));
}

/** The curves of all numbers that a run logged, except the client's own, which start with `_`. */
export function curvesOfLines(lines: readonly HistoryLine[]): readonly Curve[] {
  return curvesOfPoints(lines.map((line, place) => ({ step: stepOf(line, place), values: line }))).filter(
    ({ name }) => !name.startsWith("_"),
  );
}

/** The curves of all metrics of a model's checkpoints. */
export function curvesOfCheckpoints(checkpoints: readonly Checkpoint[]): readonly Curve[] {
  return curvesOfPoints(checkpoints.map(({ step, metrics }) => ({ step, values: metrics })));
}

function curvesOfPoints(
  points: readonly { readonly step: number; readonly values: object }[],
): readonly Curve[] {
  const curves = new Map<string, { steps: number[]; values: number[] }>();
  for (const { step, values } of points) {
    for (const [name, value] of Object.entries(values) as [string, unknown][]) {
      if (typeof value !== "number" || !Number.isFinite(value)) continue;
      const curve = curves.get(name) ?? { steps: [], values: [] };
      curve.steps.push(step);
      curve.values.push(value);
      curves.set(name, curve);
    }
  }
  return [...curves]
    .map(([name, curve]) => thinned({ name, ...curve }))
    .sort((a, b) => compareMetrics(a.name, b.name));
}

/** Orders names of metrics: the most informative first, the others by name. */
export function compareMetrics(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || (a < b ? -1 : Number(a > b));
}

function rankOf(metric: string): number {
  const at = FIRST.findIndex(
    (one) => metric === one || metric.endsWith(`/${one}`) || metric.endsWith(`.${one}`),
  );
  return at === -1 ? FIRST.length : at;
}

/** A curve with the smallest and the largest value of each stretch, so that no peak is lost. */
export function thinned(curve: Curve, most: number = MOST_POINTS): Curve {
  const { name, steps, values } = curve;
  if (values.length <= most) return curve;
  const stretch = Math.ceil((2 * values.length) / most);
  const kept: number[] = [];
  for (let from = 0; from < values.length; from += stretch) {
    let [least, largest] = [from, from];
    for (let at = from; at < Math.min(from + stretch, values.length); at++) {
      if (values[at]! < values[least]!) least = at;
      if (values[at]! > values[largest]!) largest = at;
    }
    kept.push(...new Set([Math.min(least, largest), Math.max(least, largest)]));
  }
  return { name, steps: kept.map((at) => steps[at]!), values: kept.map((at) => values[at]!) };
}
