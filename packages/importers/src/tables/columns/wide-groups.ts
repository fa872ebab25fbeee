// Finds the columns of each model in a wide table, by their names.

import { type ColumnProfile, columnRole, isMeasure } from "./column-profile.ts";
import { isRoleWord, isVerdict, roleOf } from "./column-roles.ts";
import { MODEL_FAMILIES, type Role, RUN_NAMES } from "./role-names.ts";

/** The columns of one model. */
interface WideGroup {
  readonly model: string;
  /** Columns by the part of their name next to the model. */
  readonly columns: ReadonlyMap<string, ColumnProfile>;
}

/**
 * Groups of columns by model: `small_answer`, `large_answer`; `answer.small`, `answer.large`. The most common form
 * wins.
 */
export function wideGroups(columns: readonly ColumnProfile[], records: number): readonly WideGroup[] {
  const roles = new Map(columns.map((column) => [column, columnRole(column, records)]));
  for (const side of ["before", "after"] as const) {
    const groups = new Map<string, ReadonlyMap<string, ColumnProfile>>();
    for (const column of columns) {
      for (const [model, what] of splits(column.name, side)) {
        // `expected_answer` and `model_answer` are not answers of models called `expected` and `model`.
        if (isRoleWord(model) && !isRunName(model)) continue;
        groups.set(model, new Map(groups.get(model)).set(what, column));
      }
    }
    // `small`, `large` next to `small_correct`, `large_correct`: the model's name by itself is its answer.
    for (const column of columns) {
      const group = groups.get(column.name);
      if (group !== undefined && !group.has("answer"))
        groups.set(column.name, new Map(group).set("answer", column));
      else if (group === undefined && isRunAlone(column.name)) groups.set(column.name, soleColumn(column));
      const [, number] = REPETITION.exec(column.name) ?? [];
      if (number !== undefined && isMeasure(column)) groups.set(number, soleColumn(column));
    }
    const shapes = new Map<string, [string, ReadonlyMap<string, ColumnProfile>][]>();
    for (const group of groups) {
      const shape = [...group[1].keys()].sort().join("\n");
      const isRun = isRunName(group[0]) || [...group[1].values()].some(({ name }) => REPETITION.test(name));
      if (isAnswer(group[1]) || (isRun && isScore(group[1])))
        shapes.set(shape, [...(shapes.get(shape) ?? []), group]);
    }
    const [alike = []] = [...shapes.values()].sort((a, b) => b.length - a.length);
    const [first] = alike;
    if (alike.length < 2) continue;
    const grouped = new Set(alike.flatMap(([, own]) => [...own.values()]));
    const outside = columns.filter((column) => !grouped.has(column));
    const has = (role: Role) => outside.some((column) => roles.get(column)?.role === role);
    const isScored = [...first![1].keys()].some((what) => roleOf(what)?.role === "score");
    const isAnswered = [...first![1].keys()].some((what) => roleOf(what)?.role === "output");
    // A column that is an answer on its own makes the table long, and so does a score without a model.
    if (has("output") || (has("model") && !isAnswered)) continue;
    if (has("score") && !(isScored && alike.every(([, own]) => isAnswer(own)))) continue;
    return alike.map(([model, own]) => ({ model, columns: own }));
  }
  return [];
}

/** The name of a column with the scores of one repetition. */
const REPETITION = /^(?:trial|seed|attempt|repeat|repetition|rep|epoch|iteration)[ _-]?(\d{1,4})$/i;

const RUN = new RegExp(
  `^(?:(?:${MODEL_FAMILIES.join("|")})(?![a-z])|[a-z]+/[a-z][\\w./-]*(?::[\\w.-]+)?$|o\\d|` +
    `(?:${RUN_NAMES.join("|")}|v\\d.*|(?:model|modell|modele|modelo|modello|system|variant|run|prompt|version)[ _-]?(?:[a-e]|\\d+))$)`,
  "i",
);

/** Whether a name is that of a model or a run, rather than of a score. */
export function isRunName(name: string): boolean {
  return RUN.test(name);
}

/** Whether a column's whole name is that of a model or run, and not that of a measurement of one. */
function isRunAlone(name: string): boolean {
  const wholes = [...splits(name, "before"), ...splits(name, "after")];
  return isRunName(name) && wholes.every(([, what]) => [undefined, "model"].includes(roleOf(what)?.role));
}

/** The group of a model with only one column, which has its name: a score, or an answer. */
export function soleColumn(column: ColumnProfile): ReadonlyMap<string, ColumnProfile> {
  return new Map([[isMeasure(column) ? "score" : "answer", column]]);
}

function isScore(columns: ReadonlyMap<string, ColumnProfile>): boolean {
  return [...columns].some(([what, column]) => roleOf(what)?.role === "score" && isMeasure(column));
}

function isAnswer(columns: ReadonlyMap<string, ColumnProfile>): boolean {
  const whats = [...columns.keys()];
  const has = (roles: readonly string[]) => whats.some((what) => roles.includes(roleOf(what)?.role ?? ""));
  if (has(["output"])) return true;
  // A score next to a latency or a cost belongs to one model.
  if (has(["score"]) && has(["latency", "tokens", "fact"])) return true;
  // `exact_score` and `f1_score` are two scores of one model; `small_correct` and `large_correct` are not.
  return whats.some((what) => isVerdict(what) && what.toLowerCase() !== "match");
}

/** Splits a name at each separator that can stand between a model and what is measured: the model first. */
function* splits(name: string, side: "before" | "after"): Generator<readonly [string, string]> {
  const [, before, model] = /^([^([]+)[([]([^)\]]+)[)\]]$/.exec(name) ?? [];
  const what = before?.trimEnd();
  if (model !== undefined && what) {
    if (side === "after") yield [model, what];
    return;
  }
  for (const { index } of name.matchAll(/[_.:/ -]+/g)) {
    const mark = /^[_.:/ -]+/.exec(name.slice(index))![0].length;
    const [start, end] = [name.slice(0, index), name.slice(index + mark)];
    if (start !== "" && end !== "") yield side === "before" ? [start, end] : [end, start];
  }
}
