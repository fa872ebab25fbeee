// The request of an evaluation query: the body's schema, and its parsing into a valid query. All issues are found
// before any work starts. Codes are pydantic's error types, paths its `loc`.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type Description, isJsonObject, readAs, schemaOf } from "@assay/base/internal";
import { type Expr, type FieldPath, LIMITS, newBudget, readQuery } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import { fieldFault } from "./field.ts";

/** The limits of a request. A larger one is refused with 422 before any work. */
export const REQUEST_LIMITS: {
  readonly evaluations: number;
  readonly filters: number;
  readonly sortKeys: number;
} = { evaluations: 256, filters: 100, sortKeys: 16 };

/** One key to sort by. */
export interface EvalResultsSortBy {
  /** `scores.<path>`, `inputs.<path>`, `outputs.<path>` or `output.<path>`. */
  readonly field: string;
  /** Rows without a value come last in both directions. */
  readonly direction: "asc" | "desc";
  /** The evaluation whose values to sort by; null for all requested ones. */
  readonly evaluation_call_id?: string | null | undefined;
  /**
   * `difference` sorts by the spread (max − min) of the evaluations' means; with a single evaluation it is the same as
   * `value`. Default `value`.
   */
  readonly mode?: "value" | "difference" | undefined;
}

/** One filter. */
export interface EvalResultsFilter {
  /** The evaluation it applies to; null for every requested one. */
  readonly evaluation_call_id?: string | null | undefined;
  /** `{ $expr: … }` in the query language. */
  readonly query: { readonly $expr: unknown };
}

/**
 * The body of an evaluation query, as `/openapi.json` describes it. Everything is optional. As in JSON, a member that is
 * undefined is absent.
 */
export interface EvalResultsQueryBody {
  /** The root call IDs of the evaluations to read. */
  readonly evaluation_call_ids?: readonly string[] | null | undefined;
  /** More of them, under the name that the runs interface uses. */
  readonly evaluation_run_ids?: readonly string[] | null | undefined;
  /** Whether to keep only rows that all evaluations have. Default false. */
  readonly require_intersection?: boolean | undefined;
  /** Whether to include `raw_data_row`. Default false. */
  readonly include_raw_data_rows?: boolean | undefined;
  /** Whether to replace references in `raw_data_row` with rows; needs `include_raw_data_rows`. Default false. */
  readonly resolve_row_refs?: boolean | undefined;
  /** Whether to include `rows`; `total_rows` is always counted. Default true. */
  readonly include_rows?: boolean | undefined;
  /** Whether to include `summary`. Default false. */
  readonly include_summary?: boolean | undefined;
  /** The `require_intersection` of the summary; null uses that of the rows. */
  readonly summary_require_intersection?: boolean | null | undefined;
  /** Whether to read predict and scorer calls: IDs, latency, tokens. Default true. */
  readonly include_predict_and_score_children?: boolean | undefined;
  /**
   * Whether trials and the summary include the costs of the model's calls, as `total_cost` and `predict_total_cost`.
   * The engine knows no prices and leaves both out; the server adds them. Default false.
   */
  readonly include_costs?: boolean | undefined;
  /** Sort keys, most significant first; `row_digest` is always the last. Default none. */
  readonly sort_by?: readonly EvalResultsSortBy[] | null | undefined;
  /** Conditions that a single trial must meet together. Default none. */
  readonly filters?: readonly EvalResultsFilter[] | null | undefined;
  /** Whether a row must match in all evaluations (`and`) or in any. Default `or`. */
  readonly filter_logic_operator?: "and" | "or" | undefined;
  /** The number of rows on the page; null for all. */
  readonly limit?: number | null | undefined;
  /** The number of rows before the page. Default 0. */
  readonly offset?: number | undefined;
}

/** A parsed sort key. */
export interface SortKey {
  /** The path of the field; its first segment names the part of the trial. */
  readonly path: FieldPath;
  /** Largest first. */
  readonly descending: boolean;
  /** The evaluation whose values to sort by; null for all. */
  readonly evaluation: string | null;
  /** Whether to sort by the spread of the evaluations' means. */
  readonly difference: boolean;
}

/** A parsed filter. */
export interface Filter {
  /** The evaluation it applies to; null for all. */
  readonly evaluation: string | null;
  /** The condition that a trial must meet. */
  readonly expr: Expr;
}

