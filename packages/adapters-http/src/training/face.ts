// The training face: area B over HTTP, but for its chat completions, which the inference face answers.

import type { KeyVerb } from "@assay/inference-core";
import type { TrainingService } from "@assay/training-core";
import { Hono } from "hono";
import type { Face } from "../face.ts";
import type { Authenticate } from "../principal.ts";
import { problemOf } from "../problem.ts";
import { type Room, room } from "../room.ts";
import { type AliasSource, aliasRoutes } from "./alias-routes.ts";
import { answer, refusal, refuseError } from "./answers.ts";
import { authenticated } from "./asking.ts";
import { type EvaluationSource, evaluationRoutes } from "./evaluation-routes.ts";
import { jobRoutes } from "./job-routes.ts";
import { modelRoutes } from "./model-routes.ts";
import { trainingOpenApi } from "./open-api.ts";
import type { Routes } from "./routes.ts";
import { type SystemChecks, systemCheck } from "./system-check.ts";
import { workerRoutes } from "./worker-routes.ts";

/** What the face is made of. */
export interface TrainingFaceOptions {
  /** The service that answers. */
  readonly training: TrainingService;
  /** The aliases of checkpoints. Absent: there are no routes of them. */
  readonly aliases?: AliasSource | undefined;
  /** The evaluations that were run against models. Absent: there is no route of them. */
  readonly evaluations?: EvaluationSource | undefined;
  /** Finds who is asking. */
  readonly authenticate: Authenticate;
  /** Where models go whose creator names no entity. `default`. */
  readonly defaultEntity?: string | undefined;
  /**
   * Bytes of one JSON body with trajectories, counted after decompression. 128 MiB: they come with their
   * log-probabilities. Other bodies may have 1 MiB.
   */
  readonly maxBytes?: number | undefined;
  /** The room that everything which is under way shares. Default: none but the face's own. */
  readonly memory?: Room | undefined;
  /** What the system check asks beside the store. */
  readonly checks?: SystemChecks | undefined;
  /** Aborted when the server is about to end: requests that wait for news are answered, and streams end. */
  readonly closing?: AbortSignal | undefined;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const PAGE = ["after", "limit", "order"];

/** The query parameters of the routes. */
const PARAMETERS = {
  "GET /v1/preview/models": PAGE,
  "GET /v1/preview/models/:model_id/checkpoints": PAGE,
  "GET /v1/preview/models/:model_id/evaluations": [...PAGE, "step", "project"],
  "GET /v1/preview/training-jobs": [...PAGE, "status", "model_id"],
  "GET /v1/preview/training-jobs/:training_job_id/events": ["after", "limit", "wait", "include"],
  "POST /v1/preview/worker/claim": ["wait"],
};

/** A stream of events, and the polls that wait for them, are held open alike. */
const STREAMS = ["GET /v1/preview/training-jobs/:training_job_id/events"];

/** Every token of a trajectory with its log-probability is a handful of values. */
const MAX_VALUES = 3_000_000;
/** Objects that are kept by id have many names; each costs as much as a hundred values. */
const MAX_NAMES = 50_000;

/** Far more than names, settings and lists of steps take. */
const SMALL_BYTES = 2 ** 20;

const TRAIN: readonly KeyVerb[] = ["train"];

/** Area B as a face, at its full paths, with and without a slash at their ends. */
export function trainingFace(options: TrainingFaceOptions): Face {
  const { training, authenticate, defaultEntity = "default", checks = {}, closing, onError } = options;
  const maxBytes = options.maxBytes ?? 128 * 2 ** 20;
  const app = new Hono({ strict: false });
  const underWay = room(2 * maxBytes, { share: maxBytes, within: options.memory });
  const routes: Routes = {
    training,
    on: (method, path, act) => app.on(method, path, authenticated(authenticate, act)),
    bodies: { limits: { maxBytes, maxValues: MAX_VALUES, maxNames: MAX_NAMES }, underWay },
    smallBodies: { limits: { maxBytes: Math.min(maxBytes, SMALL_BYTES) }, underWay },
    gone: ({ signal }) => (closing === undefined ? signal : AbortSignal.any([signal, closing])),
  };

  app.get("/v1/health", () => answer({ status: "ok" }));
  app.get("/v1/system-check", systemCheck(training, checks));

  modelRoutes(routes, defaultEntity);
  jobRoutes(routes);
  if (options.aliases !== undefined) aliasRoutes(routes, options.aliases);
  if (options.evaluations !== undefined) evaluationRoutes(routes, options.evaluations);
  workerRoutes(routes);

  app.onError((error) => {
    if (problemOf(error).status >= 500) onError?.(error);
    return refuseError(error);
  });
  app.notFound((context) => refusal({ status: 404, detail: `nothing is at ${context.req.path}` }));
  const verbs = Object.fromEntries(
    app.routes
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => [`${method} ${path}`, TRAIN]),
  );
  const open = { "GET /v1/health": [], "GET /v1/system-check": [] };
  return {
    app,
    openApi: trainingOpenApi,
    parameters: PARAMETERS,
    streams: STREAMS,
    verbs: { ...verbs, ...open },
    refuse: refusal,
  };
}
