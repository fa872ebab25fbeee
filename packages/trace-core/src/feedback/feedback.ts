// Feedback of people and scorers about calls and objects.

import { type Issue, type Json, type JsonObject, ok, type Result, type Steps } from "@assay/base";
import { lazySchemas, readAs } from "@assay/base/internal";
import type { Expr, FieldPath } from "@assay/query-lang";
import { type } from "arktype";
import type { Feedback, FeedbackStore, ScorerFeedback } from "../ports/feedback-store.ts";
import { type ReadContext, yieldNow } from "../ports/read-context.ts";
import { PlainObject } from "../request/plain-object.ts";
import { type Described, readList } from "../request/read-body.ts";
import { readEach } from "../request/read-each.ts";
import {
  faultOf,
  matchesQuery,
  pageOfRecords,
  type RecordFields,
  type RecordQuery,
  readPurge,
  readRecordQuery,
} from "../request/record-query.ts";
import { mapComparisons } from "../sorting/map-comparisons.ts";

const schemas = lazySchemas(() => {
  const Text = type("string|null");
  const Numbers = type({ "[string]": "number" });
  const Texts = type({ "[string]": "string" });
  const feedback = {
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
    "queue_id?": Text,
    "scorer_tags?": "string[]",
    "scorer_tag_reasons?": Texts,
    "scorer_tag_confidences?": Numbers,
    "scorer_ratings?": Numbers,
    "scorer_rating_reasons?": Texts,
    "scorer_rating_confidences?": Numbers,
    "scorer_trace_id?": "string",
    "span_agent_name?": "string",
    "span_agent_version?": "string",
    "span_conversation_id?": "string",
    "span_status_code?": "string",
    "span_trace_id?": "string",
    "+": "reject",
  } as const;
  /** Feedback to create. */
  const FeedbackBody = type(feedback);
  /** The body that replaces feedback. */
  const ReplacementBody = type({ ...feedback, feedback_id: "string" });
  return { FeedbackBody, ReplacementBody };
});

/** The schemas, for an OpenAPI document. */
export const FEEDBACK_SCHEMAS: () => Described<"FeedbackBody" | "ReplacementBody"> = schemas;

/** The author and time of feedback, and IDs for feedback without one. */
export interface FeedbackContext {
  /** The time, ISO 8601. */
  readonly now: string;
  /** The author of feedback that names none. */
  readonly user: string;
  /** A unique ID. */
  readonly newId: () => string;
}

/** Reads feedback to create. */
export function readFeedback(given: unknown, at: Issue["path"], context: FeedbackContext): Result<Feedback> {
  const read = readAs(schemas().FeedbackBody, given, { at });
  return read.ok ? ok(feedbackOf(read.value, context)) : read;
}

/** Reads feedback that replaces another one, with the ID of that. */
export function readReplacement(
  given: unknown,
  context: FeedbackContext,
): Result<{ readonly feedback: Feedback; readonly replaced: string }> {
  const read = readAs(schemas().ReplacementBody, given, { at: ["body"] });
  if (!read.ok) return read;
  const { feedback_id: replaced, ...body } = read.value;
  return ok({ feedback: feedbackOf(body, context), replaced });
}

function feedbackOf(
  {
    id,
    project_id,
    weave_ref,
    feedback_type,
    payload,
    ...body
  }: ReturnType<typeof schemas>["FeedbackBody"]["infer"],
  context: FeedbackContext,
): Feedback {
  const { creator, wb_user_id, annotation_ref, runnable_ref, call_ref, trigger_ref, ...scorer } = body;
  return {
    id: id ?? context.newId(),
    project_id,
    weave_ref,
    feedback_type,
    payload: payload as Json,
    creator: creator ?? null,
    created_at: context.now,
    wb_user_id: wb_user_id ?? context.user,
    annotation_ref: annotation_ref ?? null,
    runnable_ref: runnable_ref ?? null,
    call_ref: call_ref ?? null,
    trigger_ref: trigger_ref ?? null,
    ...(scorer as ScorerFeedback),
  };
}

/** Reads a list of feedback to create. */
export function* readFeedbackBatch(
  given: unknown,
  context: FeedbackContext,
): Steps<Result<readonly Feedback[]>> {
  const batch = readList(given);
  if (!batch.ok) return batch;
  return yield* readEach(batch.value, (one, i) => readFeedback(one, ["body", "batch", i], context));
}

/** The response about created feedback. */
export function receiptOf({ id, created_at, wb_user_id, payload }: Feedback): JsonObject {
  return { id, created_at, wb_user_id, payload };
}

