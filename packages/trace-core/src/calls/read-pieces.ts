// Reads pieces of calls that clients send. Untrusted: everything is checked before any of it is stored.

import { bad, type Issue, type Json, ok, type Result, type Steps } from "@assay/base";
import { lazySchemas, readAs } from "@assay/base/internal";
import { microseconds } from "@assay/calls";
import { type } from "arktype";
import { type TraceCall, unknownCall, withOutputOf } from "../ports/trace-call.ts";
import { PlainObject } from "../request/plain-object.ts";
import { type Described, readClosed, readList, readOnly } from "../request/read-body.ts";
import { readEach } from "../request/read-each.ts";
import { unsupportedOptions } from "../request/unsupported-options.ts";

/** The path of an issue in a body. */
type Path = Issue["path"];

/** Creates an ID that a client left to the server. */
export type NewId = () => string;

const schemas = lazySchemas(() => {
  const TextOrNull = type("string|null");
  const StepOrNull = type("number.integer|null");
  const start = {
    project_id: "string",
    op_name: "string",
    "display_name?": TextOrNull,
    "parent_id?": TextOrNull,
    started_at: "string",
    attributes: PlainObject(),
    inputs: PlainObject(),
    "thread_id?": TextOrNull,
    "turn_id?": TextOrNull,
    "wb_user_id?": TextOrNull,
    "wb_run_id?": TextOrNull,
    "wb_run_step?": StepOrNull,
    "otel_dump?": unsupportedOptions().Span,
    "+": "reject",
  } as const;
  const end = {
    project_id: "string",
    id: "string > 0",
    ended_at: "string",
    "output?": "unknown",
    "summary?": PlainObject().or("null"),
    "exception?": TextOrNull,
    "display_name?": TextOrNull,
    "wb_run_step_end?": StepOrNull,
    "+": "reject",
  } as const;
  /** The start of a call. */
  const Start = type({ ...start, "id?": "string > 0 | null", "trace_id?": TextOrNull });
  /** The end of a call. The start's values count: clients repeat some of them to help servers find the call. */
  const End = type({
    ...end,
    "trace_id?": TextOrNull,
    "started_at?": TextOrNull,
    "is_eval?": "boolean|null",
  });
  /** A whole call, ended. */
  const Complete = type({ ...start, ...end, trace_id: "string" });

  /** A new name for a call. */
  const CallUpdate = type({
    project_id: "string",
    call_id: "string > 0",
    "display_name?": TextOrNull,
    "wb_user_id?": unsupportedOptions().User,
    "+": "reject",
  });
  return { Start, End, Complete, CallUpdate };
});
type Schemas = ReturnType<typeof schemas>;

/** The schemas, for an OpenAPI document. */
export const PIECE_SCHEMAS: () => Described<"Start" | "End" | "Complete" | "CallUpdate"> = schemas;

/** The start of a call, from an object with only `start`. A call without an ID or trace gets new ones. */
export function readStart(given: unknown, at: Path, newId: NewId): Result<TraceCall> {
  const only = readOnly(given, "start", at);
  return only.ok ? startIn(only.value, [...at, "start"], newId) : only;
}

function startIn(given: unknown, at: Path, newId: NewId): Result<TraceCall> {
  const read = readAs(schemas().Start, given, { at });
  if (!read.ok) return read;
  const start = read.value;
  const wrong = timeIssue(start.started_at, [...at, "started_at"]);
  return wrong === undefined ? ok(startOf(start, newId)) : bad([wrong]);
}

/** The end of a call, from an object with only `end`. */
export function readEnd(given: unknown, at: Path): Result<TraceCall> {
  const only = readOnly(given, "end", at);
  return only.ok ? endIn(only.value, [...at, "end"]) : only;
}

function endIn(given: unknown, at: Path): Result<TraceCall> {
  const read = readAs(schemas().End, given, { at });
  if (!read.ok) return read;
  const end = read.value;
  const wrong =
    timeIssue(end.ended_at, [...at, "ended_at"]) ??
    (end.started_at == null ? undefined : timeIssue(end.started_at, [...at, "started_at"]));
  return wrong === undefined ? ok(endOf(end, unknownCall(end.project_id, end.id))) : bad([wrong]);
}

