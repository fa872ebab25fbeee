// The command that says which values of scores are better.

import { type Command, Option } from "commander";
import type { World } from "../world.ts";
import { type CommonOptions, type Ended, EXIT_CODES } from "./options.ts";

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

/** Adds it to the command line. */
export function addScoresCommand(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  assay
    .command("scores")
    .description("list the scores of a project, or keep which of their values are better")
    .argument("<entity/project>", "the project")
    .argument("[names...]", "scores, as the list calls them (default: all)")
    .addOption(new Option("--higher", "more of them is better").conflicts(["lower", "none", "forget"]))
    .addOption(new Option("--lower", "less of them is better").conflicts(["higher", "none", "forget"]))
    .addOption(
      new Option("--none", "neither is better: they are shown, and decide no verdict").conflicts([
        "higher",
        "lower",
        "forget",
      ]),
    )
    .addOption(
      new Option("--forget", "take back what was said of them").conflicts(["higher", "lower", "none"]),
    )
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
What is kept holds for every comparison: of the command, of the page and over HTTP. A score of which nothing is kept has
the direction that its name says by custom (error_rate, latency_ms, loss: less; accuracy, f1, quality: more), or true
before false. A number of which nothing says it has no direction yet: it is shown, decides no verdict and closes no gate.

Examples:
  assay scores acme/demo
  assay scores acme/demo edit_ops retries --lower
${EXIT_CODES}`,
    )
    .action(async (project: string, names: readonly string[], flags: ScoresFlags) => {
      const { scoresCommand } = await import("../commands/scores.ts");
      const { higher, lower, none, forget, data, store, apiKey, format } = flags;
      const said = higher ? "higher" : lower ? "lower" : none ? "none" : forget ? null : undefined;
      ended(await scoresCommand(world, { project, names, direction: said, data, store, apiKey, format }));
    });
}
