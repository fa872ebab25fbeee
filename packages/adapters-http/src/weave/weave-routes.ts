// The routes that Weave's clients log to after only their address was changed.

import { ok } from "@assay/base";
import type { TraceStores } from "@assay/trace-core";
import { type ReadContext, startFileDigest } from "@assay/trace-core/internal";
import { WWW_AUTHENTICATE } from "../auth/www-authenticate.ts";
import {
  type Body,
  type BodyLimits,
  BodyRefused,
  bytesOf,
  contentType,
  readJsonBody,
} from "../request/body.ts";
import { ChunkList } from "../request/chunk-list.ts";
import { type MemoryBudget, memoryBudget, type Reservation } from "../request/memory-budget.ts";
import type { Authenticate, Principal } from "../request/principal.ts";
import { readUpload, type UploadForm } from "../request/upload.ts";
import { detailResponse, refusedBody } from "../response/problem.ts";
import { type Answer, type Handlers, type Route, type RouteRequest, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { answerEvaluations } from "./evaluations.ts";
import { LIMITS, limitsOfQueries, limitsOfWrites } from "./limits.ts";
import { OPERATIONS, RUNS, SCHEMAS, UNSUPPORTED } from "./operations.ts";
import type { PriceAt } from "./priced-calls.ts";
import { type Route as Logging, projectRefusal, type RouteContext, refuse } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { answerRuns, type RunRoute } from "./run-routes.ts";

/** Options of the Weave routes. */
export interface WeaveRoutesOptions {
  /** The stores. */
  readonly stores: TraceStores;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** The token prices of a project. Default: unknown. */
  readonly pricesIn?: ((project: string) => Promise<PriceAt>) | undefined;
  /** The time, ISO 8601. */
  readonly now: () => string;
  /** A unique ID, for calls and feedback that come without one. */
  readonly newId: () => string;
  /** The most bytes of one request, after decompression. Default 64 MiB: clients send batches of up to 31 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * The most bytes of concurrent requests and what is built from them; beyond that the answer is 429. Default 128 MiB.
   */
  readonly maxQueuedBytes?: number | undefined;
  /** The most of these bytes for one key while other keys are active. Default three quarters of `maxQueuedBytes`. */
  readonly maxQueuedBytesOfKey?: number | undefined;
  /** The memory budget shared by all routes. Default: a separate budget. */
  readonly memory?: MemoryBudget | undefined;
  /** Called often during a long read: a promise to await while other requests run, or undefined if no pause is due. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * The versions of the trace server that this one is compatible with. Clients refuse older servers, servers older
 * clients.
 */
const SERVER_INFO = { min_required_weave_python_version: "0.51.0", trace_server_version: "1.0.0" };

/** The trace-server interface for Weave clients, over `stores`. Acknowledged data is durable. */
export function weaveRoutes(options: WeaveRoutesOptions): RouteGroup {
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
  // Queries do not wait for the memory budget of writes.
  const division = { share: maxQueuedBytesOfKey, within: options.memory };
  const [asked, written] = [memoryBudget(maxQueuedBytes, division), memoryBudget(maxQueuedBytes, division)];
  const limits: BodyLimits = { ...LIMITS, maxBytes };
  const readingOf = ({ signal }: Request): ReadContext => ({ pause: options.pause, signal });

  /** Answers authorised requests. The memory of the body is released with the answer. */
  const handle = async (
    request: Request,
    underWay: MemoryBudget,
    answer: (principal: Principal, place: Reservation) => Promise<Response>,
  ): Promise<Response> => {
    const principal = await authenticate(request);
    if (principal === undefined) {
      const headers = { "WWW-Authenticate": WWW_AUTHENTICATE };
      return detailResponse({
        status: 401,
        detail: "an API key is required: Basic with user api, or Bearer",
        headers,
      });
    }
    const place = underWay.reserve(principal.id);
    try {
      return await answer(principal, place);
    } finally {
      place.release();
    }
  };

  const json = async (
    { request, param }: RouteRequest,
    principal: Principal,
    place: Reservation,
    { route, limits }: { readonly route: Logging; readonly limits: BodyLimits },
  ): Promise<Response> => {
    const body = await readJsonBody(request, limits, { place });
    if (!body.ok) return refusedBody(body.refusal);
    const entity = param("entity");
    const pathProject = entity === "" ? undefined : `${entity}/${param("project")}`;
    const reading = readingOf(request);
    return route(body.value, { stores, pricesIn, now, newId, principal, reading, pathProject });
  };

  const ofAsked = limitsOfQueries(limits);
  const logging = (id: string, route: Logging): Answer => {
    const { path, verbs } = OPERATIONS[id]!;
    const reads = verbs?.includes("read") === true;
    const kept = reads ? ofAsked : limitsOfWrites(path, limits);
    return (asking) =>
      handle(asking.request, reads ? asked : written, (principal, place) =>
        json(asking, principal, place, { route, limits: kept }),
      );
  };
  const running = (route: RunRoute): Answer => {
    const kept = limitsOfWrites(route.path, limits);
    return (asking) =>
      handle(asking.request, route.method === "GET" ? asked : written, async (principal, place) => {
        const { request, query, path, param } = asking;
        const body = await runBody(request, route.body, { limits: kept, place });
        if (!body.ok) return refusedBody(body.refusal);
        const context = { stores, pricesIn, now, newId, principal, reading: readingOf(request) };
        return answerRuns(route, { request, query, path, param, body: body.value }, context);
      });
  };
  const unsupported =
    (detail: string): Answer =>
    ({ request }) =>
      handle(request, asked, async () => detailResponse({ status: 404, detail }));
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
    ...Object.fromEntries(
      UNSUPPORTED.map(([, detail], at) => [`weaveUnsupported${at}`, unsupported(detail)]),
    ),
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

/** The same route at the path used by clients that are configured with a W&B server and not its trace server. */
function belowTraces(route: Route): Route {
  const { path, pattern } = route;
  return { ...route, path: `/traces${path}`, pattern: `/traces${pattern}`, unlisted: `it is ${path}` };
}

/** The body of a request about evaluation runs: undefined if the route has none, or if an optional one is absent. */
async function runBody(
  request: Request,
  body: "none" | "optional" | "needed",
  { limits, place }: ReservedBody,
): Promise<Body<unknown>> {
  const none = { ok: true as const, value: {} };
  if (body === "none") return none;
  const isEmpty = request.body === null || request.headers.get("content-length") === "0";
  if (body === "optional" && isEmpty) return none;
  return readJsonBody(request, limits, { place });
}

/** The limits of a body, and its place in the memory budget. */
interface ReservedBody {
  readonly limits: BodyLimits;
  readonly place: Reservation;
}

/** Stores the `file` of a multipart form. */
async function createFile(
  request: Request,
  stores: TraceStores,
  principal: RouteContext["principal"],
  room: ReservedBody,
): Promise<Response> {
  if (contentType(request).name !== "multipart/form-data")
    return detailResponse({ status: 415, detail: "send the file as multipart/form-data" });
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

/** An uploaded file, with the other fields of its form. */
interface SentFile {
  readonly fields: UploadForm["fields"];
  readonly digest: string;
  readonly pieces: readonly Uint8Array[];
}

/** Reads a file and computes its digest as it arrives. */
async function readFile(request: Request, { limits, place }: ReservedBody): Promise<SentFile | Response> {
  try {
    const read = await readUpload(request, bytesOf(request, limits, place), async (bytes, form) => {
      const [pieces, digest] = [new ChunkList(), startFileDigest()];
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
