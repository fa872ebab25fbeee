// Scores that are derived from an answer and a column of its record: whether it equals the expected answer, or is the
// preferred one.

import type { Json } from "@assay/base";
import type { JsonObject } from "../../json/json-text.ts";
import type { NamedAnswer } from "./table-layout.ts";

/** A score that is derived from an answer and a column. */
export interface DerivedScore {
  readonly name: "exact_match" | "win";
  /** The column with the expected answer, or with the preferred one. */
  readonly column: string;
  /** The score of an answer in a record; null if it is unknown, undefined if the column has something else. */
  readonly of: (record: JsonObject, answer: NamedAnswer) => boolean | number | null | undefined;
}

/**
 * Whether answers equal the expected one, or one of several; unknown if none is expected. Spaces around texts do not
 * count, and numbers are compared by value.
 */
export function exactMatch(column: string): DerivedScore {
  const of: DerivedScore["of"] = (record, { columns: { output } }) => {
    const expected = record[column];
    const texts = (Array.isArray(expected) ? expected : [expected]).map(plainText).filter(Boolean);
    if (texts.length === 0) return null;
    const given = plainText(record[output!]);
    return texts.some((text) => text === given || (given !== "" && Number(text) === Number(given)));
  };
  return { name: "exact_match", column, of };
}

function plainText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value).trim();
}

/** Words of preferences in addition to the name of the preferred answer, and preferences for none. */
const BESIDE =
  /\b(?:answer|assistant|better|best|choice|is|model(?:l|e|o|lo)?|option|output|response|system|the|variant|version|wins?|won)\b/g;
const TIE =
  /^(?:tie[ds]?|draw|unentschieden|gleich|egalite|empate|pareggio|both|equal|same|neither|none|no preference|(?:tie )?(?:both ?bad|both ?good))$/;
const SIDES = [
  ["a", "1", "first", "left"],
  ["b", "2", "second", "right"],
  ["c", "3", "third"],
  ["d", "4", "fourth"],
] as const;

/** 1 for the preferred answer, which is named by its model or its place; 0 for others, 0.5 for all in a tie. */
export function win(column: string, answers: readonly NamedAnswer[]): DerivedScore {
  const models = answers.map(({ model = "" }) => model);
  const of: DerivedScore["of"] = (record, answer) => {
    const preferred = preferredOf(record[column], models);
    if (typeof preferred !== "number") return preferred === "tie" ? 0.5 : preferred;
    return Number(answers[preferred]!.model === answer.model);
  };
  return { name: "win", column, of };
}

/** The place of the preferred one of several models; null if none is named, undefined if something else is. */
export function preferredOf(
  verdict: Json | undefined,
  models: readonly string[],
): number | "tie" | null | undefined {
  const said = folded(plainText(verdict));
  const short = said.replace(BESIDE, " ").replace(/ +/g, " ").trim();
  if (said === "") return null;
  if (TIE.test(said) || TIE.test(short)) return "tie";
  const names = models.map(folded);
  const sides: readonly (readonly string[])[] = SIDES.slice(0, models.length);
  const found = [names.indexOf(said), names.indexOf(short), sides.findIndex((side) => side.includes(short))];
  return found.find((index) => index !== -1);
}

/** A text in lower case, with a space for everything between words. */
function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
