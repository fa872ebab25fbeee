// The page's first request: the caller, and the areas and version of the server.

import type { Json } from "@assay/base";
import { KEY_REQUIRED } from "../auth/www-authenticate.ts";
import type { Authenticate } from "../request/principal.ts";
import { detailResponse } from "../response/problem.ts";
import { type Answer, type Operations, routesOf } from "../routing/operation.ts";
import { detailAnswers, jsonContent } from "../routing/operation-parts.ts";
import type { RouteGroup } from "../routing/route-group.ts";

/** Options of the session routes. */
export interface SessionRoutesOptions {
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** The areas that are served, such as `results` or `training`. */
  readonly areas: readonly string[];
  /** The version of the server. */
  readonly version: string;
}

/** The session, which requires no verb of a key. */
const OPERATIONS: Operations = {
  session: {
    method: "GET",
    path: "/v1/session",
    summary: "Show the caller's key, and the areas that the server has.",
    answers: {
      "200": { description: "A session.", content: jsonContent("Session") },
      ...detailAnswers([401, 500]),
    },
    verbs: [],
  },
};

const SCHEMAS: { readonly [name: string]: Json } = {
  Session: {
    type: "object",
    required: ["principal", "everything", "areas", "version"],
    additionalProperties: false,
    properties: {
      principal: { type: "string", description: "The id of the key; never its text." },
      everything: { type: "boolean", description: "Whether the key is one for every project." },
      areas: { type: "array", items: { type: "string" } },
      version: { type: "string", description: "The version of the server." },
    },
    examples: [
      {
        principal: "local",
        everything: true,
        areas: ["results", "training", "inference", "keys"],
        version: "0.1.0",
      },
    ],
  },
};

/** `GET /v1/session`: 401 without a valid key. */
export function sessionRoutes({ authenticate, areas, version }: SessionRoutesOptions): RouteGroup {
  const session: Answer = async ({ request }) => {
    const principal = await authenticate(request);
    if (principal === undefined) return detailResponse(KEY_REQUIRED);
    const found = { principal: principal.id, everything: principal.allows("*", "*"), areas, version };
    return Response.json(found, { headers: { "Cache-Control": "no-store" } });
  };
  return { routes: routesOf(OPERATIONS, { session }), schemas: () => SCHEMAS, refuse: detailResponse };
}
