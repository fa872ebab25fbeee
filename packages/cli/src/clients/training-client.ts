// The HTTP client of commands for training. Refusals become failures with the server's message.

import { randomUUID } from "node:crypto";
import type { Json } from "@assay/base";
import { Refusal, type Schemas } from "@assay/client";
import { EXIT, Failure } from "../terminal/failure.ts";
import { type ModelPath, modelPathText } from "./model-path.ts";
import { modelAt } from "./models-client.ts";
import { serverClient } from "./server-client.ts";

/** A job as the server returns it. */
export type JobInfo = Schemas["TrainingJob"];

/** An event of a job as the server returns it. */
export type EventInfo = Schemas["TrainingJobEvent"];

/** The data that a client logged to a run at one step. */
type LoggedLine = Schemas["RunHistory"]["history"][number];

/** The number of newest lines of a history that are read. */
const LOGGED_LINES = 1000;

/** The filters of a list of jobs. */
interface JobListing {
  readonly modelId?: string | undefined;
  readonly status?: string | undefined;
  readonly limit: number;
}

/**
 * Training on a server. Methods throw a `Fault`: `unavailable` if it does not answer, or a refusal with its message.
 */
export interface TrainingClient {
  /**
   * The model's ID; created on `baseModel` if that is given and the model does not exist. A `Failure` for an ambiguous
   * name.
   */
  model(path: ModelPath, baseModel: string | undefined): Promise<string>;
  /** Uploads training data; resolves to its address. */
  upload(bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** Submits a job. */
  submit(kind: "sft" | "rl", body: { readonly [name: string]: Json }): Promise<JobInfo>;
  /** Jobs, newest first, and whether there are more. */
  jobs(listing: JobListing): Promise<{ readonly jobs: readonly JobInfo[]; readonly more: boolean }>;
  job(id: string): Promise<JobInfo>;
  /** Requests the cancellation of the job; resolves to the job afterwards. */
  cancel(id: string): Promise<JobInfo>;
  /** The newest logged lines of a model's run, by step; empty if there is no such run. */
  logged(modelId: string): Promise<readonly LoggedLine[]>;
  /** Events after the one with the ID `after`; waits up to `wait` seconds for new ones. */
  events(
    id: string,
    after: string | undefined,
    wait: number,
    signal: AbortSignal,
  ): Promise<readonly EventInfo[]>;
}

/** Training on the server at `url`; requests are sent with `apiKey` if given. */
export function trainingClient(url: string, apiKey: string | undefined): TrainingClient {
  const client = serverClient(url, apiKey);
  const { ask } = client;
  return {
    async model(path, baseModel) {
      if (baseModel !== undefined) {
        const body = { ...path, entity: path.entity ?? null, base_model: baseModel, return_existing: true };
        return (await ask("POST /v1/preview/models", { body })).id;
      }
      const found = await modelAt(client, path);
      if (found !== undefined) return found.id;
      throw new Failure(
        EXIT.usage,
        `model not found: ${modelPathText(path)}; create it with --base-model assay/tiny`,
      );
    },
    upload: async (body) => (await ask("POST /v1/preview/training-data", { body })).training_data_url,
    submit(kind, spec) {
      // One key per submission, so that sending it twice creates only one job.
      const header = { "Idempotency-Key": randomUUID() };
      return kind === "rl"
        ? ask("POST /v1/preview/training-jobs", { header, body: spec as unknown as Schemas["RlRequest"] })
        : ask("POST /v1/preview/sft-training-jobs", {
            header,
            body: spec as unknown as Schemas["SftRequest"],
          });
    },
    async jobs({ modelId, status, limit }) {
      const query = { limit, status, model_id: modelId };
      const { data, has_more } = await ask("GET /v1/preview/training-jobs", { query });
      return { jobs: data, more: has_more };
    },
    job: (id) => ask("GET /v1/preview/training-jobs/{training_job_id}", { path: { training_job_id: id } }),
    cancel: (id) =>
      ask("POST /v1/preview/training-jobs/{training_job_id}/cancel", { path: { training_job_id: id } }),
    async logged(model_id) {
      const { entity, project, name } = await ask("GET /v1/preview/models/{model_id}", {
        path: { model_id },
      });
      const path = { entity, project, run: name };
      try {
        const { last_step } = await ask("GET /v2/{entity}/{project}/runs/{run}", { path });
        if (last_step === null) return [];
        const query = { min_step: Math.max(0, last_step + 1 - LOGGED_LINES), limit: LOGGED_LINES };
        return (await ask("GET /v2/{entity}/{project}/runs/{run}/history", { path, query })).history;
      } catch (error) {
        // A run can be deleted separately from its model.
        if (error instanceof Refusal) return [];
        throw error;
      }
    },
    async events(id, after, wait, signal) {
      const input = {
        path: { training_job_id: id },
        query: { wait, limit: 100, include: "all" as const, after },
        signal,
      };
      return (await ask("GET /v1/preview/training-jobs/{training_job_id}/events", input)).data;
    },
  };
}
