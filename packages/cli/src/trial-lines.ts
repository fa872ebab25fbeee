// Trials as lines of a table: one per trial, with a column for each score, however deep scorers put it.

import { type FileHandle, open } from "node:fs/promises";
import type { FileColumn } from "@assay/adapters-duckdb";
import { Fault, type Json } from "@assay/base";
import type { EvalResultsRow, EvalResultsTrial } from "@assay/eval-engine";
import { leavesOf } from "@assay/eval-engine/words";
import { printFieldPath } from "@assay/query-lang";
import type { DataAccess } from "./data-access.ts";

/** What was written. */
export interface TrialTable {
  readonly columns: readonly FileColumn[];
  /** The number of lines. */
  readonly trials: number;
}

// Rows that are in memory together.
const PAGE = 200;

const FIXED: readonly FileColumn[] = [
  { name: "evaluation_call_id", type: "text" },
  { name: "row_digest", type: "text" },
  { name: "trial", type: "integer" },
  { name: "predict_and_score_call_id", type: "text" },
  { name: "predict_call_id", type: "text" },
  { name: "row", type: "text" },
  { name: "model_output", type: "text" },
  { name: "model_latency_seconds", type: "number" },
  { name: "total_tokens", type: "number" },
];

/**
 * Writes the trials of evaluations (of all in the project when none are named) to `path`, each as a JSON list of the
 * values of the columns. Score columns come in the order of their first appearance and are called as filters call
 * them; one has the type of its values, and is text when they are of several.
 */
export async function writeTrialLines(
  data: DataAccess,
  project: string,
  evaluations: readonly string[],
  path: string,
): Promise<TrialTable> {
  const wanted =
    evaluations.length === 0 ? (await data.evaluations(project)).map(({ id }) => id) : new Set(evaluations);
  const scores = new Map<string, { readonly index: number; type: FileColumn["type"] }>();
  let trials = 0;

  const lineOf = (
    row: EvalResultsRow,
    evaluation: string,
    trial: EvalResultsTrial,
    number: number,
  ): string => {
    const cells: Json[] = [
      evaluation,
      row.row_digest,
      number,
      trial.predict_and_score_call_id,
      trial.predict_call_id,
      row.raw_data_row,
      trial.model_output,
      trial.model_latency_seconds,
      trial.total_tokens,
    ];
    for (const [path, value] of leavesOf(trial.scores, ["scores"])) {
      const name = printFieldPath(path);
      const type = typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
      const column = scores.get(name) ?? { index: FIXED.length + scores.size, type };
      if (column.type !== type) column.type = "text";
      scores.set(name, column);
      while (cells.length < column.index) cells.push(null);
      cells[column.index] = value;
    }
    return wellFormed(JSON.stringify(cells));
  };

  const file = await open(path, "wx");
  try {
    for (const evaluation of wanted) {
      for await (const rows of pagesOf(data, project, evaluation)) {
        const lines = rows.flatMap((row) =>
          row.evaluations.flatMap(({ trials }) =>
            trials.map((trial, i) => lineOf(row, evaluation, trial, i + 1)),
          ),
        );
        trials += lines.length;
        await append(file, lines);
      }
    }
  } finally {
    await file.close();
  }
  return { columns: [...FIXED, ...Array.from(scores, ([name, { type }]) => ({ name, type }))], trials };
}

async function* pagesOf(
  data: DataAccess,
  project: string,
  evaluation: string,
): AsyncGenerator<readonly EvalResultsRow[]> {
  for (let offset = 0; ; offset += PAGE) {
    const answer = await data.query(project, {
      evaluation_call_ids: [evaluation],
      include_raw_data_rows: true,
      resolve_row_refs: true,
      limit: PAGE,
      offset,
    });
    if (!answer.ok) throw new Fault("unavailable", "the page of an export was refused");
    yield answer.value.rows;
    if (answer.value.rows.length < PAGE) return;
  }
}

async function append(file: FileHandle, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await file.appendFile(`${lines.join("\n")}\n`);
}

/** Half of a surrogate pair is no Unicode, and what reads the lines refuses all of them for one. */
function wellFormed(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replaceAll(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (found) =>
    found.startsWith("\\ud") ? "\\ufffd" : found,
  );
}
