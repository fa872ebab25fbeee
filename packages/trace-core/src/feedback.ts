// Feedback: what people and scorers say about calls and objects.

import { bad, type Issue, type Json, type JsonObject, ok, type Result, type Steps } from "@assay/base";
import { lazySchemas, readAs } from "@assay/base/internal";
import { type Expr, type FieldPath, getPath, readQuery, testQuery } from "@assay/query-lang";
import { type } from "arktype";
import { comparingInstants, secondsAt } from "./call-time.ts";
import { PlainObject } from "./plain-object.ts";
import type { Feedback, FeedbackStore } from "./ports/feedback-store.ts";
import { type Described, readBody } from "./read-body.ts";
import { readEach } from "./read-each.ts";
import { giveWay, type Reading } from "./reading.ts";
import { sortInTurns } from "./sort-in-turns.ts";
import { compareByKeys, readSortKeys, type SortKey, sortValue } from "./sort-keys.ts";

const schemas = lazySchemas(() => {
  const Text = type("string|null");
  /** A feedback that is put. */
  const FeedbackBody = type({
    project_id: "string",
    weave_ref: "string",
    feedback_type: "string",
    payload: PlainObject(),
    "id?": Text,
    "creator?": Text,
    "wb_user_id?": Text,
    "annotation_ref?": Text,
    "runnable_ref?": Text,
    "call_ref?": Text,
    "trigger_ref?": Text,
  });
  /** The body of a question for feedback. */
  const FeedbackQueryBody = type({
    project_id: "string",
    "fields?": "string[] <= 1000 | null",
    "query?": "unknown",
    "sort_by?": type({ field: "string", direction: "'asc'|'desc'" }).array().atMostLength(16).or("null"),
    "limit?": "number.integer>=0|null",
    "offset?": "number.integer>=0|null",
  });
  return { FeedbackBody, FeedbackQueryBody };
});

/** The schemas, for an OpenAPI document. */
export const FEEDBACK_SCHEMAS: () => Described<"FeedbackBody" | "FeedbackQueryBody"> = schemas;

/** A question for feedback, read. */
export interface FeedbackQuery {
  /** `entity/project`. */
  readonly project: string;
  /** What must be true of feedback, with times compared as instants. */
  readonly expr: Expr | undefined;
  /** The top-level fields to answer; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  /** Empty: the newest first. */
  readonly sortBy: readonly SortKey[];
  /** At most so many; all of them when undefined. */
  readonly limit: number | undefined;
  /** Feedback to pass over first. */
  readonly offset: number;
}

/** Who gives feedback and when; ids for feedback that comes without. */
export interface FeedbackContext {
  /** The time, ISO 8601. */
  readonly now: string;
  /** Who gives feedback that names nobody. */
  readonly user: string;
  /** An id that nothing else has. */
  readonly newId: () => string;
}

/** Reads feedback to keep. */
export function readFeedback(given: unknown, at: Issue["path"], context: FeedbackContext): Result<Feedback> {
  const read = readAs(schemas().FeedbackBody, given, { at });
  if (!read.ok) return read;
  const body = read.value;
  return ok({
    id: body.id ?? context.newId(),
    project_id: body.project_id,
    weave_ref: body.weave_ref,
    feedback_type: body.feedback_type,
    payload: body.payload as Json,
    creator: body.creator ?? null,
    created_at: context.now,
    wb_user_id: body.wb_user_id ?? context.user,
    annotation_ref: body.annotation_ref ?? null,
    runnable_ref: body.runnable_ref ?? null,
    call_ref: body.call_ref ?? null,
    trigger_ref: body.trigger_ref ?? null,
  });
}

/** Reads a list of feedback to keep. */
export function* readFeedbackBatch(
  given: unknown,
  context: FeedbackContext,
): Steps<Result<readonly Feedback[]>> {
  const batch = (given as { batch?: unknown } | null)?.batch;
  const at = ["body", "batch"];
  if (!Array.isArray(batch)) return bad([{ code: "list_type", path: at, message: "must be a list" }]);
  return yield* readEach(batch, (one, i) => readFeedback(one, [...at, i], context));
}

/** What a client is told of the feedback it gave. */
export function receiptOf({ id, created_at, wb_user_id, payload }: Feedback): JsonObject {
  return { id, created_at, wb_user_id, payload };
}

