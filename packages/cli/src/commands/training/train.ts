// assay train: submits a training job to a server, and follows it.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { modelPath } from "../../clients/model-path.ts";
import { type ServerOptions, serverAddress } from "../../clients/server-address.ts";
import { trainingClient } from "../../clients/training-client.ts";
import { inputFile } from "../../files/input-file.ts";
import { type CliContext, log, print } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { watchJob } from "./watch-job.ts";

/** What to train, and on what. */
export interface TrainOptions extends ServerOptions {
  readonly kind: "sft" | "rl";
  /** `project/name` or `entity/project/name`. */
  readonly model: string;
  /** A file, `-` for standard input, or (for fine-tuning) an address that the server can read. */
  readonly input: string;
  /** The base model of a new model. */
  readonly baseModel?: string | undefined;
  /** Settings, as `name=value`; values are JSON or texts. */
  readonly settings: readonly string[];
  /** Whether to end as soon as the job is queued. */
  readonly detach: boolean;
}

/** Submits a job and follows it. Returns the exit code. */
export async function trainCommand(context: CliContext, options: TrainOptions): Promise<number> {
  const { kind, input, baseModel, apiKey, detach } = options;
  const config = settingsOf(options.settings);
  const path = modelPath(options.model);
  const client = trainingClient(await serverAddress(options), apiKey);
  // Before the model is created, so that an unreadable file leaves nothing behind.
  const groups = kind === "rl" ? readGroups(await wholeOf(context, input), input) : undefined;
  const url =
    kind === "rl" ? undefined : isAddress(input) ? input : await client.upload(await open(context, input));
  const model_id = await client.model(path, baseModel);
  const what: { readonly [name: string]: Json } =
    groups === undefined ? { training_data_url: url!, ...published(config) } : { trajectory_groups: groups };
  const job = await client.submit(kind, { model_id, experimental_config: config, ...what });
  const left = job.num_submitted - job.num_trainable;
  if (left > 0)
    log(
      context,
      `${left} of ${job.num_submitted} trajectories are unusable for training: see assay jobs show ${job.id}`,
    );
  if (detach) {
    await print(context, job.id);
    return EXIT.ok;
  }
  log(context, `job ${job.id}`);
  return watchJob(context, client, job.id);
}

/** The fine-tuning settings that are top-level members of a request, where the server checks them. */
const PUBLISHED = ["assistant_turns", "batch_size", "learning_rate"];

function published(config: { readonly [name: string]: Json }) {
  const entries = Object.entries(config);
  const isOne = ([name]: readonly [string, Json]) => PUBLISHED.includes(name);
  return {
    config: Object.fromEntries(entries.filter(isOne)),
    experimental_config: Object.fromEntries(entries.filter((entry) => !isOne(entry))),
  };
}

function isAddress(input: string): boolean {
  return /^(https|file|upload|wandb-artifact):/.test(input);
}

async function open(context: CliContext, input: string): Promise<AsyncIterable<Uint8Array>> {
  return (await inputFile(context, input)).read();
}

async function wholeOf(context: CliContext, input: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await open(context, input)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** Groups of trajectories: a list, or an object with the list as its only member, `trajectory_groups`. */
function readGroups(text: string, name: string): Json {
  let read: Json;
  try {
    read = JSON.parse(text) as Json;
  } catch (error) {
    throw new Failure(EXIT.usage, `${name}: not JSON: ${(error as Error).message}`);
  }
  const { trajectory_groups: groups = read, ...others } = isJsonObject(read) ? read : {};
  const [other] = Object.keys(others);
  if (groups !== read && other !== undefined)
    throw new Failure(
      EXIT.usage,
      `${name}: ${JSON.stringify(other)} next to trajectory_groups would have no effect: remove it, and give settings with --set`,
    );
  if (Array.isArray(groups)) return groups;
  throw new Failure(EXIT.usage, `${name}: expected a list of trajectory groups, [{"trajectories": [...]}]`);
}

function settingsOf(settings: readonly string[]): { readonly [name: string]: Json } {
  const read = new Map<string, Json>();
  for (const setting of settings) {
    const at = setting.indexOf("=");
    if (at < 1)
      throw new Failure(EXIT.usage, `"${setting}" is not a setting; write one like learning_rate=1e-5`);
    const name = setting.slice(0, at);
    if (read.has(name)) throw new Failure(EXIT.usage, `${name} is set twice`);
    read.set(name, jsonOrText(setting.slice(at + 1)));
  }
  return Object.fromEntries(read);
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
