// Decides how to read a table: which columns hold the row, the answer, the scores and the evaluation. Long tables have
// a record for each question, model and trial; wide ones have columns for each model.

import { shellWord } from "@assay/base/internal";
import { Unreadable } from "../../files/errors.ts";
import type { ReadOptions } from "../../options/import-options.ts";
import {
  type ColumnProfile,
  columnRole,
  isMeasure,
  isNoScore,
  isYesOrNo,
  namesRuns,
  roleBesideMetrics,
} from "./column-profile.ts";
import {
  type FoundRole,
  isBesideAnswer,
  isCost,
  isDescription,
  isOrdinal,
  isSpareAnswer,
  isUnknownAnswer,
  roleOf,
  scoreName,
} from "./column-roles.ts";
import type { Role } from "./role-names.ts";
import { soleColumn, wideGroups } from "./wide-groups.ts";

/** The columns of one answer. */
export interface AnswerColumns {
  readonly output: string | undefined;
  readonly latency: string | undefined;
  /** One column for all tokens, or one for each part. */
  readonly tokens: readonly string[];
  readonly error: string | undefined;
  /** The columns of scores, with the name of each score. */
  readonly scores: ReadonlyMap<string, string>;
  /** Other descriptions of the answer: costs, explanations. */
  readonly facts: readonly string[];
}

/** The roles of a table's columns. */
export interface TableLayout {
  /** The columns that identify a row: its id, the question, the expected answer. */
  readonly key: readonly string[];
  /** The one of them with the expected answer. */
  readonly expected: string | undefined;
  /** The columns that may name the evaluation of a record, best first; empty if the file is one evaluation, or wide. */
  readonly evaluation: readonly string[];
  readonly trial: string | undefined;
  /** The columns with the names of metrics if there is a record for each; otherwise empty. */
  readonly metrics: readonly string[];
  /** In a long table, one answer without a name; in a wide one, an answer for each model or repetition. */
  readonly answers: readonly NamedAnswer[];
  /** Columns without a role. */
  readonly others: readonly string[];
}

/** An answer's columns, with the model or repetition from their names. */
export interface NamedAnswer {
  readonly model: string | undefined;
  readonly repetition: number | undefined;
  readonly columns: AnswerColumns;
}

/**
 * The layout of a table with these columns, which may lack what `checkComplete` requires. `metrics`: the columns
 * with the names of metrics, if there is a record for each.
 */
