// Queries for calls: the request of a client, and its answer from a store.

import { bad, type Issue, type Json, type JsonObject, ok, type Result } from "@assay/base";
import { excerpt, lazySchemas, shownName } from "@assay/base/internal";
import type { CallOrder, CallScanOptions, CallScope } from "@assay/calls";
import { type Expr, type FieldPath, getPath, readQuery, testQuery } from "@assay/query-lang";
import { fieldsOf, readFieldPath } from "@assay/query-lang/internal";
import { type } from "arktype";
import { comparingFeedback, feedbackFault, feedbackField } from "../feedback/feedback.ts";
import type { RefReading } from "../objects/read-refs.ts";
import type { Feedback } from "../ports/feedback-store.ts";
import { type ReadContext, throwIfCancelled, yieldNow } from "../ports/read-context.ts";
import type { TraceStores } from "../ports/stores.ts";
import type { TraceCall } from "../ports/trace-call.ts";
import { PlainObject } from "../request/plain-object.ts";
import { type Described, readBody } from "../request/read-body.ts";
import { unsupportedOptions } from "../request/unsupported-options.ts";
import { comparingInstants, isTime, secondsAt } from "../sorting/call-time.ts";
import { mergeSortCooperatively } from "../sorting/cooperative-sort.ts";
import { compareByKeys, readSortKeys, type SortKey, sortValue } from "../sorting/sort-keys.ts";
import { viewCall, withDerivedMembers } from "./call-view.ts";
import { type ExpandedViews, expansion, passesThrough, viewAt } from "./expanded-columns.ts";

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

/** The sources that a query reads. */
export type CallSources = Pick<TraceStores, "calls" | "objects" | "tables" | "feedback">;

/** How calls are read. */
export interface CallsReading extends ReadContext {
  /** Whether to follow references into a project, `entity/project`. Default: only into the calls' own project. */
  readonly allowed?: ((project: string) => boolean) | undefined;
}

