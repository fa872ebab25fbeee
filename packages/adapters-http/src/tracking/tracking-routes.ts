// The routes of W&B's clients: GraphQL, streams of runs, and files at signed addresses. Weave's clients also use them
// to identify the caller.

import type { Issue } from "@assay/base";
import { shownName } from "@assay/base/internal";
import type { TrackingService } from "@assay/tracking-core";
import { readStreamUpdate } from "@assay/tracking-core/internal";
import { type BodyLimits, type Refusal, readJsonBody } from "../request/body.ts";
import { type MemoryBudget, memoryBudget, type Reservation } from "../request/memory-budget.ts";
import type { Authenticate, Principal } from "../request/principal.ts";
import { inTimeSlices } from "../request/time-slices.ts";
import { issuesText } from "../response/truncate-issues.ts";
import { type Answer, type Handlers, type RouteRequest, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { INVALID_KEY, refusal } from "./access/errors.ts";
import { signedUrls } from "./access/signed-urls.ts";
import { type FileRoutes, giveArtifactFile, giveFile, takeFile } from "./files.ts";
import { readGraphqlRequest } from "./graphql/graphql-request.ts";
import { OPERATIONS, SCHEMAS } from "./operations.ts";
import { removalHandlers } from "./removal-routes.ts";
import { runHandlers } from "./run-routes.ts";

/** Options of the tracking routes. */
export interface TrackingRoutesOptions {
  /** The tracking service. */
  readonly tracking: TrackingService;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** Signs the addresses for uploading and downloading files: at least 32 secret bytes. */
  readonly secret: Uint8Array;
  /** The entity of runs and artifacts of clients that name none. Default `default`. */
  readonly defaultEntity?: string | undefined;
  /** The public address of this server, such as `https://assay.example`. Default: the address of the request. */
  readonly publicUrl?: string | undefined;
  /** The most bytes of one update of a run. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** The most bytes of one file. Default 5 GiB. */
  readonly maxFileBytes?: number | undefined;
  /** The memory budget shared by all routes. Default: a separate budget. */
  readonly memory?: MemoryBudget | undefined;
  /**
   * Awaited after a run or an artifact was deleted through its own route: rewrites files without deleted data. Absent:
   * the bytes stay on the disk until the store overwrites them.
   */
  readonly erase?: (() => Promise<void>) | undefined;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const MIB = 2 ** 20;
const GRAPHQL_BYTES = 16 * MIB;

/** The interface for W&B clients, over `tracking`. Acknowledged data is durable. */
export function trackingRoutes(options: TrackingRoutesOptions): RouteGroup {
  const { tracking, authenticate, publicUrl, defaultEntity = "default", maxBytes = 64 * MIB } = options;
  const underWay = memoryBudget(2 * maxBytes, { share: maxBytes, within: options.memory });
  const addresses = signedUrls(options.secret, tracking.now);
  const fileRoutes: FileRoutes = { tracking, addresses, maxFileBytes: options.maxFileBytes ?? 5 * 2 ** 30 };

  /** Answers authorised requests. The memory of the body is released with the answer. */
  const handle =
    (answer: (asked: RouteRequest, principal: Principal, place: Reservation) => Promise<Response>): Answer =>
    async (asked) => {
      const principal = await authenticate(asked.request);
      if (principal === undefined) return refusal(INVALID_KEY);
      const place = underWay.reserve(principal.id);
      try {
        return await answer(asked, principal, place);
      } finally {
        place.release();
      }
    };
  const json = async (
    request: Request,
    place: Reservation,
    limits: BodyLimits,
    answer: (body: unknown) => Promise<Response>,
  ): Promise<Response> => {
    const body = await readJsonBody(request, limits, { place });
    return body.ok ? answer(body.value) : refusal(bodyProblem(body.refusal));
  };

  const handlers: Handlers = {
    wandbGraphql: handle(({ request }, principal, place) =>
      json(request, place, { maxBytes: Math.min(maxBytes, GRAPHQL_BYTES) }, async (body) => {
        const origin = publicUrl ?? new URL(request.url).origin;
        const address: (errand: Parameters<typeof addresses.path>[0]) => string = (errand) =>
          `${origin}${addresses.path(errand)}`;
        const sharesRuns = request.headers.get("x-wandb-use-async-filestream") === "true";
        const asked = readGraphqlRequest(body);
        if (!asked.ok) return refusal({ status: 400, detail: asked.issues[0]!.message });
        // Loaded on demand: only W&B clients use GraphQL.
        const { answerGraphql } = await import("./graphql/graphql.ts");
        return Response.json(
          await answerGraphql(asked.value, { tracking, principal, defaultEntity, sharesRuns, address }),
        );
      }),
    ),

    wandbFileStream: handle(({ request, param }, principal, place) =>
      json(request, place, { maxBytes }, async (body) => {
        const [entity, project, run] = [param("entity"), param("project"), param("run")];
        const update = await inTimeSlices(readStreamUpdate(body));
        if (!update.ok) return refusal({ status: 400, detail: streamIssue(update.issues) });
        const changed = principal.allows(entity, project)
          ? await tracking.streamToRun({ entity, project, name: run }, update.value)
          : undefined;
        if (changed !== undefined) return Response.json({});
        return refusal({
          status: 404,
          detail: `there is no run ${shownName(`${entity}/${project}/${run}`)}`,
        });
      }),
    ),

    wandbUpload: (asked) => takeFile(fileRoutes, asked),
    wandbDownload: (asked) => giveFile(fileRoutes, asked),
    wandbArtifactFile: handle(({ path, param }, principal) => {
      const [entity, project, md5] = [param("entity"), param("project"), param("md5")];
      const file = path.split("/").at(-1) ?? "";
      return giveArtifactFile(tracking, principal, { entity, project, md5, file });
    }),
    ...runHandlers({ tracking, handle }),
    ...removalHandlers({ tracking, handle, erase: options.erase }),
  };
  return {
    routes: routesOf(OPERATIONS, handlers),
    schemas: () => SCHEMAS,
    refuse: refusal,
    onError: options.onError,
  };
}

function bodyProblem({ status, message, headers }: Refusal) {
  // W&B clients retry after a 422 forever; a 400 is final.
  return { status: status === 422 ? 400 : status, detail: message, ...(headers && { headers }) };
}

function streamIssue(issues: readonly Issue[]): string {
  return `${issues[0]?.path.join(".").slice(0, 200)}: ${issuesText(issues)}`;
}
