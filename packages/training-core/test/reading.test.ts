import { atOnce } from "@assay/base";
import { cases } from "@assay/testing/cases";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trainingService } from "../src/index.ts";
import { logMetrics } from "../src/job/log-metrics.ts";
import type { SftRow } from "../src/job/sft-row.ts";
import { equalRewardsWarning, trainable } from "../src/job/trainable.ts";
import type { Trajectory } from "../src/job/trajectory.ts";
import { readGroups } from "../src/request/parse/read-groups.ts";
import { sftRows } from "../src/request/parse/sft-data.ts";
import { readRlRequest, readSftRequest } from "../src/request/submit-job.ts";
import type { TrainingPolicy } from "../src/state/context.ts";
import {
  countingIds,
  memoryArtifactStore,
  memoryTrainingData,
  memoryTrainingStore,
  simulatedClock,
} from "../src/testing/index.ts";

const service = (policy: Partial<TrainingPolicy> = {}) =>
  trainingService({
    store: memoryTrainingStore(),
    artifacts: memoryArtifactStore(),
    data: memoryTrainingData(new Map()),
    clock: simulatedClock(),
    ids: countingIds(),
    policy,
  });

async function* cut(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

describe("supervised training data", () => {
  test("reads back as it was written, however it is chunked", async () => {
    const text = fc.string({ unit: "binary" });
    const rows = fc.array(text, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom("\n", "\r\n", "\n\n"),
        fc.integer({ min: 1, max: 9 }),
        async (texts, end, size) => {
          const written = texts.map((content) => ({
            messages: [{ role: "assistant", content }],
          }));
          const bytes = new TextEncoder().encode(written.map((row) => JSON.stringify(row)).join(end));
          const at = service();
          const kept = await at.storeRows(cut(bytes, size));
          if (!kept.ok) throw new Error(JSON.stringify(kept.issues));
          expect(kept.value.rows).toBe(texts.length);
          const read: SftRow[] = [];
          for await (const row of sftRows(at.artifacts.read(kept.value.data.sha256))) read.push(row);
          expect(read).toEqual(written);
        },
      ),
      { numRuns: cases(500) },
    );
  });

  test.each([
    [[0], "weight", ["line", 1, "messages", 1, "weight"]],
    [[0, 0], "weight", ["line", 1, "messages", 3, "weight"]],
    [[0.5], "type", ["line", 1, "messages", 1, "weight"]],
    [[2], "type", ["line", 1, "messages", 1, "weight"]],
    [[0, 1], undefined, []],
    [[1, 0], undefined, []],
    [[null], undefined, []],
  ] as const)("with the weights %j has the issue %s", async (weights, code, path) => {
    const messages = weights.flatMap((weight) => [
      { role: "user", content: "?" },
      { role: "assistant", content: "!", weight },
    ]);
    const bytes = new TextEncoder().encode(JSON.stringify({ messages }));
    const kept = await service().storeRows(cut(bytes, 100));
    if (code === undefined) expect(kept.ok).toBe(true);
    else expect(!kept.ok && kept.issues).toMatchObject([{ code, path }]);
  });

  test("is refused if it is too large, or has too many faults to list", async () => {
    const bytes = new TextEncoder().encode("{}\n".repeat(1000));
    const large = await service({ maxDataBytes: 10 }).storeRows(cut(bytes, 100));
    expect(!large.ok && large.issues).toMatchObject([{ code: "too_large" }]);
    const wrong = await service().storeRows(cut(bytes, 100));
    expect(!wrong.ok && wrong.issues).toHaveLength(20);
    expect(!wrong.ok && wrong.issues[19]).toMatchObject({ code: "missing", path: ["line", 20, "messages"] });
  });
});

test.each([
  [[[]], ["trajectories", 0]],
  [[{ additional_histories: [[null]] }], ["trajectories", 0, "additional_histories", 0]],
])("a list in place of an object is refused: %j", (trajectories, path) => {
  const read = atOnce(readGroups([{ trajectories }]));
  expect(!read.ok && read.issues).toMatchObject([{ code: "type", path: ["trajectory_groups", 0, ...path] }]);
});

