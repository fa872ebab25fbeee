// assay projects: lists the projects.

import { type OpenOptions, openData } from "../../data/open-data.ts";
import { isJson, type PrintOptions, printTable } from "../../render/print-table.ts";
import { type CliContext, info, printJson } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";

/** How to list. */
export interface ProjectsOptions extends OpenOptions, PrintOptions {}

/** Lists the projects of the data. Returns the exit code. */
export async function projectsCommand(context: CliContext, options: ProjectsOptions): Promise<number> {
  const data = await openData(context, options);
  try {
    const projects = await data.listProjects();
    if (isJson(context, options)) {
      await printJson(context, projects);
    } else if (projects.length > 0) {
      const rows = projects.map(({ project, evaluations, last_started_at }) => [
        project,
        evaluations.toLocaleString("en"),
        last_started_at?.slice(0, 16).replace("T", " ") ?? "",
      ]);
      await printTable(context, ["project", "evaluations", "last started"], rows, 0);
    }
    if (projects.length === 0) info(context, `no projects in ${data.where}; import one with assay import`);
    return EXIT.ok;
  } finally {
    await data.close();
  }
}
