// The commands about the data of projects: projects, evaluations, export, watch and delete.

import { type Command, Option } from "commander";
import type { DeleteOptions } from "../commands/data/delete.ts";
import type { EvaluationsOptions } from "../commands/data/evaluations.ts";
import type { ExportOptions } from "../commands/data/export.ts";
import type { ProjectsOptions } from "../commands/data/projects.ts";
import type { WatchOptions } from "../commands/data/watch.ts";
import { collected, dayCount, type ProgramParts } from "../options/common-options.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

interface ExportFlags extends Omit<ExportOptions, "project" | "evaluations"> {
  readonly evaluation: readonly string[];
}

interface DeleteFlags extends Pick<DeleteOptions, "data" | "store" | "apiKey" | "yes"> {
  readonly run?: string;
  readonly artifact?: string;
  readonly olderThan?: string;
}

/** Adds the command that lists evaluations. */
export function addEvaluationsCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("evaluations")
    .description("list the evaluations of a project, oldest first")
    .argument("<entity/project>", "the project")
    .addOption(common.allowMissing("print an empty list if the project has no evaluations"))
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText("after", `\nExample:\n  assay evaluations acme/demo --format json | jq -r '.[].id'`)
    .action(async (project: string, options: Omit<EvaluationsOptions, "project">) => {
      const { evaluationsCommand } = await import("../commands/data/evaluations.ts");
      ended(await evaluationsCommand(context, { ...options, project }));
    });
}

/** Adds the other commands to the command line. */
export function addDataCommands(parts: ProgramParts): void {
  addProjectsCommand(parts);
  addExportCommand(parts);
  addWatchCommand(parts);
  addDeleteCommand(parts);
}

function addProjectsCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("projects")
    .description("list all projects")
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText("after", `\nExample:\n  assay projects --format json | jq -r '.[].project'`)
    .action(async (options: ProjectsOptions) => {
      const { projectsCommand } = await import("../commands/data/projects.ts");
      ended(await projectsCommand(context, options));
    });
}

function addExportCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("export")
    .description(
      "export a project's calls as logged, its trials as a table, or its evaluations as one HTML page",
    )
    .argument("<entity/project>", "the project")
    .option("--evaluation <name>", "only this evaluation, by name or id; can be repeated", collected, [])
    .addOption(
      new Option(
        "--format <format>",
        "calls as logged (jsonl), one line per trial (csv, parquet), or the page in one file (html)",
      )
        .choices(["jsonl", "csv", "parquet", "html"])
        .default("jsonl"),
    )
    .option("--output <file>", "file to write, which appears only when complete (default: standard output)")
    .option("--rows <file>", "with jsonl: also write the dataset rows that the calls refer to, to this file")
    .option("--where <condition>", "with html: only matching rows; can be repeated", collected, [])
    .option(
      "--outputs <amount>",
      "with html: full (default), none, or a number of characters to keep of each text",
    )
    .option(
      "--redact <field>",
      "with html: replace the values of inputs.NAME, outputs.NAME or scores.NAME; can be repeated",
      collected,
      [],
    )
    .addOption(common.allowMissing("write an empty file if the project is empty"))
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Importing what it writes gives the same results. A table has a column for each field of the row,
the output and the scores, named as in filters. In CSV, a text that could be read as a formula or
a number starts with '. In Parquet, a score whose values have several types, such as true and
"yes", becomes text. To export only some rows, use assay query --format csv.

An HTML file contains the page, the evaluations and the engine. It opens without a server, and
makes no network requests. Before writing it, the command prints its size and what can be read in
it. --redact replaces a value wherever it occurs in the trials of its rows, including prompts and
traces; equal values get equal replacements. --outputs shortens outputs and the calls below a
trial; scores, times and tokens are kept.

