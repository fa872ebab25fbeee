// What training looks like from outside: a plan with an exact number of updates, run step by step by its caller.
import { Fault } from "@assay/base";
import type { TinyModel } from "./model.ts";
import type { Sequence } from "./sequence.ts";

/** What one update measured: finite numbers, under the names of the wire. */
export type StepMetrics = Readonly<Record<string, number>>;

/**
 * Training as it happens: one `StepMetrics` after each update, and `undefined` at resting places in between (a few
 * milliseconds apart), where the caller may let others run. To stop, ask for no more.
 */
export type TrainingRun = Generator<StepMetrics | undefined, void>;

/** Training that is ready to run. */
export interface TrainingPlan {
  /** How many updates there will be: exactly. */
  readonly steps: number;
  /** How many conversations are longer than `context`, and are learned only so far. */
  readonly cut: number;
  /** A few of the conversations, by which to see whether their loss falls. None of reinforcement: there, rewards tell. */
  readonly probe: readonly Sequence[];
  /**
   * Trains `model` in place. The same model, plan and engine give the same numbers, to the bit.
   * Throws a `Fault` (`corrupt`) when the numbers run away, which too high a learning rate does.
   */
  run(model: TinyModel): TrainingRun;
}

/** How many tokens are computed between two resting places: some five milliseconds. */
export const STRETCH = 16;

/** `metrics`, when all are finite; else throws a `Fault`. */
export function finite(metrics: StepMetrics): StepMetrics {
  for (const [name, value] of Object.entries(metrics)) {
    if (!Number.isFinite(value)) throw new Fault("corrupt", `training diverged: ${name} is ${value}`);
  }
  return metrics;
}