const FIELDS: ReadonlySet<string> = new Set([
  "id",
  "project_id",
  "weave_ref",
  "feedback_type",
  "payload",
  "creator",
  "created_at",
  "wb_user_id",
  "annotation_ref",
  "runnable_ref",
  "call_ref",
  "trigger_ref",
]);

/** Reads a question for feedback. */
export function readFeedbackQuery(given: unknown): Result<FeedbackQuery> {
  const read = readBody(schemas().FeedbackQueryBody, given);
  if (!read.ok) return read;
  const body = read.value;
  const expr =
    body.query == null ? ok(undefined) : readQuery(body.query, { at: ["body", "query"], field: fault });
  const sortBy = readSortKeys(body.sort_by ?? [], ["body", "sort_by"], fault);
  if (!expr.ok || !sortBy.ok)
    return bad([...(expr.ok ? [] : expr.issues), ...(sortBy.ok ? [] : sortBy.issues)]);
  return ok({
    project: body.project_id,
    expr: expr.value && comparingInstants(expr.value),
    fields: body.fields == null ? undefined : new Set(body.fields.map((field) => field.split(".")[0]!)),
    sortBy: sortBy.value,
    limit: body.limit ?? undefined,
    offset: body.offset ?? 0,
  });
}

/** A page of the feedback that fits, and how much fits in all. */
export async function queryFeedback(
  store: FeedbackStore,
  query: FeedbackQuery,
  reading: Reading = {},
): Promise<{ readonly result: readonly JsonObject[]; readonly total_count: number }> {
  let found = await matching(store, query, reading);
  const { sortBy, offset, limit = Number.POSITIVE_INFINITY } = query;
  if (sortBy.length === 0) found.reverse();
  else {
    const keyed = found.map((one) => ({
      one,
      keys: sortBy.map(({ path }) => sortValue(valueAt(one, path))),
    }));
    const ordered = await sortInTurns(keyed, (a, b) => compareByKeys(sortBy, a.keys, b.keys), reading);
    found = ordered.map(({ one }) => one);
  }
  const page = found.slice(offset, offset + limit);
  return { result: page.map((one) => only(query.fields, one)), total_count: found.length };
}

/** Removes the feedback that fits. */
export async function purgeFeedback(store: FeedbackStore, query: FeedbackQuery): Promise<void> {
  const found = await matching(store, query);
  await store.remove(
    query.project,
    found.map(({ id }) => id),
  );
}

async function matching(
  store: FeedbackStore,
  { project, expr }: FeedbackQuery,
  reading: Reading = {},
): Promise<Feedback[]> {
  const found: Feedback[] = [];
  for await (const batch of store.scan(project, refsIn(expr))) {
    await giveWay(reading);
    for (const one of batch) {
      if (expr === undefined || testQuery(expr, (path) => valueAt(one, path)) === true) found.push(one);
    }
  }
  return found;
}

/** The references that `expr` asks for, when it is nothing but that: what clients ask to show one call's feedback. */
function refsIn(expr: Expr | undefined): readonly string[] | undefined {
  if (expr?.kind !== "compare" || expr.op !== "eq") return undefined;
  const { left, right } = expr;
  if (left.kind !== "field" || left.path.length !== 1 || left.path[0] !== "weave_ref") return undefined;
  return right.kind === "literal" && typeof right.value === "string" ? [right.value] : undefined;
}

function valueAt(feedback: Feedback, path: FieldPath): Json {
  const json = feedback as unknown as JsonObject;
  return path.at(-1) === "" ? secondsAt(path, getPath(json, path.slice(0, -1))) : getPath(json, path);
}

function fault([name, ...inside]: FieldPath): string | undefined {
  if (name === undefined || !FIELDS.has(name))
    return `feedback has no such field; it has ${[...FIELDS].join(", ")}`;
  return inside.length > 0 && name !== "payload" ? `${name} has no fields inside` : undefined;
}

function only(fields: ReadonlySet<string> | undefined, feedback: Feedback): JsonObject {
  const json = feedback as unknown as JsonObject;
  return fields === undefined
    ? json
    : Object.fromEntries(Object.entries(json).filter(([key]) => fields.has(key)));
}
