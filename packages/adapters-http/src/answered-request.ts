// What a log says of a request: never a header, a query, a body, or a secret that stands in a path.

import { requestId } from "./request-id.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  /** Its id, which the answer carries as `X-Request-Id`. */
  readonly id: string;
  /** Its method. */
  readonly method: string;
  /** Its path without the query, at most 200 characters, with `…` in the place of secrets. */
  readonly path: string;
  /** The path of its route, as in `/v2/:entity/:project`; absent when it met none. */
  readonly route?: string | undefined;
  /** The status of the answer. */
  readonly status: number;
  /** Milliseconds until the answer began. */
  readonly milliseconds: number;
}

/** What became of `request`; `route` is the path of the route that it met, `begun` the reading of `performance.now`. */
export function answeredRequest(
  request: Request,
  {
    response,
    route,
    begun,
  }: { readonly response: Response; readonly route: string | undefined; readonly begun: number },
): AnsweredRequest {
  return {
    id: requestId(request),
    method: request.method,
    path: loggedPath(request.url, route),
    route,
    status: response.status,
    milliseconds: Math.round(10 * (performance.now() - begun)) / 10,
  };
}

const LONGEST = 200;
/** An API key, as a client may have put it in the place of its id. */
const KEY = /assay_[^/]*/g;

function loggedPath(url: string, route: string | undefined): string {
  // What stands behind a wildcard is for the route alone: workers find their runs by a secret there.
  if (route?.endsWith("/*")) return `${route.slice(0, -1)}…`;
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  const shown = path.replace(/(\/runs\/).*/, "$1…").replace(KEY, "assay_…");
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}
