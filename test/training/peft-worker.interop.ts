// The worker with torch, transformers and peft trains real jobs over HTTP: as a child process, and as a Ray job.

import { execFile, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { rayTrainer } from "@assay/adapters-ray";
import { processTrainer } from "@assay/adapters-worker";
import type { Trainer } from "@assay/training-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PeftPython, peftPython, WORKER } from "./peft-python.ts";
import { startRayHead } from "./ray-head.ts";
import { startTrainingServer, type TrainerParts, type TrainingServer } from "./training-server.ts";

const run = promisify(execFile);
let found: PeftPython;

beforeAll(async () => {
  found = await peftPython();
}, 3_000_000);

afterAll(() => found.remove());

interface Event {
  readonly type: string;
  readonly data: { readonly [name: string]: number };
}

/** The events of a job, after it has ended. */
async function eventsOf({ ask }: TrainingServer, job: string): Promise<readonly Event[]> {
  for (;;) {
    const page = await ask<{ data: Event[] }>("GET", `/training-jobs/${job}/events?wait=50&limit=100`);
    const last = page.data.at(-1);
    if (last?.type === "training_failed") throw new Error(JSON.stringify(last.data));
    if (last?.type === "training_ended") return page.data;
    // Any new event ends the long poll, so the end needs several polls.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

interface Token {
  readonly token: string;
  readonly logprob: number;
}

/** The tokens of each answer, with their log-probabilities under the checkpoint. */
async function score(
  adapter: string | undefined,
  conversations: readonly { prompt: string; answer: string }[],
): Promise<readonly (readonly Token[])[]> {
  const script = join(import.meta.dirname, "score.py");
  const args = [script, ...(adapter === undefined ? [] : [adapter])];
  const child = spawn(found.python!, args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  child.stdin.end(JSON.stringify(conversations));
  return JSON.parse(await text(child.stdout));
}

const sum = (tokens: readonly Token[]) => tokens.reduce((total, { logprob }) => total + logprob, 0);

/** Runs a fine-tuning job and a reinforcement job, each of which must change the model's answers. */
async function trainsBoth(name: string, trainerOf: (parts: TrainerParts) => Trainer): Promise<void> {
  const server = await startTrainingServer(trainerOf);
  try {
    const model = await server.ask<{ id: string }>("POST", "/models", {
      entity: "e",
      project: "p",
      name: "n",
      base_model: "tiny",
    });
    const download = async (step: number) => {
      const folder = join(found.folder, `${name}-${step}`);
      await mkdir(folder);
      for (const file of ["adapter_config.json", "adapter_model.safetensors"]) {
        const path = `/models/${model.id}/checkpoints/${step}/files/${file}`;
        await writeFile(join(folder, file), await server.file(path));
      }
      return folder;
    };
    const asked = { prompt: "colour?", answer: "red" };
    const other = { prompt: "colour?", answer: "blue" };

    const began = Date.now();
    const rows = [asked, other].map(({ prompt, answer }) =>
      JSON.stringify({
        messages: [
          { role: "user", content: prompt },
          { role: "assistant", content: answer },
        ],
      }),
    );
    const data = await server.ask<{ training_data_url: string }>(
      "POST",
      "/training-data",
      `${rows.join("\n")}\n`,
    );
    const sft = await server.ask<{ id: string }>("POST", "/sft-training-jobs", {
      model_id: model.id,
      ...data,
      config: { learning_rate: 0.01, batch_size: 2 },
      experimental_config: { epochs: 20 },
    });
    const learned = await eventsOf(server, sft.id);
    expect(learned.map(({ type }) => type)).toEqual([
      "training_started",
      ...Array.from({ length: 20 }, () => "gradient_step"),
      "training_ended",
    ]);
    const tuned = await download(1);
    const [red, blue] = await score(tuned, [asked, other]);
    const [redBefore, blueBefore] = await score(undefined, [asked, other]);
    // Fine-tuning makes the two answers more likely.
    expect(sum(red!) + sum(blue!)).toBeGreaterThan((sum(redBefore!) + sum(blueBefore!)) / 2);
    const tunedMs = Date.now() - began;

    const trajectory = (answer: string, tokens: readonly Token[], reward: number) => ({
      reward,
      messages_and_choices: [
        { role: "user", content: asked.prompt },
        {
          index: 0,
          finish_reason: "stop",
          message: { role: "assistant", content: answer },
          logprobs: { content: tokens },
        },
      ],
    });
    const again = Date.now();
    const group = { trajectories: [trajectory("red", red!, 1), trajectory("blue", blue!, 0)] };
    const rl = await server.ask<{ id: string }>("POST", "/training-jobs", {
      model_id: model.id,
      trajectory_groups: [group, group, group, group],
      experimental_config: { learning_rate: 0.005, loss_fn: "ppo", packed_sequence_length: 70 },
    });
    const steps = (await eventsOf(server, rl.id)).filter(({ type }) => type === "gradient_step");
    expect(steps.length).toBeGreaterThan(2);
    expect(steps[0]!.data["reward"]).toBe(0.5);
    // At first the model equals the sampling policy; later it diverges.
    expect(steps[0]!.data["kl_div"]).toBeCloseTo(0, 4);
    expect(steps.at(-1)!.data["kl_div"]).toBeGreaterThan(0.001);
    const [better, worse] = await score(await download(2), [asked, other]);
    expect(sum(better!) - sum(worse!)).toBeGreaterThan(sum(red!) - sum(blue!) + 0.1);
    expect(server.errors).toEqual([]);
    console.log(
      `${name}: SFT ${tunedMs} ms, ln P of the two answers ${(sum(redBefore!) + sum(blueBefore!)).toFixed(1)} → ` +
        `${(sum(red!) + sum(blue!)).toFixed(1)}; RL ${Date.now() - again} ms in ${steps.length} steps, ` +
        `ln P(rewarded) - ln P(other) ${(sum(red!) - sum(blue!)).toFixed(2)} → ${(sum(better!) - sum(worse!)).toFixed(2)}`,
    );
  } finally {
    await server.close();
  }
}

const command = () => [found.python!, join(WORKER, "worker.py"), "--tiny", "--threads", "1"] as const;
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };

test("the worker's own tests pass", async ({ skip }) => {
  if (found.python === undefined) return skip(`skipped, because ${found.reason}`);
  await run(found.python, ["-m", "unittest"], { cwd: WORKER, env });
});

test("the worker trains as a child process", async ({ skip }) => {
  if (found.python === undefined) return skip(`skipped, because ${found.reason}`);
  await trainsBoth("child", ({ artifacts, clock }) =>
    processTrainer({ command: command(), env, artifacts, clock, folder: join(found.folder, "child") }),
  );
});

test("the worker trains as a Ray job", async ({ skip }) => {
  const { python, rayReason } = found;
  if (python === undefined || rayReason !== undefined) return skip(`skipped, because ${rayReason}`);
  const head = await startRayHead(python, join(found.folder, "ray"));
  const logs: string[] = [];
  try {
    await trainsBoth("ray", ({ gateway, url, clock }) =>
      rayTrainer({
        address: head.address,
        entrypoint: command()
          .map((word) => `'${word}'`)
          .join(" "),
        runtimeEnv: { env_vars: { PYTHONDONTWRITEBYTECODE: "1" } },
        gateway,
        gatewayUrl: url,
        clock,
        onLog: (_, log) => void logs.push(Buffer.from(log).toString()),
      }),
    );
  } finally {
    await head.stop();
  }
  expect(logs.length).toBe(2);
});
