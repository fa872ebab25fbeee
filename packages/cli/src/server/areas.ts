// Opens every area of the server over one data directory.

import { sessionFace } from "@assay/adapters-http";
import { VERSION } from "../version.ts";
import type { Area, ServerContext } from "./area.ts";
import { openInference } from "./inference.ts";
import { openResults } from "./results.ts";
import { openTraces } from "./traces.ts";
import { openTracking } from "./tracking.ts";
import { openTraining } from "./training.ts";

/** What a page finds here. */
const AREAS = ["results", "training", "inference", "keys"];

/** All areas, in the order in which their routes answer. Closed in the other order. */
export async function openAreas(context: ServerContext): Promise<readonly Area[]> {
  const area = await openTraining(context);
  const inference = await openInference(context, {
    ...area.training,
    aliasedStep: area.tracking.aliasedStep,
  });
  const tracking = await openTracking(context, area.tracking);
  const session = sessionFace({ authenticate: context.authenticate, areas: AREAS, version: VERSION });
  return [openResults(context), openTraces(context), area, tracking, inference, { faces: [session] }];
}
