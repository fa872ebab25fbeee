// Notes on scores that were not read literally, for the user to check, with how to change it.

import { shellWord } from "@assay/base/internal";
import { groupBy } from "../collections/group-by.ts";
import type { ScoreType } from "./score-type.ts";
import { type ReadingContext, readScore, type ScoreReading, type ValueCounts } from "./score-values.ts";
import { knownWord } from "./score-words.ts";

/** How a score is read, and the evidence for it. */
export interface FoundReading {
  readonly counts: ValueCounts;
  readonly context: ReadingContext;
  readonly reading: ScoreReading;
}

/** The mean length of texts that are still labels rather than sentences. */
const LONGEST_LABEL = 40;

/** A sentence for each score that was not read literally, or could not be read. */
export function readingNotes(from: string, readings: ReadonlyMap<string, FoundReading>): readonly string[] {
  // Wide tables and experiments with many similar scores get one note.
  const alike = groupBy(
    [...readings].filter(([, { context }]) => context.type === undefined),
    ([, found]) => noteOf(found, ""),
  );
  return [...alike.values()].flatMap((group) => {
    const [path, found] = group[0]!;
    const note = noteOf(found, path);
    return note === undefined ? [] : `${from}: ${group.map(([name]) => name).join(", ")}: ${note}`;
  });
}

function noteOf({ counts, reading, context }: FoundReading, path: string): string | undefined {
  const as = (type: ScoreType) => `--as ${shellWord(path)}=${type}`;
  if (reading === "booleans") return noteOfBooleans(counts, as);
  if (reading === "numbers" || reading === "numbers with a comma") return noteOfNumbers(counts, reading, as);
  if (context.texts === "text") return undefined;
  return counts.others > 0 ? noteOfLabels(counts, path, as) : noteOfTexts(counts, as);
}

/** Writes the option that reads a score as a type. */
type WriteAs = (type: ScoreType) => string;

function noteOfBooleans({ words, numbers, booleans }: ValueCounts, as: WriteAs): string | undefined {
  const unusual = [...words].filter(([word]) => !/^(?:true|false)$/i.test(word));
  if (unusual.length > 0)
    return `${meaningsText(unusual, (word) => knownWord(word)!.boolean!)}; ${as("text")} keeps the words`;
  if (numbers === 0 || words.size > 0 || booleans > 0) return undefined;
  return `0 and 1 are false and true (${numbers}); ${as("number")} keeps the numbers`;
}

function noteOfNumbers(
  { words, formatted, numberTexts }: ValueCounts,
  reading: ScoreReading,
  as: WriteAs,
): string | undefined {
  if (words.size > 0)
    return `${meaningsText([...words], (word) => knownWord(word)!.number)}; ${as("text")} keeps the words`;
  if (formatted === undefined) return undefined;
  return `${numberTexts} numbers written as text: ${formatted} is ${readScore(formatted, reading)}; ${as("text")} keeps the texts`;
}

/** A note on texts that are neither words nor numbers, unless they are sentences. */
function noteOfLabels(counts: ValueCounts, path: string, as: WriteAs): string | undefined {
  const { words, numbers, booleans, others, length, examples } = counts;
  // A letter among others, such as C among B and D, is a grade.
  const known = numbers + booleans + sumOf(words, (word) => !knownWord(word)!.isLetter);
  const [label = ""] = examples;
  const shown = examples.map((one) => JSON.stringify(one.slice(0, 40))).join(", ");
  if (known === 0 && length / others > LONGEST_LABEL) return undefined;
  if (known === 0)
    return `text (${shown}), which has no mean to compare; --pass ${shellWord(`${path}==${label}`)} compares how often it is ${JSON.stringify(label.slice(0, 40))}`;
  const type = numbers > known / 2 ? "number" : "boolean";
  return `read as text: ${known} ${known === 1 ? "value is" : "values are"} true, false or numbers, and ${others} ${others === 1 ? "is" : "are"} not (${shown}); ${as(type)} leaves those out`;
}

/** A note on words and numbers that were not read as such. */
function noteOfTexts(
  { words, numbers, formatted, percentages }: ValueCounts,
  as: WriteAs,
): string | undefined {
  if (words.size > 0) {
    const shown = [...words.keys()].slice(0, 4).join(", ");
    return `read as text: ${shown}${numbers > 0 ? " among numbers" : ""} are ambiguous; choose with ${as("boolean")} or ${as("number")}`;
  }
  if (percentages > 0 && percentages < numbers)
    return `read as text: some values are percentages, and others are not; ${as("number")} takes 85% for 0.85`;
  if (formatted === undefined) return undefined;
  return `read as text: in ${formatted}, the comma may set off thousands or decimals; ${as("number")} takes it for thousands, ${as("decimal-comma")} for decimals`;
}

function meaningsText(
  words: readonly (readonly [string, number])[],
  meaningOf: (word: string) => boolean | number,
): string {
  return words.map(([word, times]) => `${word} (${times}) is ${meaningOf(word)}`).join(", ");
}

function sumOf(
  words: ReadonlyMap<string, number>,
  isCounted: (word: string) => boolean = () => true,
): number {
  return [...words].reduce((sum, [word, times]) => sum + (isCounted(word) ? times : 0), 0);
}
