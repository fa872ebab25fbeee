// The command line: its commands, options and help. The code of each command is loaded when it runs, so that help and
// errors are fast.

import { VERSION } from "@assay/server/version";
import { Command, Help, type Option } from "commander";
import { commonOptions, EXIT_CODES, type SetExitCode } from "./options/common-options.ts";
import { applySettings, configOption } from "./options/settings-options.ts";
import { addCompareCommand } from "./program/compare.ts";
import { addConfigCommand } from "./program/config.ts";
import { addDataCommands, addEvaluationsCommand } from "./program/data.ts";
import { addImportCommand } from "./program/import.ts";
import { addInferenceCommands } from "./program/inference.ts";
import { addMcpCommand } from "./program/mcp.ts";
import { addQueryCommand, addShowCommand } from "./program/query.ts";
import { addScoresCommand } from "./program/scores.ts";
import { addServerCommands } from "./program/server.ts";
import { addStorageCommands } from "./program/storage.ts";
import { addTrainingCommands } from "./program/training.ts";
import type { CliContext } from "./terminal/cli-context.ts";
import { plainPiece } from "./terminal/plain-text.ts";

const COMPLETIONS = `
Shell completion:
  source <(assay complete bash)        in ~/.bashrc
  source <(assay complete zsh)         in ~/.zshrc
  assay complete fish | source         in ~/.config/fish/config.fish`;

const FIRST_STEPS = `
Start with:
  assay demo                           load an example, and open it on a page
  assay compare answers.csv            compare the models in a table, without storing anything
  assay import me/project logs/        store evaluations in a project; then assay compare me/project
  assay help compare                   all options of a command`;

/** The headings of the help, with their commands. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Evaluations:": [
    ...["compare", "import", "query", "show", "scores", "evaluations", "projects", "watch", "export"],
  ],
  "Server:": ["serve", "demo", "keys", "usage", "mcp", "config"],
  "Data directory:": ["delete", "backup", "restore", "doctor", "clickhouse"],
  "Training and models:": ["train", "jobs", "models", "worker", "chat"],
};

/** The command line in a context. */
export function program(outer: CliContext, ended: SetExitCode): Command {
  const context: CliContext = {
    ...outer,
    get quiet() {
      return assay.opts<{ readonly quiet?: boolean }>().quiet === true;
    },
  };
  const common = commonOptions(context);

  const assay: Command = new Command("assay")
    .description(
      "Did it get better, and can you trust that? Exact answers about evaluations of language models.",
    )
    .version(VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "show help for a command")
    .commandsGroup("Help:")
    .helpCommand("help [command]", "show help for a command")
    .configureHelp({ optionDescription })
    .option("-q, --quiet", "print only results and errors")
    .addOption(configOption())
    .hook("preAction", (_, action) => applySettings(assay, action, context))
    .showHelpAfterError("(see assay --help, or assay COMMAND --help)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.stream.write(plainPiece(text)),
      writeErr: (text) => context.stderr.stream.write(plainPiece(text)),
      outputError: (text, write) => write(text.replace(/^error: /, "assay: ")),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
    })
    .addHelpText("after", EXIT_CODES)
    .addHelpText("after", COMPLETIONS)
    .addHelpText("after", FIRST_STEPS);

  const parts = { assay, context, common, ended };
  addCompareCommand(parts);
  addImportCommand(parts);
  addQueryCommand(parts);
  addShowCommand(parts);
  addScoresCommand(parts);

  addEvaluationsCommand(parts);
  addServerCommands(parts);
  addDataCommands(parts);
  addStorageCommands(parts);
  addTrainingCommands(parts);
  addInferenceCommands(parts);
  addMcpCommand(parts);
  addConfigCommand(parts);
  for (const [heading, names] of Object.entries(GROUPS))
    for (const command of assay.commands) if (names.includes(command.name())) command.helpGroup(heading);
  return assay;
}

/** The help of an option, without the default if that is off or unset. */
function optionDescription(this: Help, option: Option): string {
  return Help.prototype.optionDescription.call(this, option).replace(/ \(default: (?:false|\[\])\)/, "");
}