/** A whole call, ended. */
export function readComplete(given: unknown, at: Path): Result<TraceCall> {
  const read = readAs(schemas().Complete, given, { at });
  if (!read.ok) return read;
  const call = read.value;
  const wrong =
    timeIssue(call.started_at, [...at, "started_at"]) ?? timeIssue(call.ended_at, [...at, "ended_at"]);
  if (wrong !== undefined) return bad([wrong]);
  const started = startOf(call, () => call.id);
  const ended = endOf(call, started);
  return ok(withOutputOf(ended, { ...ended, display_name: started.display_name, renamed_at: null }));
}

/** A new display name for a call, set at `now`. Clients remove a name by setting an empty one. */
export function readUpdate(given: unknown, at: Path, now: string): Result<TraceCall> {
  const read = readAs(schemas().CallUpdate, given, { at });
  if (!read.ok) return read;
  const update = read.value;
  const call = unknownCall(update.project_id, update.call_id);
  return ok({ ...call, display_name: update.display_name || null, renamed_at: now });
}

/** The pieces of a body's `batch`, `[{ mode: "start" | "end" | "complete", req }]`, in order. */
export function* readBatch(given: unknown, newId: NewId): Steps<Result<readonly TraceCall[]>> {
  const batch = readList(given);
  if (!batch.ok) return batch;
  return yield* readEach(batch.value, (item, i) => {
    const at = ["body", "batch", i];
    return readClosed<Piece, TraceCall>(item, ["mode", "req"], at, ({ mode, req }) => {
      switch (mode) {
        case "start":
          return readStart(req, [...at, "req"], newId);
        case "end":
          return readEnd(req, [...at, "req"]);
        case "complete":
          return readComplete(req, [...at, "req"]);
        default: {
          const message = "must be 'start', 'end' or 'complete'";
          return bad([{ code: "literal_error", path: [...at, "mode"], message }]);
        }
      }
    });
  });
}

/** An unparsed piece of a batch. */
interface Piece {
  readonly mode: unknown;
  readonly req: unknown;
}

/** The whole calls in a body's `batch`, in order. */
export function* readCompletes(given: unknown): Steps<Result<readonly TraceCall[]>> {
  const batch = readList(given);
  if (!batch.ok) return batch;
  return yield* readEach(batch.value, (item, i) => readComplete(item, ["body", "batch", i]));
}

function startOf(start: Schemas["Start"]["infer"], newId: NewId): TraceCall {
  return {
    ...unknownCall(start.project_id, start.id ?? newId()),
    trace_id: start.trace_id ?? newId(),
    parent_id: start.parent_id ?? null,
    op_name: start.op_name,
    display_name: start.display_name ?? null,
    started_at: start.started_at,
    inputs: start.inputs as Json,
    attributes: start.attributes as Json,
    thread_id: start.thread_id ?? null,
    turn_id: start.turn_id ?? null,
    wb_user_id: start.wb_user_id ?? null,
    wb_run_id: start.wb_run_id ?? null,
    wb_run_step: start.wb_run_step ?? null,
  };
}

/** `call` with its end. A name in an end was changed while the call ran. */
function endOf(end: Schemas["End"]["infer"], call: TraceCall): TraceCall {
  const name = end.display_name ?? null;
  return withOutputOf(end as { readonly output?: Json }, {
    ...call,
    ended_at: end.ended_at,
    output: (end.output as Json | undefined) ?? null,
    summary: (end.summary as Json | undefined) ?? {},
    exception: end.exception ?? null,
    wb_run_step_end: end.wb_run_step_end ?? null,
    ...(name === null ? {} : { display_name: name, renamed_at: end.ended_at }),
  });
}

function timeIssue(time: string, path: Path): Issue | undefined {
  if (!Number.isNaN(microseconds(time))) return undefined;
  return {
    code: "value_error",
    path,
    message: `must be an ISO 8601 time, not ${JSON.stringify(time.slice(0, 40))}`,
  };
}
