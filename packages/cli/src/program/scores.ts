// The scores command.

import { Option } from "commander";
import type { ScoresOptions } from "../commands/results/scores.ts";
import type { ProgramParts } from "../options/common-options.ts";

interface ScoresFlags extends Omit<ScoresOptions, "project" | "names" | "direction"> {
  readonly lower?: boolean;
  readonly higher?: boolean;
  readonly none?: boolean;
  readonly forget?: boolean;
}

/** Adds its command to the command line. */
export function addScoresCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("scores")
    .description("list the scores of a project, or set whether higher or lower is better")
    .argument("<entity/project>", "the project")
    .argument("[names...]", "scores, as the list names them (default: all)")
    .addOption(new Option("--higher", "higher is better").conflicts(["lower", "none", "forget"]))
    .addOption(new Option("--lower", "lower is better").conflicts(["higher", "none", "forget"]))
    .addOption(
      new Option("--none", "neither is better: show them without a verdict").conflicts([
        "higher",
        "lower",
        "forget",
      ]),
    )
    .addOption(new Option("--forget", "forget the setting").conflicts(["higher", "lower", "none"]))
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
The setting applies to every comparison, in the command, on the page and over HTTP. Without it,
the direction follows from the score's name (error_rate, latency_ms, loss: lower; accuracy, f1,
judge_score: higher), and true is better than false. A number with any other name has no
direction yet: it is shown without a verdict, and a gate ignores it; if there is nothing else to
judge, the gate fails.

Examples:
  assay scores acme/demo
  assay scores acme/demo edit_ops retries --lower`,
    )
    .action(async (project: string, names: readonly string[], flags: ScoresFlags) => {
      const { scoresCommand } = await import("../commands/results/scores.ts");
      const { higher, lower, none, forget, ...options } = flags;
      const direction = higher ? "higher" : lower ? "lower" : none ? "none" : forget ? null : undefined;
      ended(await scoresCommand(context, { ...options, project, names, direction }));
    });
}
