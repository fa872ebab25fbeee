// The bodies of questions of a page in wire format, with the schemas that validate and document them.

import type { Description } from "@assay/base/internal";
import type { EvalResultsQueryBody } from "../../query/request.ts";
import type { MeasureBody } from "../../statistics/wire/body.ts";

/**
 * A condition on a row, in addition to the query's own filters, which apply to trials; all must hold. For a field of
 * the row (`inputs.…`) it applies to the value in the row's first trial. For a measure it applies to the mean of the
 * row's trials in one evaluation, or to its difference to a baseline.
 */
export interface RowFilter {
  /** `inputs.<path>`, `scores.<path>`, `model_latency_seconds` or `total_tokens`. */
  readonly field: string;
  /** The evaluation whose value to use; required for a measure. */
  readonly evaluation_call_id?: string | null;
  /** The evaluation whose value to subtract. */
  readonly baseline?: string | null;
  /** The value; for a field of the row, anything that reads as the same text. */
  readonly equals?: string | number | boolean | null;
  /** The value exists, and is none of these. */
  readonly none_of?: readonly (string | number | boolean)[] | null;
  /** The number is at least this. */
  readonly at_least?: number | null;
  /** The number is below this. */
  readonly below?: number | null;
  /** The number is at most this. */
  readonly at_most?: number | null;
  /** Whether there is a value. */
  readonly known?: boolean | null;
}

/** How a row changed between evaluations. */
export type RowChange = "worse" | "better" | "changed" | "equal" | "flaky" | "missing";

/**
 * An order by the difference to the baseline; without a baseline, `worst_first` and `best_first` order by value. Rows
 * without one come last.
 */
export type ChangeOrder = "worst_first" | "best_first" | "largest_first";

/** The common members of a page of rows and of groups of rows. */
interface ViewBody {
  /** The query that selects the rows. */
  readonly query: EvalResultsQueryBody;
  /** More conditions on its rows. */
  readonly row_filters?: readonly RowFilter[] | null;
}

/** The body of a page of rows. Sorting and paging of its query apply too, with a default limit of 100 rows. */
export interface RowPageBody extends ViewBody {
  /** The measure of `change` and `order`, or only its field. */
  readonly measure?: MeasureBody | string | null;
  /** The evaluation to compare with. */
  readonly baseline?: string | null;
  /** The evaluation to compare with the baseline. Default: every other one. */
  readonly candidate?: string | null;
  /** Only rows that changed in this way. */
  readonly change?: RowChange | null;
  /** The order; replaces the query's `sort_by`. */
  readonly order?: ChangeOrder | null;
  /**
   * The measures to show for each trial. Default: the first 100 score leaves, and latency and tokens if a trial has
   * them.
   */
  readonly measures?: readonly string[] | null;
  /** The number of characters to show of a row and of an output. Default 300. */
  readonly preview_chars?: number | null;
}

/** The field or measure to group rows by. */
export interface GroupBy {
  /** As in a `RowFilter`. */
  readonly field: string;
  /** The evaluation whose value to use; required for a measure. */
  readonly evaluation_call_id?: string | null;
  /** The evaluation whose value to subtract. */
  readonly baseline?: string | null;
  /**
   * Numbers with more distinct values than this are divided into about this many ranges of equal width. Default 20.
   */
  readonly bins?: number | null;
}

/** The body of groups of rows. */
export interface RowGroupsBody extends ViewBody {
  /** The field or measure to group rows by. */
  readonly by: GroupBy;
  /** The measures to report for each group, or only their fields. Default none. */
  readonly measures?: readonly (MeasureBody | string)[] | null;
  /** The evaluation to compare the others with in each group. */
  readonly baseline?: string | null;
  /** The confidence of intervals, between 0 and 1. Default 0.95. */
  readonly level?: number | null;
}

/** The body of the question for available fields. */
export interface FieldsBody {
  /** The root call IDs of the evaluations. */
  readonly evaluation_call_ids: readonly string[];
}

