// Area A: the evaluation results query over HTTP. Reads a request, asks the engine once, answers.

import { Fault, type Issue, type Result } from "@assay/base";
import { type EvalResults, readRequest, resultsText } from "@assay/eval-engine";
import { Hono } from "hono";
import { type Body, type BodyLimits, readJsonBody } from "../body.ts";
import type { Face } from "../face.ts";
import type { Authenticate } from "../principal.ts";
import { detailResponse, problemOf, refusedBody, validationProblem } from "../problem.ts";
import { accessProblem } from "../project-access.ts";
import { readProjectPath } from "../project-path.ts";
import { evalResultsOpenApi } from "./openapi.ts";

/** What the face asks of an engine: `createEvalEngine` of `@assay/eval-engine` makes one. */
export interface EvalResultsEngine {
  /** Answers the body of a query on a project. The paths of issues begin with `body`. */
  answer(
    project: string,
    body: unknown,
    options: { readonly signal: AbortSignal },
  ): Promise<Result<EvalResults>>;
}

/** What the face is made of. */
export interface EvalResultsFaceOptions {
  /** What answers. */
  readonly engine: EvalResultsEngine;
  /** Who may ask. */
  readonly authenticate: Authenticate;
  /** How large a body may be. */
  readonly body?: BodyLimits | undefined;
  /** Milliseconds after which a query is given up with 504. Default 60,000. */
  readonly timeout?: number | undefined;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The evaluation results query as a face: `POST /v2/{entity}/{project}/eval_results/query`. */
export function evalResultsFace(options: EvalResultsFaceOptions): Face {
  const { engine, authenticate, body: limits, timeout = 60_000, onError } = options;
  const app = new Hono();

  app.post("/v2/:entity/:project/eval_results/query", async (context) => {
    const request = context.req.raw;
    const names = context.req.param();
    const refusal = await accessProblem(authenticate, request, names);
    if (refusal !== undefined) return detailResponse(refusal);
    const project = readProjectPath(names.entity, names.project);
    const body = await readJsonBody(request, limits);
    if (!body.ok && body.refusal.status !== 422) return refusedBody(body.refusal);
    if (!project.ok || !body.ok) {
      return detailResponse(validationProblem([...issuesOf(project), ...bodyIssues(body)]));
    }
    // The client's leaving and the deadline both stop the engine.
    const deadline = AbortSignal.timeout(timeout);
    const signal = AbortSignal.any([request.signal, deadline]);
    try {
      const answer = await engine.answer(project.value, body.value, { signal });
      return answer.ok ? resultsResponse(answer.value) : detailResponse(validationProblem(answer.issues));
    } catch (error) {
      if (!deadline.aborted) throw error;
      throw new Fault("timeout", `the query took longer than ${timeout / 1000} s`, { cause: error });
    }
  });

  app.onError((error) => {
    const problem = problemOf(error);
    if (problem.status >= 500) onError?.(error);
    return detailResponse(problem);
  });

  return { app, openApi: evalResultsOpenApi, refuse: detailResponse };
}

/** Rows that are answered as one text; more are written out piece by piece as the client takes them. */
const ROWS_AT_ONCE = 500;

function resultsResponse(results: EvalResults): Response {
  const pieces = resultsText(results);
  const headers = { "Content-Type": "application/json" };
  if (results.rows.length <= ROWS_AT_ONCE) return new Response([...pieces].join(""), { headers });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel() {
      pieces.return();
    },
  });
  return new Response(body, { headers });
}

function issuesOf(result: Result<unknown>): readonly Issue[] {
  return result.ok ? [] : result.issues;
}

/** What is wrong with a body, also when it will not be asked because something else is wrong. */
function bodyIssues(body: Body<unknown>): readonly Issue[] {
  return body.ok ? issuesOf(readRequest(body.value)) : body.refusal.issues;
}
