// The face that W&B's clients log to: GraphQL, streams of runs, and files under signed addresses. Weave's clients ask here
// who they are.

import type { Issue } from "@assay/base";
import { shownName } from "@assay/base/internal";
import type { TrackingService } from "@assay/tracking-core";
import { readStreamUpdate } from "@assay/tracking-core/internal";
import { type BodyLimits, type Refusal, readJsonBody } from "../body.ts";
import type { Face } from "../face.ts";
import { inSteps } from "../in-steps.ts";
import { type Answer, type Handlers, type RouteRequest, routesOf } from "../operation.ts";
import type { Authenticate, Principal } from "../principal.ts";
import { type Place, type Room, room } from "../room.ts";
import { INVALID_KEY, refusal } from "./answers.ts";
import { type FileRoutes, giveArtifactFile, giveFile, takeFile } from "./files.ts";
import { readGraphqlRequest } from "./graphql-request.ts";
import { OPERATIONS, SCHEMAS } from "./operations.ts";
import { removalHandlers } from "./removal-routes.ts";
import { runHandlers } from "./run-routes.ts";
import { sentenceOf } from "./sentence-of.ts";
import { signedAddresses } from "./signed-address.ts";

/** What the face is made of. */
export interface TrackingFaceOptions {
  /** The service that answers. */
  readonly tracking: TrackingService;
  /** Finds who is asking. */
  readonly authenticate: Authenticate;
  /** Signs the addresses that files are sent to and fetched from: at least 32 secret bytes. */
  readonly secret: Uint8Array;
  /** Where runs and artifacts go whose client names no entity. `default`. */
  readonly defaultEntity?: string | undefined;
  /** Where clients reach this server, as in `https://assay.example`. Default: where their request went. */
  readonly publicUrl?: string | undefined;
  /** Bytes that one update of a run may have. 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Bytes that one file may have. 5 GiB. */
  readonly maxFileBytes?: number | undefined;
  /** The room that everything which is under way shares. Default: none but the face's own. */
  readonly memory?: Room | undefined;
  /**
   * Waited for when a run or an artifact was deleted at a route of its own: writes files anew, so that nothing of it is
   * left in them. Absent: its bytes stay on the disk until the store writes over them.
   */
  readonly erase?: (() => Promise<void>) | undefined;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const MIB = 2 ** 20;
const GRAPHQL_BYTES = 16 * MIB;

/** The interface of W&B's clients over `tracking`. What it acknowledges is durable. */
export function trackingFace(options: TrackingFaceOptions): Face {
  const { tracking, authenticate, publicUrl, defaultEntity = "default", maxBytes = 64 * MIB } = options;
  const underWay = room(2 * maxBytes, { share: maxBytes, within: options.memory });
  const addresses = signedAddresses(options.secret, tracking.now);
  const fileRoutes: FileRoutes = { tracking, addresses, maxFileBytes: options.maxFileBytes ?? 5 * 2 ** 30 };

  /** Answers requests that are authorised. What its body takes up is given back with the answer. */
  const handle =
    (answer: (asked: RouteRequest, principal: Principal, place: Place) => Promise<Response>): Answer =>
    async (asked) => {
      const principal = await authenticate(asked.request);
      if (principal === undefined) return refusal(INVALID_KEY);
      const place = underWay.enter(principal.id);
      try {
        return await answer(asked, principal, place);
      } finally {
        place.leave();
      }
    };
  const json = async (
    request: Request,
    place: Place,
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
        const asked = readGraphqlRequest(body);
        if (!asked.ok) return refusal({ status: 400, detail: asked.issues[0]!.message });
        // Loaded when it is needed: only W&B's clients ask in GraphQL.
        const { answerGraphql } = await import("./graphql.ts");
        return Response.json(
          await answerGraphql(asked.value, { tracking, principal, defaultEntity, address }),
        );
      }),
    ),

    wandbFileStream: handle(({ request, param }, principal, place) =>
      json(request, place, { maxBytes }, async (body) => {
        const [entity, project, run] = [param("entity"), param("project"), param("run")];
        const update = await inSteps(readStreamUpdate(body));
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
  // Their clients send what was refused as 422 again and again; 400 is final.
  return { status: status === 422 ? 400 : status, detail: message, ...(headers && { headers }) };
}

function streamIssue(issues: readonly Issue[]): string {
  return `${issues[0]?.path.join(".").slice(0, 200)}: ${sentenceOf(issues)}`;
}
