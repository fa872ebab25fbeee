// assay evaluations: lists the evaluations of a project.

import { failOnMissing, missingProject } from "../check-names.ts";
import { EXIT } from "../failure.ts";
import { type OpenOptions, openData } from "../open-data.ts";
import { projectArgument } from "../project-argument.ts";
import { withNotice } from "../slow-notice.ts";
import { print, printJson, type World } from "../world.ts";

/** What to list. */
export interface EvaluationsOptions extends OpenOptions {
  readonly project: string;
  /** Default: a table on a terminal, otherwise JSON. */
  readonly format: "json" | "table" | undefined;
  /** Whether to accept a project without evaluations. */
  readonly allowMissing: boolean;
}

/** Lists the evaluations of a project. Returns the exit code. */
export async function evaluationsCommand(world: World, options: EvaluationsOptions): Promise<number> {
  const project = projectArgument(options.project);
  const data = await openData(world, options);
  try {
    const evaluations = await withNotice(world, data.evaluations(project));
    if (evaluations.length === 0 && !options.allowMissing)
      failOnMissing([await missingProject(data, project)]);
    const { format = world.stdout.columns === undefined ? "json" : "table" } = options;
    if (format === "json") {
      await printJson(world, evaluations);
    } else {
      const { evaluationsTable } = await import("../evaluations-table.ts");
      await print(world, evaluationsTable(evaluations, world.stdout.columns ?? 100));
    }
    return EXIT.ok;
  } finally {
    await data.close();
  }
}
