// Adam (Kingma and Ba, 2015), with a limit on the gradient's length. Its state is part of the model.
import { Fault } from "@assay/base";
import { exp, ln } from "../arithmetic/elementary.ts";
import type { TinyModel } from "../model/model.ts";

const MEAN_DECAY = 0.9;
const VARIANCE_DECAY = 0.99;
const TINY = 1e-8;
/** A longer gradient is cut to this length, so that one surprising batch cannot ruin the model. */
const MAX_LENGTH = 1;

/**
 * Moves the weights of `model` against `gradient`. Returns the gradient's length before clipping. Throws a `Fault`
 * (`corrupt`) if a weight is no longer finite.
 */
export function adamStep(model: TinyModel, gradient: Float64Array, learningRate: number): number {
  let square = 0;
  for (let i = 0; i < gradient.length; i++) square += gradient[i]! * gradient[i]!;
  const length = Math.sqrt(square);
  const scale = length > MAX_LENGTH ? MAX_LENGTH / length : 1;
  model.updates++;
  const { weights, mean, variance, updates } = model;
  // Corrects the bias of the first updates, since both running means start at zero.
  const rate =
    (learningRate * Math.sqrt(1 - power(VARIANCE_DECAY, updates))) / (1 - power(MEAN_DECAY, updates));
  let total = 0;
  for (let i = 0; i < gradient.length; i++) {
    const slope = gradient[i]! * scale;
    // Most of the first layer belongs to positions of the window that short conversations never reach.
    if (slope === 0 && variance[i] === 0) continue;
    const m = MEAN_DECAY * mean[i]! + (1 - MEAN_DECAY) * slope;
    const v = VARIANCE_DECAY * variance[i]! + (1 - VARIANCE_DECAY) * slope * slope;
    mean[i] = m;
    variance[i] = v;
    weights[i]! -= (rate * m) / (Math.sqrt(v) + TINY);
    total += weights[i]!;
  }
  if (!Number.isFinite(total))
    throw new Fault("corrupt", "training diverged: a weight is no longer a number");
  return length;
}

/** `base` to the power `exponent`, with equal results on every engine. */
function power(base: number, exponent: number): number {
  return exp(exponent * ln(base));
}
