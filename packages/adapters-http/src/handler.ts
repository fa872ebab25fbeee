// The whole interface as one function from Request to Response, to mount in any server.

import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { type AnsweredRequest, answeredRequest } from "./answered-request.ts";
import type { Face } from "./face.ts";
import { verbRefused } from "./key-verbs.ts";
import { openStreams, type StreamLimits } from "./open-streams.ts";
import type { Route, RouteRequest } from "./operation.ts";
import { ownFace } from "./own-face.ts";
import type { Authenticate } from "./principal.ts";
import { errorResponse, type Problem, problemOf } from "./problem.ts";
import { parameterProblem } from "./query-parameters.ts";
import { requestGuard } from "./request-guard.ts";
import { underItsId } from "./request-id.ts";
import { type FindRoute, routeTable } from "./route-table.ts";

/** What the handler is made of. */
export interface HandlerOptions {
  /** The areas it answers, in order: of two with one route the first answers. */
  readonly faces: readonly Face[];
  /** Told of every error that was answered with a 5xx and that no face was told of. */
  readonly onError?: (error: unknown) => void;
  /** Finds who is asking, for what keys may be used for. Default: keys are for everything. */
  readonly authenticate?: Authenticate | undefined;
  /**
   * Whether requests are let in without a key, as things are now. While they are, a foreign `Host` and headers of
   * proxies are refused. Default: never.
   */
  readonly keyless?: () => Promise<boolean>;
  /**
   * Resolves when requests can be answered from the store, and rejects with the fault that they would meet: what
   * `GET /v1/health/ready` says. Default: resolves.
   */
  readonly ready?: () => Promise<void>;
  /** Told of every answer as it begins, for a log of requests. */
  readonly onAnswer?: (answered: AnsweredRequest) => void;
  /** Has every request answered, for traces: gives what `answer` gives, or the same with another body. */
  readonly around?: Around;
  /** Origins of web pages that may use it (CORS), as in `https://app.example`. Default: none but its own. */
  readonly origins?: readonly string[];
  /** How many streams each key may have open, and how long one that is not read stays. Default: as many as there are. */
  readonly streams?: StreamLimits;
}

/** What stands around the answering of a request, with the path of the route that it meets (`/v2/:entity/:project`). */
export type Around = (
  request: Request,
  route: string | undefined,
  answer: () => Promise<Response>,
) => Promise<Response>;

/** Answers a request. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * All faces as one handler, with `GET /openapi.json` and its reference at `GET /docs` and `GET /llms.txt`, `GET /v1/health` (the process answers), `GET /v1/health/ready` (its
 * store does too) and an answer for every other path. Requests that pages of other sites make browsers send, and query parameters that a route does not know, are refused on all of them.
 * Every answer has an `X-Request-Id`.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { authenticate, onError, onAnswer, around, keyless = async () => false, origins = [] } = options;
  const faces = [...options.faces, ownFace(options.faces, options.ready)];
  const app = new Hono({ strict: false });
  for (const face of faces)
    for (const route of face.routes)
      app.on(route.method, route.pattern, (context) => answerOf(face, route, context, onError));

  app.notFound((context) => {
    const allowed = METHODS.filter((method) => answers(app, method, context.req.path));
    if (allowed.length === 0)
      return errorResponse({ status: 404, detail: `nothing is at ${context.req.path}` });
    return errorResponse({
      status: 405,
      detail: `${context.req.method} is not allowed here; ${allowed.join(", ")} is`,
      headers: { Allow: allowed.join(", ") },
    });
  });

  const find = routeTable(app, faces);
  const guard = requestGuard({ origins, keyless, find });
  const stream = options.streams && openStreams(options.streams);
  const refuse = (request: Request, problem: Problem) =>
    (find(request)?.face.refuse ?? errorOf)(problem, request);
  const answer = async (request: Request): Promise<Response> => {
    const refused =
      (await guard(request)) ??
      parametersRefused(request, find) ??
      (authenticate && (await verbRefused(request, find, authenticate)));
    if (refused !== undefined) return refuse(request, refused);
    if (stream === undefined) return app.fetch(request);
    const streamed = await stream(request, async () => app.fetch(request), find(request)?.route.stream);
    return streamed instanceof Response ? streamed : refuse(request, streamed);
  };
  const open = origins.length === 0 ? answer : withCors(answer, origins);
  const entry = around
    ? (request: Request) => around(request, find(request)?.route.pattern, () => open(request))
    : open;

  return async (request) => {
    const begun = performance.now();
    const response = await underItsId(request, entry);
    response.headers.set("X-Content-Type-Options", "nosniff");
    onAnswer?.(answeredRequest(request, { response, route: find(request)?.route.pattern, begun }));
    return response;
  };
}

/** A problem where no face says how its clients read one. */
const errorOf = (problem: Problem): Response => errorResponse(problem);

/** What a route answers; what it throws is refused as its face refuses. */
async function answerOf(
  { refuse = errorOf, onError }: Face,
  { answer }: Route,
  { req }: Context,
  otherwise: HandlerOptions["onError"],
): Promise<Response> {
  const asked: RouteRequest = {
    request: req.raw,
    path: req.path,
    get query() {
      return new URL(req.url).searchParams;
    },
    param: (name) => req.param(name) ?? "",
  };
  try {
    return await answer(asked);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status >= 500) (onError ?? otherwise)?.(error);
    return refuse(problem, req.raw);
  }
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** `answer`, with what browsers ask for before they let pages of these origins send requests and read answers. */
function withCors(answer: Handler, origins: readonly string[]): Handler {
  const app = new Hono();
  const exposeHeaders = ["X-Request-Id", "Retry-After", "x-should-retry"];
  app.use(cors({ origin: [...origins], allowMethods: METHODS, exposeHeaders, maxAge: 600 }));
  app.all("*", (context) => answer(context.req.raw));
  return async (request) => app.fetch(request);
}

/** The problem of query parameters that the route of a request does not have. */
function parametersRefused(request: Request, find: FindRoute): Problem | undefined {
  // Most requests have none, and then nothing more is looked at.
  const known = request.url.includes("?") ? find(request) : undefined;
  return known && parameterProblem(request, known.route.queryNames);
}

/** Whether a route of its own, not middleware, answers `method` at `path`. */
function answers(app: Hono, method: string, path: string): boolean {
  return app.router.match(method, path)[0].some(([[, route]]) => route.method === method);
}
