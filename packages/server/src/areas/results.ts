// Area A: evaluation results.

import {
  evalResultsRoutes,
  exportRoutes,
  projectDataRoutes,
  projectListRoutes,
  watchRoutes,
} from "@assay/adapters-http";
import { evaluationProgress } from "../data/evaluation-progress.ts";
import { exportedRows } from "../export/exported-rows.ts";
import type { Area, ServerContext } from "./area.ts";

/** Evaluation queries, their data, and the progress of running evaluations. */
export function openResults(context: ServerContext): Area {
  const { data, authenticate, memory, remove, onError, page, closing } = context;
  const list = { projects: async () => (await data.projects?.()) ?? [], entries: data.entries };
  const names = {
    ...list,
    isThere: async (project: string, id: string) =>
      (await data.traces.calls.get(project, [id])).some((call) => call !== undefined),
  };
  return {
    routes: [
      evalResultsRoutes({ engine: data.engine, names, authenticate, memory, onError }),
      exportRoutes({ source: exportedRows(data, page), authenticate, onError }),
      projectDataRoutes({ data, remove, authenticate, memory, onError }),
      projectListRoutes({ list, authenticate, onError }),
      watchRoutes({ source: evaluationProgress(data), authenticate, onError, closing }),
    ],
  };
}
