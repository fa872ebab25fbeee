// The request of an evaluation query: the body's schema, and its reading into a query that cannot be wrong any more.
// Every fault is found before any work starts. Codes are pydantic's error types, paths its `loc`.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type Description, isJsonObject, readAs, schemaOf } from "@assay/base/internal";
import { type Expr, type FieldPath, LIMITS, newBudget, readQuery } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import { fieldFault } from "./field.ts";

/** How much a request may ask for. More is a 422 before any work. */
export const REQUEST_LIMITS: {
  readonly evaluations: number;
  readonly filters: number;
  readonly sortKeys: number;
} = { evaluations: 256, filters: 100, sortKeys: 16 };

/** One key to sort by. */
export interface EvalResultsSortBy {
  /** `scores.<path>`, `inputs.<path>`, `outputs.<path>` or `output.<path>`. */
  readonly field: string;
  /** Rows without a value come last in both. */
  readonly direction: "asc" | "desc";
  /** The evaluation whose values count; all requested ones when null. */
  readonly evaluation_call_id?: string | null;
  /**
   * `difference`: by the spread (max − min) of the evaluations' means; with one requested evaluation the same as `value`.
   * Default `value`.
   */
  readonly mode?: "value" | "difference";
}

/** One filter. */
export interface EvalResultsFilter {
  /** The evaluation it applies to; every requested one when null. */
  readonly evaluation_call_id?: string | null;
  /** `{ $expr: … }` in the query language. */
  readonly query: { readonly $expr: unknown };
}

/** The body of an evaluation query, as `/openapi.json` publishes it. Everything is optional. */
export interface EvalResultsQueryBody {
  /** Root call ids of the evaluations to read. */
  readonly evaluation_call_ids?: readonly string[] | null;
  /** More of them, under the name of the runs interface. */
  readonly evaluation_run_ids?: readonly string[] | null;
  /** Only rows that all evaluations have. Default false. */
  readonly require_intersection?: boolean;
  /** Whether rows carry `raw_data_row`. Default false. */
  readonly include_raw_data_rows?: boolean;
  /** Whether references in `raw_data_row` are replaced by rows; needs `include_raw_data_rows`. Default false. */
  readonly resolve_row_refs?: boolean;
  /** Whether `rows` are written out; `total_rows` always counts. Default true. */
  readonly include_rows?: boolean;
  /** Whether `summary` is filled. Default false. */
  readonly include_summary?: boolean;
  /** The same as `require_intersection`, only for the summary; null takes that one. */
  readonly summary_require_intersection?: boolean | null;
  /** Whether predict and scorer calls are read: ids, latency, tokens. Default true. */
  readonly include_predict_and_score_children?: boolean;
  /**
   * Whether trials and the summary say what the model's calls cost, as `total_cost` and `predict_total_cost`. The engine
   * knows no prices and leaves both out; the server adds them. Default false.
   */
  readonly include_costs?: boolean;
  /** Keys, the first deciding first; `row_digest` is always the last. Default none. */
  readonly sort_by?: readonly EvalResultsSortBy[] | null;
  /** Conditions on one trial, AND-ed. Default none. */
  readonly filters?: readonly EvalResultsFilter[] | null;
  /** Whether a row must match in `and` all evaluations or in any. Default `or`. */
  readonly filter_logic_operator?: "and" | "or";
  /** Rows on the page; null for all. */
  readonly limit?: number | null;
  /** Rows before the page. Default 0. */
  readonly offset?: number;
}

/** A key to sort by, read. */
export interface SortKey {
  /** The field, the first segment saying of what. */
  readonly path: FieldPath;
  /** Largest first. */
  readonly descending: boolean;
  /** The evaluation whose values count; null for all. */
  readonly evaluation: string | null;
  /** By the spread of the means of several evaluations. */
  readonly difference: boolean;
}

/** A filter, read. */
export interface Filter {
  /** The evaluation it applies to; null for all. */
  readonly evaluation: string | null;
  /** What a trial must make true. */
  readonly expr: Expr;
}

/** A request, read: defaults filled in, ids merged, expressions typed. */
export interface EvalQuery {
  /** The requested ids, each once, in order. */
  readonly evaluations: readonly string[];
  /** Only rows that all evaluations have. */
  readonly intersect: boolean;
  /** The same for the summary. */
  readonly summaryIntersect: boolean;
  /** Rows carry their example. */
  readonly rawRows: boolean;
  /** References in the page are replaced by rows. */
  readonly resolveRefs: boolean;
  /** The page is written out. */
  readonly rows: boolean;
  /** The summary is computed. */
  readonly summary: boolean;
  /** Predict and scorer calls are read. */
  readonly children: boolean;
  /** Keys to sort by, before `row_digest`. */
  readonly sortBy: readonly SortKey[];
  /** Conditions, all of which one trial must make true. */
  readonly filters: readonly Filter[];
  /** A row must match in every evaluation that a filter applies to, not in any. */
  readonly matchAll: boolean;
  /** Rows on the page; null for all. */
  readonly limit: number | null;
  /** Rows before the page. */
  readonly offset: number;
}

const FLAG: Description = { type: "boolean" };
const ID_OR_ALL: Description = { anyOf: [{ type: "string" }, { type: "null" }] };

/** The body, as it is read. A filter's `query` has a reader of its own. */
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

/** The body as JSON Schema, from the description that it is read by; a filter's `query` refers to `querySchema`. */
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
 * Reads the body of a query. All faults at once; each issue's `code` is a pydantic error type and its `path` the
 * `loc`, beginning with `body`.
 */
export function readRequest(body: unknown): Result<EvalQuery> {
  const issues: Issue[] = [];
  const given = (typeof body === "object" && body !== null ? body : {}) as EvalResultsQueryBody;
  if (!isJsonObject(body)) {
    return bad([{ code: "dict_type", path: ["body"], message: "the body must be a JSON object" }]);
  }
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

/** Entries of each list that are looked at, and keys that a request does not have: what is wrong in more is not said. */
const LOOKED_AT: ReadonlyMap<string, number> = new Map([
  ["evaluation_call_ids", 4 * REQUEST_LIMITS.evaluations],
  ["evaluation_run_ids", 4 * REQUEST_LIMITS.evaluations],
  ["filters", REQUEST_LIMITS.filters],
  ["sort_by", REQUEST_LIMITS.sortKeys],
]);

/** The body with long lists cut, so that validating it takes no longer than a valid one could. */
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
    if (typeof filter !== "object" || filter === null || !Object.hasOwn(filter, "query")) continue;
    const { query, evaluation_call_id } = filter as { query: unknown; evaluation_call_id?: string | null };
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
        evaluation: evaluation_call_id ?? null,
        // A single evaluation has no differences: narrowing a comparison to one keeps the order by its value.
        difference: mode === "difference" && evaluations > 1,
      });
  }
  return keys;
}

function sortFault(path: FieldPath, difference: boolean): string | undefined {
  if (path[0] === "row_digest") return "rows are always in row_digest order after every other key";
  if (difference && path[0] !== "scores")
    return "only scores have a difference: the field must begin with scores.";
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
