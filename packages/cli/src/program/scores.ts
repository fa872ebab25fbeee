// The scores command.

import { Option } from "commander";
import { EXIT_CODES, type ProgramParts } from "./options.ts";

interface ScoresFlags {
  readonly lower?: boolean;
  readonly higher?: boolean;
  readonly none?: boolean;
  readonly forget?: boolean;
  readonly format?: "json" | "table";
  readonly data: string;
  readonly store?: string;
  readonly apiKey?: string;
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
The setting applies to every comparison, in the command, on the page and over HTTP. Without it, the direction follows from
the score's name (error_rate, latency_ms, loss: lower; accuracy, f1, quality: higher), and true is better than false. A
number with any other name has no direction yet: it is shown, but gets no verdict and fails no gate.

Examples:
  assay scores acme/demo
  assay scores acme/demo edit_ops retries --lower
${EXIT_CODES}`,
    )
    .action(async (project: string, names: readonly string[], flags: ScoresFlags) => {
      const { scoresCommand } = await import("../commands/scores.ts");
      const { higher, lower, none, forget, data, store, apiKey, format } = flags;
      const said = higher ? "higher" : lower ? "lower" : none ? "none" : forget ? null : undefined;
      ended(await scoresCommand(context, { project, names, direction: said, data, store, apiKey, format }));
    });
}
