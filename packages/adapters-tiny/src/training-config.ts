// The settings of a job, from the names of the wire to those of this package. Null and absent mean the default.
// Learning rates are those of large models, as clients send them by default, and are scaled here.
import { bad, type Issue, ok, type Result } from "@assay/base";
import type { RlConfig, SftConfig } from "@assay/model-tiny/internal";
import type { TrainingConfig } from "@assay/training-core/internal";

/** The default rates of clients for large models, and the corresponding step of Adam here. */
export const LEARNING_RATES = {
  sft: { usual: 5e-5, step: 0.01 },
  rl: { usual: 5e-6, step: 0.005 },
} as const;

/** Adam's step for the learning rate of a client for large models. */
function scaledRate(kind: "sft" | "rl", rate: number): number {
  const { usual, step } = LEARNING_RATES[kind];
  return (rate / usual) * step;
}

/** Reads the settings of a fine-tuning job. Issues: `config`. */
export function readSftConfig(config: TrainingConfig): Result<SftConfig> {
  const { issues, take } = reader(config);
  const read = {
    // "auto" leaves the choice to the trainer.
    ...take("batchSize", "batch_size", (value) => (value === "auto" ? null : value), isCount),
    ...take("learningRate", "learning_rate", scaledBy("sft"), (value): value is number | readonly number[] =>
      Array.isArray(value) ? value.every(isNumber) : isNumber(value),
    ),
    ...take("assistantTurns", "assistant_turns", asIs, isOneOf("all", "last")),
    ...take("epochs", "epochs", asIs, isCount),
    ...take("seed", "seed", asIs, isSeed),
  };
  return issues.length === 0 ? ok(read) : bad(issues);
}

/** Unsupported settings that would change the result; they are refused. */
const ABSENT: readonly string[] = [
  "kl_penalty_coef",
  "num_trajectories_learning_rate_multiplier_power",
  "scale_learning_rate_by_reward_std_dev",
  "truncated_importance_sampling",
];

/**
 * Reads the settings of a reinforcement-learning job. Issues: `config`, and `unsupported` for unsupported settings.
 */
export function readRlConfig(config: TrainingConfig): Result<RlConfig> {
  const { issues, take } = reader(config);
  for (const name of ABSENT) {
    const value = config[name] ?? 0;
    if (value === 0 || value === false) continue;
    issues.push({
      code: "unsupported",
      path: [name],
      message: "the trainer of the tiny model does not support this setting",
    });
  }
  const read = {
    ...take("learningRate", "learning_rate", scaledBy("rl"), isNumber),
    ...take(
      "loss",
      "loss_fn",
      (value) => value ?? (config["ppo"] === true ? "ppo" : null),
      isOneOf("cispo", "ppo"),
    ),
    ...take("epsilon", "epsilon", asIs, isNumber),
    ...take("epsilonHigh", "epsilon_high", asIs, isNumber),
    ...take("importanceSamplingLevel", "importance_sampling_level", asIs, isOneOf(...LEVELS)),
    ...take("maskProbRatio", "mask_prob_ratio", asIs, isBoolean),
    ...take(
      "maxNegativeAdvantageImportanceSamplingWeight",
      "max_negative_advantage_importance_sampling_weight",
      asIs,
      isNumber,
    ),
    ...take("kimiK2Tau", "kimi_k2_tau", asIs, isNumber),
    ...take("scaleRewards", "scale_rewards", (value) => value ?? config["normalize_advantages"], isBoolean),
    ...take("advantageBalance", "advantage_balance", asIs, isNumber),
    ...take("packedSequenceLength", "packed_sequence_length", asIs, isCount),
    ...take("seed", "seed", asIs, isSeed),
    allowTrainingWithoutLogprobs:
      config["allow_training_without_logprobs"] === true || config["precalculate_logprobs"] === true,
  };
  return issues.length === 0 ? ok(read) : bad(issues);
}

const LEVELS = ["token", "sequence", "average", "geometric_average"] as const;

/** Reads settings one by one, and collects issues. */
function reader(config: TrainingConfig) {
  const issues: Issue[] = [];
  /** The setting `name` as `{ [as]: value }`, or `{}` if it is unset or invalid. */
  const take = <K extends string, T>(
    as: K,
    name: string,
    translate: (value: unknown) => unknown,
    is: (value: unknown) => value is T,
  ): { readonly [key in K]?: T } => {
    const value = translate(config[name]);
    if (value === undefined || value === null) return {};
    if (is(value)) return { [as]: value } as { readonly [key in K]: T };
    const message = `${JSON.stringify(value).slice(0, 100)} is not valid here`;
    issues.push({ code: "config", path: [name], message });
    return {};
  };
  return { issues, take };
}

/** Scales the rate, or each of a list of rates; anything but a number stays unchanged. */
const scaledBy = (kind: "sft" | "rl") => {
  const scale = (value: unknown) => (typeof value === "number" ? scaledRate(kind, value) : value);
  return (value: unknown): unknown => (Array.isArray(value) ? value.map(scale) : scale(value));
};
const asIs = (value: unknown): unknown => value;
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isSeed = (value: unknown): value is number => Number.isSafeInteger(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

function isOneOf<T extends string>(...names: readonly T[]): (value: unknown) => value is T {
  return (value): value is T => names.some((name) => name === value);
}