/** The limits and defaults of requests. */
export const VIEW_LIMITS = {
  rows: { default: 100, most: 1000 },
  preview: { default: 300, most: 20_000 },
  bins: { default: 20, most: 200 },
  rowFilters: 32,
  shown: 100,
} as const;

const orNull = (description: Description): Description => ({ anyOf: [description, { type: "null" }] });
const TEXT: Description = { type: "string" };
const NUMBER: Description = { type: "number" };
const SCALARS: readonly Description[] = [TEXT, NUMBER, { type: "boolean" }];
const SCALAR: Description = { anyOf: SCALARS };
const MEASURE: Description = {
  anyOf: [
    TEXT,
    {
      type: "object",
      properties: { field: TEXT, direction: orNull({ enum: ["higher", "lower"] }) },
      required: ["field"],
      additionalProperties: false,
    },
  ],
};
const OF_ROWS = { field: TEXT, evaluation_call_id: orNull(TEXT), baseline: orNull(TEXT) };
const ROW_FILTER: Description = {
  type: "object",
  properties: {
    ...OF_ROWS,
    equals: { anyOf: [...SCALARS, { type: "null" }] },
    none_of: orNull({ type: "array", items: SCALAR, maxItems: 1000 }),
    at_least: orNull(NUMBER),
    below: orNull(NUMBER),
    at_most: orNull(NUMBER),
    known: orNull({ type: "boolean" }),
  },
  required: ["field"],
  additionalProperties: false,
};
const OF_QUERY = {
  // It has its own reader, which reports its issues.
  query: {},
  row_filters: orNull({ type: "array", items: ROW_FILTER, maxItems: VIEW_LIMITS.rowFilters }),
};
const wholeNumber = (most: number, minimum = 1): Description =>
  orNull({ type: "integer", minimum, maximum: most });

/** The parsed question of a body. */
export type ViewQuestion = "page" | "groups" | "fields";

/** The bodies of the questions. */
export const VIEW_BODIES: { readonly [Question in ViewQuestion]: Description } = {
  page: {
    type: "object",
    properties: {
      ...OF_QUERY,
      measure: { anyOf: [...MEASURE.anyOf!, { type: "null" }] },
      baseline: orNull(TEXT),
      candidate: orNull(TEXT),
      change: orNull({ enum: ["worse", "better", "changed", "equal", "flaky", "missing"] }),
      order: orNull({ enum: ["worst_first", "best_first", "largest_first"] }),
      measures: orNull({ type: "array", items: TEXT, maxItems: VIEW_LIMITS.shown }),
      preview_chars: wholeNumber(VIEW_LIMITS.preview.most, 0),
    },
    required: ["query"],
    additionalProperties: false,
  },
  groups: {
    type: "object",
    properties: {
      ...OF_QUERY,
      by: {
        type: "object",
        properties: { ...OF_ROWS, bins: wholeNumber(VIEW_LIMITS.bins.most) },
        required: ["field"],
        additionalProperties: false,
      },
      measures: orNull({ type: "array", items: MEASURE, maxItems: 16 }),
      baseline: orNull(TEXT),
      level: orNull({ type: "number", minimum: 0.01, maximum: 0.9999 }),
    },
    required: ["query", "by"],
    additionalProperties: false,
  },
  fields: {
    type: "object",
    properties: { evaluation_call_ids: { type: "array", items: TEXT, minItems: 1, maxItems: 256 } },
    required: ["evaluation_call_ids"],
    additionalProperties: false,
  },
};

/** The body of a question as JSON Schema; its `query` refers to `querySchema`, the schema of a query's own body. */
export function viewSchema(question: ViewQuestion, querySchema: { readonly $ref: string }): object {
  const body = VIEW_BODIES[question];
  return body.properties!["query"] === undefined
    ? body
    : { ...body, properties: { ...body.properties, query: querySchema } };
}
