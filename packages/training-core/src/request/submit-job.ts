// Submits jobs: reads the request, refuses jobs that could never train, and queues the others.

import { atOnce, bad, Fault, type Issue, ok, type Result, type Steps } from "@assay/base";
import type { Schema } from "@assay/base/internal";
import { hintedName, jsonSchemaOf, lazySchemas, untilWritten } from "@assay/base/internal";
import { type } from "arktype";
import { applyEvent } from "../job/fold.ts";
import type { Job, JobOrigin, JobWarning, Skipped, SkipReason } from "../job/job.ts";
import type { JobEvent } from "../job/job-event.ts";
import { equalRewardsWarning, type Trainable, trainable } from "../job/trainable.ts";
import type { RlSpec, TrainingConfig, TrainingSpec } from "../job/training-spec.ts";
import { record } from "../job/transition.ts";
import type { Model } from "../model/model.ts";
import type { Change } from "../ports/training-store.ts";
import { write } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";
import { type IdempotencyKey, previousReply, storeReply } from "./idempotency-key.ts";
import { Finite } from "./parse/finite.ts";
import { MOST_ISSUES, readTyped, readTypedObject } from "./parse/issues.ts";
import { readGroups } from "./parse/read-groups.ts";
import { storeRows, type UploadedRows } from "./parse/sft-data.ts";

/** A request for a reinforcement-learning job. */
export interface RlRequest {
  /** The model to train. */
  readonly modelId: string;
  /** The data and settings to train with. */
  readonly spec: RlSpec;
  /** Which trajectories can be trained on; counted again if absent. */
  readonly trainable?: Trainable;
  /** Members of the body that do not exist. */
  readonly unknown?: JobWarning | undefined;
}

/** A request for a supervised fine-tuning job. Its data has not been fetched yet. */
export interface SftRequest {
  /** The model to train. */
  readonly modelId: string;
  /** The address of the training data. */
  readonly url: string;
  /** How to train. */
  readonly config: TrainingConfig;
  /** Members of the body that do not exist. */
  readonly unknown?: JobWarning | undefined;
}

const schemas = lazySchemas(() => {
  // An ID that is not a UUID belongs to no model: not found, as on every other route.
  const rlBody = type({
    model_id: "string",
    trajectory_groups: "unknown[]",
    "experimental_config?": "object | null",
  });

  // Null means the default, for every setting. The trainer checks settings that are not listed here.
  const number = Finite().or("null");
  const rate = Finite().and("number >= 0");
  const rlConfig = type({
    "advantage_balance?": number,
    "allow_training_without_logprobs?": "boolean | null",
    "epsilon?": number,
    "epsilon_high?": number,
    "importance_sampling_level?": "'token' | 'sequence' | 'average' | 'geometric_average' | null",
    "kimi_k2_tau?": number,
    "kl_penalty_coef?": number,
    "kl_penalty_reference_step?": "number.integer >= 0 | null",
    "kl_penalty_source?": "'current_learner' | 'sample' | null",
    "kl_penalty_step_lag?": "number.integer >= 1 | null",
    "learning_rate?": rate.or("null"),
    "logprob_calculation_chunk_size?": "number.integer >= 1 | null",
    "loss_fn?": "'cispo' | 'ppo' | null",
    "mask_prob_ratio?": "boolean | null",
    "max_negative_advantage_importance_sampling_weight?": number,
    "normalize_advantages?": "boolean | null",
    "packed_sequence_length?": "number.integer >= 1 | null",
    "ppo?": "boolean | null",
    "precalculate_logprobs?": "boolean | null",
    "scale_rewards?": "boolean | null",
    "truncated_importance_sampling?": number,
  });

  const sftBody = type({
    model_id: "string",
    training_data_url: "0 < string <= 4096",
    "config?": "object | null",
    "experimental_config?": "object | null",
  });

  const sftConfig = type({
    "assistant_turns?": "'all' | 'last' | null",
    "batch_size?": "number.integer >= 1 | 'auto' | null",
    "learning_rate?": rate.or(rate.array()).or("null"),
  });
  return { rlBody, rlConfig, sftBody, sftConfig, anyConfig: type("object") };
});
type Schemas = ReturnType<typeof schemas>;

