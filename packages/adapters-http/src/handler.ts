// The whole HTTP interface as one function from Request to Response, for any server.

import { checkMembers, keyedSemaphore, type Members } from "@assay/base/internal";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { setRequestOwner } from "#request-context";
import { looksLikeKey } from "./auth/looks-like-key.ts";
import { permissionProblem } from "./auth/permissions.ts";
import { requestGuard } from "./auth/request-guard.ts";
import { systemRoutes } from "./docs/system-routes.ts";
import type { Authenticate } from "./request/principal.ts";
import { openStreams, type StreamLimits } from "./response/open-streams.ts";
import { errorResponse, type Problem, problemOf } from "./response/problem.ts";
import { requestId, underId } from "./response/request-id.ts";
import { type AccessLogEntry, loggedIds } from "./routing/access-log-entry.ts";
import { parameterProblem } from "./routing/query-parameters.ts";
import type { RouteGroup } from "./routing/route-group.ts";
import { METHODS, type MetRoute, routeTable } from "./routing/route-table.ts";

/** Options of the handler. */
export interface HandlerOptions {
  /** The areas to answer. If two have the same route, the first one answers. */
  readonly routes: readonly RouteGroup[];
  /**
   * Called with every error that was answered with a 5xx, unless its group has its own `onError`, and with the failure
   * of every body that had started.
   */
  readonly onError?: (error: unknown) => void;
  /** Authenticates requests, to check what a key may be used for. Default: keys are for everything. */
  readonly authenticate?: Authenticate | undefined;
  /**
   * Whether requests currently need no key. Requests with a foreign `Host` or with headers of proxies are then
   * refused. Default: never.
   */
  readonly keyless?: () => Promise<boolean>;
  /**
   * Resolves if the store can answer requests, and rejects with the fault that they would cause: the result of `GET
   * /v1/health/ready`. Default: resolves.
   */
  readonly ready?: () => Promise<void>;
  /** Called when an answer starts, to log requests. */
  readonly onAnswer?: (answered: AccessLogEntry) => void;
  /**
   * Wraps the answering of each request, for traces: returns the result of `answer`, or the same with another body.
   */
  readonly around?: Around;
  /** Origins of web pages that may use it (CORS), such as `https://app.example`. Default: only its own. */
  readonly origins?: readonly string[];
  /** Keys of unusual form, because someone chose them: they are not logged as part of a path or a request's ID. */
  readonly secrets?: readonly string[];
  /** How many streams each key may have open, and how long an unread one stays. Default: unlimited. */
  readonly streams?: StreamLimits;
}

const OPTIONS: Members<HandlerOptions> = {
  ...{ routes: "list", onError: "function?", authenticate: "function?", keyless: "function?" },
  ...{ ready: "function?", onAnswer: "function?", around: "function?" },
  ...{ origins: "list?", secrets: "list?", streams: "object?" },
};

/** A wrapper around the answering of a request, with the pattern of its route (`/v2/:entity/:project`). */
export type Around = (
  request: Request,
  route: string | undefined,
  answer: () => Promise<Response>,
) => Promise<Response>;

/** Answers a request. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * All routes as one handler, with `GET /openapi.json` and its reference at `GET /docs` and `GET /llms.txt`, `GET
 * /v1/health` (the process answers) and `GET /v1/health/ready` (its store does too). A path without a route is a 404,
 * unless a group has a `fallback` for it. Every route refuses cross-site requests of web pages, unknown query
 * parameters, and keys that may not use it. Every answer has an `X-Request-Id`.
 */
export function createHandler(options: HandlerOptions): Handler {
  checkMembers("options", options, OPTIONS);
  const { authenticate, onAnswer, around, origins = [], secrets = [] } = options;
  const { onError = () => {}, keyless = async () => false } = options;
  const meet = routeTable([...options.routes, systemRoutes(options.routes, options.ready)]);
  const guard = requestGuard({ origins, keyless });
  const stream = options.streams && openStreams(options.streams);
  const pieces = keyedSemaphore(PIECES_OF_KEY);

  /** The answer of a route, after all checks before it. Errors are answered in the format of its group. */
  const answer = async (met: MetRoute): Promise<Response> => {
    const { route, asked } = met;
    const { refuse = errorOf, onError: report = onError } = met.group;
    try {
      const refused =
        (await guard(met)) ??
        parameterProblem(met) ??
        (authenticate && (await permissionProblem(met, authenticate)));
      if (refused !== undefined) return refuse(refused, asked.request);
      const key = (await authenticate?.(asked.request))?.id ?? "";
      setRequestOwner({ key, pieces, request: asked.request });
      if (stream === undefined) return await route.answer(asked);
      const streamed = await stream(asked.request, async () => route.answer(asked), route.stream);
      return streamed instanceof Response ? streamed : refuse(streamed, asked.request);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) report(error);
      return refuse(problem, asked.request);
    }
  };
  const mayBeKey = (text: string) => looksLikeKey(text) || secrets.some((secret) => text.includes(secret));
  const unrouted = (request: Request, problem: Problem): Response => {
    if (problem.status === 404 && request.method === "GET")
      for (const { fallback } of options.routes) {
        const response = fallback?.(request);
        if (response !== undefined) return response;
      }
    return errorOf(problem);
  };
  const open = origins.length === 0 ? undefined : withCors(origins);

  return async (request) => {
    const begun = performance.now();
    const found = meet(request);
    const met = "route" in found ? found : undefined;
    const answered = async () =>
      headOf(request, "route" in found ? await answer(found) : unrouted(request, found));
    const shown = open === undefined ? answered : () => open(request, answered);
    const entry = around === undefined ? shown : () => around(request, met?.route.pattern, shown);
    const id = requestId(request, mayBeKey);
    const response = await underId(id, entry, onError);
    response.headers.set("X-Content-Type-Options", "nosniff");
    onAnswer?.({
      id,
      method: request.method,
      route: met?.route.pattern,
      ids: loggedIds(met?.ids ?? {}, mayBeKey),
      status: response.status,
      milliseconds: Math.round(10 * (performance.now() - begun)) / 10,
    });
    return response;
  };
}

/** The number of stream chunks made concurrently for one key: further ones wait, without delaying other keys. */
const PIECES_OF_KEY = 1;

/** A problem without a group of routes that defines the format. */
const errorOf = (problem: Problem): Response => errorResponse(problem);

/** The part of the answer that is sent: all of it, or for HEAD all but the body. */
function headOf({ method }: Request, response: Response): Response {
  if (method !== "HEAD") return response;
  void response.body?.cancel().catch(() => {});
  return new Response(null, response);
}

/** Adds the CORS headers that browsers require before pages of these origins may send requests and read answers. */
function withCors(origins: readonly string[]) {
  const app = new Hono<{ Bindings: { readonly answer: () => Promise<Response> } }>();
  const exposeHeaders = ["X-Request-Id", "Retry-After", "x-should-retry"];
  app.use(cors({ origin: [...origins], allowMethods: [...METHODS], exposeHeaders, maxAge: 600 }));
  app.all("*", ({ env }) => env.answer());
  return async (request: Request, answer: () => Promise<Response>) => app.fetch(request, { answer });
}
