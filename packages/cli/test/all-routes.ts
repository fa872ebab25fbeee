// Every route of the server, asked of the server itself: none can be forgotten by a test that goes through all.

import { openKeyStore } from "@assay/adapters-duckdb";
import { loopbackAuthentication } from "@assay/adapters-http";
import { openLocalData } from "../src/local-data.ts";
import { openAreas } from "../src/server/areas.ts";
import { proofFace } from "../src/server-proof.ts";
import { assayWorld, folder } from "./world.ts";

/** A route, with something in the place of each parameter of its path. */
export interface SomeRoute {
  readonly method: string;
  readonly path: string;
}

/** The routes of all areas, and those of the handler itself. */
export async function allRoutes(): Promise<readonly SomeRoute[]> {
  const directory = folder();
  const data = await openLocalData(directory);
  const areas = await openAreas({
    world: assayWorld(),
    data,
    store: data.store,
    directory,
    keys: await openKeyStore(data.store.database),
    upstreams: undefined,
    authenticate: loopbackAuthentication(),
    trainingFile: undefined,
    onError: () => {},
  });
  const faces = [...areas.flatMap((area) => area.faces), proofFace("")];
  const routes = faces.flatMap(({ app }) => app.routes);
  for (const area of areas) await area.close?.();
  await data.close();
  const own = ["/openapi.json", "/v1/health", "/v1/health/ready"].map((path) => ({ method: "GET", path }));
  return [...routes, ...own].map(({ method, path }) => ({
    method: method === "ALL" ? "POST" : method,
    path: path.replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, "x"),
  }));
}
