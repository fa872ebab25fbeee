// Counts the values of a table's columns over all records: a name is not enough to know what a column is.

import type { Json } from "@assay/base";
import { readingOf, type ValueCounts } from "../../scores/score-values.ts";
import { vocabulariesOf } from "../../scores/score-words.ts";
import {
  type FoundRole,
  isConversation,
  isCount,
  isListOfScores,
  isPrefixedScore,
  isRunId,
  isValueName,
  isWeakModel,
  roleOf,
} from "./column-roles.ts";
import { durationSeconds } from "./duration.ts";
import { isJudgedScore, isScoreList } from "./named-scores.ts";
import { ROLE_NAMES } from "./role-names.ts";

/** The values of a table's column. */
export interface ColumnProfile {
  readonly name: string;
  /** Its values that are neither objects nor lists. */
  readonly counts: ValueCounts;
  /** The number of values that are present; how many of them are objects or lists; and the characters of its texts. */
  readonly filled: number;
  readonly nested: number;
  /** The number of texts that only say that there was an object. */
  readonly lost: number;
  /** The first of the objects and lists. */
  readonly firstNested: Json | undefined;
  /** The number of values that are integers. */
  readonly whole: number;
  /** The smallest and the largest of its numbers; infinite without any. */
  readonly smallest: number;
  readonly largest: number;
  readonly characters: number;
  /** The length of the longest text, and whether a text has several lines. */
  readonly longest: number;
  readonly hasLines: boolean;
  /** The number of different values. */
  readonly distinct: number;
  /** Whether it is the index that pandas writes. */
  readonly isIndex: boolean;
  /** Whether it is the verdict in words of a judge whose score is in another column. */
  readonly isJudged: boolean;
}

const ANSWERED = /^(?:correct|right|richtig|correct[ao]|corret[ao]|corretto|正确)$/i;
const [NAME_LENGTH, REMARK_LENGTH] = [120, 60];

/** Whether all values are numbers, or words for true and false. */
export function isMeasure({ counts, filled, nested }: ColumnProfile): boolean {
  if (filled === 0 || nested > 0 || counts.others > 0) return false;
  if (counts.words.size === 0) return true;
  const reading = readingOf(counts, {
    texts: "cells",
    isVerdict: true,
    decimalComma: false,
    type: undefined,
  });
  return reading !== "texts";
}

/** Numbers from here on are times, whole numbers from here on ids; and settings can be above the scores of a scale. */
const [TIMES, IDS, SETTINGS] = [1e9, 1e6, 100];
/** A scale can have this many grades, and a table a record for each. */
const GRADES = 10;

/**
 * Whether numbers of an unknown name are not scores: they count something, are as large as times or ids, number the
 * records of each evaluation, or are one large number in all of them, as settings are.
 */
export function isNoScore(column: ColumnProfile, evaluations: number): boolean {
  const { name, filled, whole, distinct, smallest, largest } = column;
  if (!isNumeric(column)) return false;
  if (isCount(name) || smallest >= TIMES) return true;
  if (whole < filled) return false;
  const areNumbered =
    distinct > GRADES && distinct * evaluations === filled && largest - smallest === distinct - 1;
  return areNumbered || largest >= IDS || (filled > 1 && distinct === 1 && smallest > SETTINGS);
}

/** Whether all values are numbers. */
function isNumeric({ counts, filled }: ColumnProfile): boolean {
  return filled > 0 && counts.numbers === filled;
}

/** Whether all values are words of judgement: `correct`, `fail`; `yes` and `false` may also be answers. */
function isJudgement({ counts, filled }: ColumnProfile): boolean {
  const known = [...counts.words].reduce((sum, [, times]) => sum + times, 0);
  if (filled === 0 || known !== filled) return false;
  const isWords = vocabulariesOf(counts.vocabularies).some(({ letters }) => letters !== true);
  return (
    isWords && ![...counts.words.keys()].every((word) => /^(?:yes|no|true|false|ja|nein)\W*$/i.test(word))
  );
}

/** Whether all values are `passed` and `failed`: a status may also be one of requests, such as `success`. */
function isPassOrFail({ counts, filled }: ColumnProfile): boolean {
  const known = [...counts.words].filter(([word]) => /^(?:pass|fail)(?:ed)?$/i.test(word));
  return filled > 0 && known.reduce((sum, [, times]) => sum + times, 0) === filled;
}

/** Whether its texts seem to be objects: JSON, or as Python prints them. */
function hasObjects({ counts: { examples } }: ColumnProfile): boolean {
  return examples.length > 0 && examples.every((text) => /^\s*\{.*\}\s*$/s.test(text));
}

