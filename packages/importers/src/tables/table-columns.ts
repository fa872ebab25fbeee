// What stands in the columns of a table, counted over all its records: a name does not suffice to say what a column is.

import { readingOf, type ScoreWords } from "../score-values.ts";
import { vocabulariesOf } from "../score-words.ts";
import { type FoundRole, isWeakModel, ROLE_NAMES, roleOf } from "./column-roles.ts";

/** What stands in a column of a table. */
export interface Column {
  readonly name: string;
  /** What its values that are neither objects nor lists are. */
  readonly words: ScoreWords;
  /** Values that are something, those of them that are objects or lists, and the characters of its texts. */
  readonly filled: number;
  readonly nested: number;
  /** Values that are whole numbers. */
  readonly whole: number;
  readonly characters: number;
  /** The longest text, and whether some text has several lines. */
  readonly longest: number;
  readonly hasLines: boolean;
  /** Different values, up to 10,000. */
  readonly distinct: number;
}

const ANSWERED = /^(?:correct|right|richtig|correct[ao]|corret[ao]|corretto|正确)$/i;
const [NAME_LENGTH, REMARK_LENGTH] = [120, 60];

/** Whether all values of a column are numbers, or true and false in words. */
export function isMeasure({ words, filled, nested }: Column): boolean {
  if (filled === 0 || nested > 0 || words.others > 0) return false;
  if (words.words.size === 0) return true;
  const reading = readingOf(words, { texts: "cells", isVerdict: true, decimalComma: false, type: undefined });
  return reading !== "texts";
}

/** Whether all values are numbers. */
function isNumeric({ words, filled }: Column): boolean {
  return filled > 0 && words.numbers === filled;
}

/** Whether all values are words that judge: `correct`, `fail`; `yes` and `false` may be answers too. */
function isJudgement({ words, filled }: Column): boolean {
  const said = [...words.words].reduce((sum, [, times]) => sum + times, 0);
  if (filled === 0 || said !== filled) return false;
  const isWords = vocabulariesOf(words.vocabularies).some(({ letters }) => letters !== true);
  return (
    isWords && ![...words.words.keys()].every((word) => /^(?:yes|no|true|false|ja|nein)\W*$/i.test(word))
  );
}

/** Whether all values are yes and no, or true and false. */
export function isYesOrNo({ words, filled }: Column): boolean {
  return filled > 0 && words.numbers === 0 && words.others === 0 && words.words.size + words.booleans > 0;
}

/** What a column is, by its name and by what stands in it. */
export function columnRole(column: Column, records: number): FoundRole | undefined {
  const named = roleOf(column.name);
  if (named === undefined || column.filled === 0) return named;
  const score: FoundRole = { role: "score", rank: ROLE_NAMES.score.length };
  switch (named.role) {
    case "model":
      if (column.nested > 0) return undefined;
      if (isWeakModel(named) && isNumeric(column))
        return column.whole === column.filled ? { role: "trial", rank: ROLE_NAMES.trial.length } : score;
      if (isWeakModel(named) && isMeasure(column)) return score;
      if (column.hasLines || column.longest > NAME_LENGTH) return undefined;
      // What is another with each record names no run.
      return isWeakModel(named) && records > 1 && column.distinct === records ? undefined : named;
    case "trial":
      return isNumeric(column) ? named : undefined;
    case "score":
      // `correct` that holds an answer is the answer that is correct.
      if (
        ANSWERED.test(column.name) &&
        column.words.numbers + column.words.booleans === 0 &&
        column.words.others > 0
      )
        return column.words.others * 2 >= column.filled
          ? { role: "expected", rank: ROLE_NAMES.expected.length }
          : named;
      // An explanation of a grade has more than a word.
      return column.nested === 0 && column.characters / column.filled > REMARK_LENGTH
        ? { role: "note", rank: 0 }
        : named;
    case "expected":
    case "output":
      return /^(?:label|result|actual)s?$/i.test(column.name) && isJudgement(column) ? score : named;
    case "id":
      return column.nested > 0 ? undefined : named;
    case "error":
      // The size of an error is not an error.
      return isNumeric(column) && column.words.otherNumbers > 0 ? { role: "fact", rank: 0 } : named;
    case "latency":
    case "tokens":
      return isNumeric(column) || column.words.others === 0 ? named : undefined;
    default:
      return named;
  }
}
