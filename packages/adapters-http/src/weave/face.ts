// The face that Weave's clients log to: they set one address and keep their code.

import { ok } from "@assay/base";
import type { TraceStores } from "@assay/trace-core";
import { type Reading, startFileDigest } from "@assay/trace-core/internal";
import { type Body, type BodyLimits, BodyRefused, bytesOf, contentType, readJsonBody } from "../body.ts";
import { BytePieces } from "../byte-pieces.ts";
import { CHALLENGE } from "../challenge.ts";
import type { Face } from "../face.ts";
import { type Answer, type Handlers, type Route, type RouteRequest, routesOf } from "../operation.ts";
import type { Authenticate, Principal } from "../principal.ts";
import { detailResponse, refusedBody } from "../problem.ts";
import { type Place, type Room, room } from "../room.ts";
import { readUpload, type UploadForm } from "../upload.ts";
import { answerEvaluations } from "./evaluations.ts";
import { LIMITS, limitsOfAsked, limitsOfKept } from "./limits.ts";
import { OPERATIONS, RUNS, SCHEMAS } from "./operations.ts";
import type { PriceAt } from "./priced-calls.ts";
import { type Route as Logging, projectRefusal, type RouteContext, refuse } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { answerRuns, type RunRoute } from "./run-routes.ts";

/** What the face is made of. */
export interface WeaveFaceOptions {
  /** Where everything is kept. */
  readonly stores: TraceStores;
  /** Who is asking. */
  readonly authenticate: Authenticate;
  /** What tokens cost in a project. Default: unknown. */
  readonly pricesIn?: ((project: string) => Promise<PriceAt>) | undefined;
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

/** Versions of the trace server that this one answers like. Clients refuse older servers, servers older clients. */
const SERVER_INFO = { min_required_weave_python_version: "0.51.0", trace_server_version: "1.0.0" };

/** The trace-server interface of Weave's clients over `stores`. What it acknowledges is durable. */
export function weaveFace(options: WeaveFaceOptions): Face {
  const {
    stores,
    pricesIn = async () => () => undefined,
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
  const readingOf = ({ signal }: Request): Reading => ({ pause: options.pause, signal });

  /** Answers requests that are authorised. What its body takes up is given back with the answer. */
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
    { request, param }: RouteRequest,
    principal: Principal,
    place: Place,
    { route, limits }: { readonly route: Logging; readonly limits: BodyLimits },
  ): Promise<Response> => {
    const body = await readJsonBody(request, limits, { place });
    if (!body.ok) return refusedBody(body.refusal);
    const entity = param("entity");
    const pathProject = entity === "" ? undefined : `${entity}/${param("project")}`;
    const reading = readingOf(request);
    return route(body.value, { stores, pricesIn, now, newId, principal, reading, pathProject });
  };

  const ofAsked = limitsOfAsked(limits);
  const logging = (id: string, route: Logging): Answer => {
    const { path, verbs } = OPERATIONS[id]!;
    const reads = verbs?.includes("read") === true;
    const kept = reads ? ofAsked : limitsOfKept(path, limits);
    return (asking) =>
      handle(asking.request, reads ? asked : written, (principal, place) =>
        json(asking, principal, place, { route, limits: kept }),
      );
  };
  const running = (route: RunRoute): Answer => {
    const kept = limitsOfKept(route.path, limits);
    return (asking) =>
      handle(asking.request, route.method === "GET" ? asked : written, async (principal, place) => {
        const { request, query, path, param } = asking;
        const body = await runBody(request, route.body, { limits: kept, place });
        if (!body.ok) return refusedBody(body.refusal);
        const context = { stores, pricesIn, now, newId, principal, reading: readingOf(request) };
        return answerRuns(route, { request, query, path, param, body: body.value }, context);
      });
  };
  const handlers: Handlers = {
    ...Object.fromEntries(Object.entries(ROUTES).map(([id, route]) => [id, logging(id, route)])),
    ...Object.fromEntries(RUNS.map(([id, , route]) => [id, running(route)])),
    weaveFileCreate: ({ request }) =>
      handle(request, written, (principal, place) =>
        createFile(request, stores, principal, { limits, place }),
      ),
    listEvaluationObjects: ({ request, query, param }) =>
      handle(request, asked, (principal) => {
        const project = `${param("entity")}/${param("project")}`;
        return answerEvaluations(query, project, { stores, principal, reading: readingOf(request) });
      }),
    weaveHealth: () => Response.json({ status: "ok" }),
    weaveServerInfo: () => Response.json(SERVER_INFO),
  };
  const routes = routesOf(OPERATIONS, handlers);
  return {
    routes: [...routes, ...routes.map(belowTraces)],
    schemas: () => SCHEMAS,
    refuse: detailResponse,
    onError: options.onError,
  };
}

/** The same route where clients look for it that are told the address of a W&B server and nothing of its trace server. */
function belowTraces(route: Route): Route {
  const { path, pattern } = route;
  return { ...route, path: `/traces${path}`, pattern: `/traces${pattern}`, unlisted: `it is ${path}` };
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
