// Reads queries for calls.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { excerpt, lazySchemas, shownName } from "@assay/base/internal";
import type { CallScope } from "@assay/calls";
import { type Expr, type FieldPath, readQuery } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import { type } from "arktype";
import { comparingFeedback, feedbackFault } from "../feedback/feedback.ts";
import { PlainObject } from "../request/plain-object.ts";
import { type Described, readBody } from "../request/read-body.ts";
import { unsupportedOptions } from "../request/unsupported-options.ts";
import { comparingInstants } from "../sorting/call-time.ts";
import { readSortKeys, type SortKey } from "../sorting/sort-keys.ts";

/** A parsed query for calls. */
export interface CallsQuery {
  /** `entity/project`. */
  readonly project: string;
  /** The part of the query that the store evaluates. */
  readonly scope: CallScope;
  /** Further requirements for a call. */
  readonly filter: CallsFilter;
  /** The condition that a call must meet, with times compared as instants. */
  readonly expr: Expr | undefined;
  /** Empty: by start, then ID. */
  readonly sortBy: readonly SortKey[];
  /** The most calls to return; undefined for all. */
  readonly limit: number | undefined;
  /** The number of calls to skip. */
  readonly offset: number;
  /** The top-level fields to return; undefined for all. */
  readonly columns: ReadonlySet<string> | undefined;
  /** Columns whose references are resolved in conditions and sort keys with paths inside of them. */
  readonly expand: readonly FieldPath[];
  /** Whether these columns are also returned with references resolved. */
  readonly answerExpanded: boolean;
  /** Whether to include the feedback about calls. */
  readonly withFeedback: boolean;
  /** Whether to include the costs of calls, which are added to the answer. */
  readonly withCosts: boolean;
}

/** Requirements for a call, in addition to being in scope. Of each given list, the call must match one member. */
export interface CallsFilter {
  /** Of `thread_id`. */
  readonly threadIds: ReadonlySet<string> | undefined;
  /** Of `turn_id`. */
  readonly turnIds: ReadonlySet<string> | undefined;
  /** Of `wb_user_id`. */
  readonly userIds: ReadonlySet<string> | undefined;
  /** Of `wb_run_id`. */
  readonly runIds: ReadonlySet<string> | undefined;
  /** References at the top level of `inputs`. */
  readonly inputRefs: ReadonlySet<string> | undefined;
  /** References: the `output` itself, or at its top level. */
  readonly outputRefs: ReadonlySet<string> | undefined;
}

const schemas = lazySchemas(() => {
  const Ids = type("string[] <= 10000 | null");
  const Filter = PlainObject().and({
    "op_names?": Ids,
    "input_refs?": Ids,
    "output_refs?": Ids,
    "parent_ids?": Ids,
    "trace_ids?": Ids,
    "call_ids?": Ids,
    "thread_ids?": Ids,
    "turn_ids?": Ids,
    "trace_roots_only?": "boolean|null",
    "wb_user_ids?": Ids,
    "wb_run_ids?": Ids,
    "+": "reject",
  });

  const SortBy = type({ field: "string", direction: "'asc'|'desc'", "+": "reject" });
  const Columns = type("string[] <= 1000 | null");
  const question = {
    project_id: "string",
    "filter?": Filter.or("null"),
    "query?": "unknown",
    "limit?": "number.integer>=0|null",
    "expand_columns?": Columns,
    "include_total_storage_size?": unsupportedOptions().Sizes,
    "+": "reject",
  } as const;

  /** The body of a query for calls. */
  const CallsQueryBody = type({
    ...question,
    "sort_by?": SortBy.array().atMostLength(16).or("null"),
    "offset?": "number.integer>=0|null",
    "columns?": Columns,
    "return_expanded_column_values?": "boolean|null",
    "include_costs?": "boolean|null",
    "include_feedback?": "boolean|null",
    "include_storage_size?": unsupportedOptions().Sizes,
    "include_usernames?": unsupportedOptions().Usernames,
    // Every call counts once, even if it arrived in several pieces.
    "latest_only?": "boolean|null",
  });

  /** The body of a query for the number of calls. */
  const CallsCountBody = type(question);
  return { Filter, CallsQueryBody, CallsCountBody };
});

type Schemas = ReturnType<typeof schemas>;

/** The schemas, for an OpenAPI document. */
export const CALLS_QUERY_SCHEMAS: () => Described<"CallsQueryBody" | "CallsCountBody"> = schemas;

/** Fields that have fields inside. */
const OPEN = ["inputs", "output", "attributes", "summary"];

const FIELDS: ReadonlySet<string> = new Set([
  ...OPEN,
  "id",
  "project_id",
  "trace_id",
  "parent_id",
  "op_name",
  "display_name",
  "started_at",
  "ended_at",
  "exception",
  "thread_id",
  "turn_id",
  "wb_user_id",
  "wb_run_id",
]);

