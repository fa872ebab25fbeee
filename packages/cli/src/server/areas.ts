// Opens every area of the server over one data directory.

import type { Area, ServerContext } from "./area.ts";
import { openInference } from "./inference.ts";
import { openResults } from "./results.ts";
import { openTraces } from "./traces.ts";
import { openTraining } from "./training.ts";

/** All areas, in the order in which their routes answer. Closed in the other order. */
export async function openAreas(context: ServerContext): Promise<readonly Area[]> {
  const area = await openTraining(context);
  const inference = await openInference(context, area.training);
  return [openResults(context), openTraces(context), area, inference];
}
