// The import command.

import { existsSync } from "node:fs";
import { shellWord } from "@assay/base/internal";
import { IMPORT_KINDS } from "@assay/importers/options";
import type { Command } from "commander";
import { collected, EXIT_CODES, type ProgramParts } from "../options/common-options.ts";
import { addReadingOptions, type ReadingFlags, readingOptionsOf } from "../options/reading-options.ts";

interface ImportFlags extends ReadingFlags {
  readonly rows: readonly string[];
  readonly output?: string;
  readonly replace: boolean;
  readonly projectPerDataset: boolean;
  readonly dryRun: boolean;
  readonly allowMissing: boolean;
  readonly data: string;
  readonly apiKey?: string;
  readonly store?: string;
}

/** Adds the command to the command line. */
export function addImportCommand({ assay, context, common, ended }: ProgramParts): void {
  const command = assay
    .command("import")
    .description("import evaluations: logs of other tools, tables, or calls and dataset rows")
    .argument("<entity/project>", "the project, such as acme/demo")
    .argument(
      "[files...]",
      "files in any of the formats below, gzipped or not, or folders of them; - is standard input",
    );
  addReadingOptions(command)
    .option("--output <column>", "for tables: the column with the answer")
    .option("--dry-run", "show what would be imported, without importing it", false)
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
Formats:
${IMPORT_KINDS.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join("\n")}

Importing a file again changes nothing. If a file is broken or truncated, the command names it and
imports none of its evaluations. In files of calls (weave), bad lines are named and skipped; if no
line belongs to an evaluation, the calls are imported and the exit code is 2.
docs/reference/import-formats.md says what is read from each format.

Examples:
  assay import acme/demo logs/
  assay import acme/demo answers.csv --row-key question_id --pass "score>=0.5"
  assay import acme/demo calls.jsonl.gz --rows rows.jsonl.gz
${EXIT_CODES}`,
    )
    .action(async (project: string, files: string[], options: ImportFlags, command: Command) => {
      const { isFile } = await import("../data/file-data.ts");
      if (isFile(project) || (files.length === 0 && existsSync(project))) {
        const all = [project, ...files].map(shellWord).join(" ");
        command.error(
          `assay: ${project} is a file or folder, and the first argument is the project to import into: assay import acme/demo ${all}`,
        );
      }
      if (files.length === 0 && options.rows.length === 0) {
        command.error("assay: give at least one file to import");
      }
      const { importCommand } = await import("../commands/data/import.ts");
      const { output, apiKey, store } = options;
      const where = (["data", "store"] as const).flatMap((name) =>
        command.getOptionValueSource(name) === "cli"
          ? [` --${name} ${shellWord(String(options[name]))}`]
          : [],
      );
      ended(
        await importCommand(context, {
          ...options,
          ...readingOptionsOf(options),
          ...{ project, files, output, apiKey, store },
          where: where.join(""),
        }),
      );
    });
}
