// The command line: its commands, options and help. The code of each command is loaded when it runs, so that help and
// errors are fast.

import { join } from "node:path";
import { VERSION } from "@assay/server/version";
import { Command, Help, type Option } from "commander";
import type { EvaluationsOptions } from "./commands/data/evaluations.ts";
import type { ServeOptions } from "./commands/server/serve.ts";
import {
  commonOptions,
  drainSeconds,
  EXIT_CODES,
  portNumber,
  type SetExitCode,
  storageBytes,
  streamCount,
  webOrigin,
} from "./options/common-options.ts";
import {
  addServerOptions,
  applySettings,
  type ConfiguredFlags,
  configOption,
} from "./options/settings-options.ts";
import { addBackupCommands } from "./program/backup.ts";
import { addClickHouseCommands } from "./program/clickhouse.ts";
import { addCompareCommand } from "./program/compare.ts";
import { addConfigCommand } from "./program/config.ts";
import { addDataCommands } from "./program/data.ts";
import { addImportCommand } from "./program/import.ts";
import { addInferenceCommands } from "./program/inference.ts";
import { addMcpCommand } from "./program/mcp.ts";
import { addQueryCommand, addShowCommand } from "./program/query.ts";
import { addScoresCommand } from "./program/scores.ts";
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
  const { allowMissing, data, apiKey, serverKey, format, host, port, store, training, upstreams } = common;

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

  assay
    .command("evaluations")
    .description("list the evaluations of a project, oldest first")
    .argument("<entity/project>", "the project")
    .addOption(allowMissing("print an empty list if the project has no evaluations"))
    .addOption(format())
    .addOption(data())
    .addOption(store())
    .addOption(serverKey())
    .addHelpText("after", `\nExample:\n  assay evaluations acme/demo --format json | jq -r '.[].id'`)
    .action(async (project: string, options: Omit<EvaluationsOptions, "project">) => {
      const { evaluationsCommand } = await import("./commands/data/evaluations.ts");
      ended(await evaluationsCommand(context, { ...options, project }));
    });

  const serve = assay
    .command("serve")
    .description("start the server: the page, the HTTP API and the OpenAI-compatible API")
    .addOption(data())
    .addOption(store())
    .addOption(host())
    .addOption(port())
    .addOption(
      apiKey("a key with access to everything; without it or assay keys, only this machine has access"),
    );
  addServerOptions(serve)
    .addOption(upstreams())
    .addOption(training())
    .addHelpText(
      "after",
      `
Examples:
  assay serve
  assay serve --log 2>requests.jsonl
  ASSAY_API_KEY=... assay serve --host 0.0.0.0 --port 8080
  assay serve --upstreams engines.yaml`,
    )
    .action(async (options: ServeFlags) => {
      const { serveCommand } = await import("./commands/server/serve.ts");
      ended(await serveCommand(context, serveOptions(options)));
    });

  assay
    .command("demo")
    .description("load the examples, show a first comparison, and start the server")
    .option("--examples <dir>", "folder of the examples (default: the bundled ones)")
    .addOption(data())
    .addOption(host())
    .addOption(port())
    .addOption(apiKey("a key with access to everything"))
    .addOption(upstreams())
    .option("--no-open", "do not open the page in a browser (in CI or without a terminal it never opens)")
    .action(async (options: ServeFlags & { examples?: string; open: boolean }) => {
      const { demoCommand } = await import("./commands/server/demo.ts");
      const { examples = join(context.files, "examples"), open } = options;
      ended(await demoCommand(context, { ...serveOptions(options), examples, open }));
    });

  addDataCommands(parts);
  addBackupCommands(parts);
  addClickHouseCommands(parts);
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

interface ServeFlags
  extends ConfiguredFlags,
    Pick<ServeOptions, "apiKey" | "data" | "host" | "log" | "metrics" | "store" | "training" | "upstreams"> {
  readonly port: string;
  readonly cors?: readonly string[];
  readonly publicUrl?: string;
  readonly streams?: string;
  readonly projectStorage?: string;
  readonly drain?: string;
}

function serveOptions({ configuration, port, cors = [], ...flags }: ServeFlags): ServeOptions {
  const { drain, publicUrl, streams, projectStorage, ...others } = flags;
  const { prices, limits, retention } = configuration ?? {};
  return {
    ...others,
    ...{ prices, limits, retention, port: portNumber(port) },
    drain: drain === undefined ? undefined : drainSeconds(drain),
    origins: cors.map((text) => webOrigin(text)),
    publicUrl: publicUrl === undefined ? undefined : webOrigin(publicUrl, "--public-url"),
    streams: streams === undefined ? undefined : streamCount(streams),
    projectBytes: projectStorage === undefined ? undefined : storageBytes(projectStorage),
  };
}
