// Which calls a client asks for: the request, and its answer over a store.

import { bad, type Issue, type Json, type JsonObject, ok, type Result } from "@assay/base";
import { lazySchemas } from "@assay/base/internal";
import type { CallScope } from "@assay/calls";
import { type Expr, type FieldPath, getPath, readQuery, testQuery } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import { type } from "arktype";
import { comparingInstants, isTime, secondsAt } from "./call-time.ts";
import { viewCall } from "./call-view.ts";
import { PlainObject } from "./plain-object.ts";
import type { CallStore } from "./ports/call-store.ts";
import { type Described, readBody } from "./read-body.ts";
import { checkWanted, giveWay, type Reading } from "./reading.ts";
import { sortInTurns } from "./sort-in-turns.ts";
import { compareByKeys, readSortKeys, type SortKey, sortValue } from "./sort-keys.ts";
import { hasStarted, type TraceCall } from "./trace-call.ts";

/** A query for calls, read. */
export interface CallsQuery {
  /** `entity/project`. */
  readonly project: string;
  /** What the store is asked for. */
  readonly scope: CallScope;
  /** What a call must have besides. */
  readonly filter: CallsFilter;
  /** What must be true of a call, with times compared as instants. */
  readonly expr: Expr | undefined;
  /** Empty: by start, then id. */
  readonly sortBy: readonly SortKey[];
  /** At most so many calls; all of them when undefined. */
  readonly limit: number | undefined;
  /** Calls to pass over first. */
  readonly offset: number;
  /** The top-level fields to answer; undefined for all. */
  readonly columns: ReadonlySet<string> | undefined;
}

/** What a call must have, besides being in scope. Of each list that is given, any member will do. */
interface CallsFilter {
  /** Op refs or names; one that ends with `:*` stands for every version. */
  readonly opNames: readonly string[] | undefined;
  /** Of `thread_id`. */
  readonly threadIds: ReadonlySet<string> | undefined;
  /** Of `turn_id`. */
  readonly turnIds: ReadonlySet<string> | undefined;
  /** Of `wb_user_id`. */
  readonly userIds: ReadonlySet<string> | undefined;
  /** Of `wb_run_id`. */
  readonly runIds: ReadonlySet<string> | undefined;
  /** References, at the top level of `inputs`. */
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
  });

  /** The body of a question for calls. */
  const CallsQueryBody = type({
    project_id: "string",
    "filter?": Filter.or("null"),
    "query?": "unknown",
    "sort_by?": type({ field: "string", direction: "'asc'|'desc'" }).array().atMostLength(16).or("null"),
    "limit?": "number.integer>=0|null",
    "offset?": "number.integer>=0|null",
    "columns?": "string[] <= 1000 | null",
  });
  return { Filter, CallsQueryBody };
});
type Schemas = ReturnType<typeof schemas>;

/** The schemas, for an OpenAPI document. */
export const CALLS_QUERY_SCHEMAS: () => Described<"CallsQueryBody"> = schemas;

/** Fields with an inside. */
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

/** What a call is not a call without; always answered. */
const NEEDED = ["id", "project_id", "trace_id", "parent_id", "op_name", "started_at"];

/** Reads the body of a query for calls. Unknown keys are ignored: newer clients send some that change nothing here. */
export function readCallsQuery(given: unknown): Result<CallsQuery> {
  const read = readBody(schemas().CallsQueryBody, given);
  if (!read.ok) return read;
  const body = read.value;
  const issues: Issue[] = [];
  const expr =
    body.query == null ? ok(undefined) : readQuery(body.query, { at: ["body", "query"], field: fieldFault });
  if (!expr.ok) issues.push(...expr.issues);
  const sortBy = readSortKeys(body.sort_by ?? [], ["body", "sort_by"], fieldFault);
  if (!sortBy.ok) issues.push(...sortBy.issues);
  const columns = readColumns(body.columns, issues);
  if (issues.length > 0 || !expr.ok || !sortBy.ok) return bad(issues);
  return ok({
    project: body.project_id,
    ...filterOf(body.filter ?? {}),
    expr: expr.value && comparingInstants(expr.value),
    sortBy: sortBy.value,
    limit: body.limit ?? undefined,
    offset: body.offset ?? 0,
    columns,
  });
}

/**
 * The calls that `query` asks for, as clients read them, in batches. Memory: with keys to sort by, the keys and ids.
 * Throws a `cancelled` fault when the client has left.
 */
export async function* queryCalls(
  store: CallStore,
  query: CallsQuery,
  reading: Reading = {},
): AsyncIterable<readonly JsonObject[]> {
  if (query.limit === 0) return;
  const found = query.sortBy.length === 0 ? inOrder(store, query, reading) : sorted(store, query, reading);
  for await (const calls of found) {
    if (calls.length > 0) yield calls.map((call) => only(query.columns, viewCall(call)));
  }
}

