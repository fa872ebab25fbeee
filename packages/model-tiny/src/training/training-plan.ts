// The interface of training: a plan with an exact number of updates, which its caller runs step by step.
import { Fault } from "@assay/base";
import type { TinyModel } from "../model/model.ts";
import type { Sequence } from "../tokens/sequence.ts";

/** The measurements of one update: finite numbers, under the names of the wire. */
export type StepMetrics = Readonly<Record<string, number>>;

/**
 * Training in progress: one `StepMetrics` after each update, and `undefined` at pauses in between (a few milliseconds
 * apart), where the caller may let other work run. To stop, stop reading.
 */
export type TrainingRun = Generator<StepMetrics | undefined, void>;

/** Training that is ready to run. */
export interface TrainingPlan {
  /** The exact number of updates. */
  readonly steps: number;
  /** The number of conversations longer than `context`, of which only the beginning is learned. */
  readonly cut: number;
  /**
   * A few of the conversations, to check whether their loss falls. Empty for reinforcement learning, which has rewards
   * for this.
   */
  readonly probe: readonly Sequence[];
  /**
   * Trains `model` in place. Equal models, plans and engines give equal numbers, to the bit. Throws a `Fault`
   * (`corrupt`) if the numbers diverge, as with too high a learning rate.
   */
  run(model: TinyModel): TrainingRun;
}

/** The number of tokens computed between two pauses: some five milliseconds. */
export const STRETCH = 16;

/** `metrics`, if all are finite; else throws a `Fault`. */
export function finite(metrics: StepMetrics): StepMetrics {
  for (const [name, value] of Object.entries(metrics)) {
    if (!Number.isFinite(value)) throw new Fault("corrupt", `training diverged: ${name} is ${value}`);
  }
  return metrics;
}
