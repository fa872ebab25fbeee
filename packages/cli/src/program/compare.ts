// The command that compares evaluations.

import { type Command, Option } from "commander";
import { GATES, type Gate } from "../compare/gate.ts";
import { EXIT, Failure } from "../failure.ts";
import type { World } from "../world.ts";
import type { CommonOptions, Ended } from "./options.ts";

interface CompareFlags {
  readonly measure?: readonly string[];
  readonly lower?: readonly string[];
  readonly higher?: readonly string[];
  readonly where?: string;
  readonly margin?: number;
  readonly level?: number;
  readonly clusterBy?: string;
  readonly missing?: "exclude" | "fail";
  readonly reduce?: string;
  readonly anytime?: boolean;
  readonly interval?: "auto" | "bootstrap";
  readonly slices?: true | readonly string[];
  readonly depth?: "1" | "2";
  readonly ranking?: boolean;
  readonly format?: "json" | "table" | "markdown" | "junit";
  readonly output?: string;
  readonly failOn?: Gate;
  readonly data: string;
  readonly store?: string;
  readonly apiKey?: string;
}

/** Adds it to the command line. */
export function addCompareCommand(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  assay
    .command("compare")
    .description("did it get better, and can that be trusted: intervals, tests and a verdict in words")
    .argument("<entity/project>", "the project")
    .argument(
      "[evaluations...]",
      "the baseline and its candidates, by name or id (default: the newest against the one before it on the same dataset)",
    )
    .option("--measure <field...>", "scores that are asked about, as the table calls them (default: all)")
    .option("--lower <field...>", "scores of which less is better; assay scores keeps it with the project")
    .option("--higher <field...>", "scores of which more is better")
    .option("--where <expression>", "only rows that meet it, as in 'inputs.category = \"law\"'")
    .addOption(number("--margin <difference>", "the smallest difference that matters; 0.01 is one point"))
    .addOption(number("--level <confidence>", "confidence of intervals (default: 0.95)"))
    .option(
      "--cluster-by <field>",
      "rows that are alike in this field count as one source, as in inputs.document",
    )
    .addOption(
      new Option(
        "--missing <how>",
        "what a row without a score counts: nothing (exclude, the default) or as failed (fail)",
      ).choices(["exclude", "fail"]),
    )
    .option(
      "--reduce <how>",
      "a row's trials as one value: mean (default), any, all, majority, median, pass@k …",
    )
    .option("--anytime", "intervals that hold however often one looks; on by itself while one is running")
    .addOption(
      new Option("--interval <kind>", "bootstrap: by resampling rows").choices(["auto", "bootstrap"]),
    )
    .option(
      "--slices [field...]",
      "where it got better or worse: by these fields of the row, or by all that divide it",
    )
    .addOption(new Option("--depth <n>", "with --slices: 2 looks at pairs of fields too").choices(["1", "2"]))
    .option("--ranking", "which of many is best, with the places that each may have")
    .addOption(
      new Option("--format <format>", "how to print (default: a table on a terminal, else JSON)").choices([
        "table",
        "json",
        "markdown",
        "junit",
      ]),
    )
    .option("--output <file>", "file to write, there once it is whole; the verdict is printed all the same")
    .addOption(
      new Option("--fail-on <verdict>", "end with 1 on such a verdict, or a worse one").choices(GATES),
    )
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Options that take several values come after the evaluations.

Examples:
  assay compare acme/demo
  assay compare acme/demo gpt-a gpt-b --measure correct --margin 0.01
  assay compare acme/demo gpt-a gpt-b --where 'inputs.category = "law" and inputs.level >= 3'
  assay compare acme/demo gpt-a gpt-b --slices inputs.category
  assay compare acme/demo --ranking --measure correct
  assay compare acme/demo main branch --fail-on regressed --format markdown --output comment.md

Exit codes:
  ${EXIT.ok}  compared; with --fail-on, the gate is open
  ${EXIT.failed}  the gate closed: regressed stops what got worse, inconclusive also what is not settled,
     not_better all but what got better; or a file, the store or a server failed
  ${EXIT.usage}  the command makes no sense as given, or names what is not there`,
    )
    .action(async (project: string, evaluations: readonly string[], flags: CompareFlags) => {
      const { compareCommand } = await import("../commands/compare.ts");
      const { slices, depth } = flags;
      ended(
        await compareCommand(world, {
          project,
          evaluations,
          measures: flags.measure ?? [],
          lower: flags.lower ?? [],
          higher: flags.higher ?? [],
          where: flags.where,
          margin: flags.margin,
          level: flags.level,
          clusterBy: flags.clusterBy,
          missing: flags.missing,
          reduce: flags.reduce,
          anytime: flags.anytime ?? false,
          interval: flags.interval,
          slices: slices === true ? [] : slices,
          depth: depth === undefined ? undefined : depth === "1" ? 1 : 2,
          ranking: flags.ranking ?? false,
          format: flags.format,
          output: flags.output,
          failOn: flags.failOn,
          data: flags.data,
          store: flags.store,
          apiKey: flags.apiKey,
        }),
      );
    });
}

/** An option whose value is a number. What the number may be, the engine says. */
function number(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value)) return value;
    throw new Failure(
      EXIT.usage,
      `${JSON.stringify(text)} is no number; ${flags.split(" ")[0]} takes one like 0.01`,
    );
  });
}