/** The JSON Schemas of a request for a job of this kind, and of its settings. */
export function jobSchemas(kind: "rl" | "sft"): { readonly body: object; readonly config: object } {
  const { rlBody, rlConfig, sftBody, sftConfig } = schemas();
  const [body, config] = kind === "rl" ? [rlBody, rlConfig] : [sftBody, sftConfig];
  return { body: jsonSchemaOf(body), config: jsonSchemaOf(config) };
}

/**
 * Reads the body of a request for an RL job and counts the trajectories that can be trained on. Issues are `missing`,
 * `type` and `exclusive`.
 */
export function* readRlRequest(raw: unknown): Steps<Result<RlRequest>> {
  const body = readTyped(schemas().rlBody, raw);
  if (!body.ok) return body;
  const { model_id: modelId, trajectory_groups, experimental_config } = body.value;
  const config = readConfig(schemas().rlConfig, experimental_config, "experimental_config");
  const groups = yield* readGroups(trajectory_groups);
  if (!config.ok || !groups.ok) return bad([config, groups].flatMap((part) => (part.ok ? [] : part.issues)));
  if (config.value["kl_penalty_reference_step"] != null && config.value["kl_penalty_step_lag"] != null) {
    const path = ["experimental_config", "kl_penalty_step_lag"];
    const message = "kl_penalty_step_lag and kl_penalty_reference_step exclude each other";
    return bad([{ code: "exclusive", path, message }]);
  }
  const spec: RlSpec = { kind: "rl", trajectory_groups: groups.value, config: config.value };
  const unknown = unknownMembers(raw, schemas().rlBody.props);
  return ok({ modelId, spec, trainable: yield* trainable(spec.trajectory_groups, spec.config), unknown });
}

/** Reads the body of a request for an SFT job. Issues are `missing`, `type` and `exclusive`. */
export function readSftRequest(raw: unknown): Result<SftRequest> {
  const body = readTyped(schemas().sftBody, raw);
  if (!body.ok) return body;
  const { model_id: modelId, training_data_url: url, experimental_config } = body.value;
  const config = readConfig(schemas().sftConfig, body.value.config, "config");
  const more = readConfig(schemas().anyConfig, experimental_config, "experimental_config");
  if (!config.ok || !more.ok) return bad([config, more].flatMap((part) => (part.ok ? [] : part.issues)));
  const unknown = unknownMembers(raw, schemas().sftBody.props);
  // Null means the default, which the other object may replace.
  const set = Object.entries(config.value).filter(([, value]) => value !== null);
  const issues = set.flatMap(([name, value]) => {
    const other = more.value[name] ?? value;
    const message = `config has another ${name}`;
    const path = ["experimental_config", name];
    return JSON.stringify(other) === JSON.stringify(value) ? [] : [{ code: "exclusive", path, message }];
  });
  if (issues.length > 0) return bad(issues);
  return ok({ modelId, url, config: { ...more.value, ...Object.fromEntries(set) }, unknown });
}

/** The warning that members of a body have no effect: they are accepted, but may be misspelt settings. */
function unknownMembers(raw: unknown, known: readonly { readonly key: unknown }[]): JobWarning | undefined {
  const names = known.map(({ key }) => String(key));
  const unknown = Object.keys(raw as object).filter((name) => !names.includes(name));
  if (unknown.length === 0) return undefined;
  const shown = unknown.slice(0, 5).map((name) => `no ${hintedName(name.slice(0, 100), names)}`);
  const message = `members of the request that do not exist had no effect: ${shown.join("; ")}`;
  return { code: "unknown_member", message, count: unknown.length };
}

