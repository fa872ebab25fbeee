// Watches running evaluations over HTTP: server-sent events instead of polling.

import { linkedController } from "@assay/training-core/internal";
import { accessProblem } from "../auth/project-access.ts";
import { readProjectPath } from "../project-path.ts";
import type { Authenticate } from "../request/principal.ts";
import { detailResponse, validationProblem } from "../response/problem.ts";
import { eventOf, eventStream, STILL_HERE } from "../response/server-sent-events.ts";
import { type Answer, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { MAX_EVALUATIONS, OPERATIONS, SCHEMAS } from "./operations.ts";
import type { ProgressSource } from "./progress.ts";
import { type ProgressUpdate, watchProgress } from "./watch.ts";

/** Options of the watch routes. */
export interface WatchRoutesOptions {
  /** The source of progress. */
  readonly source: ProgressSource;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** Milliseconds between polls. Default 1000. */
  readonly interval?: number | undefined;
  /** Aborted when the server is about to end: streams then end too, without an event `end`. */
  readonly closing?: AbortSignal | undefined;
  /** Called with every error that was answered with a 5xx or broke a stream off. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * `GET /v2/{entity}/{project}/eval_results/watch?evaluation=ID`: an event `progress` now and after every change, with
 * a list of `WatchedProgress` as its data, and an event `end` when every evaluation has ended.
 */
export function watchRoutes(options: WatchRoutesOptions): RouteGroup {
  const { source, authenticate, interval = 1000, closing, onError } = options;
  const watchEvaluations: Answer = async ({ request, query, param }) => {
    const names = { entity: param("entity"), project: param("project") };
    const refusal = await accessProblem(authenticate, request, names);
    if (refusal !== undefined) return detailResponse(refusal);
    const project = readProjectPath(names.entity, names.project);
    if (!project.ok) return detailResponse(validationProblem(project.issues));
    const evaluations = [...new Set(query.getAll("evaluation"))];
    if (evaluations.length === 0 || evaluations.length > MAX_EVALUATIONS) {
      const message = `name 1 to ${MAX_EVALUATIONS} evaluations, not ${evaluations.length}`;
      const code = evaluations.length === 0 ? "too_short" : "too_long";
      return detailResponse(validationProblem([{ code, path: ["query", "evaluation"], message }]));
    }
    if (evaluations.includes("")) {
      const message = "an evaluation must not be empty";
      return detailResponse(
        validationProblem([{ code: "string_too_short", path: ["query", "evaluation"], message }]),
      );
    }
    const stop = linkedController(request.signal, closing);
    const next = ticking(interval, stop.signal);
    const updates = watchProgress(source, {
      project: project.value,
      evaluations,
      next,
      now: () => performance.now(),
    });
    const events = eventsOf(updates, stop, onError);
    // An error before the first event is answered with a status.
    return eventStream(begunWith(await events.next(), events));
  };
  return {
    routes: routesOf(OPERATIONS, { watchEvaluations }),
    schemas: () => SCHEMAS,
    refuse: detailResponse,
    onError,
  };
}

async function* begunWith(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

async function* eventsOf(
  updates: AsyncIterable<ProgressUpdate>,
  stop: AbortController,
  onError: ((error: unknown) => void) | undefined,
): AsyncGenerator<string> {
  let begun = false;
  try {
    for await (const progress of updates) {
      yield progress === undefined ? STILL_HERE : eventOf(JSON.stringify(progress), { event: "progress" });
      begun = true;
    }
    if (!stop.signal.aborted) yield eventOf("{}", { event: "end" });
  } catch (error) {
    // Before the first event it is answered with a status, which reports it.
    if (begun) onError?.(error);
    throw error;
  } finally {
    stop.abort();
  }
}

/** Waits `interval` milliseconds each time; false as soon as `signal` is aborted. */
function ticking(interval: number, signal: AbortSignal): () => Promise<boolean> {
  return () =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(false);
      const leave = (): void => {
        clearTimeout(timer);
        resolve(false);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", leave);
        resolve(true);
      }, interval);
      signal.addEventListener("abort", leave, { once: true });
    });
}
