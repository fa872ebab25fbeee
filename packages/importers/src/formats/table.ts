// Reads tables of any origin: CSV, TSV, XLSX, Parquet, JSON, JSON lines and YAML; with a record for each question, model
// and trial, columns for each model, or results within each question.

import { shellWord } from "@assay/base/internal";
import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { lostNote } from "../tables/cells/lost-object.ts";
import { type ColumnProfile, isMeasure } from "../tables/columns/column-profile.ts";
import { isCost, isMilliseconds, isPreference, roleOf } from "../tables/columns/column-roles.ts";
import type { DerivedScore } from "../tables/columns/derived-score.ts";
import { isSplit, type NamedAnswer, SPLIT_NAMES } from "../tables/columns/table-layout.ts";
import { isRunName } from "../tables/columns/wide-groups.ts";
import { encodedTable } from "../tables/encoded-table.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { parquetColumns } from "../tables/parquet/parquet-records.ts";
import { recordsOf } from "../tables/records.ts";
import type { RefinedLayout } from "../tables/refined-layout.ts";
import { scoredLayout } from "../tables/scored-layout.ts";
import { recordNames } from "../tables/shapes/json-shapes.ts";
import { hasResults } from "../tables/shapes/record-roles.ts";
import { tableTrials } from "../tables/table-trials.ts";
import { exportedTrials, isExport } from "./exported-trials.ts";
import type { Importer } from "./importer.ts";

/** A table. */
export const table: Importer = {
  name: "table",
  title: "table (CSV, TSV, XLSX, Parquet, JSON, JSON lines, YAML)",
  isTabular: true,
  recognises(head: FileHead) {
    const { fileType, keys } = head;
    if (fileType === "parquet") return true;
    if (fileType === "json" && keys.has("columns") && keys.has("data")) return true;
    if (fileType === "table") return isExport(keys) || hasResults([...keys]);
    if (fileType === "json-lines") {
      const own = [...keys].filter((key) => !key.includes("."));
      return isExport(own) || hasResults(own) || hasResults([...keys]);
    }
    // A table with only questions and answers may be a dataset; one with a model's answer or a score is not.
    return fileType === "json" && recordNames(keys).some(hasResults);
  },
  async *read([file], options) {
    if (await isExported(file!)) {
      yield* exportedTrials(file!);
      return;
    }
    const encoded = await encodedTable(file!);
    const { profiles, comments, unread } = encoded;
    const layout = await scoredLayout(encoded, options);
    yield { kind: "note", note: `${file!.path}: ${layoutNote(layout, profiles)}` };
    if (comments > 0)
      yield {
        kind: "note",
        note: `${file!.path}: ${comments === 1 ? "a line" : `${comments} lines`} before the table skipped`,
      };
    const lost = new Map(profiles.flatMap((one) => (one.lost > 0 ? [[one.name, one.lost]] : [])));
    const note = lostNote(lost, "write such values as JSON");
    if (note !== undefined) yield { kind: "note", note: `${file!.path}: ${note}` };
    if (unread.length > 0)
      yield {
        kind: "note",
        note: `${file!.path}: left out, since their type cannot be read: ${unread.join(", ")}`,
      };
    yield* tableTrials(file!, { encoded, layout, options });
  },
};

/**
 * This importer if a file of unknown format is a table after all, with a measurement after the answer; otherwise the
 * reason why the table is incomplete. Undefined if it is not a table.
 */
export async function detectTable(
  file: ImportFile,
  head: FileHead,
): Promise<Importer | { readonly reason: string } | undefined> {
  const { fileType, keys, text } = head;
  const isTabular = fileType === "table" || fileType === "json-lines" || fileType === "yaml";
  if (!isTabular && !(fileType === "json" && mayHaveRecords(keys, text))) return undefined;
  try {
    const encoded = await encodedTable(file);
    const { profiles } = encoded;
    if (profiles.length < 2) return undefined;
    const { answers, key, derived, others } = await scoredLayout(encoded, {});
    if (derived !== undefined || answers.some(({ columns: own }) => own.scores.size > 0)) return table;
    const [{ columns: own }] = answers as [NamedAnswer];
    const names = profiles.map(({ name }) => name);
    const seen = `a table with columns ${names.join(", ")}: rows by ${key.join(", ")}, answers in ${own.output}`;
    const preferred = profiles.find(({ name }) => isPreference(name));
    if (preferred !== undefined)
      return {
        reason: `${seen}, and ${preferred.name} says which of several is better: write the names of their columns there, or tie`,
      };
    const beside = profiles.slice(names.indexOf(own.output ?? "") + 1);
    const measured =
      profiles.find((one) => own.facts.includes(one.name) && isMeasure(one)) ??
      beside.find((one) => others.includes(one.name) && isVerdictOfFew(one));
    const asScore =
      measured === undefined ? "" : `--score ${shellWord(measured.name)} makes it a score, and `;
    const way = isSplit(names) ? SPLIT_NAMES : `${asScore}--from table imports the answers`;
    return { reason: `${seen}, and nothing scores them; ${way}` };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    // Any text may look like YAML.
    const isNamed = fileType !== "yaml" || /\.ya?ml$/i.test(file.path);
    const isTable =
      error.why === "asked" || (isNamed && [...keys].some((name) => roleOf(name) !== undefined));
    return isTable ? { reason: error.message } : undefined;
  }
}

