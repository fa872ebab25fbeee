// The face that Weave's clients log to: they set one address and keep their code.

import { ok } from "@assay/base";
import { type Reading, startFileDigest, type TraceStores } from "@assay/trace-core";
import { type Context, Hono } from "hono";
import { type Body, type BodyLimits, BodyRefused, bytesOf, contentType, readJsonBody } from "../body.ts";
import { BytePieces } from "../byte-pieces.ts";
import { CHALLENGE } from "../challenge.ts";
import type { Face } from "../face.ts";
import type { Authenticate, Principal } from "../principal.ts";
import { detailResponse, problemOf, refusedBody } from "../problem.ts";
import { type Place, type Room, room } from "../room.ts";
import { readUpload, type UploadForm } from "../upload.ts";
import { answerEvaluations } from "./evaluations.ts";
import { LIMITS, limitsOfAsked, limitsOfKept } from "./limits.ts";
import { PAGE_PARAMETERS } from "./list-page.ts";
import { weaveOpenApi } from "./open-api.ts";
import { projectRefusal, type Route, type RouteContext, refuse } from "./route.ts";
import { READS, WRITES } from "./routes.ts";
import { answerRuns, RUN_ROUTES } from "./run-routes.ts";

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
  /** Bytes of requests, and of what is built of them, that may be under way at once; beyond them the answer is 429. Default 128 MiB. */
  readonly maxQueuedBytes?: number | undefined;
  /** Bytes of them that one key may have while others ask too. Default three quarters of `maxQueuedBytes`. */
  readonly maxQueuedBytesOfKey?: number | undefined;
  /** The room that everything which is under way shares. Default: none but the face's own. */
  readonly memory?: Room | undefined;
  /** Called often in a long read: a promise to wait for while other requests run, or nothing when it is too early. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const EVALUATIONS_PATH = "/v2/:entity/:project/evaluations";
/** Versions of the trace server that this one answers like. Clients refuse older servers, servers older clients. */
const SERVER_INFO = { min_required_weave_python_version: "0.51.0", trace_server_version: "1.0.0" };

/** The trace-server interface of Weave's clients over `stores`. What it acknowledges is durable. */
export function weaveFace(options: WeaveFaceOptions): Face {
  const {
    stores,
    now,
    newId,
    authenticate,
    maxBytes = LIMITS.maxBytes,
    maxQueuedBytes = 2 * LIMITS.maxBytes,
  } = options;
  const { maxQueuedBytesOfKey = 0.75 * maxQueuedBytes } = options;
  // Questions do not wait for room among what is written.
  const division = { share: maxQueuedBytesOfKey, within: options.memory };
  const [asked, written] = [room(maxQueuedBytes, division), room(maxQueuedBytes, division)];
  const limits: BodyLimits = { ...LIMITS, maxBytes };
  const app = new Hono();

  app.onError((error) => {
    const problem = problemOf(error);
    if (problem.status >= 500) options.onError?.(error);
    return detailResponse(problem);
  });

  const readingOf = ({ signal }: Request): Reading => ({ pause: options.pause, signal });

  /** Answers whoever may ask. What its body takes up is given back with the answer. */
  const handle = async (
    request: Request,
    underWay: Room,
    answer: (principal: Principal, place: Place) => Promise<Response>,
  ): Promise<Response> => {
    const principal = await authenticate(request);
    if (principal === undefined) {
      const headers = { "WWW-Authenticate": CHALLENGE };
      return detailResponse({
        status: 401,
        detail: "an API key is needed: Basic with user api, or Bearer",
        headers,
      });
    }
    const place = underWay.enter(principal.id);
    try {
      return await answer(principal, place);
    } finally {
      place.leave();
    }
  };

  const json = async (
    context: Context,
    principal: Principal,
    place: Place,
    { route, limits }: { readonly route: Route; readonly limits: BodyLimits },
  ): Promise<Response> => {
    const body = await readJsonBody(context.req.raw, limits, { place });
    if (!body.ok) return refusedBody(body.refusal);
    const { entity, project } = context.req.param() as { entity?: string; project?: string };
    const pathProject = entity === undefined ? undefined : `${entity}/${project}`;
    const reading = readingOf(context.req.raw);
    return route(body.value, { stores, now, newId, principal, reading, pathProject });
  };

  const ofAsked = limitsOfAsked(limits);
  for (const [path, route] of Object.entries(READS)) {
    app.post(path, (context) =>
      handle(context.req.raw, asked, (principal, place) =>
        json(context, principal, place, { route, limits: ofAsked }),
      ),
    );
  }
  for (const [path, route] of Object.entries(WRITES)) {
    const kept = limitsOfKept(path, limits);
    app.post(path, (context) =>
      handle(context.req.raw, written, (principal, place) =>
        json(context, principal, place, { route, limits: kept }),
      ),
    );
  }
  app.post("/file/create", (context) =>
    handle(context.req.raw, written, (principal, place) =>
      createFile(context.req.raw, stores, principal, { limits, place }),
    ),
  );
  app.get(EVALUATIONS_PATH, (context) =>
    handle(context.req.raw, asked, (principal) => {
      const { entity, project } = context.req.param();
      const reading = readingOf(context.req.raw);
      return answerEvaluations(context.req.raw, `${entity}/${project}`, { stores, principal, reading });
    }),
  );
  for (const route of RUN_ROUTES) {
    const kept = limitsOfKept(route.path, limits);
    app.on(route.method, route.path, (context) =>
      handle(context.req.raw, route.method === "GET" ? asked : written, async (principal, place) => {
        const body = await runBody(context.req.raw, route.body, { limits: kept, place });
        if (!body.ok) return refusedBody(body.refusal);
        const reading = readingOf(context.req.raw);
        const names = context.req.param() as { readonly [name: string]: string };
        const asking = { request: context.req.raw, names, body: body.value };
        return answerRuns(route, asking, { stores, now, newId, principal, reading });
      }),
    );
  }
  app.get("/health", () => Response.json({ status: "ok" }));
  app.get("/server_info", () => Response.json(SERVER_INFO));
  return {
    app,
    openApi: weaveOpenApi,
    refuse: detailResponse,
    parameters: {
      [`GET ${EVALUATIONS_PATH}`]: PAGE_PARAMETERS,
      ...Object.fromEntries(
        RUN_ROUTES.map(({ method, path, parameters }) => [`${method} ${path}`, parameters]),
      ),
    },
    multipart: ["POST /file/create"],
    streams: [
      "POST /calls/stream_query",
      `GET ${EVALUATIONS_PATH}`,
      ...RUN_ROUTES.filter(({ lists }) => lists).map(({ method, path }) => `${method} ${path}`),
    ],
    verbs: {
      ...Object.fromEntries(Object.keys(READS).map((path) => [`POST ${path}`, ["read" as const]])),
      "GET /health": [],
      "GET /server_info": [],
    },
  };
}

