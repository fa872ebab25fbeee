// Area A: evaluation results.

import { evalResultsFace, projectDataFace } from "@assay/adapters-http";
import type { Area, ServerContext } from "./area.ts";

/** The evaluation query, and the data it is about. */
export function openResults({ data, authenticate, onError }: ServerContext): Area {
  return {
    faces: [
      evalResultsFace({ engine: data.engine, authenticate, onError }),
      projectDataFace({ data, authenticate, onError }),
    ],
  };
}