test.each([
  ['{"reward":1e400}', ["reward"]],
  ['{"metrics":{"m":-1e400}}', ["metrics", "m"]],
])("a number beyond the largest double is refused, not stored as null: %s", (text, path) => {
  const read = atOnce(readGroups([{ trajectories: [JSON.parse(text)] }]));
  const at = ["trajectory_groups", 0, "trajectories", 0, ...path];
  expect(!read.ok && read.issues).toMatchObject([{ code: "type", path: at }]);
});

const SFT = { model_id: "m", training_data_url: "upload:x" };
test.each([
  [readSftRequest({ ...SFT, config: [1] }), ["config"]],
  [readSftRequest({ ...SFT, experimental_config: [] }), ["experimental_config"]],
  [readSftRequest({ ...SFT, config: { learning_rate: [1e-4, 1 / 0] } }), ["config", "learning_rate", 1]],
  [
    atOnce(readRlRequest({ model_id: "m", trajectory_groups: [], experimental_config: [] })),
    ["experimental_config"],
  ],
])("settings are an object of finite numbers", (read, path) => {
  expect(!read.ok && read.issues).toMatchObject([{ code: "type", path }]);
});

test("settings of the two objects are merged, and null is the default", () => {
  const read = (config: object, experimental_config: object) => {
    const found = readSftRequest({ ...SFT, config, experimental_config });
    return found.ok ? found.value.config : found.issues.map(({ code, path }) => [code, path.join(".")]);
  };
  expect(read({ learning_rate: null, batch_size: 2 }, { learning_rate: 1e-3, epochs: 2 })).toEqual({
    ...{ learning_rate: 1e-3, batch_size: 2 },
    epochs: 2,
  });
  expect(read({ learning_rate: [1, 2] }, { learning_rate: [1, 2] })).toEqual({ learning_rate: [1, 2] });
  expect(read({ learning_rate: 1e-4 }, { learning_rate: 1e-3 })).toEqual([
    ["exclusive", "experimental_config.learning_rate"],
  ]);
});

test("reports unknown members, and no others", async () => {
  const told = (read: ReturnType<typeof readSftRequest> | ReturnType<typeof readTestRl>) =>
    read.ok ? read.value.unknown : read.issues;
  const readTestRl = (more: object) =>
    atOnce(readRlRequest({ model_id: "m", trajectory_groups: [], experimental_config: {}, ...more }));
  expect(told(readTestRl({}))).toBeUndefined();
  expect(told(readSftRequest({ ...SFT, config: {}, experimental_config: null }))).toBeUndefined();
  expect(told(readSftRequest({ ...SFT, batch_size: 2, confg: {} }))).toMatchObject({
    code: "unknown_member",
    message: expect.stringContaining('no "confg"; did you mean config?'),
    count: 2,
  });

  const training = service();
  const named = { entity: "e", project: "p", name: "n", baseModel: "b", returnExisting: false };
  const made = await training.createModel(named);
  const groups = [{ trajectories: [{ reward: 1 }, { reward: 1 }] }];
  const read = readTestRl({
    model_id: made.ok && made.value.id,
    config: { learning_rate: 1 },
    trajectory_groups: groups,
  });
  const job = read.ok ? await training.submitRl(read.value) : read;
  expect(job.ok && job.value.warnings?.map(({ code }) => code)).toEqual([
    "unknown_member",
    "no_reward_variance",
  ]);
});

test("groups keep unknown fields, and get defaults", () => {
  const text =
    '{"__proto__":{"x":1},"note":[1],"trajectories":[{"reward":1,"messages_and_choices":[],"__proto__":2}]}';
  const read = atOnce(readGroups([JSON.parse(text), { trajectories: [] }]));
  const known = ',"additional_histories":[],"metrics":{}}],"exceptions":[]}';
  expect(read.ok && read.value.map((group) => JSON.stringify(group))).toEqual([
    text.replace("}]}", known),
    '{"trajectories":[],"exceptions":[]}',
  ]);
  expect(Object.getPrototypeOf(read.ok && read.value[0])).toBe(Object.prototype);
});

