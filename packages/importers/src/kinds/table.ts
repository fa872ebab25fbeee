// Tables of any tool or hand: CSV, TSV, Parquet, JSON and JSON lines; a record for each question, model and trial, or
// columns for each model.

import type { Json } from "@assay/base";
import { textDigest } from "@assay/calls/internal";
import { DigestTable, digestNumber } from "../digest-table.ts";
import type { FileHead } from "../file-head.ts";
import { fileStem, type ImportFile } from "../import-file.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type Importer,
  type Reading,
  type ReadOptions,
  trialEvent,
} from "../importer.ts";
import { at, isObject, type JsonObject, jsonOrText, present } from "../json-text.ts";
import { meaningsOf, noWords, readingOf } from "../score-values.ts";
import { isMilliseconds, isVerdict, roleOf, scoreName } from "../tables/column-roles.ts";
import { type Records, recordsOf } from "../tables/records.ts";
import {
  type AnswerColumns,
  type Column,
  columnsOf,
  type TableLayout,
  tableLayout,
} from "../tables/table-layout.ts";
import { Unreadable } from "../unreadable.ts";
import { exportedTrials, isExport } from "./exported-trials.ts";

/** A table. */
export const table: Importer = {
  name: "table",
  title: "table (CSV, TSV, Parquet, JSON, JSON lines)",
  recognises({ format, keys, text }: FileHead) {
    if (format === "parquet") return true;
    if (format === "json" && keys.has("columns") && keys.has("data")) return true;
    const names = [...keys].map((key) => key.replace(/^\*\./, ""));
    if (isExport(names)) return true;
    if (format === "json" && /^\s*\{.*\}?\s*$/.test(text)) return isRecord(names);
    const isList = format !== "json" || [...keys].every((key) => key.startsWith("*."));
    // Questions and answers alone may be a dataset: an answer by a model, or one that is scored, is none.
    return ["json", "json-lines", "table"].includes(format) && isList && isTelling(names);
  },
  async *read(files, options) {
    yield* (await reader(files, options))();
  },
  reader,
};

async function reader([file]: readonly ImportFile[], options: ReadOptions): Promise<Reading> {
  if (await isExported(file!)) return () => exportedTrials(file!);
  const columns = await columnsOfTable(file!);
  const layout = tableLayout(columns, options, scoreName);
  const varying = layout.others.length === 0 ? new Set<string>() : await varyingColumns(file!, layout);
  const verdicts = verdictColumns(columns, layout);
  return async function* () {
    yield { kind: "note", note: `${file!.path}: ${saidOf(layout, verdicts)}` };
    yield* trialsOf(file!, { ...layout, varying, verdicts }, options);
  };
}

function isTelling(names: readonly string[]): boolean {
  const roles = new Set(
    names.map((name) => roleOf(name)?.role ?? roleOf(name.replace(/^.*[_.:/ -]/, ""))?.role),
  );
  return roles.has("score") || (roles.has("output") && roles.has("model"));
}

/**
 * Whether an object that is alone on its line is the one record of a table, and no document that has a score somewhere:
 * the question stands beside the answer.
 */
function isRecord(names: readonly string[]): boolean {
  const own = names.filter((name) => !name.includes("."));
  return isTelling(own) && own.some((name) => ["id", "input"].includes(roleOf(name)?.role ?? ""));
}

/** Whether the first record of a table has the columns of an export. */
async function isExported(file: ImportFile): Promise<boolean> {
  const { records } = await recordsOf(file);
  const first = await records.next();
  await records.return(undefined);
  return first.done !== true && isExport(Object.keys(first.value));
}

async function columnsOfTable(file: ImportFile): Promise<readonly Column[]> {
  const { records, areTexts, decimalComma } = await recordsOf(file);
  const words = new Map<string, ReturnType<typeof noWords>>();
  let count = 0;
  for await (const record of records) {
    count++;
    for (const [name, value] of Object.entries(flat(record))) {
      const seen = words.get(name) ?? noWords();
      words.set(name, seen);
      if (isObject(value) || Array.isArray(value)) seen.others++;
      else meaningsOf(seen, decimalComma ? withPoint(value) : value, areTexts ? "cells" : "text");
    }
  }
  if (count === 0) throw new Unreadable("is a table without records");
  return Array.from(words, ([name, seen]) => ({
    name,
    isMeasure: isMeasure(seen, areTexts),
    isBinary: seen.numbers > 0 && seen.otherNumbers + seen.words + seen.others === 0,
  }));
}

