// assay evaluations: lists the evaluations of a project.

import { cutText, refName } from "@assay/eval-engine/words";
import { type OpenOptions, openData } from "../../data/open-data.ts";
import { projectArgument } from "../../data/project-argument.ts";
import { failOnMissing, missingProject } from "../../query/check-names.ts";
import { isJson, type PrintOptions, printTable } from "../../render/print-table.ts";
import { type CliContext, printJson } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";
import { withNotice } from "../../terminal/slow-notice.ts";

/** What to list. */
export interface EvaluationsOptions extends OpenOptions, PrintOptions {
  readonly project: string;
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
    if (isJson(context, options)) {
      await printJson(context, evaluations);
    } else {
      // IDs are not cut, because queries need them.
      const rows = evaluations.map(({ id, name, model, rows, trials, started_at }) => [
        id,
        cutText(name ?? ""),
        cutText(refName(model) ?? ""),
        rows.toLocaleString("en"),
        trials.toLocaleString("en"),
        started_at?.slice(0, 16).replace("T", " ") ?? "",
      ]);
      await printTable(context, ["id", "name", "model", "rows", "trials", "started"], rows, 0);
    }
    return EXIT.ok;
  } finally {
    await data.close();
  }
}