function readConfig(
  schema: Schemas["rlConfig"] | Schemas["sftConfig"] | Schemas["anyConfig"],
  raw: object | null | undefined,
  at: string,
): Result<TrainingConfig> {
  return readTypedObject(schema as Schema<TrainingConfig>, raw ?? {}, [at]);
}

/**
 * Queues an RL job. Refused with `no_trajectory` if there is nothing to train on, and with `no_choice`, `no_logprobs`
 * or `overlength`, naming the trajectories, if these are the reasons. Without any advantage the job is queued, and
 * will succeed without changing the model. Further issues: `model_not_found`, `idempotency_key`.
 */
export async function submitRl(
  training: TrainingContext,
  { modelId, spec, trainable: counted, unknown }: RlRequest,
  once?: IdempotencyKey,
): Promise<Result<Job>> {
  const found = counted ?? atOnce(trainable(spec.trajectory_groups, spec.config));
  if (found.size === 0) return NO_TRAJECTORY;
  const blocked = found.skipped.filter(({ reason }) => EXPLAIN[reason] !== undefined);
  if (found.trainable === 0 && blocked.length > 0) {
    return bad(blocked.slice(0, MOST_ISSUES).map(blockedIssue));
  }
  const level = equalRewardsWarning(spec.trajectory_groups.length, found.skipped);
  const ready = { find: knownModel(training, modelId), spec, trainable: found, warnings: [unknown, level] };
  return submit(training, ready, once);
}

/**
 * Fetches and reads the training data, and queues an SFT job for it. Issues: those of `storeRows`, `unsupported_url`,
 * `data_missing`, `data_denied`, `model_not_found`, `idempotency_key`. Throws the `Fault` of a source that does not
 * work.
 */
export async function submitSft(
  training: TrainingContext,
  { modelId, url, config, unknown }: SftRequest,
  once: IdempotencyKey | undefined,
  signal: AbortSignal,
): Promise<Result<Job>> {
  // Fetches nothing for a request that was already answered, or for a model that does not exist.
  const earlier = await jobOfKey(training, once);
  if (earlier !== undefined) return earlier;
  const model = await training.store.model(modelId);
  if (model === undefined || model.deleted !== undefined) return NO_MODEL;
  const read = await fetchData(training, url, signal);
  if (!read.ok)
    return bad(read.issues.map((issue) => ({ ...issue, path: ["training_data_url", ...issue.path] })));
  const { data, rows } = read.value;
  const spec: TrainingSpec = { kind: "sft", training_data_url: url, data, rows, config };
  const ready = {
    find: knownModel(training, modelId),
    spec,
    trainable: allTrainable(rows),
    warnings: [unknown],
  };
  return submit(training, ready, once);
}

async function fetchData(
  training: TrainingContext,
  url: string,
  signal: AbortSignal,
): Promise<Result<UploadedRows>> {
  try {
    const bytes = await training.data.open(url, signal);
    if (bytes !== undefined) return await storeRows(training, bytes);
    const scheme = /^[a-z][a-z0-9+.-]{0,30}:/i.exec(url)?.[0] ?? "such";
    const message = `this server does not read ${scheme} addresses: upload the data, and give the address of the upload`;
    return bad([{ code: "unsupported_url", path: [], message }]);
  } catch (error) {
    // Missing data is the caller's error; a source that does not work is an external fault.
    if (!(error instanceof Fault) || (error.code !== "missing" && error.code !== "denied")) throw error;
    return bad([{ code: `data_${error.code}`, path: [], message: error.message }]);
  }
}

const NO_MODEL: Result<never> = bad([
  { code: "model_not_found", path: ["model_id"], message: "there is no such model" },
]);

const NO_TRAJECTORY: Result<never> = bad([
  {
    code: "no_trajectory",
    path: ["trajectory_groups"],
    message: "there is nothing to train on: give at least one group with trajectories",
  },
]);

