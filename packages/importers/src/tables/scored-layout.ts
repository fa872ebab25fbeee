// The layout of a table whose answers no column scores, if scores can be derived.

import type { ReadOptions } from "../options/import-options.ts";
import { isPreference } from "./columns/column-roles.ts";
import { type DerivedScore, exactMatch, win } from "./columns/derived-score.ts";
import type { NamedAnswer } from "./columns/table-layout.ts";
import type { EncodedTable } from "./encoded-table.ts";
import { type RefinedLayout, refinedLayout } from "./refined-layout.ts";
import { TableCursor } from "./table-cursor.ts";

/** The part of cells that equal the expected answer from which a model's numbers are answers rather than scores. */
const ANSWERS_FROM = 1 / 4;

/** The roles of a table's columns, also if its scores can only be derived. See `refinedLayout`. */
export async function scoredLayout(table: EncodedTable, options: ReadOptions): Promise<RefinedLayout> {
  const layout = refinedLayout(table, options);
  const { expected, metrics, answers, others } = layout;
  if (metrics.length > 0 || options.scores?.length) return layout;
  const given = answers.map(asAnswer);
  const areGiven = given.every((one) => one !== undefined);
  const isUnscored = answers.every(
    ({ columns: { output, scores } }) => output !== undefined && scores.size === 0,
  );
  if (expected !== undefined && (areGiven || isUnscored)) {
    const derived = exactMatch(expected);
    const all = areGiven ? given : answers;
    const part = partOf(await countScores(table, all, derived), true);
    if (areGiven ? part >= ANSWERS_FROM : part > 0) return { ...layout, answers: all, derived };
  }
  const preferred = others.find(isPreference);
  if (preferred === undefined || !isUnscored || answers.length < 2) return layout;
  const derived = win(preferred, answers);
  return (await countScores(table, answers, derived)).has(undefined) ? layout : { ...layout, derived };
}

/** The score in a column that has only a model's name, as its answer; undefined for other answers. */
function asAnswer(answer: NamedAnswer): NamedAnswer | undefined {
  const { model, columns } = answer;
  const [column, ...others] = columns.scores.keys();
  if (column === undefined || column !== model || others.length > 0 || columns.output !== undefined)
    return undefined;
  return { ...answer, columns: { ...columns, output: column, scores: new Map() } };
}

type DerivedScores = ReadonlyMap<boolean | number | null | undefined, number>;

/** How often each score occurs. */
async function countScores(
  table: EncodedTable,
  answers: readonly NamedAnswer[],
  { column, of }: DerivedScore,
): Promise<DerivedScores> {
  const cursor = new TableCursor(table.columns);
  const members = cursor.membersOf([...answers.map(({ columns }) => columns.output!), column]);
  const times = new Map<boolean | number | null | undefined, number>();
  for await (const rows of table.cells()) {
    cursor.begin(rows);
    for (let row = rows.first; row < rows.count; row++) {
      cursor.moveTo(row);
      const record = cursor.objectOf(members);
      for (const answer of answers) {
        const score = of(record, answer);
        times.set(score, (times.get(score) ?? 0) + 1);
      }
    }
  }
  return times;
}

/** The part of the known scores that are this one. */
function partOf(times: DerivedScores, score: boolean): number {
  const known = [...times].reduce((sum, [one, count]) => sum + (one === null ? 0 : count), 0);
  return known === 0 ? 0 : (times.get(score) ?? 0) / known;
}
