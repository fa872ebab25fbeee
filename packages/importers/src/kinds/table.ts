// Tables of any tool or hand: CSV, TSV, Parquet, JSON and JSON lines; a record for each question, model and trial, or
// columns for each model.

import type { Json } from "@assay/base";
import { DigestTable, digestNumber } from "../digest-table.ts";
import { errorText } from "../error-text.ts";
import type { FileHead } from "../file-head.ts";
import { fileStem, type ImportFile } from "../import-file.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedTrial,
  type Importer,
  type ReadOptions,
} from "../importer.ts";
import {
  at,
  isObject,
  type JsonObject,
  jsonOrText,
  memberOf,
  moveNumber,
  setMember,
  textAt,
} from "../json-text.ts";
import { isNothing, numberText } from "../score-words.ts";
import { isCost, isMilliseconds, roleOf } from "../tables/column-roles.ts";
import { isTelling, recordNames } from "../tables/json-shapes.ts";
import { isUnnamed, recordsOf } from "../tables/records.ts";
import { type Column, countLast, isMeasure, newColumn, takeValue } from "../tables/table-columns.ts";
import {
  type AnswerColumns,
  columnsOf,
  type NamedAnswer,
  type TableLayout,
  tableLayout,
} from "../tables/table-layout.ts";
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
    // A table of only questions and answers may be a dataset; one with an answer by a model or a score is not.
    return format === "json" && recordNames(head).some(isTelling);
  },
  async *read([file], options) {
    if (await isExported(file!)) {
      yield* exportedTrials(file!);
      return;
    }
    const { columns, records, comments } = await columnsOfTable(file!);
    const layout = await knownTable(file!, tableLayout(columns, records, options), options);
    yield { kind: "note", note: `${file!.path}: ${saidOf(layout, columns)}` };
    if (comments > 0)
      yield {
        kind: "note",
        note: `${file!.path}: ${comments === 1 ? "a line" : `${comments} lines`} of comment before the table skipped`,
      };
    yield* trialsOf(file!, layout, options);
  },
};

