// Real training through the public interface of a served data directory.

import { statSync } from "node:fs";
import { join } from "node:path";
import { baseModel, decodeCheckpoint, encodeCheckpoint, type TinyModel } from "@assay/model-tiny";
import { lossOf, sftSequence } from "@assay/model-tiny/internal";
import { type JobView, jobEnd, type Served, serve, startSft } from "@assay/testing/training-server";
import { expect, test } from "vitest";
import { folder } from "../run-in-process.ts";

const row = (question: string, answer: string) => ({
  messages: [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ],
});

async function newModel({ ask }: Served, name: string): Promise<string> {
  const model = await ask<{ id: string }>("POST", "/models", {
    project: "p",
    name,
    base_model: "assay/tiny",
  });
  return model.id;
}

/** Downloads the model of a checkpoint. */
async function download({ ask, bytes }: Served, model: string, step: number): Promise<TinyModel> {
  const { files } = await ask<{ files: readonly { name: string; size: number }[] }>(
    "GET",
    `/models/${model}/checkpoints/${step}`,
  );
  const file = files[0]!;
  const whole = await bytes(`/models/${model}/checkpoints/${step}/files/${file.name}`);
  expect(whole.length).toBe(file.size);
  return decodeCheckpoint(whole);
}

/** Whether two models are equal to the bit. Compares bytes, because comparing numbers one by one would take seconds. */
function same(a: TinyModel, b: TinyModel): boolean {
  return Buffer.compare(encodeCheckpoint(a), encodeCheckpoint(b)) === 0;
}

/** The SHA-256 of a checkpoint's file, as the server reports it. */
async function digestOf({ ask }: Served, model: string, step: number): Promise<string> {
  const { files } = await ask<{ files: readonly { sha256: string }[] }>(
    "GET",
    `/models/${model}/checkpoints/${step}`,
  );
  return files[0]!.sha256;
}

/** The 100 sums of two digits, every fifth of them held out. */
const SUMS = Array.from({ length: 100 }, (_, i) => [Math.floor(i / 10), i % 10] as const).map(([a, b]) =>
  row(`${a}+${b}`, `it is ${a + b}`),
);
const HELD_OUT = SUMS.filter((_, i) => (i * 7) % 5 === 0).map((each) => sftSequence(each));
const TRAIN = SUMS.filter((_, i) => (i * 7) % 5 !== 0);

test("fine-tuning halves the validation loss, with equal results each time, and survives a restart", {
  tags: ["long"],
}, async () => {
  const directory = join(folder(), "data");
  const first = await serve(directory);
  const model = await newModel(first, "one");
  const config = { batch_size: 8, epochs: 4, learning_rate: 5e-5, seed: 7 };
  const { id } = await startSft(first, model, TRAIN, config);
  expect(await jobEnd(first, id)).toMatchObject({ status: "succeeded", checkpoint_step: 1 });
  const trained = await download(first, model, 1);
  expect(lossOf(trained, HELD_OUT)).toBeLessThan(lossOf(baseModel("assay/tiny")!, HELD_OUT) / 2);
  await first.stop();
  expect(await first.ended).toBe(0);
  expect(first.stderr()).toBe("");

  const second = await serve(directory);
  expect(same(await download(second, model, 1), trained)).toBe(true);
  // Another server and another job with the same seed give the same bytes, and so the same loss.
  const again = await newModel(second, "two");
  expect(await jobEnd(second, (await startSft(second, again, TRAIN, config)).id)).toMatchObject({
    status: "succeeded",
  });
  const digest = await digestOf(second, model, 1);
  expect(await digestOf(second, again, 1)).toBe(digest);
  expect(lossOf(await download(second, again, 1), HELD_OUT)).toBe(lossOf(trained, HELD_OUT));
  const other = await newModel(second, "other-seed");
  await jobEnd(second, (await startSft(second, other, TRAIN, { ...config, seed: 8 })).id);
  expect(await digestOf(second, other, 1)).not.toBe(digest);
  const next = await startSft(second, model, TRAIN, config);
  expect(await jobEnd(second, next.id)).toMatchObject({ status: "succeeded", checkpoint_step: 2 });
  expect(lossOf(await download(second, model, 2), HELD_OUT)).toBeLessThan(lossOf(trained, HELD_OUT));
  expect(statSync(join(directory, "artifacts")).isDirectory()).toBe(true);
});

