// The bodies of the page's requests. Pure: equal places give equal bodies.

import type {
  CompareBody,
  CompareResults,
  EvalResultsFilter,
  EvalResultsQueryBody,
  RankingBody,
  SlicesBody,
} from "@assay/eval-engine";
import type { GroupBy, MeasureBody, RowFilter, RowGroupsBody } from "@assay/eval-engine/internal";
import { measureName, whereText } from "@assay/eval-engine/words";
import {
  type Change,
  type Chip,
  type CompareRoute,
  type ConditionOp,
  ORDERS,
  type Order,
} from "../state/page-route.ts";

/** A comparison with all choices made: which evaluations, and which of them are compared. */
export interface Chosen {
  readonly place: CompareRoute;
  readonly evaluations: readonly string[];
  /** Undefined with one evaluation. */
  readonly baseline: string | undefined;
  /** The evaluation that the verdict is about. */
  readonly candidate: string;
}

/** The body of `eval_results/page`. */
export interface PageBody {
  readonly query: EvalResultsQueryBody;
  readonly row_filters?: readonly RowFilter[];
  readonly measure?: MeasureBody;
  readonly baseline?: string;
  readonly candidate?: string;
  readonly change?: Change;
  readonly order?: "worst_first" | "best_first" | "largest_first";
  readonly preview_chars?: number;
}

/** The query that selects the rows. */
export function queryOf({ place, evaluations }: Pick<Chosen, "place" | "evaluations">): EvalResultsQueryBody {
  const filters = place.chips.flatMap((chip) => filterOf(chip) ?? []);
  return { evaluation_call_ids: evaluations, ...(filters.length > 0 && { filters }) };
}

/** A chip as a filter of the query; undefined for a chip that only a page of rows accepts. */
export function filterOf(chip: Chip): EvalResultsFilter | undefined {
  switch (chip.kind) {
    case "row":
      return undefined;
    case "filter":
      return chip.filter as EvalResultsFilter;
    case "condition": {
      const { field, op, value, evaluation } = chip;
      const operands = [{ $getField: field }, { $literal: value }];
      const query = { $expr: OPERATORS[op](operands) };
      return evaluation === undefined ? { query } : { query, evaluation_call_id: evaluation };
    }
  }
}

/** The evaluation that a chip is about; undefined for all, and for chips that only a page of rows accepts. */
export function evaluationOf(chip: Chip): string | undefined {
  if (chip.kind === "row") return undefined;
  return filterOf(chip)?.evaluation_call_id ?? undefined;
}

// The language only compares with $eq, $gt and $gte, which express the other operators.
const OPERATORS: Readonly<Record<ConditionOp, (operands: readonly object[]) => object>> = {
  eq: ($eq) => ({ $eq }),
  ne: ($eq) => ({ $not: [{ $eq }] }),
  gt: ($gt) => ({ $gt }),
  ge: ($gte) => ({ $gte }),
  lt: ([field, value]) => ({ $gt: [value, field] }),
  le: ([field, value]) => ({ $gte: [value, field] }),
  has: ([input, substr]) => ({ $contains: { input, substr, case_insensitive: true } }),
};

/** The number of rows on a page of the grid. */
export const PAGE_ROWS = 30;
/** The number of characters of an output in a cell. */
const CELL_CHARACTERS = 600;

/** A page of rows; `measure` is the one in focus. */
export function pageBody(chosen: Chosen, measure: MeasureBody | undefined, page: number): PageBody {
  const { place, baseline, candidate } = chosen;
  const rowFilters = rowFiltersOf(chosen);
  const { change, order } = place;
  return {
    query: { ...queryOf(chosen), limit: PAGE_ROWS, offset: page * PAGE_ROWS },
    ...(rowFilters.length > 0 && { row_filters: rowFilters }),
    ...(measure !== undefined && { measure }),
    ...(baseline !== undefined && { baseline, candidate }),
    ...(change !== undefined && measure !== undefined && { change }),
    ...(measure !== undefined && order !== "digest" && { order }),
    preview_chars: CELL_CHARACTERS,
  };
}

/** The orders to choose from: no differences without a pair, and neither worst nor best without a direction. */
export function ordersOf(
  baseline: string | undefined,
  direction: MeasureBody["direction"],
): readonly Order[] {
  if (baseline === undefined) return ORDERS.filter((order) => order !== "largest_first");
  return direction === null ? ["largest_first", "digest"] : ORDERS;
}