/** A parsed request: defaults filled in, IDs merged, expressions typed. */
export interface EvalQuery {
  /** The requested IDs, without duplicates, in order. */
  readonly evaluations: readonly string[];
  /** Whether to keep only rows that all evaluations have. */
  readonly intersect: boolean;
  /** The same for the summary. */
  readonly summaryIntersect: boolean;
  /** Whether rows include their example. */
  readonly rawRows: boolean;
  /** Whether to replace references on the page with rows. */
  readonly resolveRefs: boolean;
  /** Whether to include the page. */
  readonly rows: boolean;
  /** Whether to compute the summary. */
  readonly summary: boolean;
  /** Whether to read predict and scorer calls. */
  readonly children: boolean;
  /** The sort keys before `row_digest`. */
  readonly sortBy: readonly SortKey[];
  /** The conditions that a single trial must meet together. */
  readonly filters: readonly Filter[];
  /** Whether a row must match in every evaluation that a filter applies to, not just in any. */
  readonly matchAll: boolean;
  /** The number of rows on the page; null for all. */
  readonly limit: number | null;
  /** The number of rows before the page. */
  readonly offset: number;
}

const FLAG: Description = { type: "boolean" };
const ID_OR_ALL: Description = { anyOf: [{ type: "string" }, { type: "null" }] };

/** The schema of the body. A filter's `query` has its own reader. */
const BODY = {
  type: "object",
  properties: {
    evaluation_call_ids: orNull({ type: "array", items: { type: "string" } }),
    evaluation_run_ids: orNull({ type: "array", items: { type: "string" } }),
    require_intersection: FLAG,
    include_raw_data_rows: FLAG,
    resolve_row_refs: FLAG,
    include_rows: FLAG,
    include_summary: FLAG,
    summary_require_intersection: orNull(FLAG),
    include_predict_and_score_children: FLAG,
    include_costs: FLAG,
    sort_by: orNull({
      type: "array",
      items: {
        type: "object",
        properties: {
          field: { type: "string" },
          direction: { enum: ["asc", "desc"] },
          evaluation_call_id: ID_OR_ALL,
          mode: { enum: ["value", "difference"] },
        },
        required: ["field", "direction"],
        additionalProperties: false,
      },
    }),
    filters: orNull({
      type: "array",
      items: {
        type: "object",
        properties: { evaluation_call_id: ID_OR_ALL, query: {} },
        required: ["query"],
        additionalProperties: false,
      },
    }),
    filter_logic_operator: { enum: ["and", "or"] },
    limit: orNull({ type: "integer", minimum: 0 }),
    offset: { type: "integer", minimum: 0 },
  },
  additionalProperties: false,
} satisfies Description;

const BodySchema = schemaOf<EvalResultsQueryBody>(BODY);

function orNull(description: Description): { readonly anyOf: readonly [Description, Description] } {
  return { anyOf: [description, { type: "null" }] };
}

/** The body as JSON Schema, from the same schema that reads it; a filter's `query` refers to `querySchema`. */
export function requestSchema(querySchema: { readonly $ref: string }): object {
  const { filters, ...others } = BODY.properties;
  const [list, none] = filters.anyOf;
  const query = { ...list.items, properties: { ...list.items?.properties, query: querySchema } };
  return {
    ...BODY,
    properties: { ...others, filters: { anyOf: [{ ...list, items: query }, none] } },
  };
}

/**
 * Reads the body of a query. Returns all issues together; an issue's `code` is a pydantic error type, and its `path` is
 * the `loc`, beginning with `body`.
 */
export function readRequest(body: unknown): Result<EvalQuery> {
  if (!isJsonObject(body))
    return bad([{ code: "dict_type", path: ["body"], message: "the body must be a JSON object" }]);
  const given: EvalResultsQueryBody = body;
  const issues: Issue[] = [];
  const checked = readAs(BodySchema, bounded(body, issues), { at: ["body"], most: LIMITS.issues });
  if (!checked.ok) issues.push(...checked.issues);

  const evaluations = [
    ...new Set([...strings(given.evaluation_call_ids), ...strings(given.evaluation_run_ids)]),
  ];
  if (evaluations.length > REQUEST_LIMITS.evaluations)
    issues.push(
      tooMany(["evaluation_call_ids"], "evaluations", REQUEST_LIMITS.evaluations, evaluations.length),
    );
  const filters = readFilters(given.filters, issues);
  const sortBy = readSortBy(given.sort_by, evaluations.length, issues);
  if (given.resolve_row_refs === true && given.include_raw_data_rows !== true) {
    issues.push({
      code: "value_error",
      path: ["body", "resolve_row_refs"],
      message: "resolve_row_refs needs include_raw_data_rows to be true",
    });
  }
  if (issues.length > 0) return bad(issues.slice(0, LIMITS.issues));

  const intersect = given.require_intersection ?? false;
  return ok({
    evaluations,
    intersect,
    summaryIntersect: given.summary_require_intersection ?? intersect,
    rawRows: given.include_raw_data_rows ?? false,
    resolveRefs: given.resolve_row_refs ?? false,
    rows: given.include_rows ?? true,
    summary: given.include_summary ?? false,
    children: given.include_predict_and_score_children ?? true,
    sortBy,
    filters,
    matchAll: given.filter_logic_operator === "and",
    limit: given.limit ?? null,
    offset: given.offset ?? 0,
  });
}

