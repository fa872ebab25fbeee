import { compareText } from "@assay/base/internal";
import type { KeptDirection, ScoreDirections } from "../../ports/score-directions.ts";

/** Keeps the directions of scores in memory. */
export function memoryDirections(): ScoreDirections {
  const projects = new Map<string, ReadonlyMap<string, KeptDirection>>();
  return {
    get: async (project) => projects.get(project) ?? new Map(),
    async put(project, changed) {
      const all = new Map<string, KeptDirection | null>([...(projects.get(project) ?? []), ...changed]);
      const kept = [...all].flatMap(([field, direction]) =>
        direction === null ? [] : [[field, direction] as const],
      );
      projects.set(project, new Map(kept.sort(([a], [b]) => compareText(a, b))));
    },
  };
}