/** Whether a column has few short texts, as verdicts are. */
function isVerdictOfFew({ nested, filled, distinct, longest }: ColumnProfile): boolean {
  return nested === 0 && filled > 0 && distinct <= 10 && longest <= 40;
}

/** Whether a JSON document may have records: objects in a list, lists, or members with names of models or results. */
function mayHaveRecords(keys: ReadonlySet<string>, text: string): boolean {
  const isTelling = (name: string) =>
    name === "*" || isRunName(name) || ["output", "score", "metric"].includes(roleOf(name)?.role ?? "");
  return /\[\s*\[/.test(text) || [...keys].some((key) => key.split(".").some(isTelling));
}

/** Whether the first record of a table has the columns of an export. */
async function isExported(file: ImportFile): Promise<boolean> {
  if ((await fileHead(file)).fileType === "parquet") return isExport((await parquetColumns(file)).names);
  const { records } = await recordsOf(file, "numbers");
  const first = await records.next();
  await records.return(undefined);
  return first.done !== true && isExport(Object.keys(first.value[0]!));
}

/** Names of columns with the kind of a score: if it differs between rows, a mean over them has no meaning. */
const MIXED = /^(?:metric|scorer)(?:[ _]?name)?$/i;

function derivedNote({ name, column }: DerivedScore): string {
  return name === "win"
    ? `scores in ${name}: 1 for the answer that ${column} names, 0.5 for a tie`
    : `scores in ${name}: no column has any, so answers are compared with ${column}`;
}

/** The note about columns that are scores although their names do not show it. `named`: other scores. */
function guessedNote(guessed: readonly string[], named: readonly string[]): string {
  const without = named.length === 0 ? "" : ` (--score ${shellWord(named.join(","))} leaves them out)`;
  return `columns beside the answer taken as scores${without}: ${guessed.join(", ")}`;
}

/** A sentence on how the columns were understood, for the user to check. */
function layoutNote(layout: RefinedLayout, all: readonly ColumnProfile[]): string {
  const { key, evaluation, metrics, ofMetrics, answers, trial, dropped, others, derived } = layout;
  const [{ columns, model, repetition }] = answers as [NamedAnswer];
  const by = (name: string | undefined) => (name === undefined ? [] : [name]);
  const listed = (names: readonly string[]) => names.join(", ");
  const ends = answers.map((one) => one.model ?? one.repetition);
  const scored = metrics.length > 0 ? `a score for each ${metrics.join(" and ")},` : "scores";
  const measured = new Set(all.filter((one) => isMeasure(one) && !one.isIndex).map(({ name }) => name));
  const isGuessed = ([column, name]: readonly [string, string]) =>
    metrics.length === 0 && measured.has(column) && (roleOf(column) ?? roleOf(name)) === undefined;
  const guessed = [...columns.scores].filter(isGuessed).map(([column]) => column);
  const named = [...columns.scores.keys()].filter((column) => !guessed.includes(column));
  const costs = columns.facts.filter(isCost);
  const filled = new Set(all.filter((column) => column.filled > 0).map(({ name }) => name));
  const left = [...columns.facts.filter((name) => !costs.includes(name)), ...others].filter(
    (name) => filled.has(name) && !ofMetrics.includes(name),
  );
  const unscored = left.filter((name) => measured.has(name));
  const mixed = all.filter(
    ({ name, distinct }) =>
      MIXED.test(name) && distinct > 1 && others.includes(name) && columns.scores.size > 0,
  );
  const parts = [
    `rows by ${listed(key)}`,
    ...(model === undefined ? [] : [`columns for each of ${ends.join(", ")}`]),
    ...(repetition === undefined ? [] : [`columns for each trial: ${ends.join(", ")}`]),
    ...(evaluation.length > 0 ? [`an evaluation for each ${evaluation.join(" and ")}`] : []),
    ...by(columns.output).map((name) => `answers in ${name}`),
    ...(named.length > 0 ? [`${scored} in ${listed(named)}`] : []),
    ...(guessed.length > 0 ? [guessedNote(guessed, model === undefined ? named : [])] : []),
    ...(derived === undefined ? [] : [derivedNote(derived)]),
    ...mixed.map(
      ({ name, distinct }) =>
        `each row has one ${name}, so a mean mixes ${distinct} of them: use a column for each to keep them apart`,
    ),
    ...by(columns.latency).map((name) => `latency in ${name}${isMilliseconds(name) ? " (ms)" : " (s)"}`),
    ...(columns.tokens.length > 0 ? [`tokens in ${columns.tokens.join(" and ")}`] : []),
    ...by(columns.error).map((name) => `errors in ${name}`),
    ...by(trial).map((name) => `trials in ${name}`),
    ...(costs.length > 0 ? [`kept as facts (lower is better): ${listed(costs)}`] : []),
    ...(dropped.length > 0
      ? [`different in each evaluation, so not part of the row: ${listed(dropped)}`]
      : []),
    ...(ofMetrics.length > 0
      ? [`different for each score of an answer, so left out: ${listed(ofMetrics)}`]
      : []),
    ...(left.length > 0 ? [`also kept: ${listed(left)}`] : []),
    ...(unscored.length > 0 || costs.length > 0
      ? [`--score ${shellWord([...unscored, ...costs][0]!)} makes it a score`]
      : []),
  ];
  return parts.join("; ");
}