/** Members that every call has; always returned. */
const NEEDED = ["id", "project_id", "trace_id", "parent_id", "op_name", "started_at"];

/** Reads the body of a query for calls. */
export function readCallsQuery(given: unknown): Result<CallsQuery> {
  const read = readBody(schemas().CallsQueryBody, given);
  return read.ok ? queryOf(read.value) : read;
}

/** Reads the body of a query for the number of calls. */
export function readCallsCount(given: unknown): Result<CallsQuery> {
  const read = readBody(schemas().CallsCountBody, given);
  return read.ok ? queryOf(read.value) : read;
}

function queryOf(body: Schemas["CallsQueryBody"]["infer"]): Result<CallsQuery> {
  const issues: Issue[] = [];
  const expr =
    body.query == null ? ok(undefined) : readQuery(body.query, { at: ["body", "query"], field: fieldFault });
  if (!expr.ok) issues.push(...expr.issues);
  const sortBy = readSortKeys(body.sort_by ?? [], ["body", "sort_by"], fieldFault);
  if (!sortBy.ok) issues.push(...sortBy.issues);
  const [withFeedback, withCosts] = [body.include_feedback === true, body.include_costs === true];
  const columns = readColumns(body.columns, issues);
  // Both are parts of the summary.
  if (withFeedback || withCosts) columns?.add("summary");
  const expand = readExpanded(body.expand_columns ?? [], issues);
  if (issues.length > 0 || !expr.ok || !sortBy.ok) return bad(issues);
  return ok({
    project: body.project_id,
    ...filterOf(body.filter ?? {}),
    expr: expr.value && comparingInstants(comparingFeedback(expr.value)),
    sortBy: sortBy.value,
    limit: body.limit ?? undefined,
    offset: body.offset ?? 0,
    columns,
    expand,
    answerExpanded: body.return_expanded_column_values !== false,
    withFeedback,
    withCosts,
  });
}

function fieldFault([name, ...inside]: FieldPath): string | undefined {
  if (name === "feedback") return feedbackFault([name, ...inside]);
  if (name === undefined || !FIELDS.has(name))
    return `a call has no field ${shownName(name ?? "")}; its fields are ${[...FIELDS].join(", ")}`;
  return inside.length > 0 && !OPEN.includes(name) ? `${name} has no fields inside` : undefined;
}

function readExpanded(columns: readonly string[], issues: Issue[]): readonly FieldPath[] {
  return columns.flatMap((column, i) => {
    const path = readFieldPath(column);
    const wrong = path.ok ? expandedFault(path.value) : path.issues[0]!.message;
    if (wrong !== undefined && issues.length < 100)
      issues.push({ code: "value_error", path: ["body", "expand_columns", i], message: wrong });
    return path.ok ? [path.value] : [];
  });
}

function expandedFault(path: FieldPath): string | undefined {
  const [name] = path;
  return OPEN.includes(name!)
    ? undefined
    : `${excerpt(name!)} holds no references: expand ${OPEN.join(", ")} or a field inside`;
}

function readColumns(
  columns: readonly string[] | null | undefined,
  issues: Issue[],
): Set<string> | undefined {
  if (columns === null || columns === undefined) return undefined;
  const names = new Set(NEEDED);
  for (const [i, column] of columns.entries()) {
    const path = readFieldPath(column);
    const name = path.ok ? path.value[0]! : "";
    if (FIELDS.has(name)) names.add(name);
    else
      issues.push({
        code: "value_error",
        path: ["body", "columns", i],
        message: `a call has no column ${shownName(column)}`,
      });
    if (issues.length >= 100) break;
  }
  return names;
}

function filterOf(filter: Schemas["Filter"]["infer"]): {
  readonly scope: CallScope;
  readonly filter: CallsFilter;
} {
  const set = (list: readonly string[] | null | undefined) => (list == null ? undefined : new Set(list));
  return {
    scope: {
      startedOnly: true,
      ...(filter.op_names != null && { opNames: filter.op_names }),
      ...(filter.call_ids != null && { ids: filter.call_ids }),
      ...(filter.trace_ids != null && { traceIds: filter.trace_ids }),
      ...(filter.parent_ids != null && { parentIds: filter.parent_ids }),
      ...(filter.trace_roots_only === true && { rootsOnly: true }),
    },
    filter: {
      threadIds: set(filter.thread_ids),
      turnIds: set(filter.turn_ids),
      userIds: set(filter.wb_user_ids),
      runIds: set(filter.wb_run_ids),
      inputRefs: set(filter.input_refs),
      outputRefs: set(filter.output_refs),
    },
  };
}