/** What is wrong with a file that is some table, and of no kind that is known; undefined when it is none. */
export async function tableFault(file: ImportFile, { format }: FileHead): Promise<string | undefined> {
  if (format !== "table" && format !== "json-lines") return undefined;
  try {
    const { columns, records } = await columnsOfTable(file);
    if (columns.length < 2) return undefined;
    const { answers, key } = tableLayout(columns, records, {});
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

/** Whether a file that no kind recognises is a table all the same: something is measured behind the answer. */
export async function isMeasuredTable(file: ImportFile, { format }: FileHead): Promise<boolean> {
  if (format !== "table" && format !== "json-lines") return false;
  try {
    const { columns, records } = await columnsOfTable(file);
    return tableLayout(columns, records, {}).answers.some(({ columns: own }) => own.scores.size > 0);
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** Whether the first record of a table has the columns of an export. */
async function isExported(file: ImportFile): Promise<boolean> {
  const { records } = await recordsOf(file, "numbers");
  const first = await records.next();
  await records.return(undefined);
  return first.done !== true && isExport(Object.keys(first.value[0]!));
}

async function columnsOfTable(
  file: ImportFile,
): Promise<{ readonly columns: readonly Column[]; readonly records: number; readonly comments: number }> {
  const { records, comments } = await recordsOf(file, "numbers");
  const columns = new Map<string, Column>();
  let count = 0;
  for await (const some of records) {
    for (const given of some) {
      count++;
      const record = flat(given);
      for (const name of Object.keys(record)) {
        let column = columns.get(name);
        if (column === undefined) {
          column = newColumn(name);
          columns.set(name, column);
        }
        takeValue(column, record[name]!);
      }
    }
  }
  if (count === 0) throw new Unreadable("is a table without records");
  for (const column of columns.values()) countLast(column);
  return { columns: [...columns.values()], records: count, comments };
}

/** A layout of which it is known what tells the rows and the evaluations apart. */
interface KeyedLayout extends TableLayout {
  /** Columns that could tell rows apart by their names, and do not. */
  readonly dropped: readonly string[];
}

/** What the columns of a table are, and what their values say of them. */
interface KnownTable extends KeyedLayout {
  /** Columns that say something of the answer, and not of the row. */
  readonly varying: ReadonlySet<string>;
}

/** What is found out of the values of all records. */
interface Look<Found> {
  /** Undefined when there is nothing to find out. */
  readonly take: ((record: JsonObject) => void) | undefined;
  found(): Found;
}

/** The layout with what its values say. Reads the table once more, and once again when its rows are told otherwise than it seemed. */
async function knownTable(file: ImportFile, layout: TableLayout, options: ReadOptions): Promise<KnownTable> {
  const [keys, seeming] = [keyed(layout, options), varyingColumns(layout)];
  await looked(file, keys, seeming);
  const settled = keys.found();
  const isAsItSeemed =
    settled.key.length === layout.key.length && settled.others.length === layout.others.length;
  if (isAsItSeemed) return { ...settled, varying: seeming.found() };
  const varying = varyingColumns(settled);
  await looked(file, varying);
  return { ...settled, varying: varying.found() };
}

/** Shows each record of a table to those who look for something. */
async function looked(file: ImportFile, ...looks: readonly Look<unknown>[]): Promise<void> {
  const takes = looks.flatMap(({ take }) => take ?? []);
  if (takes.length === 0) return;
  for await (const some of (await recordsOf(file, "numbers")).records) {
    for (const given of some) {
      const record = flat(given);
      for (const take of takes) take(record);
    }
  }
}

/**
 * What tells rows and evaluations apart, by the values: a column that differs between evaluations for the same id is
 * not part of the row, an id that is another for each answer is not a row's, and what differs within an evaluation and
 * is named like a model makes two evaluations of it.
 */
function keyed(layout: TableLayout, { rowKey }: ReadOptions): Look<KeyedLayout> {
  const [identity, ...content] =
    rowKey === undefined ? layout.key : [rowKey, ...layout.key.filter((name) => name !== rowKey)];
  const [evaluation, ...runs] = layout.evaluation;
  const own = [...content, ...runs];
  const settled = { ...layout, evaluation: evaluation === undefined ? [] : [evaluation], dropped: [] };
  if (identity === undefined || own.length === 0) return { take: undefined, found: () => settled };
  // Of each identity: the first evaluation that had it, and the first value of each column.
  const everywhere = new DigestTable(own.length + 1);
  const within = new DigestTable(own.length);
  const inputs = new DigestTable(1);
  const hasInput = content.length > 0 && roleOf(content[0]!)?.role === "input";
  const [between, inside] = [new Set<string>(), new Set<string>()];
  const evaluations = new Set<number>();
  let [idsMeet, inputsMet] = [false, 0];
  const take = (record: JsonObject): void => {
    const value = keyText(at(record, identity));
    if (value === undefined) return;
    const id = hashedText(value);
    const name = evaluation === undefined ? "" : textOf(at(record, evaluation));
    const from = digestNumber(name) | 1;
    if (evaluations.size < 2) evaluations.add(from);
    const numbers = [from];
    for (const column of own) numbers.push(digestNumber(hashedText(keyText(at(record, column)))));
    idsMeet = seenIn(everywhere, id, numbers, (i) => between.add(own[i - 1] ?? "")) || idsMeet;
    numbers.shift();
    seenIn(within, `${name}\0${id}`, numbers, (i) => inside.add(own[i]!));
    if (hasInput && seenIn(inputs, String(numbers[0]), [from], () => {})) inputsMet++;
  };
  const found = (): KeyedLayout => {
    const isOfAnswer = (column: string) => between.has(column) && !inside.has(column);
    // Ids that never meet, of questions that do, are those of answers.
    const idless = rowKey === undefined && !idsMeet && inputsMet > 0 && inputsMet * 2 >= inputs.size;
    const dropped = [
      ...(idless ? [identity] : []),
      ...content.filter((column) => evaluations.size > 1 && isOfAnswer(column)),
    ];
    const apart = runs.filter((column) => inside.has(column));
    const used = new Set([...apart, ...dropped]);
    return {
      ...settled,
      key: layout.key.filter((name) => !used.has(name)),
      evaluation: [...settled.evaluation, ...apart],
      dropped,
      others: [...layout.others, ...dropped, ...runs.filter((name) => !apart.includes(name))],
    };
  };
  return { take, found };
}

/** A value as a text that differs from those of other values: of a text, mostly itself. */
function hashedText(value: Json | undefined): string {
  return typeof value === "string" ? `"${value}` : JSON.stringify(value ?? null);
}

/** Puts numbers at a text, or tells which of them differ from the existing ones; gives whether the first does. */
function seenIn(
  table: DigestTable,
  text: string,
  numbers: readonly number[],
  differs: (place: number) => void,
): boolean {
  const before = table.size;
  const known = table.at(text);
  if (table.size > before) {
    known.set(numbers);
    return false;
  }
  for (let i = 0; i < numbers.length; i++) if (known[i] !== numbers[i]! >>> 0) differs(i);
  return known[0] !== numbers[0]! >>> 0;
}

/** Other columns whose value is not the same for all records of a row: they say something of the answer. */
function varyingColumns({ key: names, others }: TableLayout): Look<ReadonlySet<string>> {
  const varying = new Set<string>();
  const values = new DigestTable(others.length);
  const take = (record: JsonObject): void => {
    if (varying.size === others.length) return;
    const key = names.map((name) => hashedText(keyText(at(record, name)))).join("\0");
    const numbers = others.map((name) => digestNumber(hashedText(at(record, name))));
    seenIn(values, key, numbers, (i) => varying.add(others[i]!));
  };
  return { take: others.length === 0 ? undefined : take, found: () => varying };
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
      // Answers to one question mostly come one after the other: their row is one object.
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

/** Whether a record has the row that another one had, all of it texts. */
function isSameRow(record: JsonObject, row: JsonObject, names: readonly string[]): boolean {
  for (const name of names) {
    const value = memberOf(record, name);
    if (typeof value !== "string" || value !== memberOf(row, name)) return false;
  }
  return true;
}

function withoutKey(record: JsonObject, { key, answers }: TableLayout): string {
  const has = Object.keys(record).filter((name) => textOf(record[name]) !== "");
  const [{ columns }] = answers as [NamedAnswer];
  const missing = [...key, ...(columns.output === undefined ? [] : [columns.output])].join(", ");
  const shown = has.slice(0, 8).join(", ");
  return `has no value in ${missing} to identify its row; it has ${shown}. Records of several kinds are not a table: keep those of one kind`;
}

/** How the cells of a table are written. */
interface CellForm {
  readonly areTexts: boolean;
  readonly decimalComma: boolean;
}

function answerOf(
  record: JsonObject,
  columns: AnswerColumns,
  { areTexts, decimalComma }: CellForm,
): Pick<ImportedTrial, "output" | "scores" | "error" | "latencySeconds" | "totalTokens"> {
  const cell = (name: string | undefined) => (name === undefined ? undefined : at(record, name));
  const number = (name: string | undefined) => numberOf(cell(name), decimalComma);
  const error = errorText(cell(columns.error));
  const output = columns.output === undefined ? null : (memberOf(record, columns.output) ?? null);
  const latency = number(columns.latency);
  const tokens = columns.tokens.flatMap((name) => number(name) ?? []);
  return {
    // Of an answer that is nothing beside an error, there is none.
    output: error !== undefined && typeof output === "string" && isNothing(output) ? null : output,
    scores: scoresOf(record, columns, areTexts),
    error,
    latencySeconds: latency === undefined || !isMilliseconds(columns.latency!) ? latency : latency / 1000,
    totalTokens: tokens.length === 0 ? undefined : tokens.reduce((sum, one) => sum + one, 0),
  };
}

/** A number of a cell that is not a score; undefined when it is none. */
function numberOf(cell: Json | undefined, decimalComma: boolean): number | undefined {
  if (typeof cell === "number") return cell;
  const found =
    typeof cell === "string" ? numberText(cell.replace(/\s*(?:ms|s|sec|tokens?)$/i, "")) : undefined;
  return decimalComma ? (found?.comma ?? found?.point) : (found?.point ?? found?.comma);
}

/** Scores by name. A column `scores` that holds an object, or a list of objects with `name` and `value`, holds all of them. */
function scoresOf(record: JsonObject, { scores }: AnswerColumns, areTexts: boolean): JsonObject {
  const found: { [name: string]: Json } = {};
  for (const [column, name] of scores) {
    const cell = memberOf(record, column) ?? null;
    const isWhole = /^scores?$/i.test(name);
    const value = areTexts && typeof cell === "string" && /^\s*[{[]/.test(cell) ? jsonOrText(cell) : cell;
    const listed = isWhole && Array.isArray(value) ? namedScores(value) : undefined;
    if (listed !== undefined) {
      for (const [key, from, member] of listed) {
        setMember(found, key, from[member]!);
        moveNumber(from, member, found, key);
      }
    } else if (isWhole && isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        setMember(found, key, member);
        moveNumber(value, key, found, key);
      }
    } else {
      setMember(found, name, value);
      if (typeof value === "number") moveNumber(record, column, found, name);
    }
  }
  return found;
}

const SCORE_NAMES = ["name", "metric", "scorer", "key"];
const SCORE_VALUES = ["value", "score", "passed"];

/** Scores of a list, each with its name and the member that has its value; undefined when an element has neither. */
function namedScores(list: readonly Json[]): readonly (readonly [string, JsonObject, string])[] | undefined {
  const scores = list.map((one) => {
    if (!isObject(one)) return undefined;
    const name = SCORE_NAMES.map((key) => textAt(one, key)).find((text) => text !== undefined);
    const member = SCORE_VALUES.find((key) => memberOf(one, key) !== undefined);
    return name === undefined || member === undefined ? undefined : ([name, one, member] as const);
  });
  return scores.every((score) => score !== undefined) ? scores : undefined;
}

/** Where a number of an object comes from. */
type MovedNumber = readonly [from: JsonObject, name: string, toName: string];

/** An object of these members, with numbers written as they were where they come from. */
function withNumbers(entries: readonly [string, Json][], numbers: readonly MovedNumber[]): JsonObject {
  const object = Object.fromEntries(entries);
  for (const [from, name, toName] of numbers) moveNumber(from, name, object, toName);
  return object;
}

function hasObject(record: JsonObject): boolean {
  for (const name in record) if (isObject(record[name])) return true;
  return false;
}

/** A record with the members of objects such as `usage` as columns of their own, when they are what a trial needs. */
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

/** An object in a column of these is that as a whole. */
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

/** What tells a row, the same whichever form a file has: a number as its digits, and nothing of what is nothing. */
function keyOf(record: JsonObject, names: readonly string[]): JsonObject {
  const key: { [name: string]: Json } = {};
  for (const name of names) {
    const value = keyText(at(record, name));
    if (value !== undefined) setMember(key, name, value);
  }
  return key;
}

function keyText(value: Json | undefined): Json | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.includes("\r") ? value.replaceAll("\r\n", "\n") : value;
}

function isEmpty(record: JsonObject, columns: AnswerColumns): boolean {
  return columnsOf(columns).every((name) => textOf(at(record, name)) === "");
}

/** A cell as a name; empty when it says that there is nothing, or holds an object, which names itself. */
function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return isNothing(value) ? "" : value;
  return (isObject(value) && (textAt(value, "name") ?? textAt(value, "id"))) || JSON.stringify(value);
}

function repetitionOf(value: Json | undefined): number | undefined {
  const number = value === "" || value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** How the columns were understood, for a person to check. */
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
  // What has no name is the index that pandas writes.
  const unscored = left.filter((name) => measured.has(name) && !isUnnamed(name));
  const parts = [
    `rows by ${listed(key)}`,
    ...(model === undefined ? [] : [`columns for each of ${ends.join(", ")}`]),
    ...(repetition === undefined ? [] : [`columns for each of repetitions ${ends.join(", ")}`]),
    ...(evaluation.length > 0 ? [`an evaluation for each ${evaluation.join(" and ")}`] : []),
    ...by(columns.output).map((name) => `answers in ${name}`),
    ...(columns.scores.size > 0 ? [`scores in ${listed([...columns.scores.keys()])}`] : []),
    ...by(columns.latency).map((name) => `latency in ${name}${isMilliseconds(name) ? " (ms)" : " (s)"}`),
    ...(columns.tokens.length > 0 ? [`tokens in ${columns.tokens.join(" and ")}`] : []),
    ...by(columns.error).map((name) => `errors in ${name}`),
    ...by(trial).map((name) => `repetitions in ${name}`),
    ...(costs.length > 0 ? [`kept as facts, where lower is better: ${listed(costs)}`] : []),
    ...(dropped.length > 0
      ? [`different in each evaluation, so not part of the row: ${listed(dropped)}`]
      : []),
    ...(left.length > 0 ? [`kept beside: ${listed(left)}`] : []),
    ...(unscored.length > 0 || costs.length > 0
      ? [`--score ${[...unscored, ...costs][0]} would make it a score`]
      : []),
  ];
  return parts.join("; ");
}
