// The query and show commands.

import { existsSync } from "node:fs";
import { Option } from "commander";
import type { QueryCommandOptions } from "../commands/results/query.ts";
import type { ShowOptions } from "../commands/results/show.ts";
import { TABLE_FORMATS } from "../files/table-formats.ts";
import { collected, type ProgramParts, SOURCE, wholeNumber } from "../options/common-options.ts";
import {
  addReadingOptions,
  READING,
  type ReadingFlags,
  readingOptionsOf,
} from "../options/reading-options.ts";
import type { ConfiguredFlags } from "../options/settings-options.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

interface QueryFlags
  extends ReadingFlags,
    ConfiguredFlags,
    Omit<QueryCommandOptions, "project" | "body" | "query" | "reading" | "prices"> {
  readonly where: readonly string[];
  readonly sort: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

/** Adds its command to the command line. */
export function addQueryCommand({ assay, context, common, ended }: ProgramParts): void {
  const command = assay
    .command("query")
    .description("query evaluations: rows side by side, and a summary of each score")
    .argument("<project or file>", SOURCE)
    .argument(
      "[evaluations...]",
      "names or ids (default: the latest three); for a project also a file with a query as JSON, or - for standard input",
    )
    .option(
      "--where <expression>",
      "only matching rows, such as 'inputs.category = \"math\" and scores.quality < 0.5'; can be repeated",
      collected,
      [],
    )
    .option(
      "--sort <keys>",
      "sort order, such as Δcorrect or 'diff(correct), inputs.level desc'; can be repeated (default: largest difference first)",
      collected,
      [],
    )
    .addOption(wholeNumber("--limit <rows>", "number of rows to show (default: 20)"))
    .addOption(wholeNumber("--offset <rows>", "number of rows to skip"))
    .option(
      "--include-costs",
      "show the cost of model calls, for models with a price in the configuration file",
      false,
    )
    .option("--explain", "print the query as JSON, without running it", false)
    .addOption(common.allowMissing("treat missing evaluations and fields as empty"))
    .addOption(
      new Option(
        "--format <format>",
        "output format (default: table on a terminal, otherwise JSON); csv, parquet and jsonl are flat: one line per trial, all rows",
      ).choices(["json", "table", ...TABLE_FORMATS]),
    )
    .option("--output <file>", "with csv, parquet and jsonl: file to write, which appears only when complete")
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey());
  addReadingOptions(command, READING)
    .addHelpText(
      "after",
      `
A condition that starts with the name of an evaluation applies only to that one.
docs/reference/query-text.md describes conditions.

Examples:
  assay query acme/demo
  assay query answers.csv --sort Δcorrect
  assay query acme/demo gpt-a gpt-b --sort Δcorrect --where 'inputs.category = "math" and scores.quality < 0.5'
  assay query acme/demo gpt-a gpt-b --where 'gpt-a: scores.correct' --where 'gpt-b: not scores.correct'
  assay query acme/demo gpt-a gpt-b --where 'scores.correct = false' --format csv --output failures.csv
  assay query acme/demo gpt-a gpt-b --include-costs
  assay query acme/demo body.json --format table
  echo '{"evaluation_call_ids": ["ID"], "include_summary": true}' | assay query acme/demo - | jq .summary`,
    )
    .action(async (project: string, given: readonly string[], flags: QueryFlags) => {
      const { queryCommand } = await import("../commands/results/query.ts");
      const { where, sort, limit, offset, configuration, ...rest } = flags;
      const asked = [...where, ...sort].length > 0 || limit !== undefined || offset !== undefined;
      const body = existsSync(project) ? undefined : bodyFile(given, asked);
      const evaluations = body === undefined ? given : [];
      const query = { evaluations, where, sort, limit, offset };
      ended(
        await queryCommand(context, {
          ...rest,
          ...{ project, body, query, prices: configuration?.prices, reading: readingOptionsOf(flags) },
        }),
      );
    });
}

/** Adds the command that shows one row. */
export function addShowCommand({ assay, context, common, ended }: ProgramParts): void {
  const command = assay
    .command("show")
    .description("show one row in full: its fields, and outputs, scores, reasons and errors side by side")
    .argument("<project or file>", SOURCE)
    .argument(
      "<row>",
      "the row's id (the value of any of its fields), its digest or a prefix of it, or a condition",
    )
    .argument("[evaluations...]", "names or ids (default: the latest three that have the row)")
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey());
  addReadingOptions(command, READING)
    .addHelpText(
      "after",
      `
Examples:
  assay show acme/demo q17
  assay show acme/demo 'inputs.question contains "Peru"' gpt-a gpt-b`,
    )
    .action(async (project: string, row: string, evaluations: readonly string[], flags: ShowFlags) => {
      const { showCommand } = await import("../commands/results/show.ts");
      const reading = readingOptionsOf(flags);
      ended(await showCommand(context, { ...flags, project, row, evaluations, reading }));
    });
}

interface ShowFlags extends ReadingFlags, Omit<ShowOptions, "project" | "row" | "evaluations" | "reading"> {}

/** The file with the body of a query, if one was given: an existing file, or a name like one. */
function bodyFile(given: readonly string[], asked: boolean): string | undefined {
  const [only = "", ...more] = given;
  if (more.length > 0 || !(only === "-" || only.endsWith(".json") || existsSync(only))) return undefined;
  if (!asked) return only;
  throw new Failure(
    EXIT.usage,
    `${only} is already a query: use --where, --sort, --limit and --offset with names of evaluations`,
  );
}
