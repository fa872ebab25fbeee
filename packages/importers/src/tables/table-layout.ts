// How a table is read: which columns tell the row, the answer, the scores and the evaluation. Long tables have a record
// for each question, model and trial; wide ones have columns for each model.

import type { ReadOptions } from "../importer.ts";
import { NotInFile } from "../unreadable.ts";
import { type Role, roleOf } from "./column-roles.ts";

/** The columns of one answer. */
export interface AnswerColumns {
  readonly output: string | undefined;
  readonly latency: string | undefined;
  readonly tokens: string | undefined;
  readonly error: string | undefined;
  /** Columns of scores, and what each score is called. */
  readonly scores: ReadonlyMap<string, string>;
}

/** What the columns of a table are. */
export interface TableLayout {
  /** The columns that tell a row from others: its id, the question, what is expected. */
  readonly key: readonly string[];
  /** The column that names the evaluation of a record; undefined when the file is one, or is wide. */
  readonly evaluation: string | undefined;
  readonly trial: string | undefined;
  /** Of a long table one answer, by no name; of a wide one an answer for each model. */
  readonly answers: readonly { readonly model: string | undefined; readonly columns: AnswerColumns }[];
  /** Columns that are none of these. */
  readonly others: readonly string[];
}

/** A column: its name, whether all its values are numbers, or true and false, and whether all are 0 or 1. */
export interface Column {
  readonly name: string;
  readonly isMeasure: boolean;
  readonly isBinary: boolean;
}

/** The layout of a table with these columns. Throws when nothing says what the answer or the row is. */
export function tableLayout(
  columns: readonly Column[],
  options: ReadOptions,
  scoreName: (column: string) => string,
): TableLayout {
  const names = columns.map(({ name }) => name);
  checkAsked(names, options);
  const asked = new Set([options.evaluation, options.output, options.rowKey, ...(options.scores ?? [])]);
  const groups = asked.size > 1 || (options.scores ?? []).length > 0 ? [] : wideGroups(names);
  const grouped = new Set(groups.flatMap(({ columns: own }) => [...own.values()]));
  const rest = columns.filter(({ name }) => !grouped.has(name));
  const by = rolesOf(rest.map(({ name }) => name).filter((name) => !asked.has(name)));
  const evaluation = options.evaluation ?? (groups.length > 0 ? undefined : by("model")[0]);
  const trial = by("trial")[0];
  const [output, expected] = outputAndExpected(options.output, by);
  const key = [
    ...by("id").slice(0, 1),
    ...by("input").slice(0, 1),
    ...(expected === undefined ? [] : [expected]),
  ];
  if (options.rowKey !== undefined && !key.includes(options.rowKey)) key.unshift(options.rowKey);
  const single = singleAnswer(rest, { output, key, evaluation, trial, options, by, scoreName });
  const answers =
    groups.length > 0
      ? groups.map(({ model, columns: own }) => ({ model, columns: groupColumns(own, scoreName) }))
      : [{ model: undefined, columns: single }];
  checkFound(names, key, answers);
  const used = new Set([evaluation, trial, ...key, ...answers.flatMap(({ columns: own }) => columnsOf(own))]);
  return { key, evaluation, trial, answers, others: names.filter((name) => !used.has(name)) };
}

type ByRole = (role: Role) => readonly string[];

function rolesOf(names: readonly string[]): ByRole {
  return (role) =>
    names
      .map((name) => ({ name, found: roleOf(name) }))
      .filter(({ found }) => found?.role === role)
      .sort((a, b) => a.found!.rank - b.found!.rank)
      .map(({ name }) => name);
}

/** `answer` beside another column of answers, and nothing else that is expected, is what was expected. */
function outputAndExpected(
  asked: string | undefined,
  by: ByRole,
): readonly [string | undefined, string | undefined] {
  const outputs = by("output");
  const output = asked ?? outputs[0];
  const spare = outputs.find((name) => name !== output && roleOf(name)!.rank === roleOf("answer")!.rank);
  return [output, by("expected")[0] ?? spare];
}

interface Found {
  readonly output: string | undefined;
  readonly key: readonly string[];
  readonly evaluation: string | undefined;
  readonly trial: string | undefined;
  readonly options: ReadOptions;
  readonly by: ByRole;
  readonly scoreName: (column: string) => string;
}

