// The import command.

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
    .description("import evaluations: logs of other tools, tables, or calls and dataset rows")
    .argument("<entity/project>", "the project, such as acme/demo")
    .argument(
      "[files...]",
      "files of any known kind, gzipped or not, or folders of them; - is standard input",
    )
    .addOption(
      new Option("--from <kind>", "format of the files (default: detected from content)").choices(kinds),
    )
    .option("--dry-run", "show what would be imported, without importing it", false)
    .option("--evaluation <column>", "for tables: the column that names a record's evaluation")
    .option(
      "--row-key <field>",
      "the column or field that identifies a row, in all files (default: depends on the kind)",
    )
    .option(
      "--score <names>",
      "the scores to import, separated by commas; for tables, their columns",
      namesOf,
    )
    .option("--output <column>", "for tables: the column with the answer")
    .option(
      "--pass <rule>",
      'when a number or a text passes, such as "quality>=0.5" or "label==good"; can be repeated',
      passRule,
      [],
    )
    .option(
      "--as <score=type>",
      `type of a score whose values are ambiguous: ${SCORE_TYPES.join(", ")}; can be repeated`,
      scoreType,
      new Map(),
    )
    .option("--replace", "replace earlier imports of the same runs", false)
    .option(
      "--project-per-dataset",
      "import each dataset into a project of its own, in the same entity",
      false,
    )
    .option(
      "--rows <file>",
      'dataset rows of calls, one {"digest", "val"} per line; can be repeated',
      collected,
      [],
    )
    .addOption(common.allowMissing("also import calls outside evaluations"))
    .addOption(common.data())
    .addOption(common.store())
    .addOption(common.serverKey())
    .addHelpText(
      "after",
      `
Kinds:
${IMPORT_KINDS.map(({ name, title }) => `  ${name.padEnd(13)} ${title}`).join("\n")}

Importing a file again changes nothing. If a file is broken or truncated, the command names it and imports none of its
evaluations. In files of calls (weave), bad lines are named and skipped; if no line belongs to an evaluation, the calls are
imported and the exit code is 2.

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

/** Names between commas, after those of the same option before. */
function namesOf(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((name) => name.trim())];
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
