// Metrics for Prometheus. Clients cannot influence labels.

import { KEY_REQUIRED } from "../auth/www-authenticate.ts";
import type { Authenticate } from "../request/principal.ts";
import { detailResponse } from "../response/problem.ts";
import { type Answer, type Operations, routesOf } from "../routing/operation.ts";
import { detailAnswers } from "../routing/operation-parts.ts";
import type { RouteGroup } from "../routing/route-group.ts";

/** Options of the metrics routes. */
export interface MetricsRoutesOptions {
  /** All metrics, in the Prometheus text format. */
  readonly metrics: () => Promise<string>;
  /** The content type, with the version of the format. */
  readonly contentType: string;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Metrics. */
const OPERATIONS: Operations = {
  metrics: {
    method: "GET",
    path: "/metrics",
    summary: "Show the server's metrics, in the text format of Prometheus.",
    description:
      "Served when the server was started with `--metrics`. Counts requests by route, never by path, and contains no key, project or text. Needs a key that may read every project.",
    answers: {
      "200": { description: "The metrics.", content: { "text/plain": { schema: { type: "string" } } } },
      ...detailAnswers([401, 403, 500]),
    },
  },
};

/** `GET /metrics`, with a key that may read every project. */
export function metricsRoutes({
  metrics,
  contentType,
  authenticate,
  onError,
}: MetricsRoutesOptions): RouteGroup {
  const answer: Answer = async ({ request }) => {
    const principal = await authenticate(request);
    if (principal === undefined) return detailResponse(KEY_REQUIRED);
    if (!principal.allows("*", "*"))
      return detailResponse({ status: 403, detail: "only a key for all projects may read metrics" });
    const headers = { "Content-Type": contentType, "Cache-Control": "no-store" };
    return new Response(await metrics(), { headers });
  };
  return { routes: routesOf(OPERATIONS, { metrics: answer }), refuse: detailResponse, onError };
}