function singleAnswer(columns: readonly Column[], found: Found): AnswerColumns {
  const { output, options, by } = found;
  const [latency, tokens, error] = [by("latency")[0], by("tokens")[0], by("error")[0]];
  const taken = new Set([output, latency, tokens, error, found.evaluation, found.trial, ...found.key]);
  const place = columns.findIndex(({ name }) => name === output);
  // What is measured and comes after the answer is a score of it; what comes before describes the question.
  const measured = columns.filter(
    ({ name, isMeasure }, i) => isMeasure && place !== -1 && i > place && roleOf(name) === undefined,
  );
  const named = by("score").concat(measured.map(({ name }) => name));
  const scores = options.scores ?? columns.map(({ name }) => name).filter((name) => named.includes(name));
  const names = scores.filter((name) => options.scores !== undefined || !taken.has(name));
  return {
    output,
    latency,
    tokens,
    error,
    scores: new Map(names.map((name) => [name, found.scoreName(name)])),
  };
}

interface WideGroup {
  readonly model: string;
  /** The whole name of each column, by what it has beside the model. */
  readonly columns: ReadonlyMap<string, string>;
}

/** Columns that come for each model: `small_answer`, `large_answer`; `answer.small`, `answer.large`. */
function wideGroups(names: readonly string[]): readonly WideGroup[] {
  // A column that is an answer by itself makes a long table of it.
  if (names.some((name) => roleOf(name)?.role === "output" && !/[_.:/ -]/.test(name))) return [];
  for (const side of ["before", "after"] as const) {
    const groups = new Map<string, Map<string, string>>();
    for (const name of names) {
      for (const [model, what] of splits(name, side)) {
        groups.set(model, (groups.get(model) ?? new Map<string, string>()).set(what, name));
      }
    }
    const wide = [...groups].filter(([, columns]) => isAnswer(columns));
    const shape = (columns: ReadonlyMap<string, string>) => [...columns.keys()].sort().join("\n");
    const [first] = wide;
    const alike = wide.filter(([, columns]) => shape(columns) === shape(first![1]));
    if (alike.length > 1) return alike.map(([model, columns]) => ({ model, columns }));
  }
  return [];
}

function isAnswer(columns: ReadonlyMap<string, string>): boolean {
  const roles = [...columns.keys()].map(roleOf);
  if (roles.some((found) => found?.role === "output")) return true;
  // `exact_score` and `f1_score` are two scores of one model; `small_correct` and `large_correct` are not.
  return roles.some((found) => found?.role === "score" && found.rank >= 2 && found.rank < 99);
}

/** A name in two, at each mark that can stand between a model and what of it: the model first. */
function* splits(name: string, side: "before" | "after"): Generator<readonly [string, string]> {
  for (const { index } of name.matchAll(/[_.:/ -]+/g)) {
    const mark = /^[_.:/ -]+/.exec(name.slice(index))![0].length;
    const [start, end] = [name.slice(0, index), name.slice(index + mark)];
    if (start !== "" && end !== "") yield side === "before" ? [start, end] : [end, start];
  }
}

function groupColumns(
  own: ReadonlyMap<string, string>,
  scoreName: (column: string) => string,
): AnswerColumns {
  const by = rolesOf([...own.keys()]);
  const nameOf = (role: Role) => own.get(by(role)[0] ?? "");
  const found = {
    output: nameOf("output"),
    latency: nameOf("latency"),
    tokens: nameOf("tokens"),
    error: nameOf("error"),
  };
  const taken = new Set<string | undefined>(Object.values(found));
  const scores = [...own].filter(([, name]) => !taken.has(name));
  return { ...found, scores: new Map(scores.map(([what, name]) => [name, scoreName(what)])) };
}

/** All columns of an answer. */
export function columnsOf({ output, latency, tokens, error, scores }: AnswerColumns): readonly string[] {
  return [output, latency, tokens, error, ...scores.keys()].filter((name) => name !== undefined);
}

function checkAsked(names: readonly string[], options: ReadOptions): void {
  const asked = [options.evaluation, options.output, options.rowKey, ...(options.scores ?? [])];
  const unknown = asked.filter((name) => name !== undefined && !names.includes(name));
  if (unknown.length > 0)
    throw new NotInFile(`has no column ${unknown.join(", ")}; it has ${names.join(", ")}`);
}

function checkFound(names: readonly string[], key: readonly string[], answers: TableLayout["answers"]): void {
  const shown = names.slice(0, 30).join(", ");
  if (answers.every(({ columns }) => columns.output === undefined && columns.scores.size === 0)) {
    throw new NotInFile(
      `no column is an answer or a score by its name; say which with --output and --score: ${shown}`,
    );
  }
  if (key.length === 0) {
    throw new NotInFile(`no column tells the rows apart by its name; say which with --row-key: ${shown}`);
  }
}