/**
 * How many calls `query` finds, before paging, counted up to its limit. Throws a `cancelled` fault when the client has
 * left.
 */
export async function countCalls(
  store: CallStore,
  query: CallsQuery,
  reading: Reading = {},
): Promise<number> {
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  let count = 0;
  for await (const calls of matching(store, query, reading)) {
    count += calls.length;
    if (count >= limit) return limit;
  }
  return count;
}

async function* matching(
  store: CallStore,
  { project, scope, filter, expr }: CallsQuery,
  reading: Reading,
): AsyncIterable<TraceCall[]> {
  for await (const calls of store.scan(project, scope)) {
    checkWanted(reading);
    yield calls.filter(
      (call) =>
        hasStarted(call) &&
        passes(filter, call) &&
        (expr === undefined || testQuery(expr, fieldsOf(call)) === true),
    );
  }
}

/** The page, in the order of the store. */
async function* inOrder(
  store: CallStore,
  query: CallsQuery,
  reading: Reading,
): AsyncIterable<readonly TraceCall[]> {
  let skip = query.offset;
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for await (const calls of matching(store, query, reading)) {
    const page = calls.slice(skip, skip + left);
    skip = Math.max(0, skip - calls.length);
    left -= page.length;
    yield page;
    if (left === 0) return;
  }
}

const FETCHED = 200;

/** The page, in the order of the keys; calls with equal keys in the order of the store. */
async function* sorted(
  store: CallStore,
  query: CallsQuery,
  reading: Reading,
): AsyncIterable<readonly TraceCall[]> {
  const { project, sortBy, offset, limit = Number.POSITIVE_INFINITY } = query;
  const found: { readonly id: string; readonly values: readonly Json[] }[] = [];
  for await (const calls of matching(store, query, reading)) {
    for (const call of calls) {
      const field = fieldsOf(call);
      // An instant sorts as a number, so that two ways to write it are one.
      const values = sortBy.map(({ path }) => sortValue(field(isTime(path) ? [...path, ""] : path)));
      found.push({ id: call.id, values });
    }
  }
  const ordered = await sortInTurns(found, (a, b) => compareByKeys(sortBy, a.values, b.values), reading);
  const page = ordered.slice(offset, offset + limit);
  for (let i = 0; i < page.length; i += FETCHED) {
    await giveWay(reading);
    const ids = page.slice(i, i + FETCHED).map(({ id }) => id);
    yield (await store.get(project, ids)).filter((call) => call !== undefined);
  }
}

function fieldsOf(call: TraceCall): (path: FieldPath) => Json {
  let view: JsonObject | undefined;
  return (path) => {
    view ??= viewCall(call);
    return path.at(-1) === "" ? secondsAt(path, getPath(view, path.slice(0, -1))) : getPath(view, path);
  };
}

function fieldFault([name, ...inside]: FieldPath): string | undefined {
  if (name === undefined || !FIELDS.has(name))
    return `a call has no such field; it has ${[...FIELDS].join(", ")}`;
  return inside.length > 0 && !OPEN.includes(name) ? `${name} has no fields inside` : undefined;
}

function readColumns(
  columns: readonly string[] | null | undefined,
  issues: Issue[],
): ReadonlySet<string> | undefined {
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
        message: "a call has no such column",
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
      ...(filter.call_ids != null && { ids: filter.call_ids }),
      ...(filter.trace_ids != null && { traceIds: filter.trace_ids }),
      ...(filter.parent_ids != null && { parentIds: filter.parent_ids }),
      ...(filter.trace_roots_only === true && { rootsOnly: true }),
    },
    filter: {
      opNames: filter.op_names ?? undefined,
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
    (filter.opNames === undefined || filter.opNames.some((name) => isOp(call.op_name, name))) &&
    among(filter.threadIds, call.thread_id) &&
    among(filter.turnIds, call.turn_id) &&
    among(filter.userIds, call.wb_user_id) &&
    among(filter.runIds, call.wb_run_id) &&
    (filter.inputRefs === undefined || refers(call.inputs, filter.inputRefs)) &&
    (filter.outputRefs === undefined || refers(call.output, filter.outputRefs))
  );
}

function isOp(name: string, wanted: string): boolean {
  return wanted.endsWith(":*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}

function among(wanted: ReadonlySet<string> | undefined, value: string | null): boolean {
  return wanted === undefined || (value !== null && wanted.has(value));
}

function refers(value: Json, refs: ReadonlySet<string>): boolean {
  if (typeof value === "string") return refs.has(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((member) => typeof member === "string" && refs.has(member));
}
