// Trials as records of a flat table: one record for each trial, with a column for each field of the row, the output and
// the scores, named as in filters. assay import reads such a table back.

import { Fault, type Json } from "@assay/base";
import type { EvalResultsQueryBody, EvalResultsRow, EvalResultsTrial } from "@assay/eval-engine";
import type { FieldPath } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "../data/data-access.ts";

/** The columns that every trial has, in order. The first ones precede those of its fields. */
export const ABOUT = {
  before: ["evaluation", "model", "row_digest", "trial"],
  after: [
    "model_latency_seconds",
    "total_tokens",
    "evaluation_call_id",
    "evaluation_started_at",
    "predict_and_score_call_id",
    "predict_call_id",
  ],
} as const;

/** One trial by column. Columns without a value are absent, unless every trial has them. */
export type TrialRecord = ReadonlyMap<string, Json>;

/** The rows of the first page, and the most of a page. */
const [FIRST, MOST] = [100, 5000];
/** About how many characters of rows are in memory at a time. */
const CHARACTERS = 8 * 2 ** 20;

/**
 * The records of the rows that a query selects, in its order, and within a row by evaluation and trial. `pages`
 * returns the rows, by default page by page.
 */
export async function* flatTrials(
  data: Pick<DataAccess, "query">,
  project: string,
  body: EvalResultsQueryBody,
  pages: AsyncIterable<readonly EvalResultsRow[]> = rowPages(data, project, body),
): AsyncGenerator<TrialRecord> {
  const about = await evaluationsOf(data, project, body);
  const columns = rootColumns();
  for await (const rows of pages)
    for (const row of rows)
      for (const { evaluation_call_id: id, trials } of row.evaluations)
        for (const [i, trial] of trials.entries())
          yield recordOf(columns, row, about.get(id) ?? { evaluation: id }, trial, i);
}

async function* rowPages(
  data: Pick<DataAccess, "query">,
  project: string,
  body: EvalResultsQueryBody,
): AsyncGenerator<readonly EvalResultsRow[]> {
  const first = body.offset ?? 0;
  const end = body.limit == null ? Number.POSITIVE_INFINITY : first + body.limit;
  let page = FIRST;
  for (let offset = first, limit = 0; offset < end; offset += limit) {
    limit = Math.min(page, end - offset);
    const answer = await data.query(project, {
      ...body,
      include_summary: false,
      include_raw_data_rows: true,
      resolve_row_refs: true,
      limit,
      offset,
    });
    if (!answer.ok) throw new Fault("unavailable", "the page of an export was refused");
    const { rows } = answer.value;
    yield rows;
    if (rows.length < limit) return;
    page = rowsThatFit(rows);
  }
}

/**
 * How many rows like these fit in memory. Rows are stored in blocks in a different order, so a page reads and
 * decompresses nearly all blocks: few long pages are many times as fast as many short ones.
 */
function rowsThatFit(rows: readonly EvalResultsRow[]): number {
  const some = rows.slice(0, 20);
  const each = JSON.stringify(some).length / some.length;
  return Math.max(1, Math.min(MOST, Math.floor(CHARACTERS / each)));
}

type About = { readonly [column: string]: Json };

/** The columns of an evaluation, repeated for each of its trials. */
async function evaluationsOf(
  data: Pick<DataAccess, "query">,
  project: string,
  { evaluation_call_ids = null, evaluation_run_ids = null }: EvalResultsQueryBody,
): Promise<ReadonlyMap<string, About>> {
  const body = { evaluation_call_ids, evaluation_run_ids, include_rows: false, include_summary: true };
  const answer = await data.query(project, body);
  if (!answer.ok) throw new Fault("unavailable", "the summary of an export was refused");
  return new Map(
    (answer.value.summary?.evaluations ?? []).map((of) => [
      of.evaluation_call_id,
      {
        evaluation: of.display_name ?? of.evaluation_call_id,
        model: of.model_ref,
        evaluation_call_id: of.evaluation_call_id,
        evaluation_started_at: of.started_at,
      },
    ]),
  );
}

function recordOf(
  { inputs, outputs, scores }: ReturnType<typeof rootColumns>,
  row: EvalResultsRow,
  about: About,
  trial: EvalResultsTrial,
  index: number,
): TrialRecord {
  const record = new Map<string, Json>();
  record.set("evaluation", about["evaluation"]!);
  record.set("model", about["model"] ?? null);
  record.set("row_digest", row.row_digest);
  record.set("trial", index + 1);
  addCells(record, inputs, row.raw_data_row);
  addCells(record, outputs, trial.model_output);
  addCells(record, scores, trial.scores);
  record.set("model_latency_seconds", trial.model_latency_seconds);
  record.set("total_tokens", trial.total_tokens);
  record.set("evaluation_call_id", about["evaluation_call_id"] ?? null);
  record.set("evaluation_started_at", about["evaluation_started_at"] ?? null);
  record.set("predict_and_score_call_id", trial.predict_and_score_call_id);
  record.set("predict_call_id", trial.predict_call_id);
  return record;
}

/** The column of a field. Names are printed once: most of the time of an export went into them. */
interface Column {
  readonly path: FieldPath;
  readonly name: string;
  readonly inside: Map<string, Column>;
}

function columnOf(path: FieldPath): Column {
  return { path, name: printFieldPath(path), inside: new Map() };
}

function rootColumns(): { readonly [root in "inputs" | "outputs" | "scores"]: Column } {
  return { inputs: columnOf(["inputs"]), outputs: columnOf(["outputs"]), scores: columnOf(["scores"]) };
}

/** Adds the values in `value` other than objects, by column. A list is one value; null is missing. */
function addCells(record: Map<string, Json>, { path, name, inside }: Column, value: Json): void {
  if (value === null) return;
  if (typeof value !== "object" || Array.isArray(value)) {
    record.set(name, value);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    let column = inside.get(key);
    if (column === undefined) {
      column = columnOf([...path, key]);
      inside.set(key, column);
    }
    addCells(record, column, member as Json);
  }
}
