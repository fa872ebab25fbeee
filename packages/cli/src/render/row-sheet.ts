// One row in full, for people: its fields, then outputs and scores side by side.

import type { Json } from "@assay/base";
import type { EvalResultsRow, EvalResultsTrial } from "@assay/eval-engine";
import { fieldName, type Leaf, leavesOf, numberText } from "@assay/eval-engine/words";
import { printField } from "@assay/query-lang/internal";
import type { TrialNotes } from "../query/trial-notes.ts";
import { plainPiece } from "../terminal/plain-text.ts";
import { type Cell, linesOf, MIN_COLUMN_WIDTH, tableOf } from "./table.ts";

/** How to show it. */
export interface RowSheetOptions {
  /** The names of evaluations, by ID. */
  readonly labels: ReadonlyMap<string, string>;
  /** Notes on trials in addition to their scores, by the IDs of their calls. */
  readonly notes: ReadonlyMap<string, TrialNotes>;
  /** The width of the terminal. */
  readonly width: number;
}

const NOTHING = "—";

/** The row, and tables of as many evaluations as fit side by side. Nothing is cut. */
export function rowSheet(row: EvalResultsRow, { labels, notes, width }: RowSheetOptions): string {
  const most = Math.max(1, Math.floor(width / MIN_COLUMN_WIDTH) - 1);
  const tables = Array.from({ length: Math.ceil(row.evaluations.length / most) }, (_, t) => {
    const some = row.evaluations.slice(t * most, (t + 1) * most);
    const names = some.map(({ evaluation_call_id: id }) => labels.get(id) ?? id);
    const blocks = trialBlocks(
      some.map(({ trials }) => trials),
      notes,
    );
    return tableOf(["", ...names], blocks, { width });
  });
  return [`Row ${row.row_digest}`, ...inputLines(row.raw_data_row, width), ...tables].join("\n");
}

/** The fields of the row, each with its full text. */
function inputLines(row: Json, width: number): readonly string[] {
  return Array.from(leavesOf(row, []), ([path, value]) => {
    const name = path.length === 0 ? "" : `${printField(path)}: `;
    const lines = plainPiece(`${name}${String(value)}`).split("\n");
    return lines.flatMap((line) => linesOf(line, width - 2).map((part) => `  ${part}`));
  }).flat();
}

/** A block of lines for each kind of note on trials: the first trial of each evaluation, then the second, and so on. */
function trialBlocks(
  trials: readonly (readonly EvalResultsTrial[])[],
  notes: ReadonlyMap<string, TrialNotes>,
): readonly (readonly Cell[])[] {
  const count = Math.max(...trials.map(({ length }) => length));
  return Array.from({ length: count }, (_, n) => {
    const nth = trials.map((of) => of[n]);
    const facts = nth.map((trial) => trial && factsOf(trial, notes.get(trial.predict_and_score_call_id)));
    const names = [...new Set(facts.flatMap((of) => [...(of?.keys() ?? [])]))];
    const heading =
      count === 1
        ? []
        : [
            block(
              `trial ${n + 1}`,
              nth.map(() => ""),
            ),
          ];
    return [
      ...heading,
      ...names.map((name) =>
        block(
          name,
          facts.map((of) => of?.get(name) ?? NOTHING),
        ),
      ),
    ];
  }).flat();
}

function factsOf(trial: EvalResultsTrial, notes: TrialNotes = new Map()): ReadonlyMap<string, string> {
  const { model_output, scores, model_latency_seconds: seconds, total_tokens } = trial;
  const output = typeof model_output === "string" ? model_output : JSON.stringify(model_output, null, 2);
  return new Map([
    ["output", output],
    ...Array.from(
      leavesOf(scores, []),
      ([path, value]) => [fieldName(["scores", ...path]), scoreText(value)] as const,
    ),
    ...(seconds === null ? [] : [["latency", `${numberText(seconds)} s`] as const]),
    ...(total_tokens === null ? [] : [["tokens", total_tokens.toLocaleString("en")] as const]),
    ...notes,
    ["call", trial.predict_and_score_call_id],
  ]);
}

function scoreText(value: Leaf): string {
  if (typeof value === "boolean") return value ? "✓" : "✗";
  return typeof value === "number" ? String(value) : value;
}

/** A line of a table whose cells have several lines. */
function block(name: string, texts: readonly string[]): readonly Cell[] {
  return [[name], ...texts.map((text) => plainPiece(text).split("\n"))];
}
