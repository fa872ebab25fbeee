// Every route of the server, listed by the server itself, so that tests of all routes miss none.

import { openServer } from "@assay/server";
import { folder } from "./run-in-process.ts";

/** A route, with `x` for each parameter of its path. */
export interface SomeRoute {
  readonly method: string;
  readonly path: string;
}

/** The routes of all areas, and those of the handler itself. */
export async function allRoutes(): Promise<readonly SomeRoute[]> {
  const server = await openServer({ directory: folder(), page: false });
  await server.close();
  return server.routes.map(({ method, path }) => ({
    method: method === "ALL" ? "POST" : method,
    path: path.replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, "x"),
  }));
}
