// Who is asking, and what is here for them: the first question of a page.

import { Hono } from "hono";
import { KEY_NEEDED } from "../challenge.ts";
import type { Face, OpenApiPart } from "../face.ts";
import { detailAnswers, jsonContent } from "../open-api.ts";
import type { Authenticate } from "../principal.ts";
import { detailResponse } from "../problem.ts";

/** What the face is made of. */
export interface SessionFaceOptions {
  /** Who may ask. */
  readonly authenticate: Authenticate;
  /** The areas that are served, as in `results` or `training`. */
  readonly areas: readonly string[];
  /** The version of the server. */
  readonly version: string;
}

/** `GET /v1/session`: 401 without a good key. */
export function sessionFace({ authenticate, areas, version }: SessionFaceOptions): Face {
  const app = new Hono();
  app.get("/v1/session", async (context) => {
    const principal = await authenticate(context.req.raw);
    if (principal === undefined) return detailResponse(KEY_NEEDED);
    const session = { principal: principal.id, everything: principal.allows("*", "*"), areas, version };
    return Response.json(session, { headers: { "Cache-Control": "no-store" } });
  });
  return { app, openApi: sessionOpenApi, refuse: detailResponse, verbs: { "GET /v1/session": [] } };
}

function sessionOpenApi(): OpenApiPart {
  return {
    paths: {
      "/v1/session": {
        get: {
          operationId: "session",
          summary: "Who is asking, and which areas are served.",
          responses: {
            "200": { description: "A session.", content: jsonContent("Session") },
            ...detailAnswers([401, 500]),
          },
        },
      },
    },
    schemas: {
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
    },
  };
}
