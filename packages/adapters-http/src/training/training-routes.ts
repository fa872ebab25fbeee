// The training routes: area B over HTTP, except for chat completions, which are among the inference routes.

import type { TrainingService } from "@assay/training-core";
import { linkedController } from "@assay/training-core/internal";
import { type MemoryBudget, memoryBudget } from "../request/memory-budget.ts";
import type { Authenticate } from "../request/principal.ts";
import { routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { type AliasSource, aliasHandlers } from "./alias-routes.ts";
import { type EvaluationSource, evaluationHandlers } from "./evaluation-routes.ts";
import { jobHandlers } from "./job-routes.ts";
import { modelHandlers } from "./model-routes.ts";
import { OPERATIONS, trainingSchemas } from "./operations.ts";
import { authenticated } from "./request/authorize.ts";
import type { Parts } from "./request/handler-parts.ts";
import { refusal } from "./response/responses.ts";
import { type SystemChecks, systemCheck } from "./system-check.ts";
import { workerHandlers } from "./worker-routes.ts";

/** Options of the training routes. */
export interface TrainingRoutesOptions {
  /** The training service. */
  readonly training: TrainingService;
  /** The aliases of checkpoints. Absent: they have no routes. */
  readonly aliases?: AliasSource | undefined;
  /** The evaluations of models. Absent: they have no route. */
  readonly evaluations?: EvaluationSource | undefined;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** The entity of models whose creator names none. Default `default`. */
  readonly defaultEntity?: string | undefined;
  /**
   * The most bytes of one JSON body with trajectories, after decompression. Default 128 MiB, because they include
   * log-probabilities. Other bodies may have 1 MiB.
   */
  readonly maxBytes?: number | undefined;
  /** The memory budget shared by all routes. Default: a separate budget. */
  readonly memory?: MemoryBudget | undefined;
  /** Checks of the system check in addition to that of the store. */
  readonly checks?: SystemChecks | undefined;
  /** Aborted when the server is about to end: waiting requests are answered, and streams end. */
  readonly closing?: AbortSignal | undefined;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Every token of a trajectory has a log-probability, so it takes several values. */
const MAX_VALUES = 3_000_000;
/** Objects keyed by ID have many names; each costs as much as a hundred values. */
const MAX_NAMES = 50_000;

/** Far more than names, settings and lists of steps need. */
const SMALL_BYTES = 2 ** 20;

/** Area B as a group of routes, at its full paths, with and without a trailing slash. */
export function trainingRoutes(options: TrainingRoutesOptions): RouteGroup {
  const { training, authenticate, defaultEntity = "default", checks = {}, closing, onError } = options;
  const maxBytes = options.maxBytes ?? 128 * 2 ** 20;
  const underWay = memoryBudget(2 * maxBytes, { share: maxBytes, within: options.memory });
  const parts: Parts = {
    training,
    bodies: { limits: { maxBytes, maxValues: MAX_VALUES, maxNames: MAX_NAMES }, underWay },
    smallBodies: { limits: { maxBytes: Math.min(maxBytes, SMALL_BYTES) }, underWay },
    gone: ({ signal }) => linkedController(signal, closing),
  };
  const handlers = authenticated(authenticate, {
    ...modelHandlers(parts, defaultEntity),
    ...aliasHandlers(parts, options.aliases),
    ...evaluationHandlers(parts, options.evaluations),
    ...jobHandlers(parts),
    ...workerHandlers(parts),
  });
  return {
    routes: routesOf(OPERATIONS, { ...handlers, system_check: systemCheck(training, checks) }),
    schemas: trainingSchemas,
    refuse: (problem) => refusal(problem),
    onError,
  };
}
