// Scores answers that no column scores: by whether they equal the expected ones.

import type { Json } from "@assay/base";
import type { JsonObject } from "../json/json-text.ts";
import type { ReadOptions } from "../options/import-options.ts";
import type { NamedAnswer } from "./columns/table-layout.ts";
import type { EncodedTable } from "./encoded-table.ts";
import { type RefinedLayout, refinedLayout } from "./refined-layout.ts";
import { TableCursor } from "./table-cursor.ts";

/** The name of the score. */
export const EXACT_MATCH = "exact_match";
/** The part of cells that equal the expected answer from which a model's numbers are answers rather than scores. */
const ANSWERS_FROM = 1 / 4;

/** The roles of a table's columns, also if its answers can only be scored by exact match. See `refinedLayout`. */
export async function scoredLayout(table: EncodedTable, options: ReadOptions): Promise<RefinedLayout> {
  const layout = refinedLayout(table, options);
  const { expected, metrics, answers } = layout;
  if (expected === undefined || metrics.length > 0 || options.scores?.length) return layout;
  const given = answers.map(asAnswer);
  if (given.every((one) => one !== undefined)) {
    const isScored = (await matchingPart(table, given, expected)) >= ANSWERS_FROM;
    return isScored ? { ...layout, answers: given, matched: expected } : layout;
  }
  if (answers.some(({ columns: { output, scores } }) => output === undefined || scores.size > 0))
    return layout;
  return (await matchingPart(table, answers, expected)) > 0 ? { ...layout, matched: expected } : layout;
}

/** The score in a column that has only a model's name, as its answer; undefined for other answers. */
function asAnswer(answer: NamedAnswer): NamedAnswer | undefined {
  const { model, columns } = answer;
  const [column, ...others] = columns.scores.keys();
  if (column === undefined || column !== model || others.length > 0 || columns.output !== undefined)
    return undefined;
  return { ...answer, columns: { ...columns, output: column, scores: new Map() } };
}

/** The part of the answers that equal the expected ones. */
async function matchingPart(
  table: EncodedTable,
  answers: readonly NamedAnswer[],
  expected: string,
): Promise<number> {
  const cursor = new TableCursor(table.columns);
  const outputs = answers.map(({ columns }) => columns.output!);
  const members = cursor.membersOf([...outputs, expected]);
  let [compared, equal] = [0, 0];
  for await (const rows of table.cells()) {
    cursor.begin(rows);
    for (let row = rows.first; row < rows.count; row++) {
      cursor.moveTo(row);
      const record = cursor.objectOf(members);
      for (const output of outputs) {
        const match = exactMatch(record[output], record[expected]);
        if (match !== null) compared++;
        if (match === true) equal++;
      }
    }
  }
  return compared === 0 ? 0 : equal / compared;
}

/**
 * Whether an answer equals the expected one, or one of several; null if none is expected. Spaces around texts do not
 * count, and numbers are compared by value.
 */
function exactMatch(answer: Json | undefined, expected: Json | undefined): boolean | null {
  const texts = (Array.isArray(expected) ? expected : [expected]).map(plainText).filter(Boolean);
  if (texts.length === 0) return null;
  const given = plainText(answer);
  return texts.some((text) => text === given || (given !== "" && Number(text) === Number(given)));
}

function plainText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value).trim();
}

/** A record's scores by exact match. */
export function exactMatchOf(record: JsonObject, output: string, expected: string): JsonObject {
  return { [EXACT_MATCH]: exactMatch(record[output], record[expected]) };
}
