// Finds the columns of each model in a wide table, by their names.

import { type ColumnProfile, columnRole } from "./column-profile.ts";
import { isRoleWord, isVerdict, roleOf } from "./column-roles.ts";
import type { Role } from "./role-names.ts";

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
    const groups = new Map<string, Map<string, ColumnProfile>>();
    for (const column of columns) {
      for (const [model, what] of splits(column.name, side)) {
        // `expected_answer` and `model_answer` are not answers of models called `expected` and `model`.
        if (isRoleWord(model)) continue;
        groups.set(model, (groups.get(model) ?? new Map<string, ColumnProfile>()).set(what, column));
      }
    }
    // `small`, `large` next to `small_correct`, `large_correct`: the model's name by itself is its answer.
    for (const column of columns) {
      const group = groups.get(column.name);
      if (group !== undefined && !group.has("answer")) group.set("answer", column);
    }
    const shapes = new Map<string, [string, ReadonlyMap<string, ColumnProfile>][]>();
    for (const group of groups) {
      const shape = [...group[1].keys()].sort().join("\n");
      if (isAnswer(group[1])) shapes.set(shape, [...(shapes.get(shape) ?? []), group]);
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
    if (has("output") || (has("score") && !isScored) || (has("model") && !isAnswered)) continue;
    return alike.map(([model, own]) => ({ model, columns: own }));
  }
  return [];
}

function isAnswer(columns: ReadonlyMap<string, ColumnProfile>): boolean {
  const whats = [...columns.keys()];
  if (whats.some((what) => roleOf(what)?.role === "output")) return true;
  // `exact_score` and `f1_score` are two scores of one model; `small_correct` and `large_correct` are not.
  return whats.some((what) => isVerdict(what) && what.toLowerCase() !== "match");
}

/** Splits a name at each separator that can stand between a model and what is measured: the model first. */
function* splits(name: string, side: "before" | "after"): Generator<readonly [string, string]> {
  for (const { index } of name.matchAll(/[_.:/ -]+/g)) {
    const mark = /^[_.:/ -]+/.exec(name.slice(index))![0].length;
    const [start, end] = [name.slice(0, index), name.slice(index + mark)];
    if (start !== "" && end !== "") yield side === "before" ? [start, end] : [end, start];
  }
}
