// Reads tables of any origin: CSV, TSV, Parquet, JSON and JSON lines; with a record for each question, model and trial,
// or columns for each model.

import type { Json } from "@assay/base";
import { type FileHead, fileHead } from "../file-head.ts";
import { fileStem, type ImportFile } from "../import-file.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedTrial,
  type Importer,
  type ReadOptions,
} from "../importer.ts";
import { at, isObject, type JsonObject, memberOf, moveNumber, setMember } from "../json-text.ts";
import { cellTrials } from "../tables/cell-trials.ts";
import { type CodedTable, codedTable } from "../tables/coded-table.ts";
import { isCost, isMilliseconds, roleOf } from "../tables/column-roles.ts";
import { isTelling, recordNames } from "../tables/json-shapes.ts";
import { type KnownTable, knownTable } from "../tables/known-table.ts";
import { parquetNames } from "../tables/parquet-records.ts";
import { isUnnamed, recordsOf } from "../tables/records.ts";
import { type Column, isMeasure } from "../tables/table-columns.ts";
import { type AnswerColumns, columnsOf, type NamedAnswer, tableLayout } from "../tables/table-layout.ts";
import { answerOf, keyText, repetitionOf, textOf, withoutKey } from "../tables/table-values.ts";
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
    const coded = await codedTable(file!, flat);
    const columns = columnsOfTable(coded);
    const layout = knownTable(coded, tableLayout(columns, coded.records, options), options);
    yield { kind: "note", note: `${file!.path}: ${saidOf(layout, columns)}` };
    const { comments } = coded;
    if (comments > 0)
      yield {
        kind: "note",
        note: `${file!.path}: ${comments === 1 ? "a line" : `${comments} lines`} of comment before the table skipped`,
      };
    if (coded.cells !== undefined) yield* cellTrials(file!, { coded, layout, options }, coded.cells());
    else yield* trialsOf(file!, layout, options);
  },
};

