// Warnings of the tiny trainer: rows were cut, a rate is unusual, or nothing was learned.

import type { TrainingPlan } from "@assay/model-tiny";
import type { TrainingSpec, WorkerMessage } from "@assay/training-core";
import { LEARNING_RATES } from "./training-config.ts";

/** A warning of a job. */
type Warning = WorkerMessage & { readonly type: "warning" };

/** A learning rate this many times the usual one is probably a mistake for a model with scaled rates. */
const HARDLY_MEANT = 20;

/** The warnings before the first step. */
export function* warningsBefore(
  { kind, config }: TrainingSpec,
  { cut, unknown }: Pick<TrainingPlan, "cut"> & { readonly unknown: readonly string[] },
  context: number,
): Generator<Warning, void> {
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(", ");
    const message = `the trainer of the tiny model does not know ${names.slice(0, 1000)}, which had no effect`;
    yield { type: "warning", code: "unknown_setting", message, count: unknown.length };
  }
  if (cut > 0) {
    const noun = kind === "sft" ? "rows" : "conversations";
    const message = `${cut} ${noun} have more than ${context} tokens (bytes, and marks of turns): what comes later was cut and is not learned`;
    yield { type: "warning", code: "rows_cut", message, count: cut };
  }
  const { usual, step } = LEARNING_RATES[kind];
  const rates = [config["learning_rate"]].flat().filter((rate) => typeof rate === "number");
  const high = rates.filter((rate) => rate > HARDLY_MEANT * usual);
  if (high.length > 0) {
    const message = `a learning_rate of ${high[0]} is ${Math.round(high[0]! / usual)} times the usual ${usual}: rates are those of large models, and ${usual} is scaled to a step of ${step} here`;
    yield { type: "warning", code: "learning_rate_high", message, count: high.length };
  }
}

/** The warnings at the end: `before` and `after` are the losses of the same conversations, undefined without any. */
export function* warningsAfter(
  steps: number,
  before: number | undefined,
  after: number | undefined,
): Generator<Warning, void> {
  if (before === undefined || after === undefined || after < before) return;
  const message = `the loss did not fall: it was ${before.toPrecision(3)} on the first rows and is ${after.toPrecision(3)} now; nothing was learned`;
  yield { type: "warning", code: "loss_did_not_fall", message, count: steps };
}
