// Reads the data about an answer from a record.

import type { Json } from "@assay/base";
import { setMember } from "@assay/base/internal";
import {
  at,
  isObject,
  type JsonObject,
  jsonOrText,
  memberOf,
  moveNumber,
  textAt,
} from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import { isMissing, numberText } from "../scores/score-words.ts";
import type { ImportedTrial } from "../trials/imported-trial.ts";
import { isListOfScores, isMilliseconds } from "./columns/column-roles.ts";
import { durationSeconds } from "./columns/duration.ts";
import { judgedValue, namedScores } from "./columns/named-scores.ts";
import type { AnswerColumns, NamedAnswer, TableLayout } from "./columns/table-layout.ts";

export function missingKeyMessage(record: JsonObject, { key, answers }: TableLayout): string {
  const has = Object.keys(record).filter((name) => textOf(record[name]) !== "");
  const [{ columns }] = answers as [NamedAnswer];
  const missing = [...key, ...(columns.output === undefined ? [] : [columns.output])].join(", ");
  const shown = has.slice(0, 8).join(", ");
  return `no value in ${missing} to identify its row; it has ${shown}. Records of several kinds are not a table: keep those of one kind`;
}

/** The notation of a table's cells. */
export interface CellForm {
  readonly areTexts: boolean;
  readonly decimalComma: boolean;
}

/** The error, time and tokens of an answer. */
export function readRunMetadata(
  record: JsonObject,
  columns: AnswerColumns,
  { decimalComma }: CellForm,
): Pick<ImportedTrial, "error" | "latencySeconds" | "totalTokens"> {
  const cell = (name: string | undefined) => (name === undefined ? undefined : at(record, name));
  const number = (name: string | undefined) => numberOf(cell(name), decimalComma);
  const time = cell(columns.latency);
  const stated = typeof time === "string" ? durationSeconds(time) : undefined;
  const latency = number(columns.latency);
  const tokens = columns.tokens.flatMap((name) => number(name) ?? []);
  return {
    error: errorText(cell(columns.error)),
    latencySeconds:
      stated ?? (latency === undefined || !isMilliseconds(columns.latency!) ? latency : latency / 1000),
    totalTokens: tokens.length === 0 ? undefined : tokens.reduce((sum, one) => sum + one, 0),
  };
}

/** The number in a cell that is not a score; undefined if it is not a number. */
function numberOf(cell: Json | undefined, decimalComma: boolean): number | undefined {
  const found = typeof cell === "string" ? numberText(cell.replace(/(?<!\s)\s*tokens?$/i, "")) : undefined;
  const [first, second] = decimalComma ? [found?.comma, found?.point] : [found?.point, found?.comma];
  const number = typeof cell === "number" ? cell : (first ?? second);
  return Number.isFinite(number) ? number : undefined;
}

/**
 * Scores by name. A column such as `scores` that holds an object, or a list of objects with `name` and `value`, contains
 * all of them.
 */
export function scoresOf(record: JsonObject, { scores }: AnswerColumns, areTexts: boolean): JsonObject {
  const found: { [name: string]: Json } = {};
  for (const [column, name] of scores) {
    const value = scoreIn(record, column, areTexts);
    const isWhole = isListOfScores(name);
    const listed = Array.isArray(value) ? namedScores(value) : undefined;
    if (listed !== undefined) {
      for (const [key, from, member] of listed) {
        // Opik gives 0 to an answer that an evaluator failed to judge.
        const isFailed = memberOf(from, "scoring_failed") === true;
        setMember(found, key, isFailed ? null : from[member]!);
        moveNumber(from, member, found, key);
      }
    } else if (isWhole && isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        setMember(found, key, judgedValue(member) ?? member);
        moveNumber(value, key, found, key);
      }
    } else {
      setMember(found, name, value);
      if (typeof value === "number") moveNumber(record, column, found, name);
    }
  }
  return found;
}

/** The value in the column of a score; null if it is missing. */
export function scoreIn(record: JsonObject, column: string, areTexts: boolean): Json {
  const cell = memberOf(record, column) ?? null;
  const nested = areTexts ? /^\s*[{[]/ : /^\s*\{.*\}\s*$/s;
  const value = typeof cell === "string" && nested.test(cell) ? jsonOrText(cell) : cell;
  return judgedValue(value) ?? value;
}

export function keyText(value: Json | undefined): Json | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.includes("\r") ? value.replaceAll("\r\n", "\n") : value;
}

/** A cell as a name; empty if it is a missing value or holds an object, which names itself. */
export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return isMissing(value) ? "" : value;
  return (isObject(value) && (textAt(value, "name") ?? textAt(value, "id"))) || JSON.stringify(value);
}

export function repetitionOf(value: Json | undefined): number | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && value !== "");
  const number = isNumber ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
