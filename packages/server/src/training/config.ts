// The training configuration from a file: which trainers train which base models, and where training data may come
// from. Read strictly: unknown fields are errors and are named.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import { lazySchemas, readAs } from "@assay/base/internal";
import { type } from "arktype";
import { readSettingsText } from "./settings-text.ts";

const schemas = lazySchemas(() => {
  const baseModels = type("1 <= string <= 512").array().atLeastLength(1);
  const atOnce = "1 <= number.integer <= 1000";
  const address = type("/^https?:\\/\\//").describe("an http or https address");

  const tiny = type({ "+": "reject", type: "'tiny'", "at_once?": atOnce });
  const command = type({
    "+": "reject",
    type: "'process'",
    base_models: baseModels,
    command: type("string").array().atLeastLength(1),
    "env?": "Record<string, string>",
    "at_once?": atOnce,
  });
  const ray = type({
    "+": "reject",
    type: "'ray'",
    base_models: baseModels,
    address,
    "token_env?": "string > 0",
    entrypoint: "string > 0",
    "runtime_env?": "Record<string, unknown>",
    "resources?": "Record<string, unknown>",
    "gateway_url?": address,
    "at_once?": atOnce,
  });
  const remote = type({ "+": "reject", type: "'worker'", base_models: baseModels });

  const schema = type({
    "+": "reject",
    "trainers?": tiny.or(command).or(ray).or(remote).array(),
    "training_data?": {
      "+": "reject",
      "folders?": "string[]",
      "private_hosts?": "string[]",
    },
  });
  return { ray, schema };
});
type Schemas = ReturnType<typeof schemas>;

/** The most issues to report. */
const MOST_ISSUES = 100;

/** The trainer. Base models are names, or prefixes that end in `*`. */
export type TrainerConfig =
  | { readonly type: "tiny"; readonly atOnce: number }
  | {
      readonly type: "process";
      readonly baseModels: readonly string[];
      readonly command: readonly [string, ...string[]];
      readonly env: Readonly<Record<string, string>>;
      readonly atOnce: number;
    }
  | {
      readonly type: "ray";
      readonly baseModels: readonly string[];
      readonly address: string;
      readonly token: string | undefined;
      readonly entrypoint: string;
      readonly runtimeEnv: { readonly [name: string]: Json };
      readonly resources: { readonly [name: `entrypoint_${string}`]: Json };
      /** The address of this server as seen from the cluster; by default the one it listens on. */
      readonly gatewayUrl: string | undefined;
      readonly atOnce: number;
    }
  | { readonly type: "worker"; readonly baseModels: readonly string[] };

/** The training configuration of a server. */
export interface TrainingConfig {
  /** The trainers. The first one that accepts a base model trains it. */
  readonly trainers: readonly TrainerConfig[];
  /** Folders that `file:` addresses may read from. */
  readonly folders: readonly string[];
  /** Hosts in private networks that `https:` addresses may name. */
  readonly privateHosts: readonly string[];
}

/** The default training configuration: tiny models, trained in this process. */
export const DEFAULT_TRAINING: TrainingConfig = {
  trainers: [{ type: "tiny", atOnce: 1 }],
  folders: [],
  privateHosts: [],
};

/**
 * Reads a YAML or JSON text. Tokens come from `env`, to keep secrets out of the file. Issues have the code `invalid`.
 */
export function readTrainingConfig(
  text: string,
  env: { readonly [name: string]: string | undefined },
): Result<TrainingConfig> {
  const given = readSettingsText(text);
  if (!given.ok) return given;
  const checked = readAs<Schemas["schema"]["infer"]>(schemas().schema, given.value);
  if (!checked.ok) return bad(checked.issues.map(({ path, message }) => issue(path, message)));
  const read = checked.value;
  const wrong = (read.trainers ?? []).flatMap((trainer, i) =>
    trainer.type === "ray" ? rayIssues(trainer, ["trainers", i], env) : [],
  );
  if (wrong.length > 0) return bad(wrong.slice(0, MOST_ISSUES));
  return ok({
    trainers: read.trainers?.map((trainer) => trainerOf(trainer, env)) ?? DEFAULT_TRAINING.trainers,
    folders: read.training_data?.folders ?? [],
    privateHosts: read.training_data?.private_hosts ?? [],
  });
}

/** Checks what the schema cannot express about a Ray cluster. */
function rayIssues(
  { address, gateway_url, token_env, resources = {} }: Schemas["ray"]["infer"],
  at: readonly (string | number)[],
  env: { readonly [name: string]: string | undefined },
): readonly Issue[] {
  const issues: Issue[] = [];
  for (const [name, text] of Object.entries({ address, gateway_url }))
    if (text !== undefined && !URL.canParse(text))
      issues.push(issue([...at, name], `${name} must be an http or https address`));
  for (const name of Object.keys(resources))
    if (!name.startsWith("entrypoint_"))
      issues.push(issue([...at, "resources", name], "a resource's name must start with entrypoint_"));
  if (token_env !== undefined && !env[token_env])
    issues.push(issue([...at, "token_env"], `the environment variable ${token_env} is not set`));
  return issues;
}

type Read = NonNullable<Schemas["schema"]["infer"]["trainers"]>[number];

function trainerOf(read: Read, env: { readonly [name: string]: string | undefined }): TrainerConfig {
  switch (read.type) {
    case "tiny":
      return { type: "tiny", atOnce: read.at_once ?? 1 };
    case "worker":
      return { type: "worker", baseModels: read.base_models };
    case "process": {
      const [program = "", ...rest] = read.command;
      return {
        type: "process",
        baseModels: read.base_models,
        command: [program, ...rest],
        env: read.env ?? {},
        atOnce: read.at_once ?? 1,
      };
    }
    case "ray":
      return {
        type: "ray",
        baseModels: read.base_models,
        address: read.address,
        token: read.token_env === undefined ? undefined : env[read.token_env],
        entrypoint: read.entrypoint,
        runtimeEnv: (read.runtime_env ?? {}) as { readonly [name: string]: Json },
        resources: (read.resources ?? {}) as { readonly [name: `entrypoint_${string}`]: Json },
        gatewayUrl: read.gateway_url,
        atOnce: read.at_once ?? 1,
      };
  }
}

/** Whether the name matches one of `patterns`, which are names or prefixes that end in `*`. */
export function matches(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

function issue(path: readonly (string | number)[], message: string): Issue {
  return { code: "invalid", path, message };
}
