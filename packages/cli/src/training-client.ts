// A server's training over HTTP, as commands use it. What it refuses is a failure in its own words.

import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { Json } from "@assay/base";
import { EXIT, Failure } from "./failure.ts";
import { type ModelPath, modelPathText } from "./model-path.ts";
import { type ModelInfo, modelAt } from "./models-client.ts";
import { type List, trainingRequests } from "./training-requests.ts";

/** A job, as the server shows it. */
export interface JobInfo {
  readonly id: string;
  readonly type: "rl" | "sft";
  readonly status: string;
  readonly model_id: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly attempt: number;
  readonly progress: { readonly step: number; readonly total: number | null };
  readonly num_submitted: number;
  readonly num_trainable: number;
  readonly checkpoint_step: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** An event of a job, as the server shows it. */
export interface EventInfo {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly [name: string]: Json };
}

/** What a client has logged to a run at one step. */
type LoggedLine = { readonly [name: string]: Json };

/** The newest lines of a history that are read. */
const LOGGED_LINES = 1000;

/** What may be asked of a list of jobs. */
interface JobListing {
  readonly modelId?: string | undefined;
  readonly status?: string | undefined;
  readonly limit: number;
}

/** Training on a server. Methods throw a `Fault`, `unavailable` when it does not answer, or a `Failure` in its words. */
export interface TrainingClient {
  /** The model's id; made on `baseModel` when that is given and there is none. A `Failure` for a name that two have. */
  model(path: ModelPath, baseModel: string | undefined): Promise<string>;
  /** Brings training data there; resolves to its address. */
  upload(bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** Submits a job. */
  submit(kind: "sft" | "rl", body: { readonly [name: string]: Json }): Promise<JobInfo>;
  /** Jobs, newest first, and whether there are more. */
  jobs(listing: JobListing): Promise<{ readonly jobs: readonly JobInfo[]; readonly more: boolean }>;
  job(id: string): Promise<JobInfo>;
  /** Asks for the job to be cancelled; resolves to it as it then is. */
  cancel(id: string): Promise<JobInfo>;
  /** The newest lines of what was logged to the run of a model, by step; none when there is no such run. */
  logged(modelId: string): Promise<readonly LoggedLine[]>;
  /** Events after the one with the id `after`; waits up to `wait` seconds for some. */
  events(
    id: string,
    after: string | undefined,
    wait: number,
    signal: AbortSignal,
  ): Promise<readonly EventInfo[]>;
}

/** Training on the server at `url`, which is asked with `apiKey` when there is one. */
export function trainingClient(url: string, apiKey: string | undefined): TrainingClient {
  const ask = trainingRequests(url, apiKey);
  const post = <T>(path: string, body: Json, headers: Record<string, string> = {}) =>
    ask<T>("POST", path, {
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  return {
    async model(path, baseModel) {
      if (baseModel !== undefined) {
        const wish = { ...path, entity: path.entity ?? null, base_model: baseModel, return_existing: true };
        return (await post<ModelInfo>("models", wish)).id;
      }
      const found = await modelAt(ask, path);
      if (found !== undefined) return found.id;
      throw new Failure(
        EXIT.usage,
        `there is no model ${modelPathText(path)}; --base-model assay/tiny makes it`,
      );
    },
    async upload(bytes) {
      const init = {
        headers: { "Content-Type": "application/x-ndjson" },
        body: Readable.toWeb(Readable.from(bytes)) as ReadableStream,
        duplex: "half" as const,
      };
      const { training_data_url } = await ask<{ training_data_url: string }>("POST", "training-data", init);
      return training_data_url;
    },
    // One key for each submission: were it sent twice, there would be one job all the same.
    submit: (kind, body) =>
      post(kind === "rl" ? "training-jobs" : "sft-training-jobs", body, { "Idempotency-Key": randomUUID() }),
    async jobs({ modelId, status, limit }) {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(modelId !== undefined && { model_id: modelId }),
        ...(status !== undefined && { status }),
      });
      const { data, has_more } = await ask<List<JobInfo>>("GET", `training-jobs?${query}`);
      return { jobs: data, more: has_more };
    },
    job: (id) => ask("GET", `training-jobs/${encodeURIComponent(id)}`),
    cancel: (id) => ask("POST", `training-jobs/${encodeURIComponent(id)}/cancel`),
    async logged(modelId) {
      const { entity, project, name } = await ask<ModelInfo>("GET", `models/${encodeURIComponent(modelId)}`);
      const run = `/v2/${[entity, project].map(encodeURIComponent).join("/")}/runs/${encodeURIComponent(name)}`;
      try {
        const { last_step } = await ask<{ readonly last_step: number | null }>("GET", run);
        if (last_step === null) return [];
        const query = `min_step=${Math.max(0, last_step + 1 - LOGGED_LINES)}&limit=${LOGGED_LINES}`;
        return (await ask<{ readonly history: readonly LoggedLine[] }>("GET", `${run}/history?${query}`))
          .history;
      } catch (error) {
        // A run can be deleted apart from its model.
        if (error instanceof Failure) return [];
        throw error;
      }
    },
    async events(id, after, wait, signal) {
      const query = new URLSearchParams({
        wait: String(wait),
        limit: "100",
        include: "all",
        ...(after !== undefined && { after }),
      });
      const path = `training-jobs/${encodeURIComponent(id)}/events?${query}`;
      return (await ask<List<EventInfo>>("GET", path, { signal })).data;
    },
  };
}
