// The trajectories that a reinforcement-learning job can train on, and the reasons why it cannot train on others.

import type { Steps } from "@assay/base";
import type { JobWarning, Skipped, SkipReason } from "./job.ts";
import type { TrainingConfig } from "./training-spec.ts";
import { isChoice, type Trajectory, type TrajectoryGroup } from "./trajectory.ts";

/** How many trajectories of a job can be trained on, and those that cannot, in order. */
export interface Trainable {
  /** The number of trajectories. */
  readonly size: number;
  /** How many can be trained on. */
  readonly trainable: number;
  /** Those that cannot. */
  readonly skipped: readonly Skipped[];
}

/** Divides the trajectories of `groups` into those that can be trained on and those that cannot. */
export function* trainable(groups: readonly TrajectoryGroup[], config: TrainingConfig): Steps<Trainable> {
  const skipped: Skipped[] = [];
  let size = 0;
  for (const [group, { trajectories }] of groups.entries()) {
    const level = trajectories.every(({ reward }) => reward === trajectories[0]?.reward);
    size += trajectories.length;
    for (const [index, trajectory] of trajectories.entries()) {
      const reason = level ? "no_advantage" : obstacle(trajectory, config);
      if (reason !== undefined) skipped.push({ group, trajectory: index, reason });
      yield;
    }
    yield;
  }
  return { size, trainable: size - skipped.length, skipped };
}

/** The warning that some groups teach nothing because all of their rewards are equal; undefined if there are none. */
export function equalRewardsWarning(groups: number, skipped: readonly Skipped[]): JobWarning | undefined {
  const level = skipped.filter(({ reason }) => reason === "no_advantage").map(({ group }) => group);
  const count = new Set(level).size;
  if (count === 0) return undefined;
  const message = `in ${count} of ${groups} groups all rewards are equal, so these groups teach nothing`;
  return { code: "no_reward_variance", message, count };
}

/** Why this trajectory has no token to train on, regardless of the others of its group. */
function obstacle(trajectory: Trajectory, config: TrainingConfig): SkipReason | undefined {
  const choices = [trajectory, ...trajectory.additional_histories].flatMap(
    ({ messages_and_choices: entries }) => entries.filter(isChoice),
  );
  if (choices.length === 0) return "no_choice";
  const withoutLogprobs = choices.every(({ logprobs }) => logprobs?.content == null);
  if (withoutLogprobs) return isAllowedWithout(config) ? undefined : "no_logprobs";
  const tokens = choices.reduce((sum, { logprobs }) => sum + (logprobs?.content?.length ?? 0), 0);
  if (tokens === 0) return "no_tokens";
  const most = config["packed_sequence_length"];
  return typeof most === "number" && tokens > most ? "overlength" : undefined;
}

function isAllowedWithout(config: TrainingConfig): boolean {
  return config["allow_training_without_logprobs"] === true || config["precalculate_logprobs"] === true;
}