export function tableLayout(
  columns: readonly ColumnProfile[],
  records: number,
  { scores: asked = [], evaluation: option, ...given }: ReadOptions,
  metrics: readonly string[] = [],
): TableLayout {
  const names = columns.map(({ name }) => name);
  const listed = namedColumns(names, option);
  const sole = columns.filter(({ name }) => listed.includes(name));
  // Repeated values name something; an answer or a score belongs to one row.
  const isWide = sole.length > 1 && sole.every((one) => isMeasure(one) || one.distinct * 2 > one.filled);
  const evaluations = isWide ? [] : listed;
  // Options can also select metrics.
  const scores = metrics.length === 0 ? asked : asked.filter((name) => names.includes(name));
  const options = { ...given, scores };
  const { rowKey } = options;
  const requested = [...evaluations, options.output, rowKey, ...scores];
  checkRequested(names, requested);
  const isLong = evaluations.length > 0 || options.output !== undefined || scores.length > 0;
  const wide = isWide
    ? sole.map((one) => ({ model: one.name, columns: soleColumn(one) }))
    : isLong
      ? []
      : wideGroups(
          columns.filter(({ name }) => name !== rowKey),
          records,
        );
  const grouped = new Set(wide.flatMap(({ columns: own }) => [...own.values()].map(({ name }) => name)));
  const rest = columns.filter(({ name }) => !grouped.has(name) && !metrics.includes(name));
  const hasScore = rest.some((column) => columnRole(column, records)?.role === "score");
  const by = rolesOf(
    rest.filter(({ name }) => !requested.includes(name)),
    (column) =>
      metrics.length === 0 ? columnRole(column, records) : roleBesideMetrics(column, records, hasScore),
  );
  const models = by("model");
  const runIds = models.length > 0 || wide.length > 0 ? [] : rest.filter((one) => namesRuns(one, records));
  const evaluation = evaluations.length === 0 ? [...models, ...runIds].map(({ name }) => name) : evaluations;
  const trial = by("trial")[0]?.name;
  const [output, expected] =
    wide.length > 0 ? [undefined, by("expected")[0]] : outputAndExpected(columns, options, by);
  const inputs = questionColumns(by("input"), records);
  const ids = by("id").filter(
    (one) => !runIds.includes(one) && (inputs.length === 0 || !isOrdinal(roleOf(one.name)!)),
  );
  const key = [
    ...rowId(ids, inputs[0], records),
    ...inputs,
    ...(expected === undefined ? [] : [expected]),
  ].map(({ name }) => name);
  if (rowKey !== undefined && !key.includes(rowKey)) key.unshift(rowKey);
  const runs = columns.find(({ name }) => name === evaluation[0])?.distinct ?? 1;
  const unknown = rest.filter(
    ({ name }) => [undefined, "metric"].includes(roleOf(name)?.role) && !evaluation.includes(name),
  );
  // Only an expected answer does not identify rows: several may expect the same.
  if (rowKey === undefined && expected !== undefined && key.length === 1 && key[0] === expected.name) {
    const answer = columns.findIndex(({ name }) => name === output?.name || grouped.has(name));
    const before = new Set(columns.slice(0, answer));
    // Names of answers that are not the answer: the hypothesis of a premise.
    const others = by("output").filter((column) => column !== output && column !== expected);
    const free = rest.filter((column) => unknown.includes(column) || others.includes(column));
    key.unshift(...columnsBeside(expected, free, { records, runs, before }).map(({ name }) => name));
  }
  if (key.length === 0) {
    const identifier = unknown.find((column) =>
      wide.length === 0 ? isEachOnce(column, records, runs) : isName(column, records),
    );
    if (identifier !== undefined) key.push(identifier.name);
  }
  const assigned = new Set([output?.name, trial, ...key, ...evaluation]);
  const single = singleAnswer(rest, { output: output?.name, assigned, options, by, runs });
  const answers: readonly NamedAnswer[] =
    wide.length > 0
      ? wide.map(({ model, columns: own }) => namedAnswer(model, groupColumns(own, records)))
      : [{ model: undefined, repetition: undefined, columns: single }];
  const named = answers[0]!.model === undefined ? evaluation : [];
  const used = new Set([
    ...[...named, trial, ...metrics, ...key],
    ...answers.flatMap(({ columns: own }) => columnsOf(own)),
  ]);
  const others = names.filter((name) => !used.has(name));
  return { key, expected: expected?.name, evaluation: named, trial, metrics, answers, others };
}

/** The best id, unless it is another for each record while the question and another id come again together. */
function rowId(
  [best, ...others]: readonly ColumnProfile[],
  question: ColumnProfile | undefined,
  records: number,
): readonly ColumnProfile[] {
  if (best === undefined) return [];
  const repeated = question !== undefined && question.distinct < records ? question.distinct : undefined;
  const ofRow = best.distinct === records && others.find(({ distinct }) => distinct === repeated);
  return [ofRow || best];
}

/** The best column with questions, and further ones if some records have theirs there: `input`, then `instruction`. */
function questionColumns(inputs: readonly ColumnProfile[], records: number): readonly ColumnProfile[] {
  const some = inputs.filter(({ filled }) => filled > 0);
  const whole = some.findIndex(({ filled }) => filled === records);
  return some.slice(0, whole === -1 ? 1 : whole + 1);
}

/** The columns that an option names: one, or several separated by commas. */
function namedColumns(names: readonly string[], option: string | undefined): readonly string[] {
  if (option === undefined || names.includes(option)) return option === undefined ? [] : [option];
  return option.split(",").map((name) => name.trim());
}

/**
 * Whether each value of a column occurs exactly once in each of several evaluations: then it identifies rows,
 * regardless of its name.
 */
function isEachOnce(
  { distinct, filled, nested }: ColumnProfile,
  records: number,
  evaluations: number,
): boolean {
  const isWhole = nested === 0 && filled === records;
  return evaluations > 1 && distinct > 1 && isWhole && distinct * evaluations === records;
}

/** Whether each record of a wide table has a different text in a column: then it identifies rows, whatever its name. */
function isName(column: ColumnProfile, records: number): boolean {
  const isWhole = column.nested === 0 && column.filled === records;
  return isWhole && records > 1 && column.distinct === records && !isMeasure(column);
}

/**
 * The columns of unknown names that distinguish rows with the same expected answer: all texts before the answer,
 * otherwise whole numbers before it that occur once in each evaluation, otherwise a column whose values each occur
 * equally often in each. A value that is the same in a whole evaluation describes the evaluation; one that occurs once
 * in several describes the answer.
 */
