// The fine-tuning routes of OpenAI's clients: uploaded files, and jobs, which are ordinary training jobs.

import type { TrainingService } from "@assay/training-core";
import { type MemoryBudget, memoryBudget } from "../request/memory-budget.ts";
import type { Authenticate } from "../request/principal.ts";
import { routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { authenticated } from "../training/request/authorize.ts";
import { refusal } from "../training/response/responses.ts";
import { fileHandlers } from "./file-routes.ts";
import { jobHandlers } from "./job-routes.ts";
import { fineTuningSchemas, OPERATIONS } from "./operations.ts";

/** Options of the fine-tuning routes. */
export interface FineTuningRoutesOptions {
  /** The training service. */
  readonly training: TrainingService;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /**
   * The project of files and models of clients that name none, with a key for several. Default `default/fine-tuning`.
   */
  readonly defaultProject?: { readonly entity: string; readonly project: string } | undefined;
  /** The memory budget shared by all routes. Default: a separate budget. */
  readonly memory?: MemoryBudget | undefined;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Far more than names and settings need. */
const BODY_BYTES = 2 ** 18;

/** `/v1/files` and `/v1/fine_tuning/jobs` as a group of routes, with and without a trailing slash. */
export function fineTuningRoutes(options: FineTuningRoutesOptions): RouteGroup {
  const { training, authenticate, onError } = options;
  const defaultProject = options.defaultProject ?? { entity: "default", project: "fine-tuning" };
  const underWay = memoryBudget(64 * BODY_BYTES, { share: 16 * BODY_BYTES, within: options.memory });
  const parts = { training, defaultProject, bodies: { limits: { maxBytes: BODY_BYTES }, underWay } };
  const handlers = authenticated(authenticate, { ...fileHandlers(parts), ...jobHandlers(parts) });
  return {
    routes: routesOf(OPERATIONS, handlers),
    schemas: fineTuningSchemas,
    refuse: (problem) => refusal(problem),
    onError,
  };
}
