// Reads the settings of a job from their wire names. Null and absent mean the default. Learning rates are those of
// large models, which clients send by default, and are scaled here.
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

/** Settings that were read, and the names of those that mean nothing to the trainer. */
interface ReadSettings<Config> {
  readonly config: Config;
  readonly unknown: readonly string[];
}

/** Settings that have no effect on the weights of the tiny model. */
const WITHOUT_EFFECT = {
  sft: ["metric_logging"],
  rl: [
    ...["kl_penalty_reference_step", "kl_penalty_source", "kl_penalty_step_lag", "kl_ref_adapter_path"],
    ...["logprob_calculation_chunk_size", "plot_tensors"],
  ],
} as const;

/** Reads the settings of a fine-tuning job. Issues: `config`. */
export function readSftConfig(config: TrainingConfig): Result<ReadSettings<SftConfig>> {
  const { issues, take, unknown } = reader(config);
  const read = {
    // "auto" leaves the choice to the trainer.
    ...take("batchSize", "batch_size", (value) => (value === "auto" ? null : value), COUNT),
    ...take("learningRate", "learning_rate", scaledBy("sft"), RATES),
    ...take("assistantTurns", "assistant_turns", asIs, oneOf("all", "last")),
    ...take("epochs", "epochs", asIs, COUNT),
    ...take("seed", "seed", asIs, SEED),
  };
  return issues.length === 0 ? ok({ config: read, unknown: unknown(WITHOUT_EFFECT.sft) }) : bad(issues);
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
export function readRlConfig(config: TrainingConfig): Result<ReadSettings<RlConfig>> {
  const { issues, take, unknown } = reader(config);
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
    ...take("learningRate", "learning_rate", scaledBy("rl"), NUMBER),
    ...take(
      "loss",
      "loss_fn",
      (value) => value ?? (config["ppo"] === true ? "ppo" : null),
      oneOf("cispo", "ppo"),
    ),
    ...take("epsilon", "epsilon", asIs, NUMBER),
    ...take("epsilonHigh", "epsilon_high", asIs, NUMBER),
    ...take("importanceSamplingLevel", "importance_sampling_level", asIs, oneOf(...LEVELS)),
    ...take("maskProbRatio", "mask_prob_ratio", asIs, BOOLEAN),
    ...take(
      "maxNegativeAdvantageImportanceSamplingWeight",
      "max_negative_advantage_importance_sampling_weight",
      asIs,
      NUMBER,
    ),
    ...take("kimiK2Tau", "kimi_k2_tau", asIs, NUMBER),
    ...take("scaleRewards", "scale_rewards", (value) => value ?? config["normalize_advantages"], BOOLEAN),
    ...take("advantageBalance", "advantage_balance", asIs, NUMBER),
    ...take("packedSequenceLength", "packed_sequence_length", asIs, COUNT),
    ...take("seed", "seed", asIs, SEED),
    allowTrainingWithoutLogprobs:
      config["allow_training_without_logprobs"] === true || config["precalculate_logprobs"] === true,
  };
  const known = [...ABSENT, ...ALIASES, ...WITHOUT_EFFECT.rl];
  return issues.length === 0 ? ok({ config: read, unknown: unknown(known) }) : bad(issues);
}

/** Further names of settings. */
const ALIASES = [
  "ppo",
  "normalize_advantages",
  "allow_training_without_logprobs",
  "precalculate_logprobs",
] as const;
const LEVELS = ["token", "sequence", "average", "geometric_average"] as const;

/** Reads settings one by one, and collects issues. */
function reader(config: TrainingConfig) {
  const issues: Issue[] = [];
  const taken = new Set<string>();
  /** The names that were set, but neither taken nor among `known`. */
  const unknown = (known: readonly string[]) =>
    Object.keys(config).filter(
      (name) => (config[name] ?? null) !== null && !taken.has(name) && !known.includes(name),
    );
  /** The setting `name` as `{ [as]: value }`, or `{}` if it is unset or invalid. */
  const take = <K extends string, T>(
    as: K,
    name: string,
    translate: (value: unknown) => unknown,
    { is, what }: ValueType<T>,
  ): { readonly [key in K]?: T } => {
    taken.add(name);
    const value = translate(config[name]);
    if (value === undefined || value === null) return {};
    if (is(value)) return { [as]: value } as { readonly [key in K]: T };
    const message = `must be ${what}, not ${JSON.stringify(value).slice(0, 100)}`;
    issues.push({ code: "config", path: [name], message });
    return {};
  };
  return { issues, take, unknown };
}

/** Scales the rate, or each of a list of rates; anything but a number stays unchanged. */
const scaledBy = (kind: "sft" | "rl") => {
  const scale = (value: unknown) => (typeof value === "number" ? scaledRate(kind, value) : value);
  return (value: unknown): unknown => (Array.isArray(value) ? value.map(scale) : scale(value));
};
const asIs = (value: unknown): unknown => value;

/** The type of a setting. */
interface ValueType<T> {
  readonly is: (value: unknown) => value is T;
  readonly what: string;
}

const NUMBER: ValueType<number> = { is: isNumber, what: "a number" };
const RATES: ValueType<number | readonly number[]> = {
  is: (value): value is number | readonly number[] =>
    Array.isArray(value) ? value.every(isNumber) : isNumber(value),
  what: "a number, or one for each batch",
};
const SEED: ValueType<number> = {
  is: (value): value is number => Number.isSafeInteger(value),
  what: "a whole number",
};
const COUNT: ValueType<number> = {
  is: (value): value is number => Number.isSafeInteger(value) && (value as number) >= 1,
  what: "a whole number of at least 1",
};
const BOOLEAN: ValueType<boolean> = {
  is: (value): value is boolean => typeof value === "boolean",
  what: "true or false",
};

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function oneOf<T extends string>(...names: readonly T[]): ValueType<T> {
  return { is: (value): value is T => names.some((name) => name === value), what: names.join(" or ") };
}