function columnsBeside(
  expected: ColumnProfile,
  unknown: readonly ColumnProfile[],
  {
    records,
    runs,
    before,
  }: { readonly records: number; readonly runs: number; readonly before: ReadonlySet<ColumnProfile> },
): readonly ColumnProfile[] {
  const describing = unknown.filter(
    (column) =>
      column.nested === 0 &&
      column.filled === records &&
      (column.isIndex || !isMeasure(column)) &&
      column.distinct > runs &&
      column.distinct * runs <= records,
  );
  const texts = describing.filter((column) => before.has(column));
  const isNumber = (column: ColumnProfile) =>
    before.has(column) && column.whole === records && column.distinct * runs === records;
  const numbers = texts.length > 0 ? [] : unknown.filter(isNumber).slice(0, 1);
  if (texts.length > 0 || numbers.length > 0 || runs === 1) return [...texts, ...numbers];
  return describing
    .filter(({ distinct }) => distinct > expected.distinct && records % (distinct * runs) === 0)
    .slice(0, 1);
}

/** The columns that may have the names of metrics, best first. */
export function metricColumns(columns: readonly ColumnProfile[], records: number): readonly string[] {
  return rolesOf(columns, (column) => columnRole(column, records))("metric").map(({ name }) => name);
}

type ByRole = (role: Role) => readonly ColumnProfile[];

function rolesOf(
  columns: readonly ColumnProfile[],
  roleIn: (column: ColumnProfile) => FoundRole | undefined,
): ByRole {
  const known = columns.map((column) => ({ column, found: roleIn(column) }));
  return (role) =>
    known
      .filter(({ found }) => found?.role === role)
      // A column without values is the last choice.
      .sort(
        (a, b) =>
          Number(a.column.filled === 0) - Number(b.column.filled === 0) || a.found!.rank - b.found!.rank,
      )
      .map(({ column }) => column);
}

/**
 * If nothing else is expected, `answer` next to another column of answers is the expected answer, and so is `actual`
 * next to a prediction.
 */
function outputAndExpected(
  columns: readonly ColumnProfile[],
  { output: requested }: ReadOptions,
  by: ByRole,
): readonly [ColumnProfile | undefined, ColumnProfile | undefined] {
  const outputs = by("output");
  const output = columns.find(({ name }) => name === requested) ?? outputs[0];
  const others = outputs.filter((one) => one !== output);
  const unknown = outputs.filter(({ name }) => isUnknownAnswer(roleOf(name)!));
  if (requested === undefined && output !== undefined && unknown.includes(output) && unknown.length > 1) {
    const found = unknown.map(({ name }) => name).join(", ");
    throw new Unreadable(
      `${found}: each may be the answer; choose one, such as --output ${shellWord(output.name)}`,
      "asked",
    );
  }
  const spare = others.find(({ name }) => isSpareAnswer(roleOf(name)!));
  const [label, ...more] = by("expected");
  // A label of yes and no next to an answer in sentences states whether the answer is right.
  const isGiven = label === undefined || label.name.toLowerCase() !== "label" || !isYesOrNo(label);
  return [
    output,
    isGiven || output === undefined || isYesOrNo(output) ? (label ?? spare) : (more[0] ?? spare),
  ];
}

interface Found {
  readonly output: string | undefined;
  /** Columns that already have a role. */
  readonly assigned: ReadonlySet<string | undefined>;
  readonly options: ReadOptions;
  readonly by: ByRole;
  /** The number of evaluations. */
  readonly runs: number;
}

function singleAnswer(
  columns: readonly ColumnProfile[],
  { output, assigned, options, by, runs }: Found,
): AnswerColumns {
  const facts = factsOf(by);
  const place = columns.findIndex(({ name }) => name === output);
  const isFree = ({ name }: ColumnProfile) => !assigned.has(name) && !facts.all.has(name);
  // Measurements after the answer are its scores; those before it describe the question.
  const behind = (column: ColumnProfile, i: number) =>
    place !== -1 &&
    i > place &&
    !column.isIndex &&
    isMeasure(column) &&
    ((roleOf(column.name) === undefined && !isDescription(column.name)) ||
      isSpareLabel(column) ||
      isJudgedOutput(column, output));
  const named = new Set(by("score"));
  const found = columns.filter((column, i) => isFree(column) && (named.has(column) || behind(column, i)));
  const beside = found.filter((column) => !named.has(column) && isNoScore(column, runs));
  const scores = found.filter((column) => !beside.includes(column));
  const names = options.scores?.length ? options.scores : scores.map(({ name }) => name);
  const { all: _, ...own } = facts;
  return {
    ...own,
    output,
    facts: [...own.facts, ...beside.map(({ name }) => name)].filter((name) => !names.includes(name)),
    scores: new Map(names.map((name) => [name, scoreName(name)])),
  };
}

