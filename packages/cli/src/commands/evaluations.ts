// assay evaluations: lists the evaluations of a project.

import { failOnMissing, missingProject } from "../check-names.ts";
import { type CliContext, print, printJson } from "../cli-context.ts";
import { EXIT } from "../failure.ts";
import { type OpenOptions, openData } from "../open-data.ts";
import { projectArgument } from "../project-argument.ts";
import { withNotice } from "../slow-notice.ts";

/** What to list. */
export interface EvaluationsOptions extends OpenOptions {
  readonly project: string;
  /** Default: a table on a terminal, otherwise JSON. */
  readonly format: "json" | "table" | undefined;
  /** Whether to accept a project without evaluations. */
  readonly allowMissing: boolean;
}

/** Lists the evaluations of a project. Returns the exit code. */
export async function evaluationsCommand(context: CliContext, options: EvaluationsOptions): Promise<number> {
  const project = projectArgument(options.project);
  const data = await openData(context, options);
  try {
    const evaluations = await withNotice(context, data.evaluations(project));
    if (evaluations.length === 0 && !options.allowMissing)
      failOnMissing([await missingProject(data, project)]);
    const { format = context.stdout.columns === undefined ? "json" : "table" } = options;
    if (format === "json") {
      await printJson(context, evaluations);
    } else {
      const { evaluationsTable } = await import("../evaluations-table.ts");
      await print(context, evaluationsTable(evaluations, context.stdout.columns ?? 100));
    }
    return EXIT.ok;
  } finally {
    await data.close();
  }
}