/** The distribution of rows over the values of a field, under the filters of the page. */
export function groupsBody(chosen: Chosen, by: GroupBy): RowGroupsBody {
  const row_filters = rowFiltersOf(chosen);
  return { query: queryOf(chosen), ...(row_filters.length > 0 && { row_filters }), by };
}

function rowFiltersOf({ place }: Pick<Chosen, "place">): readonly RowFilter[] {
  return place.chips.flatMap((chip) => (chip.kind === "row" ? [chip.filter as RowFilter] : []));
}

/** The comparison of all measures; their fields are listed once some have another direction than the default. */
export function compareBody(chosen: Chosen, fields: readonly string[]): CompareBody {
  const { place, baseline } = chosen;
  const turned = fields.some((field) => place.lower.includes(field));
  return {
    query: queryOf(chosen),
    baseline: baseline!,
    ...(turned && {
      measures: fields.map((field) => measureOf(place, field)),
      // Setting that lower is better for one measure does not restrict the comparison to it.
      adjustment: "bh",
    }),
  };
}

/**
 * The comparison of latency and tokens, if the evaluations have them: `measures` are those of a page of rows. They are
 * compared separately, because they are not scores. Undefined without any.
 */
export function factsBody(chosen: Chosen, measures: readonly string[]): CompareBody | undefined {
  const facts = FACTS.filter((fact) => measures.includes(fact));
  if (chosen.baseline === undefined || facts.length === 0) return undefined;
  return { query: queryOf(chosen), baseline: chosen.baseline, measures: facts, adjustment: "none" };
}

/**
 * The comparison as a command and as a request body, with every direction that was used, so that it has the same
 * result elsewhere. `compared` is its answer, if known.
 */
export function copiedQuestion(
  chosen: Chosen,
  compared: CompareResults | undefined,
): { readonly command: string; readonly body: CompareBody } {
  const { place, evaluations, baseline = "" } = chosen;
  const measures = (compared?.comparisons[0]?.measures ?? []).filter(({ field }) =>
    field.startsWith("scores."),
  );
  const told = measures.filter(({ direction_source: source }) => source === "asked" || source === "project");
  const body: CompareBody = {
    query: queryOf(chosen),
    baseline,
    ...(told.length > 0 && {
      measures: measures.map(({ field, direction }) =>
        direction === null ? { field } : { field, direction },
      ),
      adjustment: "bh",
    }),
  };
  const flag = (name: string, direction: "higher" | "lower"): readonly string[] => {
    const fields = told
      .filter((of) => of.direction === direction)
      .map(({ field }) => quoted(measureName(field)));
    return fields.length === 0 ? [] : [name, ...fields];
  };
  const conditions = (body.query.filters ?? []).flatMap((filter) => whereText(filter) ?? []);
  const command = [
    "assay compare",
    quoted(place.project),
    ...[baseline, ...evaluations.filter((id) => id !== baseline)].filter((id) => id !== "").map(quoted),
    ...conditions.flatMap((condition) => ["--where", quoted(condition)]),
    ...flag("--lower", "lower"),
    ...flag("--higher", "higher"),
  ].join(" ");
  return { command, body };
}

/** A word of a command line. */
function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Measures of a trial that are not scores. */
export const FACTS: readonly string[] = ["model_latency_seconds", "total_tokens"];

/** A measure from a place. */
export function measureOf({ lower }: Pick<CompareRoute, "lower">, field: string): MeasureBody {
  return lower.includes(field) ? { field, direction: "lower" } : { field };
}

/** Slices of the pair at the measure in focus. */
export function slicesBody(chosen: Chosen, field: string): SlicesBody {
  const { place, baseline, candidate } = chosen;
  return {
    query: queryOf(chosen),
    baseline: baseline!,
    candidate,
    measure: measureOf(place, field),
    ...(place.by.length > 0 && { fields: place.by }),
  };
}

/** The ranking of all evaluations at the measure in focus. */
export function rankingBody(chosen: Chosen, field: string): RankingBody {
  return { query: queryOf(chosen), measure: measureOf(chosen.place, field) };
}

/** Everything about one row, for the drawer. */
export function rowBody(evaluations: readonly string[], digest: string): EvalResultsQueryBody {
  const $expr = { $eq: [{ $getField: "row_digest" }, { $literal: digest }] };
  return {
    evaluation_call_ids: evaluations,
    filters: [{ query: { $expr } }],
    include_raw_data_rows: true,
    resolve_row_refs: true,
    limit: 1,
  };
}