/** Explains what the caller must change. A group without any advantage is not an error. */
const EXPLAIN: Readonly<Partial<Record<SkipReason, string>>> = {
  no_choice: "has no choice: its answers must be choices as chat completions return them, not plain messages",
  no_logprobs:
    "has choices without log-probabilities: ask for them with logprobs, or set allow_training_without_logprobs",
  overlength: "has more sampled tokens than packed_sequence_length",
};

function blockedIssue({ group, trajectory, reason }: Skipped): Issue {
  const path = ["trajectory_groups", group, "trajectories", trajectory];
  return { code: reason, path, message: `trajectory ${trajectory} of group ${group} ${EXPLAIN[reason]}` };
}

/** All rows, counted as trainable. */
export function allTrainable(rows: number): Trainable {
  return { size: rows, trainable: rows, skipped: [] };
}

/** A model before a job is added; version 0 if the job creates it, with its initial values. */
export interface JobModel extends Pick<Change, "checkpoints"> {
  readonly model: Model;
}

function knownModel(training: TrainingContext, modelId: string): () => Promise<Result<JobModel>> {
  return async () => {
    const model = await training.store.model(modelId);
    return model === undefined || model.deleted !== undefined ? NO_MODEL : ok({ model });
  };
}

/** A job that is ready to be queued. */
export interface ReadyJob {
  /** Reads the current state of its model. */
  readonly find: (jobId: string) => Promise<Result<JobModel>>;
  /** Its data and settings. */
  readonly spec: TrainingSpec;
  /** How much of it can be trained on. */
  readonly trainable: Trainable;
  /** Warnings for its caller. */
  readonly warnings?: readonly (JobWarning | undefined)[];
  /** The request, if it came through OpenAI's interface. */
  readonly fineTuning?: JobOrigin["fineTuning"];
}

/** Queues a job, in one write with its model. Issues: those of `find`, `idempotency_key`. */
export async function submit(
  training: TrainingContext,
  { find, spec, trainable: { size, trainable, skipped }, warnings = [], fineTuning }: ReadyJob,
  once: IdempotencyKey | undefined,
): Promise<Result<Job>> {
  return untilWritten(async () => {
    const earlier = await jobOfKey(training, once);
    if (earlier !== undefined) return earlier;
    const jobId = training.ids.next();
    const found = await find(jobId);
    if (!found.ok) return found;
    const { model, checkpoints } = found.value;
    const number = model.jobCount + 1;
    const origin: JobOrigin = {
      modelId: model.id,
      number,
      kind: spec.kind,
      size,
      trainable,
      skipped: skipped.slice(0, MOST_ISSUES),
      maxAttempts: training.policy.maxAttempts,
      ...(spec.kind === "sft" && { data: { url: spec.training_data_url, sha256: spec.data.sha256 } }),
      ...(fineTuning !== undefined && { fineTuning }),
    };
    const id = training.ids.next();
    const event: JobEvent = { type: "submitted", data: origin, id, jobId, seq: 1, at: training.clock.now() };
    const warned = record(
      applyEvent(undefined, event),
      warnings.flatMap((data) => (data === undefined ? [] : [{ type: "warning" as const, data }])),
      event.at,
      () => training.ids.next(),
    );
    const { job } = warned;
    const written = await write(training, {
      // The model is written too, so that no job can be queued while its model is being deleted.
      model: { ...model, version: model.version + 1, jobCount: number },
      ...(checkpoints !== undefined && { checkpoints }),
      jobs: [{ job, events: [event, ...warned.events] }],
      spec: { jobId, spec },
      ...storeReply(training, once, jobId),
    });
    return written ? ok(job) : undefined;
  });
}

/** The job that was queued under this key before. */
export async function jobOfKey(
  training: TrainingContext,
  once: IdempotencyKey | undefined,
): Promise<Result<Job> | undefined> {
  const earlier = await previousReply(training, once);
  if (earlier === undefined || !earlier.ok) return earlier;
  const job = await training.store.job(String(earlier.value));
  return job === undefined ? undefined : ok(job);
}