/** Whether a column below `outputs` is of an evaluator, because the answer is elsewhere. */
function isJudgedOutput({ name }: ColumnProfile, output: string | undefined): boolean {
  const [role, answer] = [name, output ?? ""].map(roleOf);
  const isThere = role !== undefined && isBesideAnswer(role) && !/[._]threshold$/i.test(name);
  return isThere && answer?.role === "output" && !/^outputs?\./i.test(output!);
}

/** Whether a column is a label that is not the expected answer. */
function isSpareLabel(column: ColumnProfile): boolean {
  return column.name.toLowerCase() === "label" && isYesOrNo(column);
}

/** Columns that describe an answer and are not scores. */
function factsOf(
  by: ByRole,
): Omit<AnswerColumns, "output" | "scores"> & { readonly all: ReadonlySet<string> } {
  const [latency, total, error] = [by("latency")[0]?.name, by("tokens")[0]?.name, by("error")[0]?.name];
  const facts = by("fact").map(({ name }) => name);
  const part = (pattern: RegExp) => facts.find((name) => pattern.test(name));
  const [read, written] = [
    part(/(?:prompt|input)[\s_.-]*tokens?/i),
    part(/(?:completion|output|generated)[\s_.-]*tokens?/i),
  ];
  const parts = read === undefined || written === undefined ? [] : [read, written];
  const tokens = total === undefined ? parts : [total];
  const others = [...by("latency"), ...by("tokens"), ...by("error"), ...by("note")].map(({ name }) => name);
  const own = [...facts, ...others.filter((name) => name !== latency && name !== total && name !== error)];
  const all = new Set([latency, error, ...tokens, ...own].filter((name) => name !== undefined));
  return { latency, tokens, error, facts: own, all };
}

/** Numbered columns are repetitions: `answer_1`, `answer_2`. */
function namedAnswer(model: string, columns: AnswerColumns): NamedAnswer {
  return /^\d{1,4}$/.test(model)
    ? { model: undefined, repetition: Number(model), columns }
    : { model, repetition: undefined, columns };
}

function groupColumns(own: ReadonlyMap<string, ColumnProfile>, records: number): AnswerColumns {
  const whats = new Map(Array.from(own, ([what, column]) => [column, what]));
  const by = rolesOf([...own.values()], (column) =>
    columnRole({ ...column, name: whats.get(column)! }, records),
  );
  const output = by("output")[0]?.name;
  const { all, ...facts } = factsOf(by);
  const scores = [...own].filter(
    ([what, column]) =>
      column.name !== output &&
      !all.has(column.name) &&
      (roleOf(what)?.role === "score" ||
        (isMeasure(column) && !isNoScore({ ...column, name: what }, 1) && !isDescription(what))),
  );
  const names = new Set(scores.map(([, { name }]) => name));
  const others = [...own.values()]
    .map(({ name }) => name)
    .filter((name) => name !== output && !names.has(name) && !all.has(name));
  return {
    ...facts,
    output,
    facts: [...facts.facts, ...others],
    scores: new Map(scores.map(([what, { name }]) => [name, scoreName(what)])),
  };
}

/** All columns of an answer. */
export function columnsOf(answer: AnswerColumns): readonly string[] {
  const { output, latency, tokens, error, scores, facts } = answer;
  return [output, latency, ...tokens, error, ...scores.keys(), ...facts].filter((name) => name !== undefined);
}

function checkRequested(names: readonly string[], requested: readonly (string | undefined)[]): void {
  const unknown = requested.filter((name) => name !== undefined && !names.includes(name));
  if (unknown.length > 0)
    throw new Unreadable(`no column ${unknown.join(", ")}; it has ${names.join(", ")}`, "asked");
}

/** How many columns are named with an option. */
const LISTED = 8;

/** Whether names of columns seem to be spread over several lines: some are missing, or occur again. */
export function isSplit(names: readonly string[]): boolean {
  return names.filter((name) => /^column \d+$| \(\d+\)$/.test(name)).length > 1;
}

