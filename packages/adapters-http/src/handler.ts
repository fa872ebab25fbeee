// The whole interface as one function from Request to Response, to mount in any server.

import type { Json } from "@assay/base";
import { Hono } from "hono";
import type { Face } from "./face.ts";
import { openApiDocument } from "./openapi.ts";
import { errorResponse, problemOf } from "./problem.ts";

/** What the handler is made of. */
export interface HandlerOptions {
  /** The areas it answers, in order: of two with one route the first answers. */
  readonly faces: readonly Face[];
  /** Told of every error that was answered with a 5xx and that no face was told of. */
  readonly onError?: (error: unknown) => void;
}

/** Answers a request. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

/** All faces as one handler, with `GET /openapi.json`, `GET /v1/health` and an answer for every other path. */
export function createHandler({ faces, onError }: HandlerOptions): Handler {
  const app = new Hono({ strict: false });
  for (const face of faces) app.route("/", face.app);
  app.get("/v1/health", (context) => context.json({ status: "ok" }));
  let document: Json | undefined;
  app.get("/openapi.json", (context) => {
    document ??= openApiDocument(faces.flatMap((face) => face.openApi?.() ?? []));
    return context.json(document);
  });

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

  app.onError((error) => {
    const problem = problemOf(error);
    if (problem.status >= 500) onError?.(error);
    return errorResponse(problem);
  });

  return async (request) => {
    const response = await app.fetch(request);
    response.headers.set("X-Content-Type-Options", "nosniff");
    return response;
  };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Whether a route of its own, not middleware, answers `method` at `path`. */
function answers(app: Hono, method: string, path: string): boolean {
  return app.router.match(method, path)[0].some(([[, route]]) => route.method === method);
}
