import { describe, expect, test } from "vitest";
import { DEFAULT_TRAINING, matches, readTrainingConfig } from "../../src/training/config.ts";

const issuesOf = (text: string, env = {}) => {
  const read = readTrainingConfig(text, env);
  return read.ok ? [] : read.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
};

describe("the configuration of training", () => {
  test("has trainers and sources of data, with defaults", () => {
    expect(readTrainingConfig("", {})).toEqual({ ok: true, value: DEFAULT_TRAINING });
    const text = `
trainers:
  - type: tiny
  - type: process
    base_models: ["Qwen/*"]
    command: [python, worker.py]
    env: { CUDA_VISIBLE_DEVICES: "0" }
  - type: ray
    base_models: [org/large]
    address: http://127.0.0.1:8265
    token_env: RAY_TOKEN
    entrypoint: python worker.py
    resources: { entrypoint_num_gpus: 1 }
    at_once: 4
  - type: worker
    base_models: [org/elsewhere]
training_data:
  folders: [/data]
  private_hosts: [files.internal]
`;
    expect(readTrainingConfig(text, { RAY_TOKEN: "secret" })).toEqual({
      ok: true,
      value: {
        trainers: [
          { type: "tiny", atOnce: 1 },
          {
            type: "process",
            baseModels: ["Qwen/*"],
            command: ["python", "worker.py"],
            env: { CUDA_VISIBLE_DEVICES: "0" },
            atOnce: 1,
          },
          {
            type: "ray",
            baseModels: ["org/large"],
            address: "http://127.0.0.1:8265",
            token: "secret",
            entrypoint: "python worker.py",
            runtimeEnv: {},
            resources: { entrypoint_num_gpus: 1 },
            gatewayUrl: undefined,
            atOnce: 4,
          },
          { type: "worker", baseModels: ["org/elsewhere"] },
        ],
        folders: ["/data"],
        privateHosts: ["files.internal"],
      },
    });
  });

  test("invalid settings are reported with their path", () => {
    expect(issuesOf("trainers: [")[0]).toMatch(/^: neither YAML nor JSON/);
    expect(issuesOf("trainer: []")).toEqual(["trainer: trainer is not a property of this object"]);
    expect(issuesOf("trainers: [{type: gpu}]")).toEqual([
      "trainers.0.type: type must be 'ray', 'process', 'worker' or 'tiny'",
    ]);
    expect(issuesOf("trainers: [{at_once: 1}]")).toEqual(["trainers.0.type: type is required"]);
    expect(issuesOf("trainers: {}")).toEqual(["trainers: trainers must be a list"]);
    expect(issuesOf("trainers: [{type: process, base_models: [a]}]")[0]).toMatch(/^trainers\.0\.command: /);
    expect(issuesOf("trainers: [{type: process, base_models: [a], command: []}]")[0]).toMatch(
      /^trainers\.0\.command: .*1 item/,
    );
    expect(issuesOf("trainers: [{type: tiny, at_once: 0}]")[0]).toMatch(
      /^trainers\.0\.at_once: at_once must be 1 or more/,
    );
    const ray = "type: ray, base_models: [a], entrypoint: x";
    expect(issuesOf(`trainers: [{${ray}, address: "ftp://x"}]`)[0]).toMatch(/http or https address/);
    expect(issuesOf(`trainers: [{${ray}, address: "http://x", token_env: T}]`)).toEqual([
      "trainers.0.token_env: the environment variable T is not set",
    ]);
  });

  test("a base model is matched by its name or by a prefix", () => {
    expect(matches(["a", "Qwen/*"], "Qwen/Qwen3-0.6B")).toBe(true);
    expect(matches(["a", "Qwen/*"], "ab")).toBe(false);
    expect(matches(["*"], "anything")).toBe(true);
  });
});
