// The training face: area B over HTTP, but for its chat completions, which the inference face answers.

import { bad, ok, type Result } from "@assay/base";
import {
  awaitEvents,
  cancelJob,
  createModel,
  deleteCheckpoints,
  deleteModel,
  ingest,
  type Job,
  type JobState,
  listCheckpoints,
  listJobs,
  listModels,
  log,
  look,
  type Model,
  type Page,
  readEvents,
  readLogRequest,
  readModelRequest,
  readRlRequest,
  readSftRequest,
  submitRl,
  submitSft,
  type Training,
  uploadUrl,
} from "@assay/training-core";
import { Hono } from "hono";
import { DecodingError, decodedBody } from "../body.ts";
import type { Face } from "../face.ts";
import type { Authenticate, Principal } from "../principal.ts";
import { problemOf } from "../problem.ts";
import {
  answer,
  checkpointView,
  eventView,
  jobView,
  list,
  modelView,
  notFound,
  refusal,
  refuseError,
  refuseIssues,
} from "./answers.ts";
import { type Act, authenticated, onceOf, withBody, withJob, withModel } from "./asking.ts";
import { eventStream } from "./event-stream.ts";
import { fileResponse } from "./file-response.ts";
import { trainingOpenApi } from "./open-api.ts";
import { readNumber, readPageQuery } from "./query.ts";
import { systemCheck } from "./system-check.ts";
import { workerRoutes } from "./worker-routes.ts";