/**
 * The columns of scores that are 0 or 1 for true and false: by what the score is called, and by all of its values in all
 * columns of a wide table. Any other score of zeros and ones may be a number that happens to have no other value.
 */
function verdictColumns(columns: readonly Column[], { answers }: TableLayout): ReadonlySet<string> {
  const scores = answers.flatMap((answer) => [...answer.columns.scores]);
  const binary = new Set(columns.flatMap(({ name, isBinary }) => (isBinary ? [name] : [])));
  const other = new Set(scores.flatMap(([column, score]) => (binary.has(column) ? [] : [score])));
  return new Set(
    scores.flatMap(([column, score]) => (isVerdict(score) && !other.has(score) ? [column] : [])),
  );
}

function isMeasure(seen: ReturnType<typeof noWords>, areTexts: boolean): boolean {
  if (seen.numbers + seen.words === 0) return false;
  return areTexts ? readingOf(seen, "cells") !== "cells as texts" : seen.others === 0;
}

/** Other columns whose value is not the same for all records of a row: they say something of the answer. */
async function varyingColumns(file: ImportFile, layout: TableLayout): Promise<ReadonlySet<string>> {
  const varying = new Set<string>();
  const { others } = layout;
  const values = new DigestTable(others.length);
  for await (const given of (await recordsOf(file)).records) {
    if (varying.size === others.length) break;
    const record = flat(given);
    const key = textDigest(JSON.stringify(layout.key.map((name) => at(record, name) ?? null)));
    const digests = others.map((name) => digestNumber(JSON.stringify(at(record, name) ?? null)));
    const before = values.size;
    const known = values.at(key);
    if (values.size > before) known.set(digests);
    else {
      for (const [i, name] of others.entries()) if (known[i] !== digests[i]) varying.add(name);
    }
  }
  return varying;
}

/** What the columns of a table are, and what their values say of them. */
interface KnownTable extends TableLayout {
  /** Columns that say something of the answer, and not of the row. */
  readonly varying: ReadonlySet<string>;
  /** Columns of 0 and 1 that are false and true. */
  readonly verdicts: ReadonlySet<string>;
}

async function* trialsOf(
  file: ImportFile,
  layout: KnownTable,
  options: ReadOptions,
): AsyncGenerator<ImportEvent> {
  const { varying, verdicts } = layout;
  const source = await recordsOf(file);
  const seen = new Set<string>();
  const stem = fileStem(file);
  const constant = layout.others.filter((name) => !varying.has(name));
  for await (const given of source.records) {
    const record = flat(given);
    const row = pick(record, [...layout.key, ...constant]);
    const key = pick(record, options.rowKey === undefined ? layout.key : [options.rowKey]);
    for (const { model, columns } of layout.answers) {
      const named =
        model ?? (layout.evaluation === undefined ? stem : textOf(at(record, layout.evaluation)) || stem);
      if (!seen.has(named)) {
        const scoreTexts = source.areTexts ? "cells" : "text";
        yield evaluationEvent({ id: named, name: named, model: named, dataset: stem, scoreTexts });
      }
      seen.add(named);
      if (model !== undefined && isEmpty(record, columns)) continue;
      yield trialEvent({
        evaluation: named,
        row,
        rowKey: key,
        repetition: repetitionOf(layout.trial === undefined ? undefined : at(record, layout.trial)),
        ...answerOf(record, columns, { ...source, verdicts }),
        attributes: pick(record, [...varying]),
      });
    }
  }
}

/** What it takes to know what a cell means. */
type CellMeaning = Pick<Records, "areTexts" | "decimalComma"> & Pick<KnownTable, "verdicts">;

function answerOf(
  record: JsonObject,
  columns: AnswerColumns,
  { areTexts, decimalComma, verdicts }: CellMeaning,
): Pick<
  Extract<ImportEvent, { kind: "trial" }>["trial"],
  "output" | "scores" | "error" | "latencySeconds" | "totalTokens"
