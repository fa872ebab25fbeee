// The slope of a weighted log-probability: the one loss that supervised and reinforcement learning share.
import type { Network } from "./network.ts";
import { OUTPUTS } from "./vocabulary.ts";

/**
 * Writes into `slopes` how `-weight * ln P(token)` changes with each logit of the network's last `forward`.
 * Returns the entropy of its distribution, in nats.
 */
export function slopesOf(network: Network, token: number, weight: number, slopes: Float64Array): number {
  let entropy = 0;
  for (let v = 0; v < OUTPUTS; v++) {
    const logprob = network.logprobs[v]!;
    const p = Math.exp(logprob);
    entropy -= p * logprob;
    slopes[v] = weight * p;
  }
  slopes[token]! -= weight;
  return entropy;
}