/** The number of entries of each list, and of unknown keys, that are checked; issues beyond them are not listed. */
const LOOKED_AT: ReadonlyMap<string, number> = new Map([
  ["evaluation_call_ids", 4 * REQUEST_LIMITS.evaluations],
  ["evaluation_run_ids", 4 * REQUEST_LIMITS.evaluations],
  ["filters", REQUEST_LIMITS.filters],
  ["sort_by", REQUEST_LIMITS.sortKeys],
]);

/** The body with long lists cut, so that validating it takes no longer than for the largest valid one. */
function bounded(body: object, issues: Issue[]): object {
  const looked = Object.entries(body).slice(0, LIMITS.issues);
  const entries = looked.map(([key, value]): [string, unknown] => {
    const most = LOOKED_AT.get(key);
    if (most === undefined || !Array.isArray(value) || value.length <= most) return [key, value];
    if (key.endsWith("_ids")) issues.push(tooMany([key], "ids", most, value.length));
    return [key, value.slice(0, most)];
  });
  return Object.fromEntries(entries);
}

function readFilters(given: unknown, issues: Issue[]): Filter[] {
  const filters: Filter[] = [];
  if (!Array.isArray(given)) return filters;
  if (given.length > REQUEST_LIMITS.filters) {
    issues.push(tooMany(["filters"], "filters", REQUEST_LIMITS.filters, given.length));
    return filters;
  }
  const budget = newBudget();
  for (const [i, filter] of given.entries()) {
    const { query, evaluation_call_id } = (filter ?? {}) as Partial<EvalResultsFilter>;
    if (query === undefined) continue;
    const expr = readQuery(query, { at: ["body", "filters", i, "query"], field: fieldFault, budget });
    if (expr.ok) filters.push({ evaluation: evaluation_call_id ?? null, expr: expr.value });
    else issues.push(...expr.issues);
  }
  return filters;
}

function readSortBy(given: unknown, evaluations: number, issues: Issue[]): SortKey[] {
  const keys: SortKey[] = [];
  if (!Array.isArray(given)) return keys;
  if (given.length > REQUEST_LIMITS.sortKeys) {
    issues.push(tooMany(["sort_by"], "sort keys", REQUEST_LIMITS.sortKeys, given.length));
    return keys;
  }
  for (const [i, key] of given.entries()) {
    const { field, direction, evaluation_call_id, mode } = (key ?? {}) as Partial<EvalResultsSortBy>;
    if (typeof field !== "string") continue;
    const at = ["body", "sort_by", i, "field"];
    const path = readFieldPath(field);
    const fault = path.ok ? sortFault(path.value, mode === "difference") : path.issues[0]!.message;
    if (fault !== undefined) issues.push({ code: "value_error", path: at, message: fault });
    else if (path.ok)
      keys.push({
        path: path.value,
        descending: direction === "desc",
        // A difference is that of all evaluations, whichever one is named.
        evaluation: mode === "difference" ? null : (evaluation_call_id ?? null),
        // A single evaluation has no differences, so a comparison narrowed to one is sorted by its value.
        difference: mode === "difference" && evaluations > 1,
      });
  }
  return keys;
}

function sortFault(path: FieldPath, difference: boolean): string | undefined {
  if (path[0] === "row_digest") return "rows are always ordered by row_digest after all other keys";
  if (difference && path[0] !== "scores")
    return "only scores have a difference: the field must start with scores.";
  return fieldFault(path);
}

function tooMany(path: readonly string[], what: string, limit: number, given: number): Issue {
  return {
    code: "too_long",
    path: ["body", ...path],
    message: `at most ${limit} ${what} in one request, not ${given}`,
  };
}

function strings(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((item) => typeof item === "string") : [];
}
