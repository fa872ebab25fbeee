// The HTTP interface of a data directory that this process has open alone, without a socket: areas C and keys.

import { join } from "node:path";
import { fileArtifacts, openKeyStore, trainingStore } from "@assay/adapters-duckdb";
import { createHandler } from "@assay/adapters-http";
import { errorLine } from "./failure.ts";
import { openLocalData } from "./local-data.ts";
import { openInference } from "./server/inference.ts";
import { asked, type Service, type ServiceOptions } from "./service.ts";
import { say, type World } from "./world.ts";

/** Nobody sees it: requests never leave the process. */
const ORIGIN = "http://localhost";

/** Opens the data directory and gives its interface. */
export async function localService(
  world: World,
  { data: directory, upstreams, prices }: ServiceOptions,
): Promise<Service> {
  const data = await openLocalData(directory, world);
  try {
    const { store } = data;
    const onError = (error: unknown) => say(world, `assay: ${errorLine(world, error)}`);
    const training = {
      store: trainingStore(store.database),
      artifacts: fileArtifacts(join(directory, "artifacts")),
    };
    const context = {
      world,
      store,
      directory,
      keys: await openKeyStore(store.database),
      upstreams,
      prices,
      // Whoever can open the directory may do everything with it.
      authenticate: async () => ({ id: "local", allows: () => true }),
      onError,
    };
    const area = await openInference(context, training);
    const handler = createHandler({ faces: area.faces, onError });
    return {
      where: directory,
      ask: (path, question) => asked(handler, ORIGIN, path, question),
      async close() {
        await area.close?.();
        await data.close();
      },
    };
  } catch (error) {
    await data.close();
    throw error;
  }
}
