// Decides what the values of a score mean. Files write true and false in the words of many tools and languages, numbers
// as texts, and tables contain only texts. The decision therefore considers all values of a score, never a single one.

import type { Json } from "@assay/base";
import { isObject, type JsonObject, moveNumber } from "../json/json-text.ts";
import type { ScoreType } from "./score-type.ts";
import { knownWord, type NumberText, parseText, vocabulariesOf } from "./score-words.ts";

/** How the values of one score are read. */
export type ScoreReading = "as it is" | "booleans" | "numbers" | "numbers with a comma" | "texts";

/** Counts of what occurs among the values of one score. */
export interface ValueCounts {
  /** JSON true and false. */
  booleans: number;
  /** Numbers; those that are neither 0 nor 1; and those that were texts. */
  numbers: number;
  otherNumbers: number;
  numberTexts: number;
  /** Texts that are numbers with a decimal point; with a decimal comma; and ambiguous ones whose value would differ. */
  points: number;
  commas: number;
  either: number;
  percentages: number;
  /** Known words, and how often each occurs. */
  readonly words: Map<string, number>;
  /** The vocabularies that have all of them, as bits. */
  vocabularies: number;
  /** Other texts: their number, their length, and the first of them. */
  others: number;
  length: number;
  readonly examples: string[];
  /** An example of a number that has more than digits. */
  formatted: string | undefined;
}

const EXAMPLES = 3;

/** No values yet. */
export function noCounts(): ValueCounts {
  return {
    ...{ booleans: 0, numbers: 0, otherNumbers: 0, numberTexts: 0, points: 0, commas: 0, either: 0 },
    ...{ percentages: 0, words: new Map(), vocabularies: -1, others: 0, length: 0, examples: [] },
    formatted: undefined,
  };
}

/** The sum of both counts. */
export function addCounts(a: ValueCounts, b: ValueCounts): ValueCounts {
  const words = new Map(a.words);
  for (const [word, times] of b.words) words.set(word, (words.get(word) ?? 0) + times);
  return {
    booleans: a.booleans + b.booleans,
    numbers: a.numbers + b.numbers,
    otherNumbers: a.otherNumbers + b.otherNumbers,
    numberTexts: a.numberTexts + b.numberTexts,
    points: a.points + b.points,
    commas: a.commas + b.commas,
    either: a.either + b.either,
    percentages: a.percentages + b.percentages,
    words,
    vocabularies: a.vocabularies & b.vocabularies,
    others: a.others + b.others,
    length: a.length + b.length,
    examples: [...new Set([...a.examples, ...b.examples])].slice(0, EXAMPLES),
    formatted: a.formatted ?? b.formatted,
  };
}

/** The possible meanings of a value; absent ones are not possible. */
export interface ScoreMeanings {
  readonly boolean?: boolean | undefined;
  /** With a decimal point and with a decimal comma, where each is possible. */
  readonly number?: number | undefined;
  readonly comma?: number | undefined;
  readonly text?: string;
}

/**
 * How to read the texts among scores: as words and numbers if all of them are known (`words`), the same for files in
 * which every value is a text (`cells`), as Inspect AI counts letters, words and numbers together (`letters`), or
 * unchanged (`text`).
 */
export type ScoreTexts = "words" | "cells" | "letters" | "text";

/**
 * The possible meanings of a value that is not an object, which is counted in `words` as often as it occurs. Undefined
 * for null, infinities, lists and values that are not scores.
 */
export function meaningsOf(counts: ValueCounts, value: Json, texts: ScoreTexts, times = 1): ScoreMeanings {
  if (typeof value === "boolean") {
    counts.booleans += times;
    return { boolean: value, number: Number(value), comma: Number(value) };
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return {};
    counts.numbers += times;
    if (value !== 0 && value !== 1) counts.otherNumbers += times;
    return { number: value, comma: value, boolean: booleanOf(value) };
  }
  if (typeof value !== "string") return {};
  if (texts === "text") {
    counts.others += times;
    return { text: value };
  }
  return textMeanings(counts, value, times);
}

function textMeanings(counts: ValueCounts, text: string, times: number): ScoreMeanings {
  const { isMissing: none, number, word } = parseText(text);
  if (none) return {};
  if (number !== undefined) return { ...numberMeanings(counts, text, number, times), text };
  if (word !== undefined) {
    const trimmed = text.trim();
    counts.words.set(trimmed, (counts.words.get(trimmed) ?? 0) + times);
    counts.vocabularies &= word.vocabularies;
    return { boolean: word.boolean, number: word.number, comma: word.number, text };
  }
  counts.others += times;
  counts.length += text.length * times;
  if (counts.examples.length < EXAMPLES && !counts.examples.includes(text)) counts.examples.push(text);
  return { text };
}