/** What to do about such names. */
export const SPLIT_NAMES =
  "the column names seem to be spread over several lines: put them in one, such as small_score, large_score";

/** Names of columns that only sums of many rows have. */
const SPREAD =
  /(?:^|[_ ,-])(?:std(?:_?err|_?dev)?|stderr|standard[_ ](?:error|deviation)|n_total|n_samples)$/i;

/** Throws if a layout lacks the identity of rows, or answers and scores, with the options that would provide it. */
export function checkComplete(
  columns: readonly ColumnProfile[],
  { key, expected, evaluation, answers }: TableLayout,
): void {
  const names = columns.map(({ name }) => name);
  const seen = `a table with columns ${names.slice(0, 30).join(", ")}`;
  const used = new Set([...key, ...evaluation, ...answers.flatMap(({ columns: own }) => columnsOf(own))]);
  const free = columns.filter(({ name }) => !used.has(name));
  const scored = answers.some(({ columns: own }) => own.output !== undefined || own.scores.size > 0);
  const measures = free.filter((column) => isMeasure(column) && !column.isIndex && !isNoScore(column, 1));
  const measured = scored
    ? undefined
    : (measures.find(({ distinct, filled }) => distinct < filled) ?? measures[0]);
  const cost = columns.find((column) => isCost(column.name) && isMeasure(column));
  const others = free.filter((column) => column !== measured);
  const isUnique = ({ distinct, filled }: ColumnProfile) => distinct === filled;
  const identifier =
    others.find((column) => !isMeasure(column) && isUnique(column)) ?? others.find(isUnique) ?? others[0];
  const missing = [
    ...(scored ? [] : ["no column has answers or scores"]),
    ...(key.length > 0 ? [] : ["no column identifies the rows"]),
  ];
  const several = measures.map(({ name }) => name);
  const all = shellWord(several.slice(0, LISTED).join(","));
  const scores =
    several.length > 1 && several.length <= LISTED
      ? `add --score ${all} if they are scores, or --evaluation ${all} if they are models`
      : `add --score ${shellWord((measured ?? cost)?.name ?? "COLUMN")}`;
  // Answers beside what is expected.
  const texts = free.filter(({ nested, filled, distinct }) => nested === 0 && distinct * 2 > filled);
  const models = shellWord(texts.map(({ name }) => name).join(","));
  const areAnswers =
    expected !== undefined && measures.length === 0 && texts.length > 1 && texts.length <= LISTED;
  const flags = [
    ...(scored ? [] : [areAnswers ? `add --evaluation ${models} if they are models` : scores]),
    ...(key.length > 0 ? [] : [`add --row-key ${shellWord(identifier?.name ?? "COLUMN")}`]),
  ];
  if (missing.length === 0) return;
  const hasNoNames = names.some((name) => /^[-+]?\d+(?:[.,]\d+)?%?$/.test(name));
  const nested = scored ? undefined : free.find((column) => column.nested > 0);
  const model = columns.find(({ name, distinct, filled }) => name === evaluation[0] && distinct === filled);
  const hasNoRows = key.length === 0 && model !== undefined && model.filled > 1;
  const spread = key.length === 0 ? names.find((name) => SPREAD.test(name)) : undefined;
  const isTransposed = columns.some(({ counts: { examples } }) => {
    const roles = examples.map((text) => roleOf(text)?.role);
    return new Set(roles).size > 1 && !roles.includes(undefined);
  });
  const isTraining = ["chosen", "rejected"].every((name) => names.includes(name));
  const way = isTraining
    ? "pairs of a chosen and a rejected answer train a model; to compare models, write a record for each answer, with its model and score"
    : isTransposed
      ? "the names of columns seem to be below each other: transpose the table, so that each record is a line"
      : hasNoNames
        ? "the first line looks like a record: put a line with the column names before it"
        : isSplit(names)
          ? SPLIT_NAMES
          : nested !== undefined
            ? `${nested.name} holds objects or lists: write a record for each question and model, with its answer and score`
            : hasNoRows
              ? `one record for each ${model.name} holds results of many rows: pass the file with the result of each row`
              : spread !== undefined
                ? `each record sums up many rows, as ${spread} shows: pass the file with the result of each row`
                : key.length === 0 && identifier === undefined
                  ? "add a column with an id for each row, the same in all files"
                  : flags.join("; ");
  throw new Unreadable(`${seen}: ${missing.join(", and ")}; ${way}`, "asked");
}