/** Requirements for a call, in addition to being in scope. Of each given list, the call must match one member. */
interface CallsFilter {
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

/**
 * The calls that `query` selects, as clients read them, in batches. With sort keys, the keys and IDs of all of them
 * are in memory. Throws a `cancelled` fault when the client disconnects.
 */
export async function* queryCalls(
  stores: CallSources,
  query: CallsQuery,
  reading: CallsReading = {},
): AsyncIterable<readonly JsonObject[]> {
  if (query.limit === 0) return;
  const order = orderOf(query.sortBy);
  const found = order === undefined ? sorted(stores, query, reading) : inOrder(stores, query, reading, order);
  const expand =
    query.answerExpanded && query.expand.length > 0
      ? expansion(stores, query.expand, following(query, reading))
      : undefined;
  for await (const calls of found) {
    if (calls.length === 0) continue;
    let views = calls.map(viewCall);
    if (expand !== undefined) views = (await expand(views)).map((levels) => levels.at(-1)!);
    if (query.withFeedback) views = await withFeedback(stores, query.project, views);
    yield views.map((view) => only(query.columns, view));
  }
}

/**
 * The number of calls that `query` selects, before paging, counted up to its limit. Throws a `cancelled` fault when
 * the client disconnects.
 */
export async function countCalls(
  stores: CallSources,
  query: CallsQuery,
  reading: CallsReading = {},
): Promise<number> {
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  if (isScope(query)) return Math.min(limit, await stores.calls.count(query.project, query.scope));
  let count = 0;
  for await (const calls of matching(stores, query, reading, { order: "any" })) {
    count += calls.length;
    if (count >= limit) return limit;
  }
  return count;
}

/** Whether no condition is left for the calls that the store finds. */
function isScope({ expr, filter }: CallsQuery): boolean {
  return expr === undefined && Object.values(filter).every((some) => some === undefined);
}

/** The order of a scan that these keys mean; undefined for another. */
function orderOf([key, ...others]: readonly SortKey[]): CallOrder | undefined {
  if (key === undefined) return "oldest";
  if (others.length > 0 || key.path.join() !== "started_at") return undefined;
  return key.descending ? "newest" : "oldest";
}

/** How to follow references in the calls. */
function following({ project }: CallsQuery, reading: CallsReading): RefReading {
  return { ...reading, allowed: reading.allowed ?? ((name) => name === project) };
}

/** A selected call with its fields. */
interface Found {
  readonly call: TraceCall;
  readonly field: (path: FieldPath) => Json;
}

async function* matching(
  stores: CallSources,
  query: CallsQuery,
  reading: CallsReading,
  options: CallScanOptions,
): AsyncIterable<readonly Found[]> {
  const { project, scope, filter, expr, sortBy, expand } = query;
  const paths = [...(expr === undefined ? [] : fieldsOf(expr)), ...sortBy.map(({ path }) => path)];
  const byFeedback = paths.some((path) => feedbackField(path) !== undefined);
  const expanded = paths.some((path) => passesThrough(expand, path))
    ? expansion(stores, expand, following(query, reading))
    : undefined;
  for await (const calls of stores.calls.scan(project, scope, options)) {
    throwIfCancelled(reading);
    const passing = calls.filter((call) => passes(filter, call));
    const about = byFeedback ? await feedbackAbout(stores, project, passing) : undefined;
    const reader = (call: TraceCall, levels: () => ExpandedViews) =>
      fieldsIn(levels, expand, about?.get(call.id));
    const found =
      expanded === undefined
        ? passing.map((call) => ({ call, field: reader(call, () => [viewCall(call)]) }))
        : (await expanded(passing.map(viewCall))).map((levels, i) => ({
            call: passing[i]!,
            field: reader(passing[i]!, () => levels),
          }));
    yield found.filter(({ field }) => expr === undefined || testQuery(expr, field) === true);
  }
}

/** The page, in the order of the store. */
async function* inOrder(
  stores: CallSources,
  query: CallsQuery,
  reading: CallsReading,
  order: CallOrder,
): AsyncIterable<readonly TraceCall[]> {
  const inStore = isScope(query) ? query.offset : 0;
  let skip = query.offset - inStore;
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for await (const found of matching(stores, query, reading, { order, skip: inStore })) {
    const page = found.slice(skip, skip + left);
    skip = Math.max(0, skip - found.length);
    left -= page.length;
    yield page.map(({ call }) => call);
    if (left === 0) return;
  }
}

const FETCHED = 200;

/** The page, in the order of the keys, then by start and ID. */
async function* sorted(
  stores: CallSources,
  query: CallsQuery,
  reading: CallsReading,
): AsyncIterable<readonly TraceCall[]> {
  const { project, sortBy, offset, limit = Number.POSITIVE_INFINITY } = query;
  const keyed: { readonly id: string; readonly values: readonly Json[] }[] = [];
  const keys: readonly SortKey[] = [
    ...sortBy,
    { path: ["started_at"], descending: false },
    { path: ["id"], descending: false },
  ];
  for await (const found of matching(stores, query, reading, { order: "any" })) {
    for (const { call, field } of found) {
      // An instant sorts as a number, so that different notations of it are equal.
      const values = keys.map(({ path }) => sortValue(field(isTime(path) ? [...path, ""] : path)));
      keyed.push({ id: call.id, values });
    }
  }
  const ordered = await mergeSortCooperatively(
    keyed,
    (a, b) => compareByKeys(keys, a.values, b.values),
    reading,
  );
  const page = ordered.slice(offset, offset + limit);
  for (let i = 0; i < page.length; i += FETCHED) {
    await yieldNow(reading);
    const ids = page.slice(i, i + FETCHED).map(({ id }) => id);
    yield (await stores.calls.get(project, ids)).filter((call) => call !== undefined);
  }
}

/** The fields of a call, with columns expanded, and of the feedback about it. */
function fieldsIn(
  levels: () => ExpandedViews,
  expand: readonly FieldPath[],
  about: readonly Feedback[] = [],
): (path: FieldPath) => Json {
  let views: ExpandedViews | undefined;
  return (path) => {
    const field = feedbackField(path);
    if (field !== undefined) {
      const newest = about.findLast(({ feedback_type: type }) => type === field.type);
      return getPath(newest as unknown as Json | undefined, field.path);
    }
    views ??= levels();
    if (path.at(-1) === "") return secondsAt(path, getPath(views[0]!, path.slice(0, -1)));
    return getPath(passesThrough(expand, path) ? viewAt(views, expand, path) : views[0]!, path);
  };
}

/** The calls with the feedback about each. */
async function withFeedback(
  sources: CallSources,
  project: string,
  calls: readonly JsonObject[],
): Promise<JsonObject[]> {
  const about = await feedbackAbout(sources, project, calls as readonly { readonly id: string }[]);
  return calls.map((call) =>
    withDerivedMembers(call, { feedback: about.get(call["id"] as string) as unknown as Json }),
  );
}

/** The feedback about each of some calls, in order of creation, by their IDs. */
async function feedbackAbout(
  { feedback }: CallSources,
  project: string,
  calls: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, readonly Feedback[]>> {
  const about = new Map<string, Feedback[]>(calls.map(({ id }) => [id, []]));
  const before = `weave:///${project}/call/`;
  const refs = [...about.keys()].map((id) => before + id);
  for await (const some of feedback.scan(project, refs))
    for (const one of some) about.get(one.weave_ref.slice(before.length))?.push(one);
  return about;
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

function only(columns: ReadonlySet<string> | undefined, call: JsonObject): JsonObject {
  if (columns === undefined) return call;
  // Clients expect these two to be objects in every call.
  const empty = { inputs: {}, attributes: {} };
  return { ...empty, ...Object.fromEntries(Object.entries(call).filter(([key]) => columns.has(key))) };
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

function passes(filter: CallsFilter, call: TraceCall): boolean {
  return (
    among(filter.threadIds, call.thread_id) &&
    among(filter.turnIds, call.turn_id) &&
    among(filter.userIds, call.wb_user_id) &&
    among(filter.runIds, call.wb_run_id) &&
    (filter.inputRefs === undefined || refers(call.inputs, filter.inputRefs)) &&
    (filter.outputRefs === undefined || refers(call.output, filter.outputRefs))
  );
}

function among(wanted: ReadonlySet<string> | undefined, value: string | null): boolean {
  return wanted === undefined || (value !== null && wanted.has(value));
}

function refers(value: Json, refs: ReadonlySet<string>): boolean {
  if (typeof value === "string") return refs.has(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((member) => typeof member === "string" && refs.has(member));
}
