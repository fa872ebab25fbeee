import { Fault } from "@assay/base";
import { promptOf, sampleTokens } from "@assay/model-tiny";
import {
  type ArtifactFile,
  type ArtifactStore,
  type RlSpec,
  type Trainer,
  type TrainingSpec,
  type TrainingTask,
  trainingService,
  type WorkerMessage,
} from "@assay/training-core";
import { trainerLaws } from "@assay/training-core/laws";
import {
  countingIds,
  memoryArtifactStore,
  memoryTrainingData,
  memoryTrainingStore,
  simulatedClock,
} from "@assay/training-core/testing";
import { describe, expect, test } from "vitest";
import { loadTiny, TINY_FILE, tinyTrainer } from "../src/trainer.ts";

const ROWS = ["red", "green", "blue"].map((colour) => ({
  messages: [
    { role: "user", content: "colour?" },
    { role: "assistant", content: colour },
  ],
}));

function task(spec: TrainingSpec, files: readonly ArtifactFile[] = []): TrainingTask {
  const model = { id: "m", entity: "e", project: "p", name: "n", base_model: "assay/tiny" };
  return { job_id: "j", attempt: 1, steps_reported: 0, model, parent: { step: 0, files }, spec };
}

async function sftSpec(artifacts: ArtifactStore, config: TrainingSpec["config"] = {}): Promise<TrainingSpec> {
  const lines = ROWS.map((row) => `${JSON.stringify(row)}\n`).join("");
  const data = await artifacts.write([new TextEncoder().encode(lines)]);
  return { kind: "sft", training_data_url: "upload:", data, rows: ROWS.length, config };
}

/** Two answers to a question, with rewards from `score`. */
function rlSpec(config: TrainingSpec["config"], score: (index: number) => number): RlSpec {
  const trajectories = [97, 98].map((token, index) => ({
    messages_and_choices: [
      { role: "user", content: "colour?" },
      {
        index: 0,
        finish_reason: "length",
        message: { role: "assistant", content: String.fromCharCode(token) },
        logprobs: { content: [{ token: `token_id:${token}`, logprob: -3 }] },
      },
    ],
    additional_histories: [],
    metrics: {},
    reward: score(index),
  }));
  return { kind: "rl", trajectory_groups: [{ trajectories, exceptions: [] }], config };
}

async function runTask(trainer: Trainer, work: TrainingTask, signal = new AbortController().signal) {
  const said: WorkerMessage[] = [];
  for await (const message of trainer.train(work, signal)) said.push(message);
  return said;
}

const open = () => {
  const artifacts = memoryArtifactStore();
  return { artifacts, trainer: tinyTrainer({ artifacts, pause: async () => {} }) };
};

describe.each(["sft", "rl"])("tinyTrainer with a task of %s", (kind) => {
  const bench = async () => {
    const { artifacts, trainer } = open();
    const [group] = rlSpec({}, (i) => i).trajectory_groups;
    const rl: TrainingSpec = {
      kind: "rl",
      trajectory_groups: [group!, group!],
      config: { packed_sequence_length: 1 },
    };
    return { artifacts, trainer, task: task(kind === "rl" ? rl : await sftSpec(artifacts)) };
  };
  for (const law of trainerLaws(bench)) test(law.name, law.run);
});

