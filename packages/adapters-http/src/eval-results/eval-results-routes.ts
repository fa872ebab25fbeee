// Area A over HTTP: the evaluation results query, and the statistics and page questions about it. Reads a request,
// calls the engine once, and answers.

import { Fault, type Issue, type JsonObject, type Result } from "@assay/base";
import type { EvalExecution, EvalResults, EvalStatistics, EvalViews, NotesSource } from "@assay/eval-engine";
import {
  partsText,
  readRequest,
  resultsText,
  type StatisticsQuestion,
  type ViewQuestion,
} from "@assay/eval-engine/internal";
import { statisticsIssues, viewIssues } from "@assay/eval-engine/requests";
import { accessProblem } from "../auth/project-access.ts";
import { readProjectPath } from "../project-path.ts";
import { type BodyLimits, readJsonBody } from "../request/body.ts";
import type { MemoryBudget, Reservation } from "../request/memory-budget.ts";
import type { Authenticate, Principal } from "../request/principal.ts";
import { jsonAnswer } from "../response/json-answer.ts";
import { detailResponse, refusedBody, validationProblem } from "../response/problem.ts";
import { streamResponse } from "../response/stream-response.ts";
import { type Answer, type RouteRequest, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { type KnownNames, notesOn, prefersNotes, withNotes } from "./notes-header.ts";
import { evalResultsSchemas, OPERATIONS, operationOf } from "./operations.ts";
import { STATISTICS_QUESTIONS, VIEW_QUESTIONS } from "./questions.ts";
import { statisticsResponse } from "./statistics-response.ts";

/** The engine that answers the queries, such as `createEvalEngine` of `@assay/eval-engine`. */
export interface EvalResultsEngine {
  /** Answers the body of a query on a project. Paths of issues start with `body`. */
  answer(
    project: string,
    body: unknown,
    options: { readonly signal: AbortSignal },
  ): Promise<Result<EvalResults>>;

  /**
   * Like `answer`, with rows built as the client reads them. Absent: a long answer stays in memory until it is read.
   */
  readonly answerInParts?: EvalExecution["answerInParts"];

  /** Answers a statistics question. An engine without it only answers queries, and these routes return 501. */
  readonly answerStatistics?: EvalStatistics["answerStatistics"];

  /** Answers a question of a page. Absent: these routes return 501. */
  readonly answerView?: EvalViews["answerView"];
}

/** Options of the evaluation results routes. */
export interface EvalResultsRoutesOptions {
  /** The engine. */
  readonly engine: EvalResultsEngine;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** The existing names, for notes on unknown ones (`Prefer: notes`). Absent: there are no notes. */
  readonly names?: KnownNames | undefined;
  /** The limits of a body. */
  readonly body?: BodyLimits | undefined;
  /** The memory budget shared by all routes. Default: a separate budget. */
  readonly memory?: MemoryBudget | undefined;
  /** Milliseconds after which a query is cancelled with 504. Default 60,000. */
  readonly timeout?: number | undefined;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * The evaluation results query, statistics and the questions of the page as a group of routes: `POST
 * /v2/{entity}/{project}/eval_results/` and `query`, `compare`, `slices`, `ranking`, `page`, `groups` or `fields`.
 */
export function evalResultsRoutes(options: EvalResultsRoutesOptions): RouteGroup {
  const { engine, onError } = options;
  const answering =
    (question: Question): Answer =>
    (asked) =>
      answered(asked, options, question);
  const query: Question = {
    issues: (body) => issuesOf(readRequest(body)),
    async answer(project, body, signal) {
      const answer = await (engine.answerInParts?.(project, body, { signal }) ??
        engine.answer(project, body, { signal }));
      if (!answer.ok) return detailResponse(validationProblem(answer.issues));
      const { value } = answer;
      return textResponse("row_count" in value ? partsText(value) : resultsText(value));
    },
  };
  const handlers = {
    evalResultsQuery: answering(query),
    ...Object.fromEntries([
      ...STATISTICS_QUESTIONS.map((one) => [operationOf(one), answering(statistics(engine, one))] as const),
      ...VIEW_QUESTIONS.map((one) => [operationOf(one), answering(viewed(engine, one))] as const),
    ]),
  };
  return {
    routes: routesOf(OPERATIONS, handlers),
    schemas: evalResultsSchemas,
    refuse: detailResponse,
    onError,
  };
}

/** The engine call of a route. */
interface Question {
  /** The issues of a body, also if the engine is not called because something else is wrong. */
  issues(body: unknown): readonly Issue[];
  answer(project: string, body: unknown, signal: AbortSignal): Promise<Response>;
}

function statistics(engine: EvalResultsEngine, question: StatisticsQuestion): Question {
  return {
    issues: (body) => statisticsIssues(question, body),
    async answer(project, body, signal) {
      const answer = await engine.answerStatistics?.(question, project, body, { signal });
      if (answer === undefined) return unanswered(question);
      return answer.ok ? statisticsResponse(answer.value) : detailResponse(validationProblem(answer.issues));
    },
  };
}

function viewed(engine: EvalResultsEngine, question: ViewQuestion): Question {
  return {
    issues: (body) => viewIssues(question, body),
    async answer(project, body, signal) {
      const answer = await engine.answerView?.(question, project, body, { signal });
      if (answer === undefined) return unanswered(question);
      // Previews contain numbers in their logged notation.
      return answer.ok
        ? jsonAnswer(answer.value as object as JsonObject, { signal })
        : detailResponse(validationProblem(answer.issues));
    },
  };
}

function unanswered(question: string): Response {
  return detailResponse({ status: 501, detail: `the engine of this server does not answer ${question}` });
}

async function answered(
  { request, param }: RouteRequest,
  options: EvalResultsRoutesOptions,
  question: Question,
): Promise<Response> {
  const { authenticate, memory } = options;
  const [entity, project] = [param("entity"), param("project")];
  const refusal = await accessProblem(authenticate, request, { entity, project });
  if (refusal !== undefined) return detailResponse(refusal);
  const noting = options.names !== undefined && prefersNotes(request);
  const principal = memory === undefined && !noting ? undefined : await authenticate(request);
  const place = principal && memory?.reserve(principal.id);
  const sender = noting ? principal : undefined;
  try {
    return await answeredIn(place, request, readProjectPath(entity, project), {
      ...options,
      question,
      sender,
    });
  } finally {
    place?.release();
  }
}

async function answeredIn(
  place: Reservation | undefined,
  request: Request,
  project: Result<string>,
  options: EvalResultsRoutesOptions & { readonly question: Question; readonly sender: Principal | undefined },
): Promise<Response> {
  const { body: limits, timeout = 60_000, question, engine, names, sender } = options;
  const body = await readJsonBody(request, limits, { place });
  if (!body.ok && body.refusal.status !== 422) return refusedBody(body.refusal);
  if (!project.ok || !body.ok) {
    const issues = body.ok ? question.issues(body.value) : body.refusal.issues;
    return detailResponse(validationProblem([...issuesOf(project), ...issues]));
  }
  // Both a client that disconnects and the deadline stop the engine.
  const deadline = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([request.signal, deadline]);
  try {
    const answer = await question.answer(project.value, body.value, signal);
    if (names === undefined || sender === undefined || !answer.ok) return answer;
    const query: NotesSource["query"] = (of, asked) => engine.answer(of, asked, { signal });
    return withNotes(answer, await notesOn({ query, names, principal: sender }, project.value, body.value));
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new Fault("timeout", `the query took longer than ${timeout / 1000} s`, { cause: error });
  }
}

/**
 * The most characters that are answered as one text; longer answers are written in chunks as the client reads them.
 */
const AT_ONCE = 2 ** 20;

/**
 * A response with these chunks of JSON text: a short one is sent whole, a long one in chunks as the client reads it.
 */
async function textResponse(pieces: Iterator<string> | AsyncIterator<string>): Promise<Response> {
  const texts: string[] = [];
  for (let length = 0; length <= AT_ONCE; length += texts.at(-1)!.length) {
    const { done, value } = await pieces.next();
    if (done === true)
      return new Response(texts.join(""), { headers: { "Content-Type": "application/json" } });
    texts.push(value);
  }
  try {
    return await streamResponse(encoded(texts, pieces), "application/json");
  } catch (error) {
    // Their source holds data until they are returned, even if the client disconnected before the first chunk.
    await pieces.return?.();
    throw error;
  }
}

async function* encoded(
  texts: string[],
  pieces: Iterator<string> | AsyncIterator<string>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    for (let text = texts.shift(); text !== undefined; text = texts.shift()) yield encoder.encode(text);
    for (;;) {
      const { done, value } = await pieces.next();
      if (done === true) return;
      yield encoder.encode(value);
    }
  } finally {
    await pieces.return?.();
  }
}

function issuesOf(result: Result<unknown>): readonly Issue[] {
  return result.ok ? [] : result.issues;
}
