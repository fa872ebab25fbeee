// Options for reading files, for commands that read some.

import {
  IMPORT_KINDS,
  type PassRule,
  readPassRule,
  SCORE_TYPES,
  type ScoreType,
} from "@assay/importers/options";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ReadingOptions } from "../import/import-plan.ts";

/** The heading of these options in commands that have others. */
export const READING = "Options for files:";

/** The options, as parsed from the command line. */
export interface ReadingFlags {
  readonly from?: string;
  readonly evaluation?: string;
  readonly rowKey?: string;
  readonly score?: readonly string[];
  readonly pass?: readonly PassRule[];
  readonly as?: ReadonlyMap<string, ScoreType>;
}

/** Adds them to a command, with a heading if it has other options too. */
export function addReadingOptions(command: Command, heading?: string): Command {
  const kinds = IMPORT_KINDS.map(({ name }) => name);
  const options = [
    new Option("--from <kind>", "format of the files (default: detected from content)").choices(kinds),
    new Option(
      "--evaluation <column>",
      "for tables: the column that names a record's evaluation, or, if each evaluation has its own column, these columns: a,b",
    ),
    new Option(
      "--row-key <field>",
      "the column or field that identifies a row, in all files (default: depends on the format)",
    ),
    new Option(
      "--score <names>",
      "the scores to read, separated by commas; for tables, their columns",
    ).argParser(namesOf),
    new Option(
      "--pass <rule>",
      'when a number or a text passes, such as "quality>=0.5" or "label==good"; can be repeated',
    ).argParser(passRule),
    new Option(
      "--as <score=type>",
      `type of a score whose values are ambiguous: ${SCORE_TYPES.join(", ")}; can be repeated`,
    ).argParser(scoreType),
  ];
  for (const option of options) command.addOption(heading === undefined ? option : option.helpGroup(heading));
  return command;
}

/** The reading options from the flags of a command. */
export function readingOptionsOf({
  from,
  evaluation,
  rowKey,
  score,
  pass = [],
  as = new Map(),
}: ReadingFlags): ReadingOptions {
  return { from, evaluation, rowKey, score, pass, as };
}

/** Names separated by commas, after those of earlier uses of the option. */
function namesOf(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((name) => name.trim())];
}

function scoreType(
  text: string,
  before: ReadonlyMap<string, ScoreType> = new Map(),
): ReadonlyMap<string, ScoreType> {
  const at = text.lastIndexOf("=");
  const type = SCORE_TYPES.find((one) => one === text.slice(at + 1).trim());
  if (at < 1 || type === undefined)
    throw new InvalidArgumentError(
      `${JSON.stringify(text)} does not say what a score is; write SCORE=TYPE, with one of ${SCORE_TYPES.join(", ")}`,
    );
  return new Map([...before, [text.slice(0, at).trim(), type]]);
}

function passRule(text: string, before: readonly PassRule[] = []): readonly PassRule[] {
  const rule = readPassRule(text, before);
  if (!rule.ok) throw new InvalidArgumentError(rule.issues[0]!.message);
  return [...before.filter((one) => one.text !== rule.value.text), rule.value];
}
