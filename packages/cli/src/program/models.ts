// The commands of trained models: their options and help. Each command's code is loaded when it runs.

import { Option } from "commander";
import type { AliasTarget } from "../clients/models-client.ts";
import type { ServerOptions } from "../clients/server-address.ts";
import type { ModelsOptions } from "../commands/training/models.ts";
import { type AtServer, type ProgramParts, wholeNumberIn } from "../options/common-options.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

interface AliasFlags extends ServerOptions {
  readonly step?: string;
  readonly metric?: string;
  readonly goal?: "max" | "min";
}

interface DeleteFlags extends ServerOptions {
  readonly step: readonly number[];
  readonly yes: boolean;
}

/** The numbers that a checkpoint may have. */
const STEPS = [0, 999_999_999] as const;

const MODEL = ["<model>", "PROJECT/NAME or ENTITY/PROJECT/NAME"] as const;

/** Adds `models`. */
export function addModels(
  { assay, context, ended, common: { format } }: ProgramParts,
  atServer: AtServer,
): void {
  const models = assay
    .command("models")
    .description("list trained models; show, name and delete their checkpoints");
  atServer(models.command("list", { isDefault: true }).description("list models, oldest first"))
    .addOption(format())
    .action(async (options: ModelsOptions) => {
      const { modelsCommand } = await import("../commands/training/models.ts");
      ended(await modelsCommand(context, options));
    });
  atServer(
    models
      .command("show")
      .description("show a model's checkpoints with their aliases, metrics and evaluations"),
  )
    .argument(...MODEL)
    .addOption(format())
    .action(async (model: string, options: ModelsOptions) => {
      const { showModelCommand } = await import("../commands/training/models.ts");
      ended(await showModelCommand(context, { ...options, model }));
    });
  atServer(models.command("alias").description("give a checkpoint an alias, or move the alias to it"))
    .argument(...MODEL)
    .argument("<alias>", "the alias, such as live in wandb-artifact:///ENTITY/PROJECT/NAME:live")
    .option("--step <number>", "the checkpoint it points to")
    .option("--metric <name>", "always point to the best checkpoint by this metric")
    .addOption(
      new Option(
        "--goal <goal>",
        "whether the best value of the metric is the highest (default) or the lowest",
      ).choices(["max", "min"]),
    )
    .addHelpText(
      "after",
      `
Examples:
  assay models alias demo/greeter live --step 3
  assay models alias demo/greeter best --metric val/reward`,
    )
    .action(async (model: string, alias: string, flags: AliasFlags) => {
      const { setAliasCommand } = await import("../commands/training/models.ts");
      ended(await setAliasCommand(context, { ...flags, model, alias, target: aliasTarget(flags) }));
    });
  atServer(models.command("unalias").description("remove an alias"))
    .argument(...MODEL)
    .argument("<alias>", "the name")
    .action(async (model: string, alias: string, flags: ServerOptions) => {
      const { removeAliasCommand } = await import("../commands/training/models.ts");
      ended(await removeAliasCommand(context, { ...flags, model, alias }));
    });
  atServer(
    models
      .command("delete")
      .description("delete a model, or some of its checkpoints; never a checkpoint that has an alias"),
  )
    .argument(...MODEL)
    .option("--step <number>", "only this checkpoint; can be repeated", collectedSteps, [])
    .option("--yes", "confirm; without it, only show what would be deleted", false)
    .action(async (model: string, { step: steps, ...options }: DeleteFlags) => {
      const { deleteModelCommand } = await import("../commands/training/models.ts");
      ended(await deleteModelCommand(context, { ...options, model, steps }));
    });
}

function aliasTarget({ step, metric, goal }: AliasFlags): AliasTarget {
  if (step !== undefined && goal !== undefined)
    throw new Failure(EXIT.usage, "--goal is for --metric: --step names the checkpoint");
  if (step !== undefined && metric === undefined) return { step: wholeNumberIn(step, "--step", STEPS) };
  if (step === undefined && metric !== undefined) return { metric, goal: goal ?? "max" };
  throw new Failure(EXIT.usage, "give either --step NUMBER or --metric NAME");
}

function collectedSteps(text: string, before: readonly number[]): readonly number[] {
  return [...before, wholeNumberIn(text, "--step", STEPS)];
}
