// Which face's route answers a request, and what that route takes: asked before the face is.

import type { KeyVerb } from "@assay/inference-core";
import type { Hono } from "hono";
import type { Face } from "./face.ts";

/** A route as its face describes it. */
interface KnownRoute {
  /** The face that it belongs to; undefined for a route that no face knows of. */
  readonly face: Face | undefined;
  /** Its path, as in `/v1/keys/:id`. */
  readonly path: string;
  /** Its query parameters. */
  readonly parameters: readonly string[];
  /** Whether its bodies are multipart/form-data. */
  readonly multipart: boolean;
  /** Whether its answers are streams that stay open, and of which kind. */
  readonly streams: "large" | "small" | undefined;
  /** What a key must be allowed: one of these, when there are any. */
  readonly verbs: readonly KeyVerb[];
}

const READ: readonly KeyVerb[] = ["read"];
const WRITE: readonly KeyVerb[] = ["write"];

/** Finds the route that answers a request; undefined when none does. */
export type FindRoute = (request: Request) => KnownRoute | undefined;

/** Finds routes of `app`, into which the `faces` are mounted. Ask it only once all routes are there. */
export function routeTable(app: Hono, faces: readonly Face[]): FindRoute {
  const routes = new Map<string, KnownRoute>();
  // Of two faces with one route the first answers.
  for (const face of faces.toReversed()) {
    for (const { method, path } of face.app.routes) {
      const route = `${method} ${path}`;
      const parameters = face.parameters?.[route] ?? [];
      const multipart = face.multipart?.includes(route) === true;
      const small = face.smallStreams?.includes(route) ? "small" : undefined;
      const streams = face.streams?.includes(route) ? "large" : small;
      const verbs = face.verbs?.[route] ?? (method === "GET" ? READ : WRITE);
      routes.set(route, { face, path, parameters, multipart, streams, verbs });
    }
  }
  return ({ method, url }) => {
    if (!URL.canParse(url)) return undefined;
    const asked = method === "HEAD" ? "GET" : method;
    const path = new URL(url).pathname.replace(/(?<=.)\/$/, "");
    const [found] = app.router.match(asked, path)[0];
    if (found === undefined) return undefined;
    const [, route] = found[0];
    // A route that no face describes is for keys that may write: one that is forgotten is not open to all.
    const unknown = {
      face: undefined,
      path: route.path,
      parameters: [],
      multipart: false,
      streams: undefined,
      verbs: WRITE,
    };
    return routes.get(`${route.method} ${route.path}`) ?? unknown;
  };
}