/** What the face is made of. */
export interface TrainingFaceOptions {
  /** The service that answers. */
  readonly training: Training;
  /** Finds who is asking. */
  readonly authenticate: Authenticate;
  /** Where models go whose creator names no entity. `default`. */
  readonly defaultEntity?: string | undefined;
  /** Bytes of one JSON body, counted after decompression. 128 MiB: trajectories come with their log-probabilities. */
  readonly maxBytes?: number | undefined;
  /** Rejects with what is wrong when no trainer can work. Part of the system check. */
  readonly checkTrainers?: (() => Promise<void>) | undefined;
  /** Aborted when the server is about to end: requests that wait for news are answered, and streams end. */
  readonly closing?: AbortSignal | undefined;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The longest that a request may wait for events or for work, in seconds. */
const LONGEST_WAIT = 55;

/** Area B as a face, at its full paths, with and without a slash at their ends. */
export function trainingFace(options: TrainingFaceOptions): Face {
  const { training, authenticate, defaultEntity = "default", checkTrainers, closing, onError } = options;
  const limits = { maxBytes: options.maxBytes ?? 128 * 2 ** 20 };
  const { store } = training;
  const app = new Hono({ strict: false });
  const gone = ({ signal }: Request) => (closing === undefined ? signal : AbortSignal.any([signal, closing]));
  const on = (method: "GET" | "POST" | "DELETE" | "PUT", path: string, act: Act) =>
    app.on(method, path, authenticated(authenticate, act));

  app.get("/v1/health", () => answer({ status: "ok" }));
  app.get("/v1/system-check", () => systemCheck(training, checkTrainers));

  on("POST", "/v1/preview/models", (asking) =>
    withBody(
      asking,
      limits,
      (raw) => readModelRequest(raw, defaultEntity),
      async (wish, raw) => {
        if (!asking.principal.allows(wish.entity, wish.project)) return notFound("project");
        const made = await createModel(training, wish, await onceOf(asking, raw));
        return made.ok ? answer(modelView(made.value)) : refuseIssues(made.issues);
      },
    ),
  );

  on("GET", "/v1/preview/models", async ({ principal, query }) => {
    const page = readPageQuery(query, "asc");
    if (!page.ok) return refuseIssues(page.issues, "query");
    const seen = await visible(
      page.value,
      (one) => listModels(training, one),
      (model: Model) => principal.allows(model.entity, model.project),
    );
    return seen.ok ? list(seen.value, modelDetails, seen.value.lastId) : refuseIssues(seen.issues, "query");
  });

  on("GET", "/v1/preview/models/:model_id", (asking) =>
    withModel(training, asking, async (model) => answer(modelDetails(model))),
  );

  on("DELETE", "/v1/preview/models/:model_id", (asking) =>
    withModel(
      training,
      asking,
      async (model) => {
        const deleted = await deleteModel(training, model.id);
        if (deleted === undefined) return notFound("model");
        return answer({ model_id: model.id, deleted_checkpoints: deleted, deleted_run: false });
      },
      { deleted: true },
    ),
  );

  on("GET", "/v1/preview/models/:model_id/checkpoints", (asking) =>
    withModel(training, asking, async (model) => {
      const query = readPageQuery(asking.query, "asc");
      if (!query.ok) return refuseIssues(query.issues, "query");
      const page = await listCheckpoints(training, model.id, query.value);
      return page.ok ? list(page.value, checkpointView) : refuseIssues(page.issues, "query");
    }),
  );

  on("DELETE", "/v1/preview/models/:model_id/checkpoints", (asking) =>
    withModel(training, asking, (model) =>
      withBody(asking, limits, readSteps, async (steps) => {
        const gone = await deleteCheckpoints(training, model.id, steps);
        if (gone === undefined) return notFound("model");
        return answer({ deleted_count: gone.deleted, not_found_steps: gone.notFound });
      }),
    ),
  );

  on("GET", "/v1/preview/models/:model_id/checkpoints/:step", (asking) =>
    withModel(training, asking, async (model) => {
      const checkpoint = await liveCheckpoint(training, model, asking.param("step"));
      if (checkpoint === undefined) return notFound("checkpoint");
      return answer({
        ...checkpointView(checkpoint),
        model_id: model.id,
        base_model: model.baseModel,
        parent_step: checkpoint.parentStep,
        training_job_id: checkpoint.jobId,
        created_at: new Date(checkpoint.createdAt).toISOString(),
        files: checkpoint.files.map(({ name, sha256, size }) => ({
          name,
          sha256,
          size,
          path: `/v1/preview/models/${model.id}/checkpoints/${checkpoint.step}/files/${name}`,
        })),
      });
    }),
  );

  on("GET", "/v1/preview/models/:model_id/checkpoints/:step/files/:name", (asking) =>
    withModel(training, asking, async (model) => {
      const checkpoint = await liveCheckpoint(training, model, asking.param("step"));
      const file = checkpoint?.files.find(({ name }) => name === asking.param("name"));
      return file === undefined ? notFound("file") : fileResponse(training, file, file.name);
    }),
  );

  on("POST", "/v1/preview/models/:model_id/log", (asking) =>
    withModel(training, asking, (model) =>
      withBody(asking, limits, readLogRequest, async (request) => {
        const metrics = await log(training, model.id, request);
        return metrics === undefined ? notFound("model") : answer({ metrics });
      }),
    ),
  );

  /** Whether whoever asks may train this model. */
  const mayTrain = async (principal: Principal, modelId: string) => {
    const model = await store.model(modelId);
    return model !== undefined && principal.allows(model.entity, model.project);
  };
  const submitted = (job: Result<Job>) => (job.ok ? answer(jobView(job.value)) : refuseIssues(job.issues));

  on("POST", "/v1/preview/training-jobs", (asking) =>
    withBody(asking, limits, readRlRequest, async (request, raw) => {
      if (!(await mayTrain(asking.principal, request.modelId))) return notFound("model");
      return submitted(await submitRl(training, request, await onceOf(asking, raw)));
    }),
  );

  on("POST", "/v1/preview/sft-training-jobs", (asking) =>
    withBody(asking, limits, readSftRequest, async (request, raw) => {
      if (!(await mayTrain(asking.principal, request.modelId))) return notFound("model");
      const { signal } = asking.request;
      return submitted(await submitSft(training, request, await onceOf(asking, raw), signal));
    }),
  );

  on("POST", "/v1/preview/training-data", async ({ request }) => {
    const bytes = decodedBody(request);
    if (!bytes.ok) return refusal({ status: bytes.refusal.status, detail: bytes.refusal.message });
    try {
      const read = await ingest(training, bytes.value);
      if (!read.ok) return refuseIssues(read.issues);
      const { data, rows } = read.value;
      return answer({
        training_data_url: uploadUrl(data.sha256),
        sha256: data.sha256,
        bytes: data.size,
        rows,
      });
    } catch (error) {
      if (error instanceof DecodingError) return refusal({ status: 400, detail: error.message });
      throw error;
    }
  });

  on("GET", "/v1/preview/training-jobs", async ({ principal, query }) => {
    const page = readPageQuery(query, "desc");
    const states = readStates(query);
    if (!page.ok || !states.ok)
      return refuseIssues(
        [page, states].flatMap((one) => (one.ok ? [] : one.issues)),
        "query",
      );
    const modelId = query.get("model_id");
    const wanted = { ...(states.value && { states: states.value }), ...(modelId !== null && { modelId }) };
    const mine = async (job: Job) => mayTrain(principal, job.modelId);
    const seen = await visible(page.value, (one) => listJobs(training, { ...one, ...wanted }), mine);
    return seen.ok ? list(seen.value, jobView, seen.value.lastId) : refuseIssues(seen.issues, "query");
  });

  on("GET", "/v1/preview/training-jobs/:training_job_id", (asking) =>
    withJob(training, asking, async (job) => answer(jobView(await look(training, job)))),
  );

  on("POST", "/v1/preview/training-jobs/:training_job_id/cancel", (asking) =>
    withJob(training, asking, async ({ id }) => {
      const job = await cancelJob(training, id);
      return job.ok ? answer(jobView(job.value)) : refuseIssues(job.issues, "path");
    }),
  );

  on("GET", "/v1/preview/training-jobs/:training_job_id/events", (asking) =>
    withJob(training, asking, async ({ id }) => {
      const { request, query } = asking;
      const page = readPageQuery(query, "asc");
      const wait = readNumber(query, "wait", { least: 0, most: LONGEST_WAIT, absent: 0, whole: false });
      if (!page.ok || !wait.ok)
        return refuseIssues(
          [page, wait].flatMap((one) => (one.ok ? [] : one.issues)),
          "query",
        );
      const streaming = (request.headers.get("accept") ?? "").includes("text/event-stream");
      const after =
        page.value.after ?? (streaming ? (request.headers.get("last-event-id") ?? undefined) : undefined);
      const { limit } = page.value;
      const wanted = { limit, all: query.get("include") === "all", ...(after !== undefined && { after }) };
      const read =
        wait.value > 0 && !streaming
          ? awaitEvents(training, id, wanted, wait.value * 1000, gone(request))
          : readEvents(training, id, wanted);
      const events = await read;
      if (!events.ok) return refuseIssues(events.issues, "query");
      return streaming ? eventStream(training, id, wanted, gone(request)) : list(events.value, eventView);
    }),
  );

  workerRoutes({ training, on, limits, longestWait: LONGEST_WAIT, gone });

  app.onError((error) => {
    if (problemOf(error).status >= 500) onError?.(error);
    return refuseError(error);
  });
  app.notFound((context) => refusal({ status: 404, detail: `nothing is at ${context.req.path}` }));
  return { app, openApi: trainingOpenApi };
}

/** A model, for people. */
function modelDetails(model: Model) {
  return {
    ...modelView(model),
    object: "training.model",
    created_at: new Date(model.createdAt).toISOString(),
    step: model.headStep,
    active_job_id: model.activeJob ?? null,
    metrics: model.baseMetrics,
  };
}

/** The most items that one list request looks at while it leaves out those of others. */
const MOST_LOOKED_AT = 1000;

/**
 * The first `limit` items that `mine` lets through. When there are too many others among them, the page is
 * shorter, and `lastId` says where to go on.
 */
async function visible<
  T extends { readonly id: string },
  Q extends { readonly limit: number; readonly after?: string },
>(
  query: Q,
  read: (query: Q) => Promise<Result<Page<T>>>,
  mine: (item: T) => boolean | Promise<boolean>,
): Promise<Result<Page<T> & { readonly lastId?: string }>> {
  const items: T[] = [];
  let lastId: string | undefined;
  for (let seen = 0; seen < MOST_LOOKED_AT; ) {
    const page = await read({ ...query, ...(lastId !== undefined && { after: lastId }) });
    if (!page.ok) return page;
    for (const [i, item] of page.value.items.entries()) {
      lastId = item.id;
      seen++;
      if (await mine(item)) items.push(item);
      const rest = page.value.hasMore || i + 1 < page.value.items.length;
      if (items.length === query.limit) return ok({ items, hasMore: rest, lastId });
    }
    if (!page.value.hasMore) return ok({ items, hasMore: false });
  }
  return ok({ items, hasMore: true, ...(lastId !== undefined && { lastId }) });
}

const STATES: readonly JobState[] = [
  "queued",
  "starting",
  "running",
  "finalizing",
  "succeeded",
  "failed",
  "cancelled",
];

/** `status=queued,running`: only jobs in these states. */
function readStates(query: URLSearchParams): Result<readonly JobState[] | undefined> {
  const text = query.get("status");
  if (text === null || text === "") return ok(undefined);
  const states = text.split(",").slice(0, STATES.length);
  const wrong = states.find((state) => !STATES.includes(state as JobState));
  if (wrong === undefined) return ok(states as JobState[]);
  return bad([{ code: "enum", path: ["status"], message: `status is one or more of ${STATES.join(", ")}` }]);
}

/** The most steps that one request may delete. */
const MOST_STEPS = 10_000;

/** The body of a request that deletes checkpoints. */
function readSteps(raw: unknown): Result<readonly number[]> {
  const steps = typeof raw === "object" && raw !== null ? (raw as { steps?: unknown }).steps : undefined;
  if (steps === undefined) return bad([{ code: "missing", path: ["steps"], message: "field required" }]);
  if (!Array.isArray(steps) || steps.length > MOST_STEPS) {
    return bad([
      { code: "type", path: ["steps"], message: `steps is a list of at most ${MOST_STEPS} whole numbers` },
    ]);
  }
  const wrong = steps.findIndex((step) => !Number.isSafeInteger(step));
  if (wrong < 0) return ok(steps as number[]);
  return bad([{ code: "type", path: ["steps", wrong], message: "a step is a whole number" }]);
}

async function liveCheckpoint({ store }: Training, model: Model, step: string) {
  const checkpoint = /^\d{1,9}$/.test(step) ? await store.checkpoint(model.id, Number(step)) : undefined;
  return checkpoint?.deletedAt === undefined ? checkpoint : undefined;
}
