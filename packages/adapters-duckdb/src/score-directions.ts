// Directions of scores in projects: in a table and completely in memory, because every comparison reads them and there
// are few.

import { serialQueue } from "@assay/base/internal";
import { type KeptDirection, memoryDirections, type ScoreDirections } from "@assay/eval-engine";
import type { Database } from "./database/database.ts";
import type { Projects } from "./database/projects.ts";
import { writeIn } from "./trace/parts.ts";

/** Opens the directions of a data directory; `database` belongs to its store. */
export async function openScoreDirections(parts: {
  readonly database: Database;
  readonly projects: Projects;
}): Promise<ScoreDirections> {
  const memory = memoryDirections();
  const [names, fields, directions] = await parts.database.columns(
    "SELECT name, field, direction FROM score_directions JOIN projects ON project = number",
  );
  for (const [i, name] of (names as readonly string[]).entries())
    await memory.put(name, new Map([[fields![i] as string, directions![i] as KeptDirection]]));
  const next = serialQueue();
  return {
    get: memory.get,
    put: (project, directions) =>
      next(async () => {
        await writeIn(parts, project, async (transaction, number) => {
          for (const [field, direction] of directions) {
            await transaction.run("DELETE FROM score_directions WHERE project = ? AND field = ?", [
              number,
              field,
            ]);
            if (direction !== null)
              await transaction.run("INSERT INTO score_directions VALUES (?, ?, ?)", [
                number,
                field,
                direction,
              ]);
          }
        });
        await memory.put(project, directions);
      }),
  };
}
