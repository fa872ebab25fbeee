// Opens the areas of a server over its stores.

import { sessionRoutes } from "@assay/adapters-http";
import { VERSION } from "../identity/version.ts";
import type { Area, ServerContext } from "./area.ts";
import { AREAS, type AreaName } from "./area-names.ts";
import { openInference } from "./inference.ts";
import { openResults } from "./results.ts";
import { openTraces } from "./traces.ts";
import { openTracking } from "./tracking.ts";
import { openTraining } from "./training.ts";

/** Opens the named areas. Their routes answer in that order, and they close in the reverse order. */
export async function openAreas(
  context: ServerContext,
  names: readonly AreaName[] = AREAS,
): Promise<readonly Area[]> {
  const { stores } = context.data;
  const results = names.includes("results") ? [openResults(context), openTraces(context)] : [];
  const training = names.includes("training") ? await openTraining(context) : undefined;
  const trained = training
    ? { ...training.training, aliasedStep: training.tracking.aliasedStep }
    : { store: stores.training, artifacts: stores.artifacts };
  const inference = names.includes("inference") ? await openInference(context, trained) : undefined;
  const tracking = training && (await openTracking(context, training.tracking));
  const areas = [...names, ...(inference ? ["keys"] : [])];
  const session = sessionRoutes({ authenticate: context.authenticate, areas, version: VERSION });
  return [...results, training, tracking, inference, { routes: [session] }].filter(
    (area) => area !== undefined,
  );
}
