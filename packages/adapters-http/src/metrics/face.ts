// How the server is doing, for Prometheus: numbers whose labels nobody outside can choose.

import { Hono } from "hono";
import { KEY_NEEDED } from "../challenge.ts";
import type { Face, OpenApiPart } from "../face.ts";
import { detailAnswers } from "../open-api.ts";
import type { Authenticate } from "../principal.ts";
import { detailResponse, problemOf } from "../problem.ts";

/** What the face is made of. */
export interface MetricsFaceOptions {
  /** All metrics, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** The content type that says which version of the format that is. */
  readonly contentType: string;
  /** Who may ask. */
  readonly authenticate: Authenticate;
  /** Told of every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const ROUTE = "/metrics";

/** `GET /metrics`, for a key that may read every project. */
export function metricsFace({ metrics, contentType, authenticate, onError }: MetricsFaceOptions): Face {
  const app = new Hono();
  app.get(ROUTE, async (context) => {
    const principal = await authenticate(context.req.raw);
    if (principal === undefined) return detailResponse(KEY_NEEDED);
    if (!principal.allows("*", "*"))
      return detailResponse({ status: 403, detail: "only a key for all projects may read metrics" });
    const headers = { "Content-Type": contentType, "Cache-Control": "no-store" };
    return new Response(await metrics(), { headers });
  });
  app.onError((error) => {
    const problem = problemOf(error);
    if (problem.status >= 500) onError?.(error);
    return detailResponse(problem);
  });
  return { app, openApi: metricsOpenApi, refuse: detailResponse };
}

function metricsOpenApi(): OpenApiPart {
  return {
    paths: {
      [ROUTE]: {
        get: {
          operationId: "metrics",
          summary: "How the server is doing, in the text format of Prometheus.",
          description:
            "There when the server was started with `--metrics`. Requests are counted by route, never by path; no key, project or text is in it. Needs a key that may read every project.",
          responses: {
            "200": { description: "The metrics.", content: { "text/plain": { schema: { type: "string" } } } },
            ...detailAnswers([401, 403, 500]),
          },
        },
      },
    },
    schemas: {},
  };
}
