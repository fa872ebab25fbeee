// What a score's texts mean. Files hold letters that stand for marks, and tables hold nothing but texts: whether a
// column is true or false, a number or words is decided from all of its values, never from one.

import type { Json } from "@assay/base";
import type { ScoreTexts } from "./importer.ts";
import { isObject, type JsonObject } from "./json-text.ts";

/** How the values of one score are read. */
export type ScoreReading =
  | "as it is"
  | "letters as booleans"
  | "letters as numbers"
  | "cells as booleans"
  | "cells as numbers"
  | "cells as texts";

/** Inspect AI's grades. */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ["C", 1],
  ["I", 0],
  ["P", 0.5],
  ["N", 0],
]);
const TRUE: ReadonlySet<string> = new Set(["true", "yes", "wahr", "pass", "passed"]);
const FALSE: ReadonlySet<string> = new Set(["false", "no", "falsch", "fail", "failed"]);
const NOTHING: ReadonlySet<string> = new Set(["", "nan", "none", "null", "n/a", "na"]);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** What has been seen of the values of one score. */
export interface ScoreWords {
  /** Letters that are wholly right or wrong, and other letters. */
  grades: number;
  marks: number;
  /** Numbers, and those of them that are neither 0 nor 1. */
  numbers: number;
  otherNumbers: number;
  /** Words for true and false. */
  words: number;
  /** Anything else that is no list and not nothing. */
  others: number;
}

/** Nothing seen yet. */
export function noWords(): ScoreWords {
  return { grades: 0, marks: 0, numbers: 0, otherNumbers: 0, words: 0, others: 0 };
}

/** What has been seen in either place. */
export function addWords(a: ScoreWords, b: ScoreWords): ScoreWords {
  return {
    grades: a.grades + b.grades,
    marks: a.marks + b.marks,
    numbers: a.numbers + b.numbers,
    otherNumbers: a.otherNumbers + b.otherNumbers,
    words: a.words + b.words,
    others: a.others + b.others,
  };
}

/** What a value may be read as: whichever of these are there. */
export interface ScoreMeanings {
  readonly boolean?: boolean;
  readonly number?: number;
  readonly text?: string;
}

/** What a value that is no object may mean, which is counted in `words`; nothing when it is null, a list or no score. */
export function meaningsOf(words: ScoreWords, value: Json, texts: ScoreTexts): ScoreMeanings {
  if (typeof value === "boolean") {
    if (texts === "cells") words.words++;
    else words.others++;
    return { boolean: value };
  }
  if (typeof value === "number") return numberMeanings(words, value, texts);
  if (typeof value !== "string") return {};
  if (texts === "letters") return letterMeanings(words, value);
  if (texts === "cells") return cellMeanings(words, value);
  words.others++;
  return { text: value };
}

function numberMeanings(words: ScoreWords, value: number, texts: ScoreTexts): ScoreMeanings {
  words.numbers++;
  if (value !== 0 && value !== 1) words.otherNumbers++;
  else if (texts === "cells") return { number: value, boolean: value === 1 };
  return { number: value };
}

function letterMeanings(words: ScoreWords, value: string): ScoreMeanings {
  const number = LETTERS.get(value);
  if (number === undefined) {
    words.others++;
    return { text: value };
  }
  if (value !== "C" && value !== "I") {
    words.marks++;
    return { number, text: value };
  }
  words.grades++;
  return { number, boolean: number === 1, text: value };
}

function cellMeanings(words: ScoreWords, value: string): ScoreMeanings {
  if (isNothing(value)) return {};
  const text = value.trim();
  if (isTrue(text) || FALSE.has(text.toLowerCase())) {
    words.words++;
    return { boolean: isTrue(text), text: value };
  }
  if (NUMBER.test(text)) return { ...numberMeanings(words, Number(text), "cells"), text: value };
  words.others++;
  return { text: value };
}

/** How a score is read, of which this has been seen. */
export function readingOf(words: ScoreWords, texts: ScoreTexts): ScoreReading {
  if (texts === "letters" && words.others === 0 && words.grades + words.marks > 0) {
    return words.marks + words.numbers === 0 ? "letters as booleans" : "letters as numbers";
  }
  if (texts !== "cells") return "as it is";
  if (words.others > 0) return "cells as texts";
  if (words.words > 0) return words.otherNumbers > 0 ? "cells as texts" : "cells as booleans";
  return "cells as numbers";
}

/** A value as it is read; null when there is none. Lists are none. */
export function readScore(value: Json, reading: ScoreReading): Json {
  if (typeof value === "number") {
    if (reading === "cells as booleans") return value === 1;
    return reading === "cells as texts" ? String(value) : value;
  }
  if (Array.isArray(value)) return null;
  if (typeof value !== "string" || reading === "as it is") return value;
  if (reading === "letters as booleans") return LETTERS.get(value) === 1;
  if (reading === "letters as numbers") return LETTERS.get(value) ?? null;
  if (isNothing(value)) return null;
  const text = value.trim();
  if (reading === "cells as booleans") return isTrue(text) || Number(text) === 1;
  return reading === "cells as numbers" ? Number(text) : value;
}

/** Whether a cell among scores says that there is none. */
function isNothing(cell: string): boolean {
  return NOTHING.has(cell.trim().toLowerCase());
}

/** The leaves of a trial's scores, with the keys that lead to them. */
export function* scoreLeaves(
  scores: JsonObject,
  before: readonly string[] = [],
): Generator<readonly [readonly string[], Json]> {
  for (const [name, value] of Object.entries(scores)) {
    if (isObject(value)) yield* scoreLeaves(value, [...before, name]);
    else yield [[...before, name], value];
  }
}

/** Scores with each leaf read; what has no value is left out, and an object that is then empty. */
export function readScores(
  scores: JsonObject,
  read: (keys: readonly string[], value: Json) => Json,
  before: readonly string[] = [],
): JsonObject {
  const entries: (readonly [string, Json])[] = [];
  for (const [name, value] of Object.entries(scores)) {
    const keys = [...before, name];
    if (isObject(value)) {
      const inner = readScores(value, read, keys);
      if (Object.keys(inner).length > 0) entries.push([name, inner]);
    } else {
      const known = read(keys, value);
      if (known !== null) entries.push([name, known]);
    }
  }
  return Object.fromEntries(entries);
}

function isTrue(text: string): boolean {
  return TRUE.has(text.toLowerCase());
}
