// The rows of an answer as a table: for each row what the evaluations gave, and their scores side by side.

import type { Json } from "@assay/base";
import type { EvalResults, EvalResultsRow, EvalResultsTrial } from "@assay/eval-engine";
import { numberText } from "./number-text.ts";
import { type Cell, SIDE_BY_SIDE, tableOf } from "./table.ts";

/** Lines of a row: what came out, and as many scores. */
const ROW_LINES = 6;
/** More of a text never fits in a column. */
const MAX_TEXT = 200;

/** The rows and how many there are. Evaluations that do not fit in are left out, and that is said. */
export function rowsTable(
  { rows, total_rows }: EvalResults,
  labels: ReadonlyMap<string, string>,
  width: number,
): string {
  if (rows.length === 0) return `${total_rows.toLocaleString("en")} rows`;
  const ids = [...labels.keys()].slice(0, Math.max(1, Math.floor(width / SIDE_BY_SIDE) - 2));
  const hidden = labels.size - ids.length;
  const table = tableOf(
    ["row", "", ...ids.map((id) => labels.get(id)!)],
    rows.map((row) => rowCells(row, ids)),
    { width },
  );
  const heading = `${rows.length.toLocaleString("en")} of ${total_rows.toLocaleString("en")} rows`;
  const more = hidden === 0 ? "" : `; ${hidden} more evaluations do not fit in here, --format json has them`;
  return `${heading}${more}\n${table}`;
}

/** A row: what it is, and for each evaluation what came out and the scores, those first that differ. */
function rowCells(row: EvalResultsRow, ids: readonly string[]): readonly Cell[] {
  const trials = ids.map((id) => row.evaluations.find((of) => of.evaluation_call_id === id)?.trials ?? []);
  const scores = trials.map(scoresOf);
  const lines = [...new Set(scores.flatMap((of) => [...of.keys()]))].map(
    (name) => [name, ...scores.map((of) => of.get(name) ?? "—")] as const,
  );
  const differing = lines.filter(([, first, ...others]) => others.some((other) => other !== first));
  const shown = [
    ["output", ...trials.map(outputOf)] as const,
    ...(differing.length > 0 ? differing : lines).slice(0, ROW_LINES - 1),
  ];
  return [
    rowCell(row),
    ...[0, ...ids.map((_, e) => e + 1)].map((column) => shown.map((line) => line[column]!)),
  ];
}

/** A row by what is in it, else by its digest. */
function rowCell({ row_digest, raw_data_row }: EvalResultsRow): Cell {
  if (raw_data_row === null) return row_digest;
  if (typeof raw_data_row !== "object" || Array.isArray(raw_data_row)) return valueText(raw_data_row);
  const members = Object.entries(raw_data_row).map(([key, value]) => `${key}: ${valueText(value as Json)}`);
  return members.slice(0, ROW_LINES);
}

/** What a row's trials in one evaluation gave. */
function outputOf(trials: readonly EvalResultsTrial[]): string {
  if (trials.length === 0) return "—";
  const outputs = [...new Set(trials.map(({ model_output }) => valueText(model_output)))];
  return outputs.length === 1 ? outputs[0]! : `${outputs.length} answers: ${outputs.join(" | ")}`;
}

/** Each score of a row's trials in one evaluation: how many passed, the mean of numbers, the first of anything else. */
function scoresOf(trials: readonly EvalResultsTrial[]): ReadonlyMap<string, string> {
  const leaves = new Map<string, (string | number | boolean)[]>();
  for (const { scores } of trials) {
    for (const [name, value] of leavesOf(scores)) {
      const values = leaves.get(name);
      if (values === undefined) leaves.set(name, [value]);
      else values.push(value);
    }
  }
  return new Map([...leaves].map(([name, values]) => [name, together(values)]));
}

function together(values: readonly (string | number | boolean)[]): string {
  const passes = values.filter((value) => typeof value === "boolean");
  if (passes.length === values.length) {
    const passed = passes.filter(Boolean).length;
    const mark = passed === values.length ? "✓" : passed === 0 ? "✗" : "±";
    return values.length === 1 ? mark : `${mark} ${passed}/${values.length}`;
  }
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length === values.length) {
    return numberText(numbers.reduce((sum, value) => sum + value, 0) / numbers.length);
  }
  return String(values[0]);
}

/** The values in a trial's scores, by path. Level by level: nothing here depends on how deep they are. */
function leavesOf(scores: Json): readonly (readonly [string, string | number | boolean])[] {
  const leaves: [string, string | number | boolean][] = [];
  const open: (readonly [string, Json])[] = [["", scores]];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [path, value] = next;
    if (value === null || Array.isArray(value)) continue;
    if (typeof value !== "object") leaves.push([path, value]);
    else {
      const members = Object.entries(value) as (readonly [string, Json])[];
      open.unshift(...members.map(([key, one]) => [path === "" ? key : `${path}.${key}`, one] as const));
    }
  }
  return leaves;
}

/** A value on a line; the members of an object as `key: value`. */
function valueText(value: Json): string {
  const text =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? membersText(value)
      : plainValue(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function membersText(value: object): string {
  const members = Object.entries(value).map(([key, one]) => `${key}: ${plainValue(one as Json)}`);
  return members.length === 0 ? "{}" : members.join(", ");
}

function plainValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
