// The inference routes over HTTP: chat completions, text completions, embeddings, the model list and usage.

import { Fault } from "@assay/base";
import type { Caller, Inference, Prices, UsageSource } from "@assay/inference-core";
import { latestResponses, listModels } from "@assay/inference-core/internal";
import { type MemoryBudget, memoryBudget } from "../request/memory-budget.ts";
import type { Authenticate } from "../request/principal.ts";
import { errorResponse } from "../response/problem.ts";
import { type Answer, type Handlers, type RouteRequest, routesOf } from "../routing/operation.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { chatDialect, chatRoute, type Dialect, embeddingDialect, textDialect } from "./chat-route.ts";
import { type DeleteModel, deleteModel, getModel } from "./model-routes.ts";
import { OPERATIONS, SCHEMAS } from "./operations.ts";
import { failed, forbidden, unauthenticated, unread } from "./problem.ts";
import { readProject, WRONG_PROJECT } from "./project-header.ts";
import { deleteResponse, getResponse, NOT_STORED } from "./response-routes.ts";
import { responsesDialect } from "./responses-dialect.ts";
import { usageRoute } from "./usage-route.ts";

/** Options of the inference routes. */
export interface InferenceRoutesOptions {
  /** Answers requests. */
  readonly inference: Inference;
  /** The source of usage reports. Absent: `GET /v1/usage` does not exist. */
  readonly usage?: UsageSource | undefined;
  /** Token prices, for usage reports. Default: all prices are unknown. */
  readonly prices?: Prices | undefined;
  /** The name of the API key with an ID, for usage reports. Default: keys have no names. */
  readonly keyName?: ((id: string) => Promise<string | undefined>) | undefined;
  /** Deletes trained models. Absent: `DELETE /v1/models/{id}` does not exist. */
  readonly deleteModel?: DeleteModel | undefined;
  /** When the server started to serve its models, in milliseconds since 1970. Default: when the routes are made. */
  readonly since?: number | undefined;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** The most bytes of one request, after decompression. Default 32 MiB: messages may contain images. */
  readonly maxBytes?: number | undefined;
  /** The memory budget shared by all routes. Default: a separate budget. */
  readonly memory?: MemoryBudget | undefined;
  /** Called with every failure of the service or of an engine. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** How many requests of the largest size may run concurrently; half as many for one key. */
const ROOM = 4;

type Act = (caller: Caller, asked: RouteRequest) => Response | Promise<Response>;

/**
 * Chat completions of areas B and C, and the models of area C, at their full paths, with and without a trailing slash.
 */
export function inferenceRoutes(options: InferenceRoutesOptions): RouteGroup {
  const { inference, usage, prices = new Map(), authenticate, maxBytes = 32 * 2 ** 20 } = options;
  const keyName = options.keyName ?? (async () => undefined);
  const onError = (error: unknown) => {
    // Neither a client that disconnects nor a conflicting request is a failure.
    const isClients = error instanceof Fault && (error.code === "cancelled" || error.code === "conflict");
    if (!isClients) options.onError?.(error);
  };
  const known =
    (act: Act): Answer =>
    async (asked) => {
      const { request } = asked;
      try {
        const principal = await authenticate(request);
        const named = readProject(request.headers);
        if (principal === undefined) return unauthenticated();
        if (named === "wrong") return unauthenticated(WRONG_PROJECT);
        if (named && !principal.allows(named.entity, named.project)) return unauthenticated();
        const attribution = named ?? principal.home;
        const allows = (entity: string, project: string) => principal.allows(entity, project);
        const caller = { key: principal.id, allows, ...(attribution && { attribution }) };
        return await act(caller, asked);
      } catch (error) {
        onError(error);
        return failed(error);
      }
    };

  const underWay = memoryBudget(ROOM * maxBytes, { share: (ROOM / 2) * maxBytes, within: options.memory });
  const answering = <Request extends { readonly stream?: boolean | null }, Chunk>(
    dialectFor: (caller: Caller) => Dialect<Request, Chunk>,
  ) =>
    known(async (caller, { request }) => {
      const place = underWay.reserve(caller.key);
      try {
        const dialect = dialectFor(caller);
        return await chatRoute(inference, caller, request, { dialect, limits: { maxBytes }, place, onError });
      } finally {
        place.release();
      }
    });
  const { deleteModel: remove } = options;
  const since = options.since ?? inference.now();
  const chats = answering(() => chatDialect);
  const latest = latestResponses();
  const handlers: Handlers = {
    create_chat_completion: chats,
    create_chat_completion_slash: chats,
    create_response: answering(({ key }) => responsesDialect(latest, key)),
    get_response: known((caller, { param }) => getResponse(latest, caller, param("response_id"))),
    delete_response: known((caller, { param }) => deleteResponse(latest, caller, param("response_id"))),
    ...Object.fromEntries(
      NOT_STORED.map(([, status, reason], at) => [`notStored${at}`, known(() => unread(status, reason))]),
    ),
    create_completion: answering(() => textDialect),
    create_embedding: answering(() => embeddingDialect),
    get_inference_model: known(({ allows }, { param }) =>
      getModel(inference, { allows, since }, param("model")),
    ),
    delete_inference_model:
      remove && known((caller, { param }) => deleteModel(inference, caller, param("model"), remove)),
    list_inference_models: known(async ({ allows }) =>
      Response.json(await listModels(inference.catalogue, inference.trainedModels, { allows, since })),
    ),
    get_usage:
      usage && known(({ allows }, { query }) => usageRoute({ usage, prices, keyName }, allows, query)),
  };
  return {
    routes: routesOf(OPERATIONS, handlers),
    schemas: () => SCHEMAS,
    refuse: (problem) =>
      problem.status === 403 ? forbidden(String(problem.detail)) : errorResponse(problem),
  };
}
