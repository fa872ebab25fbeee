// The rows of an answer as a table: for each row the outputs and scores side by side.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { EvalResults, EvalResultsRow, EvalResultsTrial } from "@assay/eval-engine";
import {
  cutText,
  fieldName,
  type Leaf,
  leavesOf,
  numberText,
  rowDifference,
  signedText,
  splitAt,
  titleField,
} from "@assay/eval-engine/words";
import { plainText } from "../terminal/plain-text.ts";
import { type Cell, linesOf, MIN_COLUMN_WIDTH, tableOf } from "./table.ts";

/** Scores of a row. */
const SHOWN_SCORES = 4;
const NOTHING = "—";

/** A score's text, and its mean if it is a number or boolean. */
interface ShownScore {
  readonly text: string;
  readonly mean: number | undefined;
}

/** The most lines of a row's question, and of an output. */
const MOST_LINES = 4;
/** The width left for the rest of a row. */
const MAX_REST = 200;

/**
 * The rows and their count. A score has its difference to the first evaluation with a value. Evaluations that do not
 * fit side by side are listed below each other.
 */
export function rowsTable(
  { rows, total_rows }: EvalResults,
  labels: ReadonlyMap<string, string>,
  width: number,
): string {
  if (rows.length === 0) return `${total_rows.toLocaleString("en")} rows`;
  const ids = [...labels.keys()];
  const names = ids.map((id) => labels.get(id)!);
  const fit = ids.length <= Math.max(1, Math.floor(width / MIN_COLUMN_WIDTH) - 1);
  const room = MOST_LINES * Math.floor(width / (fit ? ids.length + 1 : 2));
  const titles = rowTitles(rows, MOST_LINES * (width - 4));
  const table = tableOf(
    fit ? ["", ...names] : ["", "output", "scores"],
    rows.flatMap((row, i) => {
      const lines = rowLines(row, ids, room);
      return [{ wide: titles[i]! }, ...(fit ? [besideEachOther(lines, ids)] : belowEachOther(lines, names))];
    }),
    { width },
  );
  const heading = `${rows.length.toLocaleString("en")} of ${total_rows.toLocaleString("en")} rows`;
  const against = ids.length > 1 ? "; in parentheses: change from the first evaluation with a value" : "";
  return `${[...linesOf(`${heading}${against}`, width)].join("\n")}\n${table}`;
}

/** A row in the table: its outputs and scores in each evaluation. */
interface RowLine {
  readonly name: string;
  readonly cells: readonly string[];
}

/** The outputs of each evaluation, and the scores, differing ones first. */
function rowLines(row: EvalResultsRow, ids: readonly string[], room: number): readonly RowLine[] {
  const trials = ids.map((id) => row.evaluations.find((of) => of.evaluation_call_id === id)?.trials ?? []);
  const scores = trials.map(scoresOf);
  const lines = [...new Set(scores.flatMap((of) => [...of.keys()]))].map((name) => ({
    name,
    cells: compared(scores.map((of) => of.get(name))),
  }));
  const differing = [2, 1].flatMap((kind) => lines.filter(({ cells }) => differenceOf(cells) === kind));
  return [
    { name: "output", cells: telling(trials.map(outputOf), room) },
    ...(differing.length > 0 ? differing : lines).slice(0, SHOWN_SCORES),
  ];
}

function besideEachOther(lines: readonly RowLine[], ids: readonly string[]): readonly Cell[] {
  return [lines.map(({ name }) => name), ...ids.map((_, e) => lines.map(({ cells }) => cells[e]!))];
}

/** A line for each evaluation: its outputs, with its scores below each other. */
function belowEachOther(
  [output, ...scores]: readonly RowLine[],
  names: readonly string[],
): readonly (readonly Cell[])[] {
  return names.map((name, e) => [
    [name],
    [output!.cells[e]!],
    [scores.map(({ name, cells }) => `${name} ${cells[e]!}`).join(", ")],
  ]);
}

/** 2 if evaluations have different values, 1 if some have none, 0 if all are equal. */
function differenceOf(cells: readonly string[]): number {
  const different = new Set(cells);
  const missing = different.delete(NOTHING);
  return different.size > 1 ? 2 : missing && different.size === 1 ? 1 : 0;
}

