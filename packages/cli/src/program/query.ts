// The command that asks about evaluations: query.

import { existsSync } from "node:fs";
import type { TableFormat } from "@assay/adapters-http/internal";
import { type Command, Option } from "commander";
import type { Configuration } from "../configuration.ts";
import { EXIT, Failure } from "../failure.ts";
import { TABLE_FORMATS } from "../table-formats.ts";
import type { World } from "../world.ts";
import { type CommonOptions, collected, type Ended, EXIT_CODES, wholeNumber } from "./options.ts";

interface QueryFlags {
  readonly where: readonly string[];
  readonly sort: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
  readonly includeCosts: boolean;
  readonly explain: boolean;
  readonly allowMissing: boolean;
  readonly data: string;
  readonly store?: string;
  readonly format?: "json" | "table" | TableFormat;
  readonly output?: string;
  readonly apiKey?: string;
  readonly configuration?: Configuration;
}

/** Adds it to the command line. */
export function addQueryCommand(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  assay
    .command("query")
    .description("ask about evaluations: rows side by side, and a summary for each scorer")
    .argument("<entity/project>", "the project")
    .argument(
      "[evaluations...]",
      "names or ids (default: the latest three); or one file with the JSON body of a query, - for the standard input",
    )
    .option(
      "--where <expression>",
      "only rows that meet it, as in 'inputs.category = \"math\" and scores.quality < 0.5'; may be given again",
      collected,
      [],
    )
    .option(
      "--sort <keys>",
      "what comes first, as in Δcorrect or 'diff(correct), inputs.level desc'; may be given again (default: what differs most)",
      collected,
      [],
    )
    .addOption(wholeNumber("--limit <rows>", "rows that are shown (default: 20)"))
    .addOption(wholeNumber("--offset <rows>", "rows before the first that is shown"))
    .option(
      "--include-costs",
      "say what the model's calls cost, of models that have a price in the file of settings",
      false,
    )
    .option("--explain", "print the query as JSON, and ask nothing", false)
    .addOption(common.allowMissing("answer with nothing where an evaluation or a field is not there"))
    .addOption(
      new Option(
        "--format <format>",
        "how to print (default: a table on a terminal, else JSON); csv, parquet and jsonl are flat, one line for each trial of all rows",
      ).choices(["json", "table", ...TABLE_FORMATS]),
    )
    .option("--output <file>", "with csv, parquet and jsonl: file to write, there once it is whole")
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
A condition that begins with the name of an evaluation is about that one alone. How conditions are written:
docs/reference/query-text.md.

Examples:
  assay query acme/demo
  assay query acme/demo gpt-a gpt-b --sort Δcorrect --where 'inputs.category = "math" and scores.quality < 0.5'
  assay query acme/demo gpt-a gpt-b --where 'gpt-a: scores.correct' --where 'gpt-b: not scores.correct'
  assay query acme/demo gpt-a gpt-b --where 'scores.correct = false' --format csv --output failures.csv
  assay query acme/demo gpt-a gpt-b --include-costs
  assay query acme/demo body.json --format table
  echo '{"evaluation_call_ids": ["ID"], "include_summary": true}' | assay query acme/demo - | jq .summary
${EXIT_CODES}`,
    )
    .action(async (project: string, given: readonly string[], flags: QueryFlags) => {
      const { queryCommand } = await import("../commands/query.ts");
      const { where, sort, limit, offset, configuration, ...rest } = flags;
      const body = bodyFile(
        given,
        [...where, ...sort].length > 0 || limit !== undefined || offset !== undefined,
      );
      const evaluations = body === undefined ? given : [];
      const words = { evaluations, where, sort, limit, offset };
      ended(
        await queryCommand(world, {
          ...{ store: undefined, format: undefined, output: undefined, apiKey: undefined },
          ...rest,
          ...{ project, body, words, prices: configuration?.prices },
        }),
      );
    });
}

/** Adds the command that shows one row. */
export function addShowCommand(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  assay
    .command("show")
    .description("show one row whole: its fields, and side by side outputs, scores, reasons and errors")
    .argument("<entity/project>", "the project")
    .argument("<row>", "the row's digest, the beginning of it, or a condition, as in 'inputs.id = \"q1\"'")
    .argument("[evaluations...]", "names or ids (default: the latest three that have the row)")
    .addOption(common.format())
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Examples:
  assay show acme/demo 7QxF
  assay show acme/demo 'inputs.question contains "Peru"' gpt-a gpt-b
${EXIT_CODES}`,
    )
    .action(async (project: string, row: string, evaluations: readonly string[], flags: ShowFlags) => {
      const { showCommand } = await import("../commands/show.ts");
      const { data, store, apiKey, format } = flags;
      ended(await showCommand(world, { project, row, evaluations, data, store, apiKey, format }));
    });
}

interface ShowFlags extends Pick<QueryFlags, "data" | "store" | "apiKey"> {
  readonly format?: "json" | "table";
}

/** The file with the body of a query, when that is what was given: a file that is there, or is called like one. */
function bodyFile(given: readonly string[], asked: boolean): string | undefined {
  const [only = "", ...more] = given;
  if (more.length > 0 || !(only === "-" || only.endsWith(".json") || existsSync(only))) return undefined;
  if (!asked) return only;
  throw new Failure(
    EXIT.usage,
    `${only} is a query already: --where, --sort, --limit and --offset go with names of evaluations`,
  );
}
