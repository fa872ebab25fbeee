// Opens every area of the server over one data directory.

import type { Area, ServerContext } from "./area.ts";
import { openResults } from "./results.ts";
import { openTraces } from "./traces.ts";
import { openTraining } from "./training.ts";

/** All areas, in the order in which their routes answer. Closed in the other order. */
export async function openAreas(context: ServerContext): Promise<readonly Area[]> {
  const training = await openTraining(context);
  return [openResults(context), openTraces(context), training];
}