/** The body of a request about evaluation runs: none where the route has none, or where it may be left out and is. */
async function runBody(
  request: Request,
  body: "none" | "optional" | "needed",
  { limits, place }: BodyRoom,
): Promise<Body<unknown>> {
  const none = { ok: true as const, value: {} };
  if (body === "none") return none;
  const isEmpty = request.body === null || request.headers.get("content-length") === "0";
  if (body === "optional" && isEmpty) return none;
  return readJsonBody(request, limits, { place });
}

/** How large a body may be, and the place that it takes up. */
interface BodyRoom {
  readonly limits: BodyLimits;
  readonly place: Place;
}

/** Keeps the `file` of a multipart form. */
async function createFile(
  request: Request,
  stores: TraceStores,
  principal: RouteContext["principal"],
  room: BodyRoom,
): Promise<Response> {
  if (contentType(request).name !== "multipart/form-data")
    return detailResponse({ status: 415, detail: "a file is sent as multipart/form-data" });
  const sent = await readFile(request, room);
  if (sent instanceof Response) return sent;
  const { fields, digest, pieces } = sent;
  const project = fields.get("project_id");
  if (project === undefined)
    return refuse([{ code: "missing", path: ["body", "project_id"], message: "project_id is required" }]);
  const refused = projectRefusal([project], { principal, pathProject: undefined });
  if (refused !== undefined) return refused;
  const expected = fields.get("expected_digest");
  if (expected !== undefined && expected !== digest) {
    const message = `this content has the digest ${digest}`;
    return refuse([{ code: "digest_mismatch", path: ["body", "expected_digest"], message }]);
  }
  await stores.files.put(project, digest, pieces);
  return Response.json({ digest });
}

/** A file as it was sent, and the fields beside it. */
interface SentFile {
  readonly fields: UploadForm["fields"];
  readonly digest: string;
  readonly pieces: readonly Uint8Array[];
}

/** Reads a file, and its digest, while it comes. */
async function readFile(request: Request, { limits, place }: BodyRoom): Promise<SentFile | Response> {
  try {
    const read = await readUpload(request, bytesOf(request, limits, place), async (bytes, form) => {
      const [pieces, digest] = [new BytePieces(), startFileDigest()];
      for await (const piece of bytes) {
        pieces.add(piece);
        digest.add(piece);
      }
      const whole = await form();
      if (!whole.ok) return whole;
      return ok({ fields: whole.value.fields, digest: digest.end(), pieces: pieces.all() });
    });
    if (read.ok) return read.value;
    return refuse(
      read.issues.map((issue) => ({
        ...issue,
        code: issue.code === "type" ? "value_error" : issue.code,
        path: ["body", ...issue.path],
      })),
    );
  } catch (error) {
    if (error instanceof BodyRefused) return refusedBody(error.refusal);
    throw error;
  }
}
