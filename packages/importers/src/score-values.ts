// What a score's values mean. Files say true and false in words of many tools and languages, numbers as texts, and all as
// texts in a table: what a score is, is decided from all of its values, never from one.

import type { Json } from "@assay/base";
import type { ScoreTexts } from "./importer.ts";
import { isObject, type JsonObject, moveNumber } from "./json-text.ts";
import type { ScoreType } from "./score-type.ts";
import { isNothing, knownWord, type NumberText, saidBy, vocabulariesOf } from "./score-words.ts";

/** How the values of one score are read. */
export type ScoreReading = "as it is" | "booleans" | "numbers" | "numbers with a comma" | "texts";

/** What has been seen of the values of one score. */
export interface ScoreWords {
  /** True and false, as JSON has them. */
  booleans: number;
  /** Numbers, those of them that are neither 0 nor 1, and those that were texts. */
  numbers: number;
  otherNumbers: number;
  numberTexts: number;
  /** Texts that are numbers with a decimal point or with a decimal comma, and those that can be either, and differ. */
  points: number;
  commas: number;
  either: number;
  percentages: number;
  /** Words that are known, how often each. */
  readonly words: Map<string, number>;
  /** The vocabularies that have all of them. */
  vocabularies: number;
  /** Texts that are none of these, how many, how long, and the first of them. */
  others: number;
  length: number;
  readonly examples: string[];
  /** An example of a number that is more than digits. */
  dressed: string | undefined;
}

const EXAMPLES = 3;

/** Nothing seen yet. */
export function noWords(): ScoreWords {
  return {
    ...{ booleans: 0, numbers: 0, otherNumbers: 0, numberTexts: 0, points: 0, commas: 0, either: 0 },
    ...{ percentages: 0, words: new Map(), vocabularies: -1, others: 0, length: 0, examples: [] },
    dressed: undefined,
  };
}

/** What has been seen in either place. */
export function addWords(a: ScoreWords, b: ScoreWords): ScoreWords {
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
    dressed: a.dressed ?? b.dressed,
  };
}

/** What a value may be read as: whichever of these are there. */
export interface ScoreMeanings {
  readonly boolean?: boolean | undefined;
  /** With a decimal point where that can be, and with a decimal comma where that can be. */
  readonly number?: number | undefined;
  readonly comma?: number | undefined;
  readonly text?: string;
}

/**
 * What a value other than an object may mean, which is counted in `words` as often as it occurs; nothing when it is
 * null, a list or not a score.
 */
export function meaningsOf(words: ScoreWords, value: Json, texts: ScoreTexts, times = 1): ScoreMeanings {
  if (typeof value === "boolean") {
    words.booleans += times;
    return { boolean: value, number: Number(value), comma: Number(value) };
  }
  if (typeof value === "number") {
    words.numbers += times;
    if (value !== 0 && value !== 1) words.otherNumbers += times;
    return { number: value, comma: value, boolean: booleanOf(value) };
  }
  if (typeof value !== "string") return {};
  if (texts === "text") {
    words.others += times;
    return { text: value };
  }
  return textMeanings(words, value, times);
}

function textMeanings(words: ScoreWords, text: string, times: number): ScoreMeanings {
  const { isNothing: none, number, word } = saidBy(text);
  if (none) return {};
  if (number !== undefined) return { ...numberMeanings(words, text, number, times), text };
  if (word !== undefined) {
    const said = text.trim();
    words.words.set(said, (words.words.get(said) ?? 0) + times);
    words.vocabularies &= word.vocabularies;
    return { boolean: word.boolean, number: word.number, comma: word.number, text };
  }
  words.others += times;
  words.length += text.length * times;
  if (words.examples.length < EXAMPLES && !words.examples.includes(text)) words.examples.push(text);
  return { text };
}

function numberMeanings(
  words: ScoreWords,
  text: string,
  { point, comma, isDressed }: NumberText,
  times: number,
): ScoreMeanings {
  words.numbers += times;
  words.numberTexts += times;
  if (isDressed) words.dressed ??= text.trim();
  if (isDressed && text.includes("%")) words.percentages += times;
  if (comma === undefined) words.points += times;
  else if (point === undefined) words.commas += times;
  else if (point !== comma) {
    words.either += times;
    if (isDressed) words.dressed = text.trim();
  }
  const number = point ?? comma!;
  if (number !== 0 && number !== 1) words.otherNumbers += times;
  return { number, comma: comma ?? point!, boolean: booleanOf(number) };
}

