// The face that Weave's clients log to: they set one address and keep their code.

import { fileDigest, type TraceStores } from "@assay/trace-core";
import { type Context, Hono } from "hono";
import { CHALLENGE } from "../auth.ts";
import { type BodyLimits, decodedBody, readJsonBody } from "../body.ts";
import type { Face } from "../face.ts";
import type { Authenticate, Principal } from "../principal.ts";
import { detailResponse, problemOf, validationProblem } from "../problem.ts";
import { answerGraphql } from "./graphql.ts";
import { writeQueue } from "./queue.ts";
import { projectRefusal, type Route, type RouteContext, refuse } from "./route.ts";
import { READS, WRITES } from "./routes.ts";

/** What the face is made of. */
export interface WeaveFaceOptions {
  /** Where everything is kept. */
  readonly stores: TraceStores;
  /** Who is asking. */
  readonly authenticate: Authenticate;
  /** The time, ISO 8601. */
  readonly now: () => string;
  /** An id that nothing else has, for calls and feedback that come without one. */
  readonly newId: () => string;
  /** Bytes that one request may have, after decompression. Default 64 MiB: clients send batches of up to 31 MiB. */
  readonly maxBytes?: number | undefined;
  /** Bytes of requests that may wait to be written at once; beyond them the answer is 429. Default 64 MiB. */
  readonly maxQueuedBytes?: number | undefined;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const MIB = 2 ** 20;
/** What a body that does not say its length is taken for in the queue: about the largest batch that clients send. */
const UNDECLARED = 32 * MIB;
/** Above this a call would be too deep for the engine; a batch puts a call five levels deep. */
const MAX_DEPTH = 200;
/** Versions of the trace server that this one answers like. Clients refuse older servers, servers older clients. */
const SERVER_INFO = { min_required_weave_python_version: "0.51.0", trace_server_version: "1.0.0" };

/** The trace-server interface of Weave's clients over `stores`. What it acknowledges is durable. */
export function weaveFace(options: WeaveFaceOptions): Face {
  const { stores, now, newId, authenticate, maxBytes = 64 * MIB, maxQueuedBytes = 64 * MIB } = options;
  const queue = writeQueue(maxQueuedBytes);
  const limits: BodyLimits = { maxBytes, maxDepth: MAX_DEPTH };
  const app = new Hono();

  app.onError((error) => {
    const problem = problemOf(error);
    if (problem.status >= 500) options.onError?.(error);
    return detailResponse(problem);
  });

  const handle = async (
    request: Request,
    answer: (principal: Principal) => Promise<Response>,
  ): Promise<Response> => {
    const principal = await authenticate(request);
    if (principal !== undefined) return answer(principal);
    const headers = { "WWW-Authenticate": CHALLENGE };
    return detailResponse({
      status: 401,
      detail: "an API key is needed: Basic with user api, or Bearer",
      headers,
    });
  };

  const json = async (context: Context, principal: Principal, route: Route): Promise<Response> => {
    const body = await readJsonBody(context.req.raw, { ...limits, numbers: "logged" });
    if (!body.ok) {
      const { status, message, issues } = body.refusal;
      return detailResponse(status === 422 ? validationProblem(issues) : { status, detail: message });
    }
    const { entity, project } = context.req.param() as { entity?: string; project?: string };
    const pathProject = entity === undefined ? undefined : `${entity}/${project}`;
    return route(body.value, { stores, now, newId, principal, pathProject });
  };

  /** Answers when there is room for the request; it is let in before a byte of it is read. */
  const queued = async (request: Request, answer: () => Promise<Response>): Promise<Response> => {
    const declared = Number(request.headers.get("content-length") ?? UNDECLARED);
    const leave = queue.enter(Math.min(declared, maxBytes));
    if (leave === undefined) {
      const headers = { "Retry-After": "1" };
      return detailResponse({
        status: 429,
        detail: "too much is waiting to be written; send it again later",
        headers,
      });
    }
    try {
      return await answer();
    } finally {
      leave();
    }
  };

  for (const [path, route] of Object.entries(READS)) {
    app.post(path, (context) => handle(context.req.raw, (principal) => json(context, principal, route)));
  }
  for (const [path, route] of Object.entries(WRITES)) {
    app.post(path, (context) =>
      handle(context.req.raw, (principal) => queued(context.req.raw, () => json(context, principal, route))),
    );
  }
  app.post("/file/create", (context) =>
    handle(context.req.raw, (principal) =>
      queued(context.req.raw, () => createFile(context.req.raw, stores, principal, maxBytes)),
    ),
  );
  app.post("/graphql", (context) =>
    handle(context.req.raw, (principal) =>
      json(context, principal, async (body) => Response.json(answerGraphql(body, principal))),
    ),
  );
  app.get("/health", () => Response.json({ status: "ok" }));
  app.get("/server_info", () => Response.json(SERVER_INFO));
  return { app, refuse: detailResponse, multipart: ["POST /file/create"] };
}

/** Keeps the `file` of a multipart form. */
async function createFile(
  request: Request,
  stores: TraceStores,
  principal: RouteContext["principal"],
  maxBytes: number,
): Promise<Response> {
  const form = await readForm(request, maxBytes);
  if (form instanceof Response) return form;
  const [project, file, expected] = ["project_id", "file", "expected_digest"].map((name) => form.get(name));
  if (typeof project !== "string") return missing("project_id");
  if (file === null || file === undefined) return missing("file");
  const refused = projectRefusal([project], { principal, pathProject: undefined });
  if (refused !== undefined) return refused;
  const bytes =
    typeof file === "string" ? new TextEncoder().encode(file) : new Uint8Array(await file.arrayBuffer());
  const digest = fileDigest(bytes);
  if (typeof expected === "string" && expected !== digest) {
    const message = `this content has the digest ${digest}`;
    return refuse([{ code: "digest_mismatch", path: ["body", "expected_digest"], message }]);
  }
  await stores.files.put(project, digest, bytes);
  return Response.json({ digest });
}

async function readForm(request: Request, maxBytes: number): Promise<FormData | Response> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data"))
    return detailResponse({ status: 415, detail: "a file is sent as multipart/form-data" });
  const body = decodedBody(request);
  if (!body.ok) return detailResponse({ status: body.refusal.status, detail: body.refusal.message });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body.value) {
    size += chunk.length;
    if (size > maxBytes)
      return detailResponse({ status: 413, detail: `the body is larger than ${maxBytes} bytes` });
    chunks.push(chunk);
  }
  try {
    return await new Response(Buffer.concat(chunks), { headers: { "content-type": type } }).formData();
  } catch {
    return refuse([{ code: "value_error", path: ["body"], message: "not valid multipart/form-data" }]);
  }
}

function missing(name: string): Response {
  return refuse([{ code: "missing", path: ["body", name], message: `${name} is required` }]);
}
