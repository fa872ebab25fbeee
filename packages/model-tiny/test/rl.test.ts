import { createHash } from "node:crypto";
import { some } from "@assay/testing/cases";
import { beforeAll, describe, expect, test } from "vitest";
import { encodeCheckpoint } from "../src/model/checkpoint.ts";
import { copyModel, createModel, type TinyModel } from "../src/model/model.ts";
import { sampleTokens } from "../src/sample.ts";
import { promptOf, type TinyMessage } from "../src/tokens/chat-template.ts";
import { advantagesOf, planRl, type RlConfig, type TinyGroup } from "../src/training/rl.ts";
import { planSft } from "../src/training/sft.ts";
import type { TinyChoice } from "../src/training/trajectory.ts";

/** Small, so that the rounds below take seconds. */
const SHAPE = { window: 16, words: 64, embedding: 8, hidden: 48, layers: 1, context: 64 };

/**
 * The task: is the number low, middling or high? The model knows the three words, and must learn which one is right.
 */
const WORDS = ["low", "mid", "high"];
const QUESTIONS = ["0", "1", "2", "3", "4", "5", "6", "7", "8"];
const rightWord = (question: string) => WORDS[Math.floor(Number(question) / 3)];

/** A model that answers any question with one of the three words. */
const speaker = createModel(0, SHAPE);
beforeAll(() => {
  const rows = QUESTIONS.flatMap((question) =>
    WORDS.map((word) => ({
      messages: [
        { role: "user", content: question },
        { role: "assistant", content: word },
      ],
    })),
  );
  for (const _ of planSft(rows, { batchSize: 27, epochs: 25 }).run(speaker));
});

/** One answer, in the format of a chat completion. */
function ask(model: TinyModel, question: TinyMessage, seed: number): TinyChoice {
  const said = [...sampleTokens(model, promptOf([question]), { seed, maxTokens: 8 })];
  return {
    finish_reason: said.at(-1)!.finish!,
    message: { role: "assistant", content: said.map((token) => token.text).join("") },
    logprobs: { content: said.map(({ token, logprob }) => ({ token: `token_id:${token}`, logprob })) },
  };
}

/** A group of scored answers for each question. */
function rollOut(model: TinyModel, round: number): readonly TinyGroup[] {
  return QUESTIONS.map((content, index) => ({
    trajectories: Array.from({ length: 12 }, (_, i) => {
      const question = { role: "user", content };
      const choice = ask(model, question, round * 1000 + index * 20 + i);
      const reward = choice.message.content === rightWord(content) ? 1 : 0;
      return { messages_and_choices: [question, choice], reward };
    }),
  }));
}

const meanReward = (groups: readonly TinyGroup[]) => {
  const rewards = groups.flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward));
  return rewards.reduce((a, b) => a + b, 0) / rewards.length;
};

const planned = (groups: readonly TinyGroup[], config: RlConfig = {}) => {
  const plan = planRl(groups, config);
  if (!plan.ok) throw new Error(JSON.stringify(plan.issues));
  return plan.value;
};

/** Samples, scores and trains, for a number of rounds. */
function learn(config: RlConfig, rounds: number) {
  const model = copyModel(speaker);
  const rewards: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const groups = rollOut(model, round);
    rewards.push(meanReward(groups));
    for (const _ of planned(groups, config).run(model));
  }
  return { model, rewards };
}