> {
  const cell = (name: string | undefined) => (name === undefined ? undefined : at(record, name));
  const number = (name: string | undefined) => {
    const value = decimalComma ? withPoint(cell(name) ?? null) : cell(name);
    return value === "" || value === null || value === undefined || Number.isNaN(Number(value))
      ? undefined
      : Number(value);
  };
  const error = textOf(cell(columns.error));
  const latency = number(columns.latency);
  return {
    output: error === "" ? (cell(columns.output) ?? null) : null,
    scores: scoresOf(record, columns, { areTexts, decimalComma, verdicts }),
    error: error === "" ? undefined : error,
    latencySeconds: latency === undefined || !isMilliseconds(columns.latency!) ? latency : latency / 1000,
    totalTokens: number(columns.tokens),
  };
}

/** Scores by name. A column `scores` that holds an object holds all of them. */
function scoresOf(
  record: JsonObject,
  { scores }: AnswerColumns,
  { areTexts, decimalComma, verdicts }: CellMeaning,
): JsonObject {
  const entries: [string, Json][] = [];
  for (const [column, name] of scores) {
    const cell = at(record, column) ?? null;
    const value = areTexts && typeof cell === "string" && /^\s*\{/.test(cell) ? jsonOrText(cell) : cell;
    if (isObject(value) && /^scores?$/i.test(name)) entries.push(...Object.entries(value));
    else {
      const known = decimalComma ? withPoint(value) : value;
      entries.push([name, verdicts.has(column) ? verdictOf(known) : known]);
    }
  }
  return Object.fromEntries(entries);
}

/** A record with the members of objects such as `usage` as columns of their own, when they are what a trial needs. */
function flat(record: JsonObject): JsonObject {
  if (!Object.values(record).some(isObject)) return record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): (readonly [string, Json])[] => {
      if (!isObject(value) || roleOf(name) !== undefined) return [[name, value]];
      const inner = Object.entries(value).map(([key, member]) => [`${name}.${key}`, member] as const);
      return inner.some(([key]) => TRIAL_ROLES.has(roleOf(key)?.role ?? "")) ? inner : [[name, value]];
    }),
  );
}

const TRIAL_ROLES: ReadonlySet<string> = new Set(["tokens", "latency", "error", "model"]);

function pick(record: JsonObject, names: readonly string[]): JsonObject {
  return present(Object.fromEntries(names.map((name) => [name, at(record, name)])));
}

function isEmpty(record: JsonObject, columns: AnswerColumns): boolean {
  return columnsOf(columns).every((name) => textOf(at(record, name)) === "");
}

function textOf(value: Json | undefined): string {
  return value === null || value === undefined
    ? ""
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}

function repetitionOf(value: Json | undefined): number | undefined {
  const number = value === "" || value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** 1 as true and 0 as false; what is neither, nothing or an empty cell, as it is. */
function verdictOf(value: Json): Json {
  if (value === null || textOf(value).trim() === "") return value;
  const number = Number(value);
  return number === 0 || number === 1 ? number === 1 : value;
}

function withPoint(value: Json): Json {
  return typeof value === "string" && /^\s*-?\d+,\d+\s*$/.test(value) ? value.replace(",", ".") : value;
}

/** How the columns were understood, for a person to check. */
function saidOf({ key, evaluation, answers, trial }: TableLayout, verdicts: ReadonlySet<string>): string {
  const [{ columns }] = answers as [TableLayout["answers"][number]];
  const by = (name: string | undefined) => (name === undefined ? [] : [name]);
  const parts = [
    `rows by ${key.join(", ")}`,
    ...(answers.length > 1 ? [`columns for each of ${answers.map(({ model }) => model).join(", ")}`] : []),
    ...by(evaluation).map((name) => `an evaluation for each ${name}`),
    ...by(columns.output).map((name) => `answers in ${name}`),
    ...(columns.scores.size > 0 ? [`scores in ${[...columns.scores.keys()].join(", ")}`] : []),
    ...(verdicts.size > 0 ? [`0 and 1 in ${[...verdicts].join(", ")} are false and true`] : []),
    ...by(columns.latency).map((name) => `latency in ${name}${isMilliseconds(name) ? " (ms)" : " (s)"}`),
    ...by(columns.tokens).map((name) => `tokens in ${name}`),
    ...by(columns.error).map((name) => `errors in ${name}`),
    ...by(trial).map((name) => `repetitions in ${name}`),
  ];
  return parts.join("; ");
}
