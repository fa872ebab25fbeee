// The commands of a data directory: export, watch, delete and doctor.

import { type Command, Option } from "commander";
import { EXIT, Failure } from "../failure.ts";
import type { World } from "../world.ts";
import { type CommonOptions, collected, dayCount, type Ended, EXIT_CODES } from "./options.ts";

interface ExportFlags {
  readonly allowMissing: boolean;
  readonly data: string;
  readonly apiKey?: string;
  readonly evaluation: readonly string[];
  readonly format: "jsonl" | "csv" | "parquet" | "html";
  readonly output?: string;
  readonly rows?: string;
  readonly where: readonly string[];
  readonly outputs?: string;
  readonly redact: readonly string[];
  readonly store?: string;
}

interface DeleteFlags extends Pick<ExportFlags, "data" | "store" | "apiKey"> {
  readonly yes: boolean;
  readonly run?: string;
  readonly artifact?: string;
  readonly olderThan?: string;
}

interface ProjectsFlags extends Pick<ExportFlags, "data" | "apiKey" | "store"> {
  readonly format?: "json" | "table";
}

/** Adds them to the command line. */
export function addDataCommands(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  assay
    .command("projects")
    .description("list the projects that there are")
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText("after", `\nExample:\n  assay projects --format json | jq -r '.[].project'\n${EXIT_CODES}`)
    .action(async ({ data, store, apiKey, format }: ProjectsFlags) => {
      const { projectsCommand } = await import("../commands/projects.ts");
      ended(await projectsCommand(world, { data, store, apiKey, format }));
    });

  assay
    .command("export")
    .description(
      "write out the calls of a project as they came, its trials as a table, or its evaluations as a page",
    )
    .argument("<entity/project>", "the project")
    .option("--evaluation <name>", "only this evaluation, by name or id; may be given again", collected, [])
    .addOption(
      new Option(
        "--format <format>",
        "calls as they came (jsonl), one line per trial (csv, parquet), or the page in one file (html)",
      )
        .choices(["jsonl", "csv", "parquet", "html"])
        .default("jsonl"),
    )
    .option("--output <file>", "file to write, there once it is whole (default: the standard output)")
    .option("--rows <file>", "with jsonl: file for the dataset rows that the calls refer to")
    .option("--where <condition>", "with html: only rows that meet this; may be given again", collected, [])
    .option("--outputs <amount>", "with html: full (default), none, or so many characters of each text")
    .option(
      "--redact <field>",
      "with html: replace the values of inputs.NAME, outputs.NAME or scores.NAME; may be given again",
      collected,
      [],
    )
    .addOption(common.allowMissing("write an empty file when the project has nothing"))
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
What it writes, import brings in with the same answers. A table is flat: each field of the row, of the output and of the
scores has a column, called as filters call it. A text of a CSV that would be read as something else, as a formula or a
number, begins with '. Tables of a part are written by assay query --format csv.

A page is one HTML file with the evaluations and the engine inside: it opens without a server, filters, sorts and compares
as the served one does, and asks no host anything. Its size and what can be read in it are said before it is written.
--redact replaces a value wherever it stands in the trials of its rows, in prompts and traces too: equal values by equal
stand-ins, so that rows stay apart. --outputs shortens what models gave and the calls below a trial; scores, times and
tokens stay.

Examples:
  assay export acme/demo --output calls.jsonl --rows rows.jsonl
  assay export acme/demo --evaluation ID --format parquet --output trials.parquet
  assay export acme/demo --evaluation gpt-a --evaluation gpt-b --format html --output compared.html
  assay export acme/demo --format html --where 'inputs.kind = "law"' --redact inputs.email --outputs 400 --output law.html
${EXIT_CODES}`,
    )
    .action(async (project: string, options: ExportFlags) => {
      const { exportCommand } = await import("../commands/export.ts");
      const { data, store, apiKey, allowMissing, evaluation, format, output, rows } = options;
      const { where, outputs, redact } = options;
      ended(
        await exportCommand(world, {
          project,
          data,
          store,
          apiKey,
          evaluations: evaluation,
          format,
          output,
          rows,
          where,
          outputs,
          redact,
          allowMissing,
        }),
      );
    });

  assay
    .command("watch")
    .description("show evaluations while they run: trials so far, pass rates, and how fast it goes")
    .argument("<entity/project>", "the project")
    .argument("<evaluations...>", "names or ids of evaluations")
    .addOption(common.allowMissing("wait for evaluations that are not there yet"))
    .addOption(common.data())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
It ends when all of them have ended. In a pipe, each change is a line of JSON.

Example:
  assay watch acme/demo gpt-a gpt-b
${EXIT_CODES}`,
    )
    .action(
      async (
        project: string,
        evaluations: readonly string[],
        { data, apiKey, allowMissing }: Pick<ExportFlags, "data" | "apiKey" | "allowMissing">,
      ) => {
        const { watchCommand } = await import("../commands/watch.ts");
        ended(await watchCommand(world, { project, evaluations, data, apiKey, allowMissing }));
      },
    );

  assay
    .command("delete")
    .description(
      "delete an evaluation, those that are old, or a whole project, for ever: no byte of it is left on the disk",
    )
    .argument("<entity/project>", "the project")
    .argument("[evaluation]", "its id or its name (default: all of the project)")
    .option("--older-than <days>", "delete the evaluations that ended more than so many days ago instead")
    .option("--run <name>", "delete this run instead, with its lines and files")
    .option("--artifact <name:version>", "delete this version of an artifact instead, as data:v0")
    .option("--yes", "this is meant; without it, what would be deleted is said alone", false)
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
A server that has the directory open does it, and lets other requests wait meanwhile; jobs that train go on from their
last checkpoint. Files are written anew without what is deleted: calls with all below them,
feedback on them, dataset rows that nothing else refers to, and what was deleted call by call before. The next query
reads its evaluations once more. When it is stopped in the middle, either nothing was deleted, or the next command that
opens the directory finishes. With the whole project go its runs and artifacts, each with the bytes that nothing else has;
one alone is deleted by a server. Models with their checkpoints, training jobs, keys and counts of tokens stay.

