// The answer to a query for a person: its rows with the scores of each evaluation side by side, and the summary.

import type { Json } from "@assay/base";
import type {
  EvalResults,
  EvalResultsEvaluationSummary,
  EvalResultsRow,
  EvalResultsScorerStats,
  EvalResultsTrial,
} from "@assay/eval-engine";
import { refName } from "./ref-name.ts";
import { type Cell, tableOf } from "./table.ts";

/** Columns that an evaluation needs to be readable beside others. */
const COLUMN = 18;
/** Lines of a row: what came out, and as many scores. */
const ROW_LINES = 6;

/** Results for a terminal of `width` columns. */
export function resultsTable(results: EvalResults, width: number): string {
  const labels = labelsOf(results);
  const notes = results.warnings.map((warning) => `Note: ${warning}`);
  return [...rowsPart(results, labels, width), ...summaryPart(results, labels, width), ...notes].join("\n");
}

/** The evaluations in the answer, by id, as a person tells them apart: by name, else by model, else by id. */
function labelsOf({ rows, summary }: EvalResults): ReadonlyMap<string, string> {
  const described = summary?.evaluations ?? [];
  const ids = new Set([
    ...described.map(({ evaluation_call_id: id }) => id),
    ...rows.flatMap(({ evaluations }) => evaluations.map(({ evaluation_call_id: id }) => id)),
  ]);
  const by = (label: (of: EvalResultsEvaluationSummary) => string | null) =>
    new Map(described.map((of) => [of.evaluation_call_id, label(of)]));
  const names = [by(({ display_name }) => display_name), by(({ model_ref }) => refName(model_ref))];
  const telling = names.find(
    (labels) => new Set([...ids].map((id) => labels.get(id) ?? "")).size === ids.size,
  );
  return new Map([...ids].map((id) => [id, telling?.get(id) ?? id]));
}

function rowsPart(
  { rows, total_rows }: EvalResults,
  labels: ReadonlyMap<string, string>,
  width: number,
): readonly string[] {
  if (rows.length === 0) return [`${total_rows.toLocaleString("en")} rows`];
  const ids = [...labels.keys()].slice(0, Math.max(1, Math.floor(width / COLUMN) - 2));
  const hidden = labels.size - ids.length;
  const table = tableOf(
    ["row", "", ...ids.map((id) => labels.get(id)!)],
    rows.map((row) => rowCells(row, ids)),
    { width },
  );
  const heading = `${rows.length.toLocaleString("en")} of ${total_rows.toLocaleString("en")} rows`;
  return [
    hidden === 0
      ? heading
      : `${heading}; ${hidden} more evaluations do not fit in here, --format json has them`,
    table,
  ];
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

function summaryPart(
  { summary }: EvalResults,
  labels: ReadonlyMap<string, string>,
  width: number,
): readonly string[] {
  if (summary === null) return [];
  const { evaluations, row_count } = summary;
  const heading = `Summary of ${row_count.toLocaleString("en")} rows`;
  if (evaluations.length === 0) return [heading];
  const scores = [...new Set(evaluations.flatMap(({ scorer_stats }) => scorer_stats.map(scoreName)))];
  const names = evaluations.map(({ evaluation_call_id: id }) => labels.get(id)!);
  const tokens = evaluations.map(({ predict_total_tokens: total }) => total?.toLocaleString("en") ?? "—");
  const lines: (readonly [string, readonly Cell[]])[] = [
    ...scores.map((name) => [name, evaluations.map((of) => statCell(of, name))] as const),
    ["trials", evaluations.map(({ trial_count }) => trial_count.toLocaleString("en"))],
    ...(tokens.some((total) => total !== "—") ? [["tokens", tokens] as const] : []),
  ];
  // A few evaluations stand side by side; many stand one below the other.
  if (evaluations.length <= Math.max(1, Math.floor(width / COLUMN) - 1)) {
    return [
      heading,
      tableOf(
        ["score", ...names],
        lines.map(([name, cells]) => [name, ...cells]),
        { width, tight: true },
      ),
    ];
  }
  const rows = names.map((name, i) => [name, ...lines.map(([, cells]) => cells[i]!)]);
  return [heading, tableOf(["evaluation", ...lines.map(([name]) => name)], rows, { width, tight: true })];
}

function scoreName({ scorer_key, path }: EvalResultsScorerStats): string {
  return path === null ? scorer_key : `${scorer_key}.${path}`;
}

/** What a score came to in an evaluation; trials without that score are said, since no rate counts them. */
function statCell({ scorer_stats, trial_count }: EvalResultsEvaluationSummary, name: string): Cell {
  const of = scorer_stats.find((one) => scoreName(one) === name);
  if (of === undefined) return "—";
  const missing = trial_count - of.trial_count;
  return missing === 0 ? statText(of) : [statText(of), `${missing.toLocaleString("en")} not scored`];
}

function statText(of: EvalResultsScorerStats): string {
  if (of.pass_rate !== null) {
    return `${(of.pass_rate * 100).toFixed(1)} % (${of.pass_true_count}/${of.pass_known_count})`;
  }
  if (of.numeric_mean !== null) return `mean ${numberText(of.numeric_mean)}`;
  return `${of.trial_count} texts`;
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(4)));
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

/** More of a text never fits in a column. */
const MAX_TEXT = 200;