const FIELDS: RecordFields = {
  noun: "feedback",
  open: [
    "payload",
    "scorer_tag_reasons",
    "scorer_tag_confidences",
    "scorer_ratings",
    "scorer_rating_reasons",
    "scorer_rating_confidences",
  ],
  names: new Set([
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
    "queue_id",
    "scorer_tags",
    "scorer_tag_reasons",
    "scorer_tag_confidences",
    "scorer_ratings",
    "scorer_rating_reasons",
    "scorer_rating_confidences",
    "scorer_trace_id",
    "span_agent_name",
    "span_agent_version",
    "span_conversation_id",
    "span_status_code",
    "span_trace_id",
  ]),
};

/** Calls are not found by the time of their feedback: it would be compared as text. */
const FIELDS_OF_CALLS: RecordFields = {
  ...FIELDS,
  names: new Set([...FIELDS.names].filter((name) => name !== "created_at")),
};

/** A field of a call's feedback of one type. */
export interface FeedbackField {
  /** The type of the feedback, of which the newest counts. */
  readonly type: string;
  /** The path in it. */
  readonly path: FieldPath;
}

/** The field of feedback in a path of a call, such as `feedback.[wandb.note.1].payload.note`; undefined for others. */
export function feedbackField([name, ...rest]: FieldPath): FeedbackField | undefined {
  const end = rest.findIndex((segment) => segment.endsWith("]"));
  if (name !== "feedback" || end < 0 || !rest[0]!.startsWith("[")) return undefined;
  return {
    type: rest
      .slice(0, end + 1)
      .join(".")
      .slice(1, -1),
    path: rest.slice(end + 1),
  };
}

/**
 * `expr` with a field of feedback that is compared with `""` compared with null: clients ask this way whether a call has
 * such feedback.
 */
export function comparingFeedback(expr: Expr): Expr {
  return mapComparisons(expr, ({ left, right, ...comparison }) => ({
    ...comparison,
    left: isEmpty(left) && isFeedback(right) ? NULL : left,
    right: isEmpty(right) && isFeedback(left) ? NULL : right,
  }));
}

const NULL: Expr = { kind: "literal", value: null };

function isEmpty(operand: Expr): boolean {
  return operand.kind === "literal" && operand.value === "";
}

function isFeedback(operand: Expr): boolean {
  return operand.kind === "field" && feedbackField(operand.path) !== undefined;
}

/** Why calls cannot be found or sorted by a path into their feedback, or undefined. */
export function feedbackFault(path: FieldPath): string | undefined {
  const field = feedbackField(path);
  if (field === undefined)
    return "feedback is addressed by its type, as in feedback.[wandb.note.1].payload.note";
  return faultOf(FIELDS_OF_CALLS, field.path);
}

/** Reads a query for feedback. */
export function readFeedbackQuery(given: unknown): Result<RecordQuery> {
  return readRecordQuery(given, FIELDS);
}

/** Reads which feedback to remove. */
export function readFeedbackPurge(given: unknown): Result<RecordQuery> {
  return readPurge(given, FIELDS);
}

/** A page of the feedback that matches, newest first unless `query` sorts it, and the total count. */
export async function queryFeedback(
  store: FeedbackStore,
  query: RecordQuery,
  reading: ReadContext = {},
): Promise<{ readonly result: readonly JsonObject[]; readonly total_count: number }> {
  const found = await matching(store, query, reading);
  if (query.sortBy.length === 0) found.reverse();
  return { result: await pageOfRecords(found, query, reading), total_count: found.length };
}

/** Removes the feedback that matches. */
export async function purgeFeedback(store: FeedbackStore, query: RecordQuery): Promise<void> {
  const found = await matching(store, query);
  await store.remove(
    query.project,
    found.map(({ id }) => id),
  );
}

async function matching(
  store: FeedbackStore,
  query: RecordQuery,
  reading: ReadContext = {},
): Promise<Feedback[]> {
  const found: Feedback[] = [];
  for await (const batch of store.scan(query.project, refsIn(query.expr))) {
    await yieldNow(reading);
    for (const one of batch) if (matchesQuery(query, one)) found.push(one);
  }
  return found;
}

/**
 * The references that `expr` compares with, if it does nothing else: clients send such queries to show one call's
 * feedback.
 */
function refsIn(expr: Expr | undefined): readonly string[] | undefined {
  if (expr?.kind !== "compare" || expr.op !== "eq") return undefined;
  const { left, right } = expr;
  if (left.kind !== "field" || left.path.length !== 1 || left.path[0] !== "weave_ref") return undefined;
  return right.kind === "literal" && typeof right.value === "string" ? [right.value] : undefined;
}