describe("reinforcement learning", () => {
  test.each(some(["cispo", "ppo"] as const))(
    "with %s raises the reward from chance to more than 0.8",
    (loss) => {
      const { model, rewards } = learn({ loss }, 12);
      expect(rewards[0]).toBeLessThan(0.4);
      expect(meanReward(rollOut(model, 100))).toBeGreaterThanOrEqual(0.8);
    },
  );

  test("is repeatable, to the bit", () => {
    const digest = () =>
      createHash("sha256")
        .update(encodeCheckpoint(learn({}, 2).model))
        .digest("hex");
    expect(digest()).toBe(digest());
  });

  const question = { role: "user", content: "1" };
  const said = (token: string, logprob = -1): TinyChoice => ({
    finish_reason: "length",
    message: { role: "assistant", content: "a" },
    logprobs: { content: [{ token, logprob }] },
  });
  const pair = (first: TinyChoice, second: TinyChoice): TinyGroup => ({
    trajectories: [first, second].map((choice, reward) => ({
      messages_and_choices: [question, choice],
      reward,
    })),
  });

  test("groups without a training signal take no steps and leave the model unchanged", () => {
    const equal = { messages_and_choices: [question, said("token_id:97")], reward: 0.1 };
    const groups = [{ trajectories: [equal, equal, equal] }, { trajectories: [equal] }, { trajectories: [] }];
    expect(planned(groups).steps).toBe(0);
    expect([...planned(groups).run(createModel(1))]).toEqual([]);
  });

  test("counts its steps exactly, and reports finite numbers under the names of the wire", () => {
    const plan = planned(
      Array.from({ length: 7 }, () => pair(said("token_id:97"), said("token_id:98"))),
      {
        packedSequenceLength: 3,
      },
    );
    const steps = [...plan.run(createModel(1))].filter((metrics) => metrics !== undefined);
    expect(steps.length).toBe(plan.steps);
    expect(plan.steps).toBe(5);
    expect(steps[0]).toMatchObject({
      reward: 0.5,
      reward_std_dev: 0.5,
      num_groups_submitted: 7,
      num_trajectories: 14,
    });
    expect(steps.flatMap((metrics) => Object.values(metrics)).every(Number.isFinite)).toBe(true);
  });

  test("makes rewarded answers likelier, and others less likely", () => {
    const model = createModel(1);
    const chance = (token: number) => {
      const [first] = sampleTokens(model, promptOf([question]), { seed: 1, topLogprobs: 257 });
      return first!.top.find((other) => other.token === token)!.logprob;
    };
    const [bad, good] = [chance(97), chance(98)];
    const group = pair(said("token_id:97", bad), said("token_id:98", good));
    for (const _ of planned([group]).run(model));
    expect(chance(97)).toBeLessThan(bad);
    expect(chance(98)).toBeGreaterThan(good);
  });

  const bare = { finish_reason: "stop", message: { role: "assistant", content: "a" } };

  test("a token of another model is reported", () => {
    const plan = planRl([
      pair(said("token_id:97"), said("token_id:98")),
      pair(said("Hello"), said("token_id:257")),
    ]);
    expect(plan.ok ? [] : plan.issues.map(({ code, path }) => [code, path.join(".")])).toEqual([
      ["foreign_token", "1.trajectories.0.messages_and_choices.1.logprobs.content.0.token"],
      ["foreign_token", "1.trajectories.1.messages_and_choices.1.logprobs.content.0.token"],
    ]);
  });

  test("a choice without log-probabilities is context, or learned as if it had just been sampled", () => {
    expect(planned([pair(bare, bare)]).steps).toBe(0);
    const [step] = [
      ...planned([pair(bare, bare)], { allowTrainingWithoutLogprobs: true }).run(createModel(1)),
    ].filter((metrics) => metrics !== undefined);
    expect(step).toMatchObject({ num_trainable_tokens: 4, kl_div: 0 });
  });

  test("leaves out a conversation that is too long", () => {
    const long = {
      ...said("token_id:97"),
      logprobs: { content: Array(9).fill({ token: "token_id:97", logprob: -1 }) },
    };
    const trained = (packedSequenceLength?: number) =>
      [
        ...planned(
          [pair(long, said("token_id:98"))],
          packedSequenceLength ? { packedSequenceLength } : {},
        ).run(createModel(1)),
      ].reduce((sum, metrics) => sum + (metrics?.["num_trainable_tokens"] ?? 0), 0);
    expect([trained(), trained(9), trained(8)]).toEqual([10, 10, 1]);
  });

  test("a token with an absurd old log-probability does not diverge", () => {
    const group = pair(said("token_id:97", -1e300), said("token_id:98", -1e300));
    for (const loss of ["cispo", "ppo"] as const) {
      const steps = [...planned([group], { loss }).run(createModel(1))];
      expect(steps.flatMap((metrics) => Object.values(metrics ?? {})).every(Number.isFinite)).toBe(true);
    }
  });
});

describe("advantagesOf", () => {
  const of = (rewards: readonly number[], config = {}) =>
    advantagesOf(
      rewards.map((reward) => ({ reward })),
      config,
    );

  test("have mean 0 and deviation 1 in each group, or keep their scale", () => {
    expect(of([0, 0, 1, 1])).toEqual([-1, -1, 1, 1]);
    expect(of([0, 0, 4, 4], { scaleRewards: false })).toEqual([-2, -2, 2, 2]);
  });

  test("are exactly 0 when all rewards are equal, whatever rounding does to their mean", () => {
    expect(of([0.1, 0.1, 0.1])).toEqual([0, 0, 0]);
    expect(of([])).toEqual([]);
  });

  test("can be weighted towards success or failure", () => {
    expect(of([0, 1], { advantageBalance: 1 }).map(Math.abs)).toEqual([0, 1]);
    expect(of([0, 1], { advantageBalance: -0.5 })).toEqual([-1, 0.5]);
  });
});
