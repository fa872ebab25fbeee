// Reads tables of any origin: CSV, TSV, Parquet, JSON and JSON lines; with a record for each question, model and trial,
// or columns for each model.

import { type FileHead, fileHead } from "../file-head.ts";
import type { ImportFile } from "../import-file.ts";
import type { Importer } from "../importer.ts";
import { cellTrials } from "../tables/cell-trials.ts";
import { type CodedTable, codedTable } from "../tables/coded-table.ts";
import { isCost, isMilliseconds } from "../tables/column-roles.ts";
import { isTelling, recordNames } from "../tables/json-shapes.ts";
import { type KnownTable, knownTable } from "../tables/known-table.ts";
import { parquetNames } from "../tables/parquet-records.ts";
import { isUnnamed, recordsOf } from "../tables/records.ts";
import { type Column, isMeasure } from "../tables/table-columns.ts";
import { type NamedAnswer, tableLayout } from "../tables/table-layout.ts";
import { NotInFile, Unreadable } from "../unreadable.ts";
import { exportedTrials, isExport } from "./exported-trials.ts";

/** A table. */
export const table: Importer = {
  name: "table",
  title: "table (CSV, TSV, Parquet, JSON, JSON lines)",
  recognises(head: FileHead) {
    const { format, keys } = head;
    if (format === "parquet") return true;
    if (format === "json" && keys.has("columns") && keys.has("data")) return true;
    if (format === "table") return isExport(keys) || isTelling([...keys]);
    if (format === "json-lines") {
      const own = [...keys].filter((key) => !key.includes("."));
      return isExport(own) || isTelling(own) || isTelling([...keys]);
    }
    // A table with only questions and answers may be a dataset; one with a model's answer or a score is not.
    return format === "json" && recordNames(head).some(isTelling);
  },
  async *read([file], options) {
    if (await isExported(file!)) {
      yield* exportedTrials(file!);
      return;
    }
    const coded = await codedTable(file!);
    const columns = columnsOfTable(coded);
    const layout = knownTable(coded, tableLayout(columns, coded.records, options), options);
    yield { kind: "note", note: `${file!.path}: ${saidOf(layout, columns)}` };
    const { comments } = coded;
    if (comments > 0)
      yield {
        kind: "note",
        note: `${file!.path}: ${comments === 1 ? "a line" : `${comments} lines`} of comment before the table skipped`,
      };
    yield* cellTrials(file!, { coded, layout, options }, coded.cells());
  },
};

/** What is wrong with a file that is a table of an unknown kind; undefined if it is not a table. */
export async function tableFault(file: ImportFile, { format }: FileHead): Promise<string | undefined> {
  if (format !== "table" && format !== "json-lines") return undefined;
  try {
    const coded = await codedTable(file);
    const columns = columnsOfTable(coded);
    if (columns.length < 2) return undefined;
    const { answers, key } = tableLayout(columns, coded.records, {});
    const [{ columns: own }] = answers as [NamedAnswer];
    const names = columns.map(({ name }) => name).join(", ");
    const seen = `a table with columns ${names}: rows by ${key.join(", ")}, answers in ${own.output}`;
    return `${seen}, and nothing scores them; --from table imports the answers`;
  } catch (error) {
    if (error instanceof NotInFile) return error.message;
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Whether a file of unknown kind is a table after all: it has a measurement after the answer. */
export async function isMeasuredTable(file: ImportFile, { format }: FileHead): Promise<boolean> {
  if (format !== "table" && format !== "json-lines") return false;
  try {
    const coded = await codedTable(file);
    return tableLayout(columnsOfTable(coded), coded.records, {}).answers.some(
      ({ columns: own }) => own.scores.size > 0,
    );
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** Whether the first record of a table has the columns of an export. */
async function isExported(file: ImportFile): Promise<boolean> {
  if ((await fileHead(file)).format === "parquet") return isExport(await parquetNames(file));
  const { records } = await recordsOf(file, "numbers");
  const first = await records.next();
  await records.return(undefined);
  return first.done !== true && isExport(Object.keys(first.value[0]!));
}

function columnsOfTable({ columns }: CodedTable): readonly Column[] {
  return Array.from(columns.values(), (column) => column.column());
}

/** A sentence on how the columns were understood, for the user to check. */
function saidOf(layout: KnownTable, all: readonly Column[]): string {
  const { key, evaluation, answers, trial, dropped, others } = layout;
  const [{ columns, model, repetition }] = answers as [NamedAnswer];
  const by = (name: string | undefined) => (name === undefined ? [] : [name]);
  const listed = (names: readonly string[]) => names.join(", ");
  const ends = answers.map((one) => one.model ?? one.repetition);
  const costs = columns.facts.filter(isCost);
  const measured = new Set(all.filter(isMeasure).map(({ name }) => name));
  const filled = new Set(all.filter((column) => column.filled > 0).map(({ name }) => name));
  const left = [...columns.facts.filter((name) => !costs.includes(name)), ...others].filter((name) =>
    filled.has(name),
  );
  // A column without a name is the index that pandas writes.
  const unscored = left.filter((name) => measured.has(name) && !isUnnamed(name));
  const parts = [
    `rows by ${listed(key)}`,
    ...(model === undefined ? [] : [`columns for each of ${ends.join(", ")}`]),
    ...(repetition === undefined ? [] : [`columns for each trial: ${ends.join(", ")}`]),
    ...(evaluation.length > 0 ? [`an evaluation for each ${evaluation.join(" and ")}`] : []),
    ...by(columns.output).map((name) => `answers in ${name}`),
    ...(columns.scores.size > 0 ? [`scores in ${listed([...columns.scores.keys()])}`] : []),
    ...by(columns.latency).map((name) => `latency in ${name}${isMilliseconds(name) ? " (ms)" : " (s)"}`),
    ...(columns.tokens.length > 0 ? [`tokens in ${columns.tokens.join(" and ")}`] : []),
    ...by(columns.error).map((name) => `errors in ${name}`),
    ...by(trial).map((name) => `trials in ${name}`),
    ...(costs.length > 0 ? [`kept as facts (lower is better): ${listed(costs)}`] : []),
    ...(dropped.length > 0
      ? [`different in each evaluation, so not part of the row: ${listed(dropped)}`]
      : []),
    ...(left.length > 0 ? [`also kept: ${listed(left)}`] : []),
    ...(unscored.length > 0 || costs.length > 0
      ? [`--score ${[...unscored, ...costs][0]} makes it a score`]
      : []),
  ];
  return parts.join("; ");
}
