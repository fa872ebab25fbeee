// Notes on scores that were not read literally, for the user to check, with how to change it.

import { shellWord } from "@assay/base/internal";
import { type ReadingContext, readScore, type ScoreReading, type ValueCounts } from "./score-values.ts";
import { knownWord } from "./score-words.ts";

/** How a score is read, and the evidence for it. */
export interface FoundReading {
  readonly counts: ValueCounts;
  readonly context: ReadingContext;
  readonly reading: ScoreReading;
}

/** A sentence for each score that was read differently from what it looks like, or could not be read. */
export function readingNotes(from: string, readings: ReadonlyMap<string, FoundReading>): readonly string[] {
  // Wide tables and experiments with many similar scores get one note.
  const notes = new Map<string, string[]>();
  for (const [path, found] of readings) {
    const note = found.context.type === undefined ? noteOf(found) : undefined;
    if (note !== undefined) notes.set(note, [...(notes.get(note) ?? []), path]);
  }
  return Array.from(
    notes,
    ([note, paths]) => `${from}: ${paths.join(", ")}: ${note.replaceAll("PATH", () => shellWord(paths[0]!))}`,
  );
}

function noteOf({ counts, reading, context }: FoundReading): string | undefined {
  if (reading === "booleans") return noteOfBooleans(counts);
  if (reading === "numbers" || reading === "numbers with a comma") return noteOfNumbers(counts, reading);
  return context.texts === "text" ? undefined : noteOfTexts(counts);
}

function noteOfBooleans({ words, numbers, booleans }: ValueCounts): string | undefined {
  const unusual = [...words].filter(([word]) => !/^(?:true|false)$/i.test(word));
  if (unusual.length > 0)
    return `${meaningsText(unusual, (word) => knownWord(word)!.boolean!)}; --as PATH=text keeps the words`;
  if (numbers === 0 || words.size > 0 || booleans > 0) return undefined;
  return `0 and 1 are false and true (${numbers}); --as PATH=number keeps the numbers`;
}

function noteOfNumbers(
  { words, formatted, numberTexts }: ValueCounts,
  reading: ScoreReading,
): string | undefined {
  if (words.size > 0)
    return `${meaningsText([...words], (word) => knownWord(word)!.number)}; --as PATH=text keeps the words`;
  if (formatted === undefined) return undefined;
  return `${numberTexts} numbers written as text: ${formatted} is ${readScore(formatted, reading)}; --as PATH=text keeps the texts`;
}

function noteOfTexts(counts: ValueCounts): string | undefined {
  const { words, numbers, booleans, others, examples, formatted, percentages } = counts;
  const known = numbers + booleans + sumOf(words);
  if (others > 0) {
    if (known === 0) return undefined;
    const shown = examples.map((one) => JSON.stringify(one.slice(0, 40))).join(", ");
    const type = numbers > known / 2 ? "number" : "boolean";
    return `read as text: ${known} ${known === 1 ? "value is" : "values are"} true, false or numbers, and ${others} ${others === 1 ? "is" : "are"} not (${shown}); --as PATH=${type} leaves those out`;
  }
  if (words.size > 0) {
    const shown = [...words.keys()].slice(0, 4).join(", ");
    return `read as text: ${shown}${numbers > 0 ? " beside other numbers" : ""} are ambiguous; choose with --as PATH=boolean or --as PATH=number`;
  }
  if (percentages > 0 && percentages < numbers)
    return "read as text: some values are percentages, and others are not; --as PATH=number takes 85% for 0.85";
  if (formatted === undefined) return undefined;
  return `read as text: in ${formatted}, the comma may set off thousands or decimals; --as PATH=number takes it for thousands, --as PATH=decimal-comma for decimals`;
}

function meaningsText(
  words: readonly (readonly [string, number])[],
  meaningOf: (word: string) => boolean | number,
): string {
  return words.map(([word, times]) => `${word} (${times}) is ${meaningOf(word)}`).join(", ");
}

function sumOf(words: ReadonlyMap<string, number>): number {
  return [...words.values()].reduce((sum, times) => sum + times, 0);
}
