// Matches requests to routes, once per request; every check before the route uses the result.

import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { getPathNoStrict, tryDecodeURIComponent } from "hono/utils/url";
import type { Problem } from "../response/problem.ts";
import type { Route, RouteRequest } from "./operation.ts";
import type { RouteGroup } from "./route-group.ts";

/** A request with the route it matches. */
export interface MetRoute {
  /** The route. */
  readonly route: Route;
  /** The group of the route. */
  readonly group: RouteGroup;
  /** The path of the request. */
  readonly url: URL;
  /** The request for the handler. */
  readonly asked: RouteRequest;
  /** The named parameters of the path, decoded, without wildcards. */
  readonly ids: { readonly [name: string]: string };
}

/** The route of a request, or why it has none: 400 without a host, 404, or 405 with the methods in `Allow`. */
export type MeetRoute = (request: Request) => MetRoute | Problem;

/** The methods of routes. */
export const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Finds routes of the `groups`; the first of two with the same path wins. */
export function routeTable(groups: readonly RouteGroup[]): MeetRoute {
  const router = new SmartRouter<Pick<MetRoute, "route" | "group">>({
    routers: [new RegExpRouter(), new TrieRouter()],
  });
  for (const group of groups)
    for (const route of group.routes) router.add(route.method, route.pattern, { route, group });
  return (request) => {
    if (!URL.canParse(request.url)) return { status: 400, detail: "the Host header names no host" };
    const url = new URL(request.url);
    const path = pathOf(url);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const [[found], values] = router.match(method, path);
    if (found === undefined) {
      const allowed = METHODS.filter((other) => router.match(other, path)[0].length > 0);
      return notFound(request.method, path, allowed);
    }
    const [known, parameters] = found;
    // One router returns the values, the other their indexes.
    const textAt = (at: string | number) => (typeof at === "string" ? at : (values?.[at] ?? ""));
    const ids = Object.fromEntries(
      Object.entries(parameters).map(([name, at]) => [name, tryDecodeURIComponent(textAt(at))]),
    );
    const asked = { request, path, query: url.searchParams, param: (name: string) => ids[name] ?? "" };
    return { ...known, url, ids, asked };
  };
}

/**
 * The canonical path of a request: dot segments are resolved, everything is decoded except what would change meaning
 * (`%2F`, `%25`), and there is no trailing slash.
 */
function pathOf({ href }: URL): string {
  return getPathNoStrict({ url: href } as Request);
}

function notFound(method: string, path: string, allowed: readonly string[]): Problem {
  if (allowed.length === 0) return { status: 404, detail: `there is no route for ${path}` };
  const Allow = allowed.join(", ");
  return { status: 405, detail: `${method} is not allowed here; ${Allow} is`, headers: { Allow } };
}
