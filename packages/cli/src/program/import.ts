// The command that brings data in: import.

import {
  IMPORT_KINDS,
  type PassRule,
  readPassRule,
  SCORE_TYPES,
  type ScoreType,
} from "@assay/importers/options";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { World } from "../world.ts";
import { type CommonOptions, collected, type Ended, EXIT_CODES } from "./options.ts";

interface ImportFlags {
  readonly rows: readonly string[];
  readonly from?: string;
  readonly evaluation?: string;
  readonly rowKey?: string;
  readonly score?: readonly string[];
  readonly output?: string;
  readonly pass: readonly PassRule[];
  readonly as: ReadonlyMap<string, ScoreType>;
  readonly replace: boolean;
  readonly projectPerDataset: boolean;
  readonly dryRun: boolean;
  readonly allowMissing: boolean;
  readonly data: string;
  readonly apiKey?: string;
  readonly store?: string;
}

/** Adds it to the command line. */
export function addImportCommand(assay: Command, world: World, common: CommonOptions, ended: Ended): void {
  const kinds = IMPORT_KINDS.map(({ name }) => name);
  assay
    .command("import")
    .description("bring evaluations into a project: logs of other tools, tables, or calls and dataset rows")
    .argument("<entity/project>", "the project, as in acme/demo")
    .argument(
      "[files...]",
      "files of any kind that is known, gzipped or not, and folders of them; - is the standard input",
    )
    .addOption(
      new Option("--from <kind>", "what the files are (default: found out from their content)").choices(
        kinds,
      ),
    )
    .option("--dry-run", "say what would be imported, and write nothing", false)
    .option("--evaluation <column>", "of a table: the column that says which evaluation a record belongs to")
    .option(
      "--row-key <field>",
      "the column or field that tells rows apart, in all files (default: as the kind has it)",
    )
    .option("--score <names>", "the scores to take, separated by commas; of a table, the columns", namesOf)
    .option("--output <column>", "of a table: the column that holds the answer")
    .option(
      "--pass <rule>",
      'when a number or a text passes, as in "quality>=0.5" or "label==good"; may be given again',
      passRule,
      [],
    )
    .option(
      "--as <score=type>",
      `what a score is where its values leave it open: ${SCORE_TYPES.join(", ")}; may be given again`,
      scoreType,
      new Map(),
    )
    .option("--replace", "put this in the place of earlier imports of the same runs", false)
    .option("--project-per-dataset", "a project for each dataset, in the same entity", false)
    .option(
      "--rows <file>",
      'dataset rows for calls, {"digest", "val"} on each line; may be given again',
      collected,
      [],
    )
    .addOption(common.allowMissing("take calls that are part of no evaluation"))
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Kinds:
${IMPORT_KINDS.map(({ name, title }) => `  ${name.padEnd(13)} ${title}`).join("\n")}

The same file again changes nothing. A file that breaks off, or is broken, is named, and nothing of its evaluations is
there. Of lines of calls (weave), a bad line is named and left out; when no line is part of an evaluation, the calls are
in, and the exit code is 2.

Examples:
  assay import acme/demo logs/
  assay import acme/demo answers.csv --row-key question_id --pass "score>=0.5"
  assay import acme/demo calls.jsonl.gz --rows rows.jsonl.gz
${EXIT_CODES}`,
    )
    .action(async (project: string, files: string[], options: ImportFlags, command: Command) => {
      if (files.length === 0 && options.rows.length === 0) {
        command.error("assay: give at least one file to import");
      }
      const { importCommand } = await import("../commands/import.ts");
      const { from, evaluation, rowKey, score, output, apiKey, store } = options;
      const where = (["data", "store"] as const).flatMap((name) =>
        command.getOptionValueSource(name) === "cli" ? [` --${name} ${options[name]}`] : [],
      );
      ended(
        await importCommand(world, {
          ...options,
          ...{ project, files, from, evaluation, rowKey, score, output, apiKey, store },
          where: where.join(""),
        }),
      );
    });
}

function namesOf(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim());
}

function scoreType(text: string, before: ReadonlyMap<string, ScoreType>): ReadonlyMap<string, ScoreType> {
  const at = text.lastIndexOf("=");
  const type = SCORE_TYPES.find((one) => one === text.slice(at + 1).trim());
  if (at < 1 || type === undefined)
    throw new InvalidArgumentError(
      `${JSON.stringify(text)} does not say what a score is; write SCORE=TYPE, with one of ${SCORE_TYPES.join(", ")}`,
    );
  return new Map([...before, [text.slice(0, at).trim(), type]]);
}

function passRule(text: string, before: readonly PassRule[]): readonly PassRule[] {
  const rule = readPassRule(text);
  if (!rule.ok) throw new InvalidArgumentError(rule.issues[0]!.message);
  return [...before, rule.value];
}
