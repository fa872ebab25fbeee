// What can follow in the text of a filter: fields, operators, and common values of the compared field.

import { cutText } from "@assay/eval-engine/words";
import { printField, readFieldPath } from "@assay/query-lang/internal";
import type { FieldList } from "../../data/answers.ts";

/** A field of the evaluations, with its most common values. */
export type KnownField = Pick<FieldList["inputs"][number], "field" | "types" | "min" | "max" | "values">;

/** A text that can replace the one from `from` to the caret. */
interface Completion {
  readonly text: string;
  /** Shown beside it. */
  readonly note: string;
}

/** The completions before the caret, and where the text that they replace begins. */
export interface Completions {
  readonly from: number;
  readonly options: readonly Completion[];
}

/** The most completions offered, and the most characters of a note. */
const MOST = 8;
const LONGEST_NOTE = 40;

const OPERATORS: readonly Completion[] = [
  { text: "= ", note: "equal" },
  { text: "!= ", note: "not equal, or missing" },
  { text: "> ", note: "greater" },
  { text: "< ", note: "less" },
  { text: "contains ", note: "contains a text" },
  { text: "in [", note: "one of a list" },
];
const CONNECTIVES: readonly Completion[] = [
  { text: "and ", note: "both" },
  { text: "or ", note: "either" },
];

/** What ends the name before it. */
const DELIMITER = /[\s()[\],=<>!]/;
const CLOSED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const FIELD = String.raw`((?:[\p{L}_$][\p{L}\p{M}\p{N}_@/-]*)(?:\.[\p{L}\p{M}\p{N}_@/-]+|\["[^"]*"\])*)`;
/** A field and its comparison, whose value is next. */
const COMPARED = new RegExp(
  String.raw`${FIELD}\s*(?:[=!<>]=?|<>|\bi?contains\b|\bin\s*\[(?:[^\]]*,)?)\s*$`,
  "iu",
);
const AFTER_FIELD = new RegExp(String.raw`(?:^|[\s(])(?!(?:and|or|not)\s)${FIELD}\s+$`, "iu");
const AFTER_VALUE = /(?:["'\])\d]|[=<>]\s*(?:true|false|null))\s+$/i;

/** The completions of the text before the caret. */
export function completionsOf(before: string, known: readonly KnownField[]): Completions {
  const from = startOfTyped(before);
  const [given, typed] = [before.slice(0, from), before.slice(from)];
  return {
    from,
    options: following(given, known)
      .filter(({ text }) => isMeant(text, typed))
      .slice(0, MOST),
  };
}

/** Where the text being typed begins: a text whose quote is open, or a name. */
function startOfTyped(before: string): number {
  const masked = before.replaceAll(CLOSED, (text) => ")".repeat(text.length));
  const quote = masked.search(/["']/);
  if (quote !== -1) return quote;
  let from = masked.length;
  while (from > 0 && !DELIMITER.test(masked[from - 1]!)) from--;
  return from;
}

function following(given: string, known: readonly KnownField[]): readonly Completion[] {
  const compared = COMPARED.exec(given)?.[1];
  if (compared !== undefined) return valuesOf(known.find((one) => isCalled(one, compared)));
  if (AFTER_VALUE.test(given)) return CONNECTIVES;
  if (AFTER_FIELD.test(given)) return [...OPERATORS, ...CONNECTIVES];
  return known.map((one) => ({ text: `${textOf(one)} `, note: noteOf(one) }));
}

/** Whether a completion contains what is typed, in any case. */
function isMeant(text: string, typed: string): boolean {
  return text.toLowerCase().includes(typed.replace(/^["']/, "").toLowerCase());
}

/** Whether a name means the field: it may be without `inputs.` or `scores.`. */
function isCalled(one: KnownField, name: string): boolean {
  const text = textOf(one);
  return [text, text.replace(/^(?:inputs|scores)\./, "")].includes(name);
}

function textOf({ field }: KnownField): string {
  const path = readFieldPath(field);
  return path.ok ? printField(path.value) : field;
}

function valuesOf(one: KnownField | undefined): readonly Completion[] {
  if (one === undefined) return [];
  if (one.types.includes("boolean")) return ["true ", "false "].map((text) => ({ text, note: "" }));
  return one.values.map(({ value, count }) => ({
    text: `${JSON.stringify(value)} `,
    note: count.toLocaleString("en"),
  }));
}

/** The type of a field's values, or the values. */
function noteOf({ types, min, max, values }: KnownField): string {
  if (types.includes("number") && min !== null) return `${min} to ${max}`;
  const common = values.map(({ value }) => JSON.stringify(value)).join(", ");
  return cutText(common === "" ? types.join(" or ") : common, LONGEST_NOTE);
}
