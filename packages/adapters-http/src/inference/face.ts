// The inference face: chat completions, continuations of texts, embeddings, the model list and usage over HTTP.

import { Fault } from "@assay/base";
import {
  type Caller,
  type Inference,
  listModels,
  type Prices,
  type UsageSource,
} from "@assay/inference-core";
import { Hono } from "hono";
import type { Face } from "../face.ts";
import type { Authenticate } from "../principal.ts";
import { errorResponse } from "../problem.ts";
import { type Room, room } from "../room.ts";
import { chatDialect, chatRoute, type Dialect, embeddingDialect, textDialect } from "./chat-route.ts";
import { type DeleteModel, deleteModel, getModel } from "./model-routes.ts";
import { openApi } from "./open-api.ts";
import { failed, forbidden, unauthenticated } from "./problem.ts";
import { readProject } from "./project-header.ts";
import { responsesDialect } from "./responses-dialect.ts";
import { USAGE_PARAMETERS, usageRoute } from "./usage-route.ts";

/** What the face is made of. */
export interface InferenceFaceOptions {
  /** What answers. */
  readonly inference: Inference;
  /** Where reports on usage come from. Absent: there is no `GET /v1/usage`. */
  readonly usage?: UsageSource | undefined;
  /** What tokens cost, for reports on usage. Default: no price is known. */
  readonly prices?: Prices | undefined;
  /** Deletes trained models. Absent: `DELETE /v1/models/{id}` is not there. */
  readonly deleteModel?: DeleteModel | undefined;
  /** Finds who is asking. */
  readonly authenticate: Authenticate;
  /** Bytes of one request, counted after decompression. 32 MiB: images come inside messages. */
  readonly maxBytes?: number | undefined;
  /** The room that everything which is under way shares. Default: none but the face's own. */
  readonly memory?: Room | undefined;
  /** Told of every failure of the service or of an engine. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const CHAT = "POST /v1/chat/completions";
const RESPONSES = "POST /v1/responses";
const COMPLETIONS = "POST /v1/completions";

const EMBEDDINGS = "POST /v1/embeddings";
const VERBS: NonNullable<Face["verbs"]> = {
  ...Object.fromEntries([CHAT, RESPONSES, COMPLETIONS, EMBEDDINGS].map((route) => [route, ["chat"]])),
  // Whoever may ask a model may see which there are.
  "GET /v1/models": ["read", "chat"],
  "GET /v1/models/:model{.+}": ["read", "chat"],
  "DELETE /v1/models/:model{.+}": ["train"],
};

/** How many of the largest requests may be under way at once, half as many of one key. */
const ROOM = 4;

type Act = (caller: Caller, request: Request) => Response | Promise<Response>;

/** Areas B and C's chat completions, and area C's models, at their full paths, with and without a slash at the end. */
export function inferenceFace(options: InferenceFaceOptions): Face {
  const { inference, usage, prices = new Map(), authenticate, maxBytes = 32 * 2 ** 20 } = options;
  const onError = (error: unknown) => {
    // That a client has gone is nobody's failure, nor that it asks for what something else holds.
    const isClients = error instanceof Fault && (error.code === "cancelled" || error.code === "conflict");
    if (!isClients) options.onError?.(error);
  };
  const app = new Hono({ strict: false });
  const on = (method: "GET" | "POST" | "DELETE", path: string, act: Act) =>
    app.on(method, path, async (context) => {
      const request = context.req.raw;
      try {
        const principal = await authenticate(request);
        const attribution = readProject(request.headers);
        if (principal === undefined || attribution === "wrong") return unauthenticated();
        if (attribution && !principal.allows(attribution.entity, attribution.project))
          return unauthenticated();
        const allows = (entity: string, project: string) => principal.allows(entity, project);
        const caller = { key: principal.id, allows, ...(attribution && { attribution }) };
        return await act(caller, request);
      } catch (error) {
        onError(error);
        return failed(error);
      }
    });

  const underWay = room(ROOM * maxBytes, { share: (ROOM / 2) * maxBytes, within: options.memory });
  const answer = <Request extends { readonly stream?: boolean | null }, Chunk>(
    path: string,
    dialect: Dialect<Request, Chunk>,
  ) =>
    on("POST", path, async (caller, request) => {
      const place = underWay.enter(caller.key);
      try {
        return await chatRoute(inference, caller, request, { dialect, limits: { maxBytes }, place, onError });
      } finally {
        place.leave();
      }
    });
  answer("/v1/chat/completions", chatDialect);
  answer("/v1/responses", responsesDialect);
  answer("/v1/completions", textDialect);
  answer("/v1/embeddings", embeddingDialect);
  on("GET", "/v1/models", async ({ allows }) =>
    Response.json(await listModels(inference.catalogue, inference.trainedModels, allows)),
  );
  on("GET", "/v1/models/:model{.+}", (caller, { url }) => getModel(inference, caller, url));
  const { deleteModel: remove } = options;
  if (remove !== undefined)
    on("DELETE", "/v1/models/:model{.+}", (caller, { url }) => deleteModel(inference, caller, url, remove));
  if (usage !== undefined) {
    on("GET", "/v1/usage", ({ allows }, request) => usageRoute(usage, prices, allows, new URL(request.url)));
  }
  return {
    app,
    openApi,
    parameters: { "GET /v1/usage": USAGE_PARAMETERS },
    smallStreams: [CHAT, RESPONSES, COMPLETIONS],
    verbs: VERBS,
    refuse: (problem) =>
      problem.status === 403 ? forbidden(String(problem.detail)) : errorResponse(problem),
  };
}