In a ClickHouse database the parts of its tables are written anew, and the old ones are waited for until they are off the
disk: it takes as long as reading the tables, whoever else uses them meanwhile. Stopped in the middle, it has deleted a
part; the same command deletes the rest. Feedback, tables, runs and artifacts, which are in the data directory, go with the
whole project when a server deletes it.

Examples:
  assay delete acme/demo gpt-a --yes
  assay delete acme/demo --yes
  assay delete acme/demo --older-than 90 --yes
  assay delete acme/demo --run brisk-owl-7 --yes
  assay delete acme/demo --artifact questions:v0 --yes
${EXIT_CODES}`,
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
          throw new Failure(
            EXIT.usage,
            "one thing at a time: an evaluation, --older-than, --run or --artifact",
          );
        const olderThan = age === undefined ? undefined : dayCount(age);
        if (name !== undefined) {
          // A server's settings may name one for its evaluations; who says it here means what is not in it.
          if (command.getOptionValueSource("store") === "cli")
            throw new Failure(
              EXIT.usage,
              "--store does not go with --run and --artifact: runs and artifacts are in the data directory (--data)",
            );
          const { deleteLoggedCommand } = await import("../commands/delete-logged.ts");
          const what = run === undefined ? "artifact" : "run";
          ended(await deleteLoggedCommand(world, { project, what, name, data, apiKey, yes }));
          return;
        }
        const { deleteCommand } = await import("../commands/delete.ts");
        ended(await deleteCommand(world, { project, evaluation, olderThan, data, store, apiKey, yes }));
      },
    );

  assay
    .command("doctor")
    .description("look at every file of a data directory, and mend what can be mended")
    .addOption(common.data())
    .addHelpText(
      "after",
      `
Nothing may have the directory open. A database that is missing or damaged is made again from the redo log, a damaged
redo log is written again from the database, and records whose text is gone are taken out of the index. Files that are
replaced are kept beside the new ones. What cannot be put back is named, and the exit code is then 1.

Example:
  assay doctor --data .assay
${EXIT_CODES}`,
    )
    .action(async ({ data }: Pick<ExportFlags, "data">) => {
      const { doctorCommand } = await import("../commands/doctor.ts");
      ended(await doctorCommand(world, data));
    });
}
