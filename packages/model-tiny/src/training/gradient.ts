// The gradient of a batch, token by token, of the loss that supervised and reinforcement learning share.

import { exp } from "../arithmetic/elementary.ts";
import type { TinyModel } from "../model/model.ts";
import { type Network, networkOf } from "../model/network.ts";
import { OUTPUTS } from "../tokens/vocabulary.ts";
import { adamStep } from "./adam.ts";

/** Accumulates the gradient of one batch after another. Its buffers are as large as the model, and allocated once. */
export interface GradientTape {
  /** The network of the model, for use between batches. */
  readonly network: Network;
  /**
   * Adds the gradient of `-weight * ln P(tokens[position])`. Returns the entropy of the model's distribution there, in
   * nats; the network then holds its log-probabilities.
   */
  add(tokens: Uint16Array, position: number, weight: number): number;
  /** Moves the model against the gradient, and starts a new batch. Returns the gradient's length. */
  update(learningRate: number): number;
}

/** An empty tape of `model`. */
export function gradientTape(model: TinyModel): GradientTape {
  const network = networkOf(model);
  const gradient = new Float64Array(model.weights.length);
  const slopes = new Float64Array(OUTPUTS);
  return {
    network,
    add(tokens, position, weight) {
      network.forward(tokens, position);
      const entropy = slopesOf(network, tokens[position]!, weight, slopes);
      network.backward(slopes, gradient);
      return entropy;
    },
    update(learningRate) {
      const length = adamStep(model, gradient, learningRate);
      gradient.fill(0);
      return length;
    },
  };
}

/**
 * Writes into `slopes` the derivatives of `-weight * ln P(token)` by each logit of the network's last `forward`.
 * Returns the entropy of its distribution, in nats.
 */
export function slopesOf(network: Network, token: number, weight: number, slopes: Float64Array): number {
  let entropy = 0;
  for (let v = 0; v < OUTPUTS; v++) {
    const logprob = network.logprobs[v]!;
    const p = exp(logprob);
    entropy -= p * logprob;
    slopes[v] = weight * p;
  }
  slopes[token]! -= weight;
  return entropy;
}