Examples:
  assay export acme/demo --output calls.jsonl --rows rows.jsonl
  assay export acme/demo --evaluation ID --format parquet --output trials.parquet
  assay export acme/demo --evaluation gpt-a --evaluation gpt-b --format html --output compared.html
  assay export acme/demo --format html --where 'inputs.kind = "law"' --redact inputs.email --outputs 400 --output law.html`,
    )
    .action(async (project: string, { evaluation: evaluations, ...options }: ExportFlags) => {
      const { exportCommand } = await import("../commands/data/export.ts");
      ended(await exportCommand(context, { ...options, project, evaluations }));
    });
}

function addWatchCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("watch")
    .description("follow running evaluations: trials so far, pass rates and speed")
    .argument("<entity/project>", "the project")
    .argument("<evaluations...>", "names or ids of evaluations")
    .addOption(common.allowMissing("wait for evaluations that do not exist yet"))
    .addOption(common.data())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
The command ends when all of them have ended. In a pipe, it prints each change as JSON.

Example:
  assay watch acme/demo gpt-a gpt-b`,
    )
    .action(
      async (
        project: string,
        evaluations: readonly string[],
        options: Omit<WatchOptions, "project" | "evaluations">,
      ) => {
        const { watchCommand } = await import("../commands/data/watch.ts");
        ended(await watchCommand(context, { ...options, project, evaluations }));
      },
    );
}

function addDeleteCommand({ assay, context, common, ended }: ProgramParts): void {
  assay
    .command("delete")
    .description(
      "permanently delete an evaluation, old evaluations or a whole project, leaving no data on disk",
    )
    .argument("<entity/project>", "the project")
    .argument("[evaluation]", "its name or id (default: the whole project)")
    .option("--older-than <days>", "delete evaluations that ended more than this many days ago")
    .option("--run <name>", "delete this run, with its history and files")
    .option("--artifact <name:version>", "delete this version of an artifact, such as data:v0")
    .option("--yes", "confirm; without it, only show what would be deleted", false)
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Files are rewritten without the deleted calls and everything below them, their feedback, and
dataset rows that nothing else refers to. Deleting a whole project also deletes its runs and
artifacts; only a server can delete a single one. Models with their checkpoints, training jobs,
keys and token counts are kept.

If a server has the directory open, it deletes: other requests wait meanwhile, and training jobs
continue from their last checkpoint. If you interrupt the command, either nothing was deleted or
the next command that opens the directory completes the deletion. In ClickHouse, some of the data
may be deleted then: repeat the command. docs/how-to/clickhouse.md has the details.

Examples:
  assay delete acme/demo gpt-a --yes
  assay delete acme/demo --yes
  assay delete acme/demo --older-than 90 --yes
  assay delete acme/demo --run brisk-owl-7 --yes
  assay delete acme/demo --artifact questions:v0 --yes`,
    )
    .action(
      async (
        project: string,
        evaluation: string | undefined,
        { data, store, apiKey, yes, run, artifact, olderThan: age }: DeleteFlags,
        command: Command,
      ) => {
        const name = run ?? artifact;
        if ([run, artifact, age, evaluation].filter((one) => one !== undefined).length > 1)
          throw new Failure(EXIT.usage, "give only one of: an evaluation, --older-than, --run, --artifact");
        const olderThan = age === undefined ? undefined : dayCount(age);
        if (name !== undefined) {
          // A server's settings may name a store for its evaluations; an explicit one here cannot contain runs or
          // artifacts.
          if (command.getOptionValueSource("store") === "cli")
            throw new Failure(
              EXIT.usage,
              "--store cannot be combined with --run or --artifact: runs and artifacts are in the data directory (--data)",
            );
          const { deleteLoggedCommand } = await import("../commands/data/delete-logged.ts");
          const what = run === undefined ? "artifact" : "run";
          ended(await deleteLoggedCommand(context, { project, what, name, data, apiKey, yes }));
          return;
        }
        const { deleteCommand } = await import("../commands/data/delete.ts");
        ended(await deleteCommand(context, { project, evaluation, olderThan, data, store, apiKey, yes }));
      },
    );
}
