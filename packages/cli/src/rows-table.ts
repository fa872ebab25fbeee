// The rows of an answer as a table: for each row what the evaluations gave, and their scores side by side.

import type { Json } from "@assay/base";
import type { EvalResults, EvalResultsRow, EvalResultsTrial } from "@assay/eval-engine";
import { type Leaf, leavesOf, numberText, signedText, splitAt, tellingField } from "@assay/eval-engine/words";
import type { FieldPath } from "@assay/query-lang";
import { type Cell, linesOf, SIDE_BY_SIDE, tableOf } from "./table.ts";

/** Lines of a row: what came out, and as many scores. */
const ROW_LINES = 5;
const NOTHING = "—";

/** A score as it is shown, and its mean when it is a number or passes or fails. */
interface ShownScore {
  readonly text: string;
  readonly mean: number | undefined;
}

/** More of a text never fits in a column. */
const MAX_TEXT = 200;
/** Of a row's question, so that there is room for what else it has. */
const MAX_TITLE = 150;

/**
 * The rows and how many there are. Beside a score stands its difference to that of the first evaluation that has one.
 * Evaluations that do not fit in are left out, and that is said: the first and the latest stay.
 */
export function rowsTable(
  { rows, total_rows }: EvalResults,
  labels: ReadonlyMap<string, string>,
  width: number,
): string {
  if (rows.length === 0) return `${total_rows.toLocaleString("en")} rows`;
  const all = [...labels.keys()];
  const fitting = Math.max(1, Math.floor(width / SIDE_BY_SIDE) - 1);
  const ids = all.length <= fitting ? all : [all[0]!, ...all.slice(all.length - fitting + 1)];
  const hidden = labels.size - ids.length;
  const telling = tellingField(rows.map(({ raw_data_row }) => raw_data_row));
  const table = tableOf(
    ["", ...ids.map((id) => labels.get(id)!)],
    rows.flatMap((row) => [{ wide: rowText(row, telling) }, rowCells(row, ids)]),
    { width },
  );
  const heading = `${rows.length.toLocaleString("en")} of ${total_rows.toLocaleString("en")} rows`;
  const against = ids.length > 1 ? "; in brackets, the difference to the first that has a value" : "";
  const more = hidden === 0 ? "" : `; ${hidden} more evaluations do not fit in here, --format json has them`;
  return `${[...linesOf(`${heading}${against}${more}`, width)].join("\n")}\n${table}`;
}

/** What came out in each evaluation, and the scores, those first that differ. */
function rowCells(row: EvalResultsRow, ids: readonly string[]): readonly Cell[] {
  const trials = ids.map((id) => row.evaluations.find((of) => of.evaluation_call_id === id)?.trials ?? []);
  const scores = trials.map(scoresOf);
  const lines = [...new Set(scores.flatMap((of) => [...of.keys()]))].map((name) => ({
    name,
    cells: compared(scores.map((of) => of.get(name))),
  }));
  const differing = [2, 1].flatMap((kind) => lines.filter(({ cells }) => differenceOf(cells) === kind));
  const shown = [
    { name: "output", cells: trials.map(outputOf) },
    ...(differing.length > 0 ? differing : lines).slice(0, ROW_LINES - 1),
  ];
  return [shown.map(({ name }) => name), ...ids.map((_, e) => shown.map(({ cells }) => cells[e]!))];
}

/** 2 where evaluations that have a value have different ones, 1 where one has none, 0 where all are alike. */
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
    if (e === first || baseline === undefined || score.mean === undefined || score.mean === baseline)
      return score.text;
    return `${score.text} (${signedText(score.mean - baseline)})`;
  });
}

/** A row by what is in it, what tells it from others first; by its digest where nothing is known of it. */
function rowText({ row_digest, raw_data_row }: EvalResultsRow, telling: FieldPath | undefined): string {
  if (raw_data_row === null) return row_digest;
  const [title, rest] = (telling && splitAt(raw_data_row, telling)) ?? [undefined, raw_data_row];
  if (title === undefined) return valueText(raw_data_row);
  const others = valueText(rest);
  return cut(others === "{}" ? title : `${cut(title, MAX_TITLE)} (${others})`);
}

/** What a row's trials in one evaluation gave. */
function outputOf(trials: readonly EvalResultsTrial[]): string {
  if (trials.length === 0) return NOTHING;
  const outputs = [...new Set(trials.map(({ model_output }) => valueText(model_output)))];
  return outputs.length === 1 ? outputs[0]! : `${outputs.length} answers: ${outputs.join(" | ")}`;
}

/** Each score of a row's trials in one evaluation: how many passed, the mean of numbers, the first of anything else. */
function scoresOf(trials: readonly EvalResultsTrial[]): ReadonlyMap<string, ShownScore> {
  const leaves = new Map<string, Leaf[]>();
  for (const { scores } of trials) {
    for (const [path, value] of leavesOf(scores, [])) {
      const name = path.join(".");
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
  return { text: String(values[0]), mean: undefined };
}

/** A value on a line; the members of an object as `key: value`. */
function valueText(value: Json): string {
  const text =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? membersText(value)
      : plainValue(value);
  return cut(text);
}

function cut(text: string, most: number = MAX_TEXT): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function membersText(value: object): string {
  const members = Object.entries(value).map(([key, one]) => `${key}: ${plainValue(one as Json)}`);
  return members.length === 0 ? "{}" : members.join(", ");
}

function plainValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