function booleanOf(number: number): boolean | undefined {
  return number === 0 || number === 1 ? number === 1 : undefined;
}

/** What else decides how a score is read. */
export interface ReadingContext {
  readonly texts: ScoreTexts;
  /** Whether what the score is called can only be so or not so. */
  readonly isVerdict: boolean;
  /** Whether other numbers of the file have a decimal comma. */
  readonly decimalComma: boolean;
  /** What a person said that it is. */
  readonly type: ScoreType | undefined;
}

const SAID: Readonly<Record<ScoreType, ScoreReading>> = {
  boolean: "booleans",
  number: "numbers",
  "decimal-comma": "numbers with a comma",
  text: "texts",
};

/** How a score is read, of which this has been seen. */
export function readingOf(words: ScoreWords, context: ReadingContext): ScoreReading {
  const { texts, isVerdict, type } = context;
  if (type !== undefined) return SAID[type];
  if (texts === "text") return "as it is";
  // What cannot be read all in one way stays what it was: of a table a text, of JSON whatever each value is.
  const unread = texts === "cells" ? "texts" : "as it is";
  if (words.others > 0) return unread;
  if (words.words.size > 0) return readingOfWords(words, texts) ?? unread;
  const isBinary = words.numbers > 0 && words.otherNumbers === 0;
  if (isVerdict && isBinary) return "booleans";
  if (words.numberTexts === 0) return "as it is";
  return words.booleans > 0 ? unread : (readingOfNumbers(words, context) ?? unread);
}

function readingOfWords(words: ScoreWords, texts: ScoreTexts): ScoreReading | undefined {
  const fitting = vocabulariesOf(words.vocabularies);
  const said = [...words.words.keys()];
  const isHalf = said.some((word) => knownWord(word)!.boolean === undefined);
  if (texts === "letters") {
    // Inspect AI counts letters, words and numbers of one scorer together.
    const isGraded = isHalf || said.some((word) => /^[PN]$/.test(word));
    return isGraded ||
      words.otherNumbers > 0 ||
      (words.numbers > 0 && said.some((word) => word === "C" || word === "I"))
      ? "numbers"
      : "booleans";
  }
  if (fitting.length === 0 || words.otherNumbers > 0) return undefined;
  const [{ letters }] = fitting as [(typeof fitting)[number]];
  if (letters === true) {
    const distinct = new Set(said.map((word) => word.toLowerCase()));
    // A single letter may be a choice, or a school grade.
    if (distinct.size + words.numbers === 1) return undefined;
    if (distinct.has("p") && !distinct.has("f")) return "numbers";
    return "booleans";
  }
  return isHalf ? "numbers" : "booleans";
}

/** Undefined when a comma or a point may set thousands apart, or decimals, and nothing tells. */
function readingOfNumbers(words: ScoreWords, { decimalComma }: ReadingContext): ScoreReading | undefined {
  // A percentage beside numbers that are none: 0.85 and 85% may be the same, or a hundred times as much.
  if (words.percentages > 0 && words.percentages < words.numbers) return undefined;
  if (words.either === 0) return "numbers";
  if (words.points > 0 && words.commas > 0) return undefined;
  if (words.commas > 0) return "numbers with a comma";
  if (words.points > 0) return "numbers";
  if (decimalComma) return "numbers with a comma";
  return words.dressed?.includes(",") === true ? undefined : "numbers";
}

/** Counts what is not asked for. */
const UNCOUNTED = noWords();

/** A value as it is read; null when there is none. Lists are none. */
export function readScore(value: Json, reading: ScoreReading): Json {
  if (Array.isArray(value)) return null;
  if (reading === "as it is" || value === null || isObject(value)) return value;
  if (reading === "texts")
    return typeof value === "string" ? (isNothing(value) ? null : value) : String(value);
  const { boolean, number, comma } = meaningsOf(UNCOUNTED, value, "words");
  if (reading === "booleans") return boolean ?? null;
  return (reading === "numbers" ? number : comma) ?? null;
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
  const found = Object.fromEntries(entries);
  for (const [name] of entries) moveNumber(scores, name, found, name);
  return found;
}
