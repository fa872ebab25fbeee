// assay projects: lists the projects.

import { EXIT } from "../failure.ts";
import { type OpenOptions, openData } from "../open-data.ts";
import { tableOf } from "../table.ts";
import { note, print, printJson, type World } from "../world.ts";

/** How to list. */
export interface ProjectsOptions extends OpenOptions {
  /** Default: a table on a terminal, otherwise JSON. */
  readonly format: "json" | "table" | undefined;
}

/** Lists the projects of the data. Returns the exit code. */
export async function projectsCommand(world: World, options: ProjectsOptions): Promise<number> {
  const data = await openData(world, options);
  try {
    const projects = await data.listProjects();
    const { format = world.stdout.columns === undefined ? "json" : "table" } = options;
    if (format === "json") {
      await printJson(world, projects);
    } else if (projects.length > 0) {
      const rows = projects.map(({ project, evaluations, last_started_at }) => [
        project,
        evaluations.toLocaleString("en"),
        last_started_at?.slice(0, 16).replace("T", " ") ?? "",
      ]);
      const look = { width: world.stdout.columns ?? 100, tight: true, whole: 0 };
      await print(world, tableOf(["project", "evaluations", "last started"], rows, look));
    }
    if (projects.length === 0) note(world, `no projects in ${data.where}; import one with assay import`);
    return EXIT.ok;
  } finally {
    await data.close();
  }
}