describe("logMetrics", () => {
  const one = (reward: number, metrics: Trajectory["metrics"] = {}): Trajectory => ({
    reward,
    metrics,
    messages_and_choices: [],
    additional_histories: [],
  });

  test("counts trajectories, groups and exceptions like the client's own log", () => {
    const groups = [
      { trajectories: [one(0, { right: false, length: 3 }), one(1, { right: true })], exceptions: [{}] },
      { trajectories: [one(1)], exceptions: [] },
    ];
    expect(logMetrics("val", groups)).toEqual({
      "val/reward": 2 / 3,
      "val/right": 0.5,
      "val/length": 3,
      "val/exception_rate": 0.25,
      "val/reward_std_dev": 0.5,
    });
  });

  test("has no metrics without trajectories", () => {
    expect(logMetrics("val", [])).toEqual({});
    expect(logMetrics("val", [{ trajectories: [], exceptions: [] }])).toEqual({});
  });
});

describe("trainable", () => {
  const choice = (tokens: number | null, content = "x") => ({
    index: 0,
    finish_reason: "stop",
    message: { role: "assistant", content },
    logprobs:
      tokens === null
        ? null
        : { content: Array.from({ length: tokens }, () => ({ token: "x", logprob: -1 })) },
  });
  const one = (reward: number, ...messages_and_choices: Trajectory["messages_and_choices"]): Trajectory => ({
    reward,
    metrics: {},
    messages_and_choices,
    additional_histories: [],
  });

  test("has a reason for each trajectory that is not trained on", () => {
    const groups = [
      { trajectories: [one(1, choice(1)), one(1, choice(1))], exceptions: [] },
      {
        trajectories: [
          one(0, choice(2)),
          one(1, { role: "assistant", content: "plain" }),
          one(1, choice(null)),
          one(1, choice(0, "")),
          one(1, choice(9)),
          { ...one(1), additional_histories: [{ messages_and_choices: [choice(1)] }] },
        ],
        exceptions: [],
      },
      { trajectories: [one(3, choice(1))], exceptions: [] },
    ];
    const found = atOnce(trainable(groups, { packed_sequence_length: 8 }));
    expect(found).toMatchObject({ size: 9, trainable: 2 });
    expect(found.skipped.map(({ group, trajectory, reason }) => `${group}.${trajectory} ${reason}`)).toEqual([
      "0.0 no_advantage",
      "0.1 no_advantage",
      "1.1 no_choice",
      "1.2 no_logprobs",
      "1.3 no_tokens",
      "1.4 overlength",
      "2.0 no_advantage",
    ]);
    for (const allowed of ["allow_training_without_logprobs", "precalculate_logprobs"]) {
      const lenient = atOnce(trainable(groups, { [allowed]: true }));
      expect(lenient.skipped.map(({ reason }) => reason)).not.toContain("no_logprobs");
    }
    expect(equalRewardsWarning(groups.length, found.skipped)).toEqual({
      code: "no_reward_variance",
      message: "in 2 of 3 groups all rewards are equal, so these groups teach nothing",
      count: 2,
    });
  });

  test("does not warn about groups whose rewards differ, and counts an empty group as equal", () => {
    const differs = [{ trajectories: [one(0, choice(1)), one(1, choice(1))], exceptions: [] }];
    const { skipped } = atOnce(trainable(differs, {}));
    expect(skipped).toEqual([]);
    expect(equalRewardsWarning(1, [{ group: 0, trajectory: 0, reason: "overlength" }])).toBeUndefined();
    expect(atOnce(trainable([{ trajectories: [], exceptions: [] }], {}))).toEqual({
      ...{ size: 0, trainable: 0 },
      skipped: [],
    });
  });

  test("counts the tokens of every history, up to the length that fits", () => {
    const long = { ...one(0, choice(4)), additional_histories: [{ messages_and_choices: [choice(4)] }] };
    const groups = [{ trajectories: [long, one(1, choice(8))], exceptions: [] }];
    const reasons = (config: { readonly [name: string]: number }) =>
      atOnce(trainable(groups, config)).skipped.map(({ trajectory, reason }) => [trajectory, reason]);
    expect(reasons({ packed_sequence_length: 8 })).toEqual([]);
    expect(reasons({ packed_sequence_length: 7 })).toEqual([
      [0, "overlength"],
      [1, "overlength"],
    ]);
    expect(reasons({})).toEqual([]);
  });
});
