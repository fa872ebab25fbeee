// The policy gradient: by how much to make each sampled token likelier or less likely. Pure arithmetic.
import { exp } from "../arithmetic/elementary.ts";

/** The loss, and limits on the influence of a token once the model has moved from the one that sampled it. */
export interface PolicyConfig {
  /**
   * `cispo` weights each token by its clipped importance ratio (MiniMax, 2025); `ppo` stops a token whose ratio has
   * left the clip range in the direction of its advantage (Schulman et al., 2017). Default `cispo`.
   */
  readonly loss?: "cispo" | "ppo";
  /** The clip range starts at `1 - epsilon`. Default 1 for `cispo`, 0.2 for `ppo`. */
  readonly epsilon?: number;
  /** The clip range ends at `1 + epsilonHigh`. Default 4 for `cispo`, `epsilon` for `ppo`. */
  readonly epsilonHigh?: number;
  /**
   * The ratio that weights a token: its own, its conversation's (the exponential of the mean), or their arithmetic or
   * geometric mean. Default `token`.
   */
  readonly importanceSamplingLevel?: "token" | "sequence" | "average" | "geometric_average";
  /** Drops tokens with a ratio outside of the clip range. Default false. */
  readonly maskProbRatio?: boolean;
  /** Limits the ratio of tokens that should become less likely. */
  readonly maxNegativeAdvantageImportanceSamplingWeight?: number;
  /**
   * Subtracts this multiple of ln(ratio) from each advantage, which holds the model near the one that sampled (Kimi
   * K2).
   */
  readonly kimiK2Tau?: number;
}

/** The contribution of one conversation. */
export interface PolicyWeights {
  /** For each token, the weight of -ln P in the differentiated loss. */
  readonly weights: readonly number[];
  /** The sum of the tokens' losses. */
  readonly loss: number;
  /** The sum of an estimate of how far the model has moved from the one that sampled: ratio - 1 - ln(ratio). */
  readonly drift: number;
}

/** A ratio of e^20 has the same effect as any larger one, and stays finite. */
const MAX_LOG_RATIO = 20;

/**
 * The weights of the tokens of one conversation: `now` and `then` are their log-probabilities under the current model
 * and the one that sampled them. A ratio is treated as a constant, not differentiated: levels other than `token`
 * weight each token's own log-probability.
 */
export function policyWeights(
  now: readonly number[],
  then: readonly number[],
  advantage: number,
  config: PolicyConfig,
): PolicyWeights {
  const { loss: kind = "cispo", importanceSamplingLevel: level = "token", kimiK2Tau: tau = 0 } = config;
  const epsilon = config.epsilon ?? (kind === "ppo" ? 0.2 : 1);
  const low = 1 - epsilon;
  const high = 1 + (config.epsilonHigh ?? (kind === "ppo" ? epsilon : 4));
  const bound = config.maxNegativeAdvantageImportanceSamplingWeight ?? Number.POSITIVE_INFINITY;
  const logRatios = now.map((value, i) => clamp(value - then[i]!, -MAX_LOG_RATIO, MAX_LOG_RATIO));
  const whole = exp(logRatios.reduce((a, b) => a + b, 0) / Math.max(1, logRatios.length));

  const weights: number[] = [];
  let loss = 0;
  let drift = 0;
  for (const [i, logRatio] of logRatios.entries()) {
    const own = exp(logRatio);
    drift += own - 1 - logRatio;
    const gain = advantage - tau * logRatio;
    let ratio = levelled(level, own, whole);
    if (gain < 0) ratio = Math.min(ratio, bound);
    if (config.maskProbRatio === true && (ratio <= low || ratio >= high)) {
      weights.push(0);
      continue;
    }
    const clipped = clamp(ratio, low, high);
    if (kind === "cispo") {
      weights.push(clipped * gain);
      loss -= clipped * gain * now[i]!;
    } else {
      const stopped = clipped * gain < ratio * gain;
      weights.push(stopped ? 0 : ratio * gain);
      loss -= stopped ? clipped * gain : ratio * gain;
    }
  }
  return { weights, loss, drift };
}

function levelled(
  level: NonNullable<PolicyConfig["importanceSamplingLevel"]>,
  own: number,
  whole: number,
): number {
  switch (level) {
    case "token":
      return own;
    case "sequence":
      return whole;
    case "average":
      return (own + whole) / 2;
    case "geometric_average":
      return Math.sqrt(own * whole);
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
