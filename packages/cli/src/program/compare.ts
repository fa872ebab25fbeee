// The command that compares evaluations.

import { Option } from "commander";
import type { CompareOptions } from "../commands/results/compare.ts";
import { anyNumber, collected, type ProgramParts, SOURCE } from "../options/common-options.ts";
import {
  addReadingOptions,
  READING,
  type ReadingFlags,
  readingOptionsOf,
} from "../options/reading-options.ts";
import { GATES } from "../report/gate.ts";
import { EXIT } from "../terminal/failure.ts";

type Parsed = "project" | "evaluations" | "reading" | "measures" | "lower" | "higher" | "slices" | "depth";

interface CompareFlags extends ReadingFlags, Omit<CompareOptions, Parsed> {
  readonly measure?: readonly string[];
  readonly lower?: readonly string[];
  readonly higher?: readonly string[];
  readonly slices?: true | readonly string[];
  readonly depth?: "1" | "2";
}

/** Adds its command to the command line. */
export function addCompareCommand({ assay, context, common, ended }: ProgramParts): void {
  const command = assay
    .command("compare")
    .description("compare evaluations: a verdict for each score, with confidence intervals and tests")
    .argument("<project or file>", SOURCE)
    .argument(
      "[evaluations...]",
      "the baseline, then its candidates, by name or id (default: the newest, against the one before it on the same dataset; of several files, all others, against the first)",
    )
    .option("--measure <field...>", "measures to compare, as the table names them (default: all scores)")
    .option("--lower <field...>", "measures where lower is better; assay scores saves this for the project")
    .option("--higher <field...>", "measures where higher is better")
    .option(
      "--where <expression>",
      "only matching rows, such as 'inputs.category = \"law\"'; can be repeated",
      collected,
      [],
    )
    .addOption(anyNumber("--margin <difference>", "the smallest difference that matters; 0.01 is one point"))
    .addOption(anyNumber("--level <confidence>", "confidence level of intervals (default: 0.95)"))
    .option(
      "--cluster-by <field>",
      "rows that share this field depend on each other, such as inputs.document",
    )
    .addOption(
      new Option(
        "--missing <how>",
        "how an unscored row counts: not at all (exclude, the default) or as failed (fail)",
      ).choices(["exclude", "fail"]),
    )
    .option(
      "--reduce <how>",
      "how a row's trials become one value: mean (default), any, all, majority, median, pass@k …",
    )
    .option(
      "--anytime",
      "intervals that stay valid however often you look; on by default while an evaluation runs",
    )
    .option("--no-anytime", "ordinary intervals for evaluations that were interrupted and never ended")
    .addOption(
      new Option("--interval <kind>", "how intervals are computed; bootstrap resamples rows").choices([
        "auto",
        "bootstrap",
      ]),
    )
    .option(
      "--slices [field...]",
      "show where it got better or worse, by these row fields (default: all fields that divide the rows)",
    )
    .addOption(new Option("--depth <n>", "with --slices: 2 also tests pairs of fields").choices(["1", "2"]))
    .option("--ranking", "rank the evaluations, with the range of places each may have", false)
    .addOption(
      new Option("--format <format>", "output format (default: table on a terminal, otherwise JSON)").choices(
        ["table", "json", "markdown", "junit"],
      ),
    )
    .option(
      "--output <file>",
      "write the report to this file (only when complete); the verdict is still printed",
    )
    .addOption(new Option("--fail-on <verdict>", "exit with 1 on this verdict or a worse one").choices(GATES))
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey());
  addReadingOptions(command, READING)
    .addHelpText(
      "after",
      `
Put options that take several values after the evaluations. A condition that starts with the
name of an evaluation applies only to that one.

Examples:
  assay compare answers.csv
  assay compare before.json after.json --fail-on regressed
  assay compare acme/demo
  assay compare acme/demo gpt-a gpt-b --measure correct --margin 0.01
  assay compare acme/demo gpt-a gpt-b --where 'inputs.category = "law" and inputs.level >= 3'
  assay compare acme/demo gpt-a gpt-b --slices inputs.category
  assay compare acme/demo --ranking --measure correct
  assay compare acme/demo main branch --fail-on regressed --format markdown --output comment.md

Exit codes:
  ${EXIT.ok}  compared; with --fail-on, the gate passes
  ${EXIT.failed}  the gate fails, or a file, the store or a server failed
  ${EXIT.usage}  invalid usage, or something was not found

With --fail-on, the gate fails if no measure can be judged, or if a measure has this verdict:
  regressed     regressed
  inconclusive  regressed or inconclusive
  not_better    any except improved`,
    )
    .action(async (project: string, evaluations: readonly string[], flags: CompareFlags) => {
      const { compareCommand } = await import("../commands/results/compare.ts");
      const { measure: measures = [], lower = [], higher = [], slices, depth, ...options } = flags;
      ended(
        await compareCommand(context, {
          ...options,
          ...{ project, evaluations, measures, lower, higher },
          slices: slices === true ? [] : slices,
          depth: depth === undefined ? undefined : depth === "1" ? 1 : 2,
          reading: readingOptionsOf(flags),
        }),
      );
    });
}
