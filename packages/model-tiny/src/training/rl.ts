// Reinforcement learning: policy gradients on groups of trajectories of the same task. One update per pack.
import { bad, type Issue, ok, type Result } from "@assay/base";
import { seededRandom, shuffle } from "../arithmetic/random.ts";
import type { Network } from "../model/network.ts";
import { cutTo, type Sequence, trainedPositions } from "../tokens/sequence.ts";
import { type GradientTape, gradientTape } from "./gradient.ts";
import { type PolicyConfig, policyWeights } from "./policy.ts";
import { finite, STRETCH, type StepMetrics, type TrainingPlan, type TrainingRun } from "./training-plan.ts";
import { historySequence, type TinyTrajectory } from "./trajectory.ts";

/** How to learn from rewards. Names and meanings are those of the wire's `experimental_config`, in camel case. */
export interface RlConfig extends PolicyConfig {
  /** Adam's step. Default 0.005. */
  readonly learningRate?: number;
  /** Whether to divide advantages by the deviation of the group's rewards. Default true. */
  readonly scaleRewards?: boolean;
  /** From -1 (learn only from attempts worse than the mean) to 1 (only from better ones). Default 0: both. */
  readonly advantageBalance?: number;
  /** Whether to learn from choices without log-probabilities as if the model had not changed since. Default false. */
  readonly allowTrainingWithoutLogprobs?: boolean;
  /**
   * Sampled tokens per update. Conversations with more are left out. Default: updates have 64, and none are left out.
   */
  readonly packedSequenceLength?: number;
  /** The seed of the order of the conversations. Default 0. */
  readonly seed?: number;
  /** The number of tokens of a conversation that are read: later ones are not learned. Default: all. */
  readonly context?: number;
}

/** Trajectories of the same task, which are compared with each other. */
export interface TinyGroup {
  /** The attempts. */
  readonly trajectories: readonly TinyTrajectory[];
}

const PACK = 64;

/** A conversation, with the advantage of its attempt over the group's mean. */
interface Rewarded {
  readonly sequence: Sequence;
  readonly advantage: number;
}

/**
 * Plans reinforcement learning on `groups`. Groups whose rewards are all equal teach nothing and are left out; if
 * nothing is left, the plan has no steps. Paths of issues start at the list of groups.
 */
export function planRl(groups: readonly TinyGroup[], config: RlConfig = {}): Result<TrainingPlan> {
  const { packedSequenceLength, learningRate = 0.005, allowTrainingWithoutLogprobs = false } = config;
  const { context = Number.POSITIVE_INFINITY } = config;
  const issues: Issue[] = [];
  const rewarded: Rewarded[] = [];
  let trainable = 0;
  let cut = 0;
  groups.forEach(({ trajectories }, group) => {
    const advantages = advantagesOf(trajectories, config);
    const before = rewarded.length;
    trajectories.forEach((trajectory, index) => {
      const advantage = advantages[index]!;
      if (advantage === 0) return;
      const path = [group, "trajectories", index];
      for (const history of historiesOf(trajectory, path)) {
        const sequence = historySequence(history.items, allowTrainingWithoutLogprobs);
        if (!sequence.ok)
          issues.push(...sequence.issues.map((i) => ({ ...i, path: [...history.path, ...i.path] })));
        else {
          const seen = cutTo(sequence.value, context);
          if (seen !== sequence.value) cut++;
          if (fits(seen, packedSequenceLength)) rewarded.push({ sequence: seen, advantage });
        }
      }
    });
    if (rewarded.length > before) trainable++;
  });
  if (issues.length > 0) return bad(issues);
  // Each update contains parts of many tasks: one task after the other would pull the model back and forth.
  shuffle(rewarded, seededRandom(config.seed ?? 0));
  const packs = pack(rewarded, packedSequenceLength ?? PACK);
  const about = {
    ...rewardMetrics(groups),
    num_groups_submitted: groups.length,
    num_groups_trainable: trainable,
  };
  return ok({
    steps: packs.length,
    cut,
    probe: [],
    *run(model) {
      const tape = gradientTape(model);
      for (const each of packs) yield* update(tape, each, learningRate, config, about);
    },
  });
}

/** Whether `sequence` has something to learn, and not too much. */
function fits(sequence: Sequence, most = Number.POSITIVE_INFINITY): boolean {
  const count = trainedPositions(sequence).length;
  return count > 0 && count <= most;
}