/** One score in each evaluation, with its difference to the first that has it. */
function compared(scores: readonly (ShownScore | undefined)[]): readonly string[] {
  const first = scores.findIndex((score) => score?.mean !== undefined);
  const baseline = scores[first]?.mean;
  return scores.map((score, e) => {
    if (score === undefined) return NOTHING;
    if (e === first || baseline === undefined || score.mean === undefined) return score.text;
    const difference = rowDifference(baseline, score.mean);
    return difference === 0 ? score.text : `${score.text} (${signedText(difference)})`;
  });
}

/** Rows by their most distinctive content; by their digests if nothing is known of them. */
export function rowTitles(rows: readonly EvalResultsRow[], room: number): readonly string[] {
  const field = titleField(rows.map(({ raw_data_row }) => raw_data_row));
  const parts = rows.map(({ row_digest, raw_data_row }) => {
    if (raw_data_row === null) return { title: row_digest, rest: "" };
    const [title, rest] = (field && splitAt(raw_data_row, field)) ?? [undefined, raw_data_row];
    const others = rest === null ? "{}" : valueText(rest);
    if (title === undefined) return { title: others, rest: "" };
    return { title, rest: others === "{}" ? "" : ` (${cutText(others, MAX_REST)})` };
  });
  const titles = telling(
    parts.map(({ title }) => plainText(title)),
    Math.max(room - MAX_REST, room / 2),
  );
  return parts.map(({ rest }, i) => `${titles[i]!}${rest}`);
}

/** The number of characters shown before the first difference of texts, for context. */
const BEFORE = 20;

/**
 * Texts cut to at most `room` characters each; long ones with a common start begin shortly before their first
 * difference.
 */
function telling(texts: readonly string[], room: number): readonly string[] {
  const shown = texts.map(plainText);
  const different = [...new Set(shown.filter((text) => text !== NOTHING && text !== ""))];
  if (different.every((text) => text.length <= room)) return shown;
  const common = different.length < 2 ? 0 : commonStart(different);
  const word = different[0]?.lastIndexOf(" ", Math.max(0, common - BEFORE)) ?? -1;
  // A common start longer than about a line is left out.
  const from = common < 3 * BEFORE ? 0 : word > common - 3 * BEFORE ? word + 1 : common - BEFORE;
  return shown.map((text) =>
    from > 0 && text.length > from ? `…${cutText(text.slice(from), room - 1)}` : cutText(text, room),
  );
}

function commonStart(texts: readonly string[]): number {
  const [first = "", ...others] = texts;
  let end = 0;
  while (end < first.length && others.every((text) => text[end] === first[end])) end++;
  return end;
}

/** The outputs of a row's trials in one evaluation. */
function outputOf(trials: readonly EvalResultsTrial[]): string {
  if (trials.length === 0) return NOTHING;
  const outputs = [...new Set(trials.map(({ model_output }) => valueText(model_output)))];
  return outputs.length === 1 ? outputs[0]! : `${outputs.length} answers: ${outputs.join(" | ")}`;
}

/**
 * Each score of a row's trials in one evaluation: the number passed, the mean of numbers, the first of anything else.
 */
function scoresOf(trials: readonly EvalResultsTrial[]): ReadonlyMap<string, ShownScore> {
  const leaves = new Map<string, Leaf[]>();
  for (const { scores } of trials) {
    for (const [path, value] of leavesOf(scores, [])) {
      const name = cutText(fieldName(["scores", ...path]));
      const values = leaves.get(name);
      if (values === undefined) leaves.set(name, [value]);
      else values.push(value);
    }
  }
  return new Map([...leaves].map(([name, values]) => [name, together(values)]));
}

function together(values: readonly Leaf[]): ShownScore {
  const numbers = values.filter((value) => typeof value !== "string").map(Number);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  if (values.every((value) => typeof value === "boolean")) {
    const passed = values.filter(Boolean).length;
    const mark = passed === values.length ? "✓" : passed === 0 ? "✗" : "±";
    return { text: values.length === 1 ? mark : `${mark} ${passed}/${values.length}`, mean };
  }
  if (numbers.length === values.length) return { text: numberText(mean), mean };
  return { text: cutText(String(values[0])), mean: undefined };
}

/** A value on one line; the members of an object as `key: value`. */
function valueText(value: Json): string {
  return isJsonObject(value) ? membersText(value) : plainValue(value);
}

function membersText(value: object): string {
  const members = Object.entries(value).map(([key, one]) => `${key}: ${plainValue(one as Json)}`);
  return members.length === 0 ? "{}" : members.join(", ");
}

function plainValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