describe("tinyTrainer", () => {
  test("accepts its base models and no others", () => {
    const { trainer } = open();
    expect(trainer.accepts({ kind: "rl", baseModel: "assay/tiny-3" })).toBe(true);
    expect(trainer.accepts({ kind: "sft", baseModel: "Qwen/Qwen3-14B" })).toBe(false);
  });

  test("reports exactly the announced steps, then the checkpoint, with equal results in another run", async () => {
    const { artifacts, trainer } = open();
    const work = task(await sftSpec(artifacts, { batch_size: "auto", epochs: 3, learning_rate: [5e-5] }));
    const said = await runTask(trainer, work);
    expect(said[0]).toEqual({ type: "started", num_sequences: 6, resumable: true });
    const steps = said.filter((message) => message.type === "step");
    expect(steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(steps[0]!.metrics["learning_rate"]).toBe(0.01);
    expect(said.at(-1)).toMatchObject({ type: "done", files: [{ name: TINY_FILE }] });
    expect(await runTask(trainer, work)).toEqual(said);
  });

  test("continues from the checkpoint of another kind of job", async () => {
    const { artifacts, trainer } = open();
    const first = (await runTask(trainer, task(await sftSpec(artifacts, { epochs: 30 })))).at(-1)!;
    const files = first.type === "done" ? first.files! : [];
    const ask = async (from: readonly ArtifactFile[]) => {
      const model = await loadTiny(artifacts, "assay/tiny", from);
      const prompt = promptOf([{ role: "user", content: "colour?" }]);
      return [...sampleTokens(model, prompt, { seed: 1 })].map((token) => token.text).join("");
    };
    expect(["red", "green", "blue"]).toContain(await ask(files));
    const second = (
      await runTask(
        trainer,
        task(
          rlSpec({ loss_fn: "ppo" }, (i) => i),
          files,
        ),
      )
    ).at(-1)!;
    expect(second).toMatchObject({ type: "done", metrics: { "train/reward": 0.5 } });
    expect(second.type === "done" && second.files).not.toEqual(files);
  });

  test("a job without a training signal makes no steps and no files", async () => {
    const { trainer } = open();
    expect(await runTask(trainer, task(rlSpec({}, () => 1)))).toEqual([
      { type: "started", num_sequences: 0, resumable: true },
      { type: "done" },
    ]);
  });

  test("warns about truncated rows, an unusual learning rate, and a loss that did not fall", {
    tags: ["long"],
  }, async () => {
    const { artifacts, trainer } = open();
    const long = { messages: [ROWS[0]!.messages[0]!, { role: "assistant", content: "é".repeat(300) }] };
    const text = [long, ...ROWS].map((row) => JSON.stringify(row)).join("\n");
    const data = await artifacts.write([new TextEncoder().encode(text)]);
    const spec = (config: TrainingSpec["config"]): TrainingSpec => ({
      kind: "sft",
      training_data_url: "upload:",
      data,
      rows: 4,
      config,
    });
    const warned = async (config: TrainingSpec["config"]) =>
      (await runTask(trainer, task(spec(config)))).filter((message) => message.type === "warning");
    const cut = {
      type: "warning",
      code: "rows_cut",
      message: expect.stringContaining("1 rows have more than 512 tokens"),
      count: 1,
    };
    expect(await warned({ epoch: 3, seed: null, metric_logging: { enabled: true } })).toEqual([
      { type: "warning", code: "unknown_setting", message: expect.stringContaining('"epoch"'), count: 1 },
      cut,
    ]);
    expect(await warned({ learning_rate: 0.01 })).toMatchObject([
      cut,
      { code: "learning_rate_high", message: expect.stringContaining("200 times the usual 0.00005") },
      { code: "loss_did_not_fall" },
    ]);
    expect(await warned({ learning_rate: 0 })).toMatchObject([cut, { code: "loss_did_not_fall", count: 2 }]);
  });

  test("stops soon after it is cancelled, and yields between steps", async () => {
    const artifacts = memoryArtifactStore();
    const stop = new AbortController();
    let pauses = 0;
    const pause = async () => {
      // The first three pauses occur while reading the rows.
      if (++pauses === 7) stop.abort();
    };
    const work = task(await sftSpec(artifacts, { epochs: 1_000_000 }));
    const said = await runTask(tinyTrainer({ artifacts, pause }), work, stop.signal);
    expect(said.map(({ type }) => type)).toEqual(["started", "step", "step", "step", "step"]);
  });

  test("unsupported settings are refused by name, not ignored", async () => {
    const { artifacts, trainer } = open();
    const config = { kl_penalty_coef: 0.1, truncated_importance_sampling: null, epsilon: 0.2 };
    expect(await runTask(trainer, task(rlSpec(config, (i) => i)))).toEqual([
      { type: "failed", code: "unsupported", message: expect.stringContaining("kl_penalty_coef") },
    ]);
    const sft = await sftSpec(artifacts, { epochs: "many", seed: 0.5 });
    expect(await runTask(trainer, task(sft))).toMatchObject([
      {
        type: "failed",
        code: "config",
        message: expect.stringMatching(/^epochs: must be a whole number of at least 1, not "many"; seed: /),
      },
    ]);
  });

  test("a damaged or missing checkpoint is a fault", async () => {
    const { artifacts, trainer } = open();
    const blob = await artifacts.write([new Uint8Array(100)]);
    const broken = [
      [{ name: TINY_FILE, ...blob }],
      [{ name: TINY_FILE, ...blob, size: 5 }],
      [{ name: TINY_FILE, ...blob, size: 500 }],
      [{ name: TINY_FILE, sha256: "0".repeat(64), size: 5 }],
      [{ name: "adapter_model.safetensors", ...blob }],
    ];
    for (const files of broken) {
      await expect(
        runTask(
          trainer,
          task(
            rlSpec({}, (i) => i),
            files,
          ),
        ),
      ).rejects.toThrow(Fault);
    }
  });

  test("carries a job through a training service, from its data to a checkpoint that can be sampled", async () => {
    const { artifacts, trainer } = open();
    const text = ROWS.map((row) => JSON.stringify(row)).join("\n");
    const service = trainingService({
      store: memoryTrainingStore(),
      artifacts,
      data: memoryTrainingData(new Map([["memory:rows", text]])),
      clock: simulatedClock(),
      ids: countingIds(),
    });
    const stop = new AbortController();
    const running = service.runJobs({ trainer }, stop.signal);
    const name = { entity: "e", project: "p", name: "n" };
    const model = await service.createModel({ ...name, baseModel: "assay/tiny", returnExisting: false });
    if (!model.ok) throw new Error("no model");
    const wish = { modelId: model.value.id, url: "memory:rows", config: { batch_size: 3, epochs: 20 } };
    const job = await service.submitSft(wish, undefined, stop.signal);
    if (!job.ok) throw new Error("no job");
    const types: string[] = [];
    for (let after: string | undefined; types.at(-1) !== "training_ended"; ) {
      const query = { limit: 100, ...(after === undefined ? {} : { after }) };
      const page = await service.awaitEvents(job.value.id, query, 1000, stop.signal);
      if (!page.ok) throw new Error("no events");
      for (const event of page.value.items) types.push(event.type);
      after = page.value.items.at(-1)?.id ?? after;
    }
    stop.abort();
    await running;
    expect(types).toEqual(["training_started", ...Array(20).fill("gradient_step"), "training_ended"]);
    const checkpoints = await service.listCheckpoints(model.value.id, { order: "desc", limit: 1 });
    const [checkpoint] = checkpoints.ok ? checkpoints.value.items : [];
    const trained = await loadTiny(artifacts, "assay/tiny", checkpoint!.files);
    expect(trained.updates).toBe(20);
  });
});