const WORDS = ["low", "mid", "high"];
const QUESTIONS = ["0", "1", "2", "3", "4", "5", "6", "7", "8"];
const ROUNDS = 5;
/** The number of rounds to repeat. */
const AGAIN = 1;
/** Answers to each question. */
const TRIES = 16;

interface Choice {
  readonly message: { readonly content: string };
}

/** Groups of answers, sampled through the server's chat completions, and the share of right ones. */
async function rollOut({ url }: Served, name: string, round: number) {
  let right = 0;
  const groups = await Promise.all(
    QUESTIONS.map(async (content, index) => {
      const question = { role: "user", content };
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          model: `wandb-artifact:///default/p/${name}`,
          messages: [question],
          max_tokens: 8,
          logprobs: true,
          n: TRIES,
          seed: round * 100 + index,
        }),
      });
      expect(response.status).toBe(200);
      const { choices } = (await response.json()) as { readonly choices: readonly Choice[] };
      const trajectories = choices.map((choice) => {
        const reward = choice.message.content === WORDS[Math.floor(Number(content) / 3)] ? 1 : 0;
        right += reward;
        return { messages_and_choices: [question, choice], reward };
      });
      return { trajectories };
    }),
  );
  return { groups, reward: right / (QUESTIONS.length * TRIES) };
}

/**
 * Fine-tunes a new model on the words, then reinforces it. Returns the reward before each round and after the last, and
 * the digests of the files.
 */
async function reinforce(server: Served, name: string, rounds: number) {
  const model = await newModel(server, name);
  const rows = QUESTIONS.flatMap((question) => WORDS.map((word) => row(question, word)));
  const config = { batch_size: 27, epochs: 25, seed: 7 };
  const spoken = await startSft(server, model, rows, config);
  expect(await jobEnd(server, spoken.id)).toMatchObject({ status: "succeeded" });
  const rewards: number[] = [];
  const digests: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const { groups, reward } = await rollOut(server, name, round);
    rewards.push(reward);
    const job = await server.ask<JobView>("POST", "/training-jobs", {
      model_id: model,
      trajectory_groups: groups,
      experimental_config: { loss_fn: "cispo", seed: 7 },
    });
    expect(await jobEnd(server, job.id)).toMatchObject({ status: "succeeded", checkpoint_step: round + 2 });
    digests.push(await digestOf(server, model, round + 2));
  }
  return { rewards: [...rewards, (await rollOut(server, name, rounds)).reward], digests };
}

test("reinforcement raises the reward from chance to at least 0.8, with equal results each time", {
  tags: ["long"],
}, async () => {
  const server = await serve(join(folder(), "data"));
  const { rewards, digests } = await reinforce(server, "guesser", ROUNDS);
  expect(rewards[0]).toBeLessThan(0.45);
  expect(rewards.at(-1)).toBeGreaterThanOrEqual(0.8);
  expect(digests).toHaveLength(ROUNDS);
  // In another data directory: the result depends only on the seed, not on other data of the server.
  const again = await reinforce(await serve(join(folder(), "data")), "other", AGAIN);
  expect(again.digests).toEqual(digests.slice(0, AGAIN));
  expect(again.rewards).toEqual(rewards.slice(0, AGAIN + 1));
});

test("a model deleted by its chat name is no longer available for training and chats", async () => {
  const server = await serve(join(folder(), "data"));
  const model = await newModel(server, "gone");
  const at = `${server.url}/v1/models/${encodeURIComponent("wandb-artifact:///default/p/gone")}`;
  expect((await fetch(at)).status).toBe(200);
  expect(await (await fetch(at, { method: "DELETE" })).json()).toMatchObject({ deleted: true });
  expect((await fetch(at)).status).toBe(404);
  expect((await fetch(at, { method: "DELETE" })).status).toBe(404);
  expect((await fetch(`${server.url}/v1/preview/models/${model}/checkpoints`)).status).toBe(404);
});