/** What is wrong with a file that is a table of an unknown kind; undefined if it is not a table. */
export async function tableFault(file: ImportFile, { format }: FileHead): Promise<string | undefined> {
  if (format !== "table" && format !== "json-lines") return undefined;
  try {
    const coded = await codedTable(file, flat);
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
    const coded = await codedTable(file, flat);
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

async function* trialsOf(
  file: ImportFile,
  layout: KnownTable,
  options: ReadOptions,
): AsyncGenerator<ImportEvent> {
  const { varying } = layout;
  const { records, areTexts, decimalComma } = await recordsOf(file, "numbers");
  const seen = new Set<string>();
  const stem = fileStem(file);
  const beside = new Map(layout.answers.map(({ columns }) => [columns, [...varying, ...columns.facts]]));
  const rowNames = [...layout.key, ...layout.others.filter((name) => !varying.has(name))];
  const keyNames = options.rowKey === undefined ? layout.key : [options.rowKey];
  let count = 0;
  let found: ImportedTrial[] = [];
  let [row, key]: [JsonObject, JsonObject] = [{}, {}];
  for await (const some of records) {
    for (const given of some) {
      count++;
      const record = flat(given);
      // Answers to one question are mostly consecutive: they share one row object.
      if (count === 1 || !isSameRow(record, row, rowNames)) {
        key = keyOf(record, keyNames);
        if (Object.keys(key).length === 0)
          throw new Unreadable(`record ${count}: ${withoutKey(record, layout)}`);
        row = pick(record, rowNames);
      }
      for (const { model, repetition, columns } of layout.answers) {
        const parts = layout.evaluation.map((column) => textOf(at(record, column)));
        const named = model ?? (parts.filter(Boolean).join(" · ") || stem);
        if (!seen.has(named)) {
          const scoreTexts = areTexts ? "cells" : "words";
          const of = model ?? (parts[0] || named);
          yield { kind: "trials", trials: found };
          found = [];
          yield evaluationEvent({
            ...{ id: named, name: named, model: of, dataset: stem, scoreTexts },
            ...(decimalComma && { decimalComma }),
          });
        }
        seen.add(named);
        if (layout.answers.length > 1 && isEmpty(record, columns)) continue;
        const trial = {
          evaluation: named,
          row,
          rowKey: key,
          repetition: layout.trial === undefined ? repetition : repetitionOf(at(record, layout.trial)),
          ...answerOf(record, columns, { areTexts, decimalComma }),
          attributes: pick(record, beside.get(columns)!),
        };
        if (columns.output !== undefined) moveNumber(record, columns.output, trial, "output");
        found.push(trial);
      }
    }
    yield { kind: "trials", trials: found };
    found = [];
  }
}

/** Whether a record has the same row as another, if all its values are texts. */
function isSameRow(record: JsonObject, row: JsonObject, names: readonly string[]): boolean {
  for (const name of names) {
    const value = memberOf(record, name);
    if (typeof value !== "string" || value !== memberOf(row, name)) return false;
  }
  return true;
}

/** The origin of a number in an object. */
type MovedNumber = readonly [from: JsonObject, name: string, toName: string];

/** An object of these members, with moved numbers in their original notation. */
function withNumbers(entries: readonly [string, Json][], numbers: readonly MovedNumber[]): JsonObject {
  const object = Object.fromEntries(entries);
  for (const [from, name, toName] of numbers) moveNumber(from, name, object, toName);
  return object;
}

function hasObject(record: JsonObject): boolean {
  for (const name in record) if (isObject(record[name])) return true;
  return false;
}

/** A record in which members of objects such as `usage` become columns, if trials need them. */
function flat(record: JsonObject): JsonObject {
  if (!hasObject(record)) return record;
  const entries: [string, Json][] = [];
  const numbers: MovedNumber[] = [];
  const keep = (from: JsonObject, name: string, toName: string): void => {
    const value = from[name]!;
    entries.push([toName, value]);
    if (typeof value === "number") numbers.push([from, name, toName]);
  };
  for (const [name, value] of Object.entries(record)) {
    const inner =
      isObject(value) && !KEPT_WHOLE.has(roleOf(name)?.role ?? "")
        ? Object.keys(value).map((key) => [key, `${name}.${key}`] as const)
        : [];
    const roles = SAID_OF_DATASETS.test(name) ? TRIAL_ROLES : [...TRIAL_ROLES, "score"];
    if (inner.some(([, column]) => roles.includes(roleOf(column)?.role ?? "")))
      for (const [key, column] of inner) keep(value as JsonObject, key, column);
    else keep(record, name, name);
  }
  return withNumbers(entries, numbers);
}

/** Columns whose objects stay whole. */
const KEPT_WHOLE: ReadonlySet<string> = new Set(["id", "input", "expected", "output", "score", "error"]);
const TRIAL_ROLES: readonly string[] = ["tokens", "latency", "error", "model"];
const SAID_OF_DATASETS = /^(?:metadata|meta|extra|info|doc|document|example|source)$/i;

function pick(record: JsonObject, names: readonly string[]): JsonObject {
  const picked: { [name: string]: Json } = {};
  for (const name of names) {
    const value = memberOf(record, name);
    if (value === undefined) continue;
    setMember(picked, name, value);
    if (typeof value === "number") moveNumber(record, name, picked, name);
  }
  return picked;
}

/** What identifies a row, independent of the file's format: numbers as their digits, without missing values. */
function keyOf(record: JsonObject, names: readonly string[]): JsonObject {
  const key: { [name: string]: Json } = {};
  for (const name of names) {
    const value = keyText(at(record, name));
    if (value !== undefined) setMember(key, name, value);
  }
  return key;
}

function isEmpty(record: JsonObject, columns: AnswerColumns): boolean {
  return columnsOf(columns).every((name) => textOf(at(record, name)) === "");
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
