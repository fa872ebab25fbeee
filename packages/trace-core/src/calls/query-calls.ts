// Answers queries for calls from a store.

import type { Json, JsonObject } from "@assay/base";
import type { CallOrder, CallScanOptions } from "@assay/calls";
import { type FieldPath, getPath, testQuery } from "@assay/query-lang";
import { fieldsOf } from "@assay/query-lang/internal";
import { feedbackField } from "../feedback/feedback.ts";
import type { RefReading } from "../objects/read-refs.ts";
import type { Feedback } from "../ports/feedback-store.ts";
import { type ReadContext, throwIfCancelled, yieldNow } from "../ports/read-context.ts";
import type { TraceStores } from "../ports/stores.ts";
import type { TraceCall } from "../ports/trace-call.ts";
import { isTime, secondsAt } from "../sorting/call-time.ts";
import { mergeSortCooperatively } from "../sorting/cooperative-sort.ts";
import { compareByKeys, type SortKey, sortValue } from "../sorting/sort-keys.ts";
import { viewCall, withDerivedMembers } from "./call-view.ts";
import { type ExpandedViews, expansion, passesThrough, viewAt } from "./expanded-columns.ts";
import type { CallsFilter, CallsQuery } from "./read-calls-query.ts";

/** The sources that a query reads. */
export type CallSources = Pick<TraceStores, "calls" | "objects" | "tables" | "feedback">;

/** How calls are read. */
export interface CallsReading extends ReadContext {
  /** Whether to follow references into a project, `entity/project`. Default: only into the calls' own project. */
  readonly allowed?: ((project: string) => boolean) | undefined;
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

function only(columns: ReadonlySet<string> | undefined, call: JsonObject): JsonObject {
  if (columns === undefined) return call;
  // Clients expect these two to be objects in every call.
  const empty = { inputs: {}, attributes: {} };
  return { ...empty, ...Object.fromEntries(Object.entries(call).filter(([key]) => columns.has(key))) };
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
