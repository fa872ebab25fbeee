// A page of rows made of the published query, for servers that have no `eval_results/page`: outputs are cut here, and
// what became of a row is not counted.

import type { Json } from "@assay/base";
import type { EvalResults, EvalResultsQueryBody, EvalResultsTrial } from "@assay/eval-engine";
import { scoreLeaves } from "../words/score-leaves.ts";
import { cut } from "../words/shown.ts";
import { valueText } from "../words/value-text.ts";
import type { PageCell, Preview, RowPage } from "./answers.ts";
import type { PageBody } from "./questions.ts";

/** The query that has the rows of a page: by signed order it sorts by the candidate, which comes closest. */
export function queryOfPage({ query, measure, candidate, order }: PageBody): EvalResultsQueryBody {
  const best = (measure?.direction === "lower") === (order === "best_first");
  const field = measure?.field ?? "";
  const sort_by =
    order === undefined
      ? query.sort_by
      : [
          { field, direction: "desc", mode: "difference" } as const,
          { field, direction: best ? "asc" : "desc", evaluation_call_id: candidate ?? null } as const,
        ];
  return { ...query, ...(sort_by && { sort_by }), include_raw_data_rows: true, resolve_row_refs: true };
}

/** The page that an answer amounts to. */
export function pageOfQuery({ rows, total_rows }: EvalResults, body: PageBody): RowPage {
  const leaves = (trial: EvalResultsTrial) => scoreLeaves(trial.scores as Json);
  const names = new Set<string>();
  for (const { evaluations } of rows)
    for (const { trials } of evaluations)
      for (const trial of trials) for (const name of leaves(trial).keys()) names.add(name);
  const measures = [...names].map((name) => `scores.${name}`);
  const cellOf = (id: string, trials: readonly EvalResultsTrial[]): PageCell => {
    const values = trials.map((trial) => {
      const of = leaves(trial);
      return [...names].map((name) => numeric(of.get(name)));
    });
    return {
      evaluation_call_id: id,
      trials: trials.map(({ predict_and_score_call_id, model_output }, at) => ({
        predict_and_score_call_id,
        output: previewOf(model_output as Json, body.preview_chars ?? 300),
        values: values[at]!,
      })),
      means: measures.map((_, at) => meanOf(values.flatMap((of) => of[at] ?? []))),
      differences: null,
    };
  };
  return {
    measures,
    total_rows,
    counts: null,
    rows: rows.map(({ row_digest, raw_data_row, evaluations }) => {
      const cells = evaluations.map(({ evaluation_call_id, trials }) => cellOf(evaluation_call_id, trials));
      const base = cells.find(({ evaluation_call_id }) => evaluation_call_id === body.baseline);
      return {
        row_digest,
        row: previewOf(raw_data_row as Json, Number.POSITIVE_INFINITY),
        evaluations: cells.map((cell) => ({
          ...cell,
          differences: base && cell !== base ? differ(base, cell) : null,
        })),
      };
    }),
  };
}

function differ(base: PageCell, cell: PageCell): readonly (number | null)[] {
  return cell.means.map((mean, at) => {
    const before = base.means[at] ?? null;
    return mean === null || before === null ? null : mean - before;
  });
}

function numeric(value: unknown): boolean | number | null {
  return typeof value === "boolean" || typeof value === "number" ? value : null;
}

function meanOf(values: readonly (boolean | number)[]): number | null {
  return values.length === 0
    ? null
    : values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
}

function previewOf(value: Json, most: number): Preview | null {
  if (value === null) return null;
  const text = valueText(value);
  if (text.length <= most) return { value, length: text.length, cut: false };
  return { value: cut(text, most), length: text.length, cut: true };
}
