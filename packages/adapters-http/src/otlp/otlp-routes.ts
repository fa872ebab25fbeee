// The routes that OpenTelemetry exporters send traces and logs to: OTLP over HTTP, in binary and JSON encoding.

import type { Issue, Json, Result, Steps } from "@assay/base";
import { shownName, timeSlice } from "@assay/base/internal";
import type { TraceStores } from "@assay/trace-core";
import { exportSpans, type ReadSpans, readLogs, readSpans } from "@assay/trace-core/internal";
import { KEY_REQUIRED } from "../auth/www-authenticate.ts";
import { readProjectPath } from "../project-path.ts";
import { type Body, type BodyLimits, contentType, noRoom, readBytes, readJsonBody } from "../request/body.ts";
import { type MemoryBudget, memoryBudget, type Reservation } from "../request/memory-budget.ts";
import type { Authenticate, Principal } from "../request/principal.ts";
import { inTimeSlices } from "../request/time-slices.ts";
import { type Problem, problemOf, sentenceOf } from "../response/problem.ts";
import { type Answer, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { OPERATIONS, SCHEMAS } from "./operations.ts";
import { readLogsRequest, readTraceRequest, writeExportResponse, writeStatus } from "./protobuf.ts";

/** Options of the OTLP routes. */
export interface OtlpRoutesOptions {
  /** The stores of calls. */
  readonly stores: Pick<TraceStores, "calls">;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** The most bytes of one request, after decompression. Default 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** The memory budget shared by all routes. Default: a separate budget of 64 MiB. */
  readonly memory?: MemoryBudget | undefined;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const PROTOBUF = "application/x-protobuf";
const MIB = 2 ** 20;
const MAX_DEPTH = 200;
const MAX_VALUES = 1_000_000;
/** The memory built from a byte of a binary body. */
const READ_BYTES = 4;

/** The content types of exporters. */
interface Signal {
  /** A binary body in OTLP's JSON encoding. */
  readonly decode: (bytes: Uint8Array, maxValues: number) => Steps<Result<Json>>;
  readonly read: (given: unknown, project: string | undefined) => Steps<Result<ReadSpans>>;
  /** The member of an answer that counts rejected items. */
  readonly rejected: string;
}

const SIGNALS = {
  exportTraces: { decode: readTraceRequest, read: readSpans, rejected: "rejectedSpans" },
  exportLogs: { decode: readLogsRequest, read: readLogs, rejected: "rejectedLogRecords" },
} as const satisfies { readonly [id: string]: Signal };

/**
 * `POST /otel/v1/traces`: spans become calls, and those with `gen_ai.evaluation.result` become trials of evaluations.
 * `POST /otel/v1/logs`: log records that are such results score the spans that they name, and all others are skipped.
 * Acknowledged data is durable; damaged items are counted in `partial_success`. The project comes from the
 * `project_id` header, or from the resource attributes `wandb.entity` and `wandb.project`.
 */
export function otlpRoutes(options: OtlpRoutesOptions): RouteGroup {
  const { stores, authenticate, maxBytes = 16 * MIB } = options;
  const underWay = memoryBudget(64 * MIB, { within: options.memory });
  const limits: BodyLimits = { maxBytes, maxDepth: MAX_DEPTH, maxValues: MAX_VALUES };
  const take = async (request: Request, signal: Signal): Promise<Response> => {
    const principal = await authenticate(request);
    if (principal === undefined) return refusal(request, KEY_REQUIRED);
    const place = underWay.reserve(principal.id);
    try {
      const body = await readBody(request, signal, limits, place);
      if (!body.ok) {
        const { status, message, headers } = body.refusal;
        // Exporters give up after a 400; they do not expect a 422.
        return refusal(request, {
          status: status === 422 ? 400 : status,
          detail: message,
          ...(headers && { headers }),
        });
      }
      const given = await inTimeSlices(
        signal.read(body.value, request.headers.get("project_id") ?? undefined),
      );
      if (!given.ok) {
        const [{ path, message }] = given.issues as [Issue];
        return refusal(request, { status: 400, detail: `${path.join(".") || "the body"} ${message}` });
      }
      const read = given.value;
      const projects = [...read.spans];
      const problem = projects.map(([project]) => projectProblem(project, principal)).find(Boolean);
      if (problem !== undefined) return refusal(request, problem);
      const pause = timeSlice();
      for (const [project, spans] of projects) await exportSpans(stores.calls, project!, spans, { pause });
      return accepted(request, signal, read);
    } finally {
      place.release();
    }
  };
  const taking =
    (signal: Signal): Answer =>
    async ({ request }) => {
      try {
        return await take(request, signal);
      } catch (error) {
        const problem = problemOf(error);
        if (problem.status >= 500) options.onError?.(error);
        return refusal(request, problem);
      }
    };
  const handlers = {
    exportTraces: taking(SIGNALS.exportTraces),
    exportAgentTraces: taking(SIGNALS.exportTraces),
    exportLogs: taking(SIGNALS.exportLogs),
  };
  return { routes: routesOf(OPERATIONS, handlers), schemas: () => SCHEMAS };
}

/** The request, converted to OTLP's JSON encoding if it is binary. */
async function readBody(
  request: Request,
  { decode }: Signal,
  limits: BodyLimits,
  place: Reservation,
): Promise<Body<unknown>> {
  if (!isBinary(request)) return readJsonBody(request, limits, { place });
  const bytes = await readBytes(request, limits, place);
  if (!bytes.ok) return bytes;
  if (!place.take(bytes.value.length * READ_BYTES)) return noRoom();
  const read = await inTimeSlices(decode(bytes.value, MAX_VALUES));
  if (read.ok) return { ok: true, value: read.value };
  const message = read.issues.map((issue) => issue.message).join("; ");
  return { ok: false, refusal: { status: 400, message, issues: [] } };
}

function isBinary(request: Request): boolean {
  const { name } = contentType(request);
  return name === PROTOBUF || name === "application/protobuf";
}

function projectProblem(id: string | undefined, principal: Principal): Problem | undefined {
  if (id === undefined) {
    const detail =
      "name the project: send the header project_id: ENTITY/PROJECT, or the resource attributes wandb.entity and wandb.project";
    return { status: 400, detail };
  }
  const [entity = "", project = "", ...rest] = id.split("/");
  const name = readProjectPath(entity, [project, ...rest].join("/"));
  if (!name.ok)
    return { status: 400, detail: `the project must be entity/project: ${name.issues[0]!.message}` };
  // Not 403: the existence of someone else's project is not revealed.
  if (principal.allows(entity, project)) return undefined;
  return { status: 404, detail: `there is no project ${shownName(id)}` };
}

function accepted(
  request: Request,
  signal: Signal,
  { rejected, reason }: { readonly rejected: number; readonly reason: string | undefined },
): Response {
  const headers = { "content-type": PROTOBUF };
  if (isBinary(request)) return new Response(writeExportResponse(rejected, reason), { headers });
  if (rejected === 0) return Response.json({});
  return Response.json({ partialSuccess: { [signal.rejected]: String(rejected), errorMessage: reason } });
}

/** A refusal in the encoding of the request, as exporters expect it: a `google.rpc.Status`. */
function refusal(request: Request, problem: Problem): Response {
  const { status, headers = {} } = problem;
  const message = sentenceOf(problem);
  if (!isBinary(request)) return Response.json({ message, detail: message }, { status, headers });
  return new Response(writeStatus(message), { status, headers: { ...headers, "content-type": PROTOBUF } });
}
