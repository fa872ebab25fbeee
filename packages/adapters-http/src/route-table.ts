// Which route answers a request, and what is asked before it is.

import type { Hono } from "hono";
import type { Face } from "./face.ts";
import type { Route } from "./operation.ts";

/** A route, and the face that it belongs to. */
interface KnownRoute {
  readonly face: Face;
  readonly route: Route;
}

/** Finds the route that answers a request; undefined when none does. */
export type FindRoute = (request: Request) => KnownRoute | undefined;

/** Finds routes of `app`, in which are those of the `faces`, and no others. */
export function routeTable(app: Hono, faces: readonly Face[]): FindRoute {
  const routes = new Map<string, KnownRoute>();
  // Of two faces with one route the first answers.
  for (const face of faces.toReversed())
    for (const route of face.routes) routes.set(`${route.method} ${route.pattern}`, { face, route });
  return ({ method, url }) => {
    if (!URL.canParse(url)) return undefined;
    const asked = method === "HEAD" ? "GET" : method;
    const path = new URL(url).pathname.replace(/(?<=.)\/$/, "");
    const [found] = app.router.match(asked, path)[0];
    return found && routes.get(`${found[0][1].method} ${found[0][1].path}`);
  };
}
