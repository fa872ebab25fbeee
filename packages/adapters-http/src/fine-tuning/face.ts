// The face that OpenAI's clients fine-tune through: uploaded files, and jobs on them, which are jobs like all others.

import type { TrainingService } from "@assay/training-core";
import { Hono } from "hono";
import type { Face } from "../face.ts";
import type { Authenticate } from "../principal.ts";
import { problemOf } from "../problem.ts";
import { type Room, room } from "../room.ts";
import { refusal, refuseError } from "../training/answers.ts";
import { authenticated } from "../training/asking.ts";
import { FILES_PARAMETERS, fileRoutes } from "./file-routes.ts";
import { JOBS_PARAMETERS, jobRoutes } from "./job-routes.ts";
import { fineTuningOpenApi } from "./open-api.ts";
import type { Routes } from "./routes.ts";

/** What the face is made of. */
export interface FineTuningFaceOptions {
  /** The service that answers. */
  readonly training: TrainingService;
  /** Finds who is asking. */
  readonly authenticate: Authenticate;
  /** Where files and models go whose client names no project, with a key that is for several. `default/fine-tuning`. */
  readonly defaultProject?: { readonly entity: string; readonly project: string } | undefined;
  /** The room that everything which is under way shares. Default: none but the face's own. */
  readonly memory?: Room | undefined;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Far more than names and settings take. */
const BODY_BYTES = 2 ** 18;

/** `/v1/files` and `/v1/fine_tuning/jobs` as a face, with and without a slash at their ends. */
export function fineTuningFace(options: FineTuningFaceOptions): Face {
  const { training, authenticate, onError } = options;
  const defaultProject = options.defaultProject ?? { entity: "default", project: "fine-tuning" };
  const app = new Hono({ strict: false });
  const underWay = room(64 * BODY_BYTES, { share: 16 * BODY_BYTES, within: options.memory });
  const routes: Routes = {
    training,
    defaultProject,
    bodies: { limits: { maxBytes: BODY_BYTES }, underWay },
    on: (method, path, act) => app.on(method, path, authenticated(authenticate, act)),
  };
  fileRoutes(routes);
  jobRoutes(routes);
  app.onError((error) => {
    if (problemOf(error).status >= 500) onError?.(error);
    return refuseError(error);
  });
  return {
    app,
    openApi: fineTuningOpenApi,
    parameters: { ...FILES_PARAMETERS, ...JOBS_PARAMETERS },
    multipart: ["POST /v1/files"],
    verbs: Object.fromEntries(
      app.routes
        .filter(({ method }) => method !== "GET")
        .map(({ method, path }) => [`${method} ${path}`, ["train" as const]]),
    ),
    refuse: refusal,
  };
}