function numberMeanings(
  counts: ValueCounts,
  text: string,
  { point, comma, isFormatted }: NumberText,
  times: number,
): ScoreMeanings {
  counts.numbers += times;
  counts.numberTexts += times;
  if (isFormatted) counts.formatted ??= text.trim();
  if (isFormatted && text.includes("%")) counts.percentages += times;
  if (comma === undefined) counts.points += times;
  else if (point === undefined) counts.commas += times;
  else if (point !== comma) {
    counts.either += times;
    if (isFormatted) counts.formatted = text.trim();
  }
  const number = point ?? comma!;
  if (number !== 0 && number !== 1) counts.otherNumbers += times;
  return { number, comma: comma ?? point!, boolean: booleanOf(number) };
}

function booleanOf(number: number): boolean | undefined {
  return number === 0 || number === 1 ? number === 1 : undefined;
}

/** Further information for deciding how a score is read. */
export interface ReadingContext {
  readonly texts: ScoreTexts;
  /** Whether the score's name implies true or false. */
  readonly isVerdict: boolean;
  /** Whether other numbers of the file have a decimal comma. */
  readonly decimalComma: boolean;
  /** The type that the user gave it. */
  readonly type: ScoreType | undefined;
}

const READINGS: Readonly<Record<ScoreType, ScoreReading>> = {
  boolean: "booleans",
  number: "numbers",
  "decimal-comma": "numbers with a comma",
  text: "texts",
};

/** Decides how to read a score with these counts. */
export function readingOf(counts: ValueCounts, context: ReadingContext): ScoreReading {
  const { texts, isVerdict, type } = context;
  if (type !== undefined) return READINGS[type];
  if (texts === "text") return "as it is";
  // If one reading does not fit all values, they stay unchanged: texts in a table, any type in JSON.
  const unread = texts === "cells" ? "texts" : "as it is";
  if (counts.others > 0) return unread;
  if (counts.words.size > 0) return readingOfWords(counts, texts) ?? unread;
  const isBinary = counts.numbers > 0 && counts.otherNumbers === 0;
  if (isVerdict && isBinary) return "booleans";
  if (counts.numberTexts === 0) return "as it is";
  return counts.booleans > 0 ? unread : (readingOfNumbers(counts, context) ?? unread);
}

function readingOfWords(counts: ValueCounts, texts: ScoreTexts): ScoreReading | undefined {
  const fitting = vocabulariesOf(counts.vocabularies);
  const present = [...counts.words.keys()];
  const isHalf = present.some((word) => knownWord(word)!.boolean === undefined);
  if (texts === "letters") {
    // Inspect AI counts letters, words and numbers of one scorer together.
    const isGraded = isHalf || present.some((word) => /^[PN]$/.test(word));
    return isGraded ||
      counts.otherNumbers > 0 ||
      (counts.numbers > 0 && present.some((word) => word === "C" || word === "I"))
      ? "numbers"
      : "booleans";
  }
  if (fitting.length === 0 || counts.otherNumbers > 0) return undefined;
  const [{ letters }] = fitting as [(typeof fitting)[number]];
  if (letters === true) {
    const distinct = new Set(present.map((word) => word.toLowerCase()));
    // A single letter may be a choice, or a school grade.
    if (distinct.size + counts.numbers === 1) return undefined;
    if (distinct.has("p") && !distinct.has("f")) return "numbers";
    return "booleans";
  }
  return isHalf ? "numbers" : "booleans";
}

/** Undefined if commas or points could separate either thousands or decimals. */
function readingOfNumbers(counts: ValueCounts, { decimalComma }: ReadingContext): ScoreReading | undefined {
  // Percentages among other numbers: 0.85 and 85% may be equal, or differ by a factor of a hundred.
  if (counts.percentages > 0 && counts.percentages < counts.numbers) return undefined;
  if (counts.either === 0) return "numbers";
  if (counts.points > 0 && counts.commas > 0) return undefined;
  if (counts.commas > 0) return "numbers with a comma";
  if (counts.points > 0) return "numbers";
  if (decimalComma) return "numbers with a comma";
  return counts.formatted?.includes(",") === true ? undefined : "numbers";
}

/** Receives counts that are not needed. */
const UNCOUNTED = noCounts();

/** A value in its reading; null if it has none, as lists do. */
export function readScore(value: Json, reading: ScoreReading): Json {
  if (Array.isArray(value) || value === Infinity || value === -Infinity) return null;
  if (reading === "as it is" || value === null || isObject(value)) return value;
  if (reading === "texts")
    return typeof value === "string" ? (parseText(value).isMissing ? null : value) : String(value);
  const { boolean, number, comma } = meaningsOf(UNCOUNTED, value, "words");
  if (reading === "booleans") return boolean ?? null;
  return (reading === "numbers" ? number : comma) ?? null;
}

/** The leaves of a trial's scores, with the keys to each. */
export function* scoreLeaves(
  scores: JsonObject,
  before: readonly string[] = [],
): Generator<readonly [readonly string[], Json]> {
  for (const [name, value] of Object.entries(scores)) {
    if (isObject(value)) yield* scoreLeaves(value, [...before, name]);
    else yield [[...before, name], value];
  }
}

/** The scores with each leaf read, without missing values and without objects that become empty. */
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
  const found = Object.fromEntries(entries);
  for (const [name] of entries) moveNumber(scores, name, found, name);
  return found;
}