/** Whether all values are yes and no, or true and false. */
export function isYesOrNo({ counts, filled }: ColumnProfile): boolean {
  return filled > 0 && counts.numbers === 0 && counts.others === 0 && counts.words.size + counts.booleans > 0;
}

/** A column's role, by its name and its values. */
export function columnRole(column: ColumnProfile, records: number): FoundRole | undefined {
  const named: FoundRole | undefined = column.isJudged ? { role: "note", rank: 0 } : roleOf(column.name);
  const score: FoundRole = { role: "score", rank: ROLE_NAMES.score.length };
  if (column.nested > 0 && column.nested === column.filled)
    if (
      isListOfScores(column.name) ||
      isScoreList(column.firstNested) ||
      (named === undefined && isJudgedScore(column.firstNested))
    )
      return score;
  if (named === undefined && /^(?:status|outcome)$/i.test(column.name) && isPassOrFail(column)) return score;
  if (named === undefined || column.filled === 0) return named;
  switch (named.role) {
    case "model":
      if (column.nested > 0) return undefined;
      if (isWeakModel(named) && isNumeric(column))
        return column.whole === column.filled ? { role: "trial", rank: ROLE_NAMES.trial.length } : score;
      if (isWeakModel(named) && isMeasure(column)) return score;
      if (column.hasLines || column.longest > NAME_LENGTH) return undefined;
      // The only agent is part of what is run.
      if (/^agent/i.test(column.name) && column.distinct === 1) return undefined;
      // A value that differs for every record does not name a run.
      return isWeakModel(named) && records > 1 && column.distinct === records ? undefined : named;
    case "trial":
      return isNumeric(column) ? named : undefined;
    case "metric":
      return column.nested > 0 || isMeasure(column) ? undefined : named;
    case "score":
      if (isPrefixedScore(named) && column.nested === 0 && !isMeasure(column) && !hasObjects(column))
        return undefined;
      // A column `correct` that holds answers is the correct answer.
      if (
        ANSWERED.test(column.name) &&
        column.counts.numbers + column.counts.booleans === 0 &&
        column.counts.others > 0
      )
        return column.counts.others * 2 >= column.filled
          ? { role: "expected", rank: ROLE_NAMES.expected.length }
          : named;
      // An explanation of a grade is longer than a word, and so is an object in a cell, which may be a grade.
      return column.nested === 0 && column.characters / column.filled > REMARK_LENGTH && !hasObjects(column)
        ? { role: "note", rank: 0 }
        : named;
    case "expected":
    case "output":
      return /^(?:label|result|actual)s?$/i.test(column.name) && isJudgement(column) ? score : named;
    case "id":
      return column.nested > 0 ? undefined : named;
    case "input":
      // A conversation in a text may contain the answer.
      return column.nested === 0 && isConversation(column.name) ? undefined : named;
    case "error":
      // The size of an error is not an error.
      return isNumeric(column) && column.counts.otherNumbers > 0 ? { role: "fact", rank: 0 } : named;
    case "latency":
      if (
        column.counts.others > 0 &&
        column.counts.examples.every((text) => durationSeconds(text) !== undefined)
      )
        return named;
      // The time at which something happened.
      if (isNumeric(column) && column.smallest >= TIMES) return { role: "fact", rank: 0 };
      return isNumeric(column) || column.counts.others === 0 ? named : undefined;
    case "tokens":
      return isNumeric(column) || column.counts.others === 0 ? named : undefined;
    default:
      return named;
  }
}

/** Whether its values name runs that have several records each. */
export function namesRuns(column: ColumnProfile, records: number): boolean {
  const { name, nested, filled, distinct } = column;
  const isShared = distinct > 1 && distinct * 2 <= records;
  return isRunId(name) && nested === 0 && filled === records && isShared && !isNumeric(column);
}

/** A column's role in a table with a record for each metric. `hasScore`: whether a column is a score by its name. */
export function roleBesideMetrics(
  column: ColumnProfile,
  records: number,
  hasScore: boolean,
): FoundRole | undefined {
  const { name, counts, filled, nested } = column;
  const isValue = isValueName(name) && (counts.others + nested) * 2 < filled;
  // `result` may also be the answer, or the expected one.
  if (isValue && (!hasScore || roleOf(name) === undefined)) return { role: "score", rank: 0 };
  const found = columnRole(column, records);
  // An id that is unique to each record is not the row's.
  return found?.role === "id" && column.distinct === records ? undefined : found;
}
