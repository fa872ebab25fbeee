// The queries that every contender answers, as requests of the evaluation query.

import type { EvalResultsQueryBody } from "@assay/eval-engine";
import type { Dataset } from "./dataset.ts";

/** The comparison page, one gesture each. */
export type Workload =
  | "difference"
  | "filter"
  | "text"
  | "summary"
  | "summary, filtered"
  | "page, first"
  | "page, deep"
  | "everything";

/** In the order of running and printing. */
export const WORKLOADS: readonly Workload[] = [
  "difference",
  "filter",
  "text",
  "summary",
  "summary, filtered",
  "page, first",
  "page, deep",
  "everything",
];

/** The number of rows on a page. */
export const PAGE = 50;

/** The offset of the deep page: at nine tenths of the rows, on a page boundary. */
export function deepOffset(dataset: Dataset): number {
  return Math.floor((dataset.digests.length * 0.9) / PAGE) * PAGE;
}

/** The index of the evaluation that "filter" sorts by. */
export const SORTED_EVALUATION = 1;

/** The literals of one turn. */
export interface Turn {
  readonly threshold: number;
  readonly needle: string;
}

/** Turns repeat after this number. */
export const TURNS = 4;

/** The literals of turn `turn`, so that consecutive requests are never equal. */
export function turnOf({ questions }: Dataset, turn: number): Turn {
  const { thresholds, needles } = questions;
  return { threshold: thresholds[turn % thresholds.length]!, needle: needles[turn % needles.length]! };
}

/** The body of the evaluation query for `workload` over `dataset`. */
export function requestOf(workload: Workload, dataset: Dataset, turn: number): EvalResultsQueryBody {
  const { numeric, category, outputPath } = dataset.questions;
  const { threshold, needle } = turnOf(dataset, turn);
  const dimension = dataset.dimensions.find((d) => d.column === numeric)!;
  const score = ["scores", dimension.scorer, dimension.path].filter((part) => part !== null).join(".");
  const base = { evaluation_call_ids: dataset.evaluations };
  const page = { ...base, limit: PAGE };
  const bestOfCategory = {
    query: {
      $expr: {
        $and: [
          { $gt: [{ $getField: score }, { $literal: threshold }] },
          { $eq: [{ $getField: "inputs.category" }, { $literal: dataset.categories[category]! }] },
        ],
      },
    },
  };
  const byDifference = { field: score, direction: "desc", mode: "difference" } as const;

  switch (workload) {
    case "difference":
      return { ...page, sort_by: [byDifference] };
    case "filter":
      return {
        ...page,
        filters: [bestOfCategory],
        sort_by: [
          { field: score, direction: "desc", evaluation_call_id: dataset.evaluations[SORTED_EVALUATION]! },
        ],
      };
    case "text":
      return {
        ...page,
        filters: [
          {
            query: {
              $expr: {
                $contains: {
                  input: { $getField: ["outputs", ...outputPath].join(".") },
                  substr: { $literal: needle },
                },
              },
            },
          },
        ],
      };
    case "summary":
      return { ...base, include_rows: false, include_summary: true };
    case "summary, filtered":
      return { ...base, include_rows: false, include_summary: true, filters: [bestOfCategory] };
    case "page, first":
      return { ...page, include_raw_data_rows: true, resolve_row_refs: true };
    case "page, deep":
      return { ...page, include_raw_data_rows: true, resolve_row_refs: true, offset: deepOffset(dataset) };
    case "everything":
      return {
        ...page,
        filters: [bestOfCategory],
        sort_by: [byDifference],
        require_intersection: true,
        include_summary: true,
      };
  }
}