/** The conversations of a trajectory, each with its path. */
function historiesOf(trajectory: TinyTrajectory, path: readonly (string | number)[]) {
  const further = trajectory.additional_histories ?? [];
  return [
    { items: trajectory.messages_and_choices, path: [...path, "messages_and_choices"] },
    ...further.map((history, i) => ({
      items: history.messages_and_choices,
      path: [...path, "additional_histories", i, "messages_and_choices"],
    })),
  ];
}

/** By how much each trajectory is better than the mean of its group. */
export function advantagesOf(
  trajectories: readonly { readonly reward: number }[],
  config: RlConfig,
): readonly number[] {
  const { scaleRewards = true, advantageBalance: balance = 0 } = config;
  const { mean, deviation } = spread(trajectories.map(({ reward }) => reward));
  return trajectories.map(({ reward }) => {
    const above = deviation === 0 ? 0 : (reward - mean) / (scaleRewards ? deviation : 1);
    return above * (above < 0 ? 1 - Math.max(0, balance) : 1 + Math.min(0, balance));
  });
}

/** Mean and population deviation; the latter is exactly 0 if all values are equal. */
function spread(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  if (values.every((value) => value === values[0])) return { mean: values[0] ?? 0, deviation: 0 };
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(square) };
}

/** Fills packs in order, each with up to `length` trained tokens. */
function pack(all: readonly Rewarded[], length: number): readonly (readonly Rewarded[])[] {
  const packs: Rewarded[][] = [];
  let room = 0;
  for (const each of all) {
    const size = trainedPositions(each.sequence).length;
    if (size > room || packs.length === 0) {
      packs.push([]);
      room = length;
    }
    packs.at(-1)!.push(each);
    room -= size;
  }
  return packs;
}

/** The metrics of the rewards before any training. */
function rewardMetrics(groups: readonly TinyGroup[]): StepMetrics {
  const rewards = groups.flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward));
  const spreads = groups
    .filter(({ trajectories }) => trajectories.length > 1)
    .map(({ trajectories }) => spread(trajectories.map(({ reward }) => reward)).deviation);
  return { reward: meanOf(rewards), reward_std_dev: meanOf(spreads), num_trajectories: rewards.length };
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}

/** One update on one pack. The loss is a mean over its trained tokens, regardless of conversations. */
function* update(
  tape: GradientTape,
  batch: readonly Rewarded[],
  learningRate: number,
  config: PolicyConfig,
  about: StepMetrics,
): TrainingRun {
  const count = batch.reduce((sum, { sequence }) => sum + trainedPositions(sequence).length, 0);
  let loss = 0;
  let entropy = 0;
  let drift = 0;
  let done = 0;
  for (const { sequence, advantage } of batch) {
    const positions = trainedPositions(sequence);
    const now = yield* logprobsAt(tape.network, sequence, positions);
    const then = positions.map((position, i) => orElse(sequence.logprobs[position]!, now[i]!));
    const policy = policyWeights(now, then, advantage, config);
    loss += policy.loss / count;
    drift += policy.drift / count;
    for (const [i, position] of positions.entries()) {
      entropy += tape.add(sequence.tokens, position, policy.weights[i]! / count) / count;
      if (++done % STRETCH === 0) yield undefined;
    }
  }
  const length = tape.update(learningRate);
  yield finite({
    ...about,
    loss,
    policy_loss: loss,
    entropy,
    kl_div: drift,
    grad_norm: length,
    learning_rate: learningRate,
    num_trainable_tokens: count,
    train_tokens: batch.reduce((sum, { sequence }) => sum + sequence.tokens.length, 0),
  });
}

/** The log-probabilities of the tokens at `positions` under the current model. */
function* logprobsAt(
  network: Network,
  { tokens }: Sequence,
  positions: readonly number[],
): Generator<undefined, readonly number[]> {
  const logprobs: number[] = [];
  for (const position of positions) {
    network.forward(tokens, position);
    logprobs.push(network.logprobs[tokens[position]!]!);
    if (logprobs.length % STRETCH === 0) yield undefined;
  }
  return logprobs;
}

/** `value`, or `other` if `value` is unknown. */
function orElse(value: number, other: number): number {
  return Number.isNaN(value) ? other : value;
}
