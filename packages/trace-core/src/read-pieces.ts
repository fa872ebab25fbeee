// From what clients send to pieces of calls. Untrusted: everything is checked before any of it is kept.

import { bad, type Issue, type Json, ok, type Result, type Steps } from "@assay/base";
import { lazySchemas, readAs } from "@assay/base/internal";
import { microseconds } from "@assay/calls";
import { type } from "arktype";
import { PlainObject } from "./plain-object.ts";
import type { Described } from "./read-body.ts";
import { readEach } from "./read-each.ts";
import { type TraceCall, unknownCall, withOutputOf } from "./trace-call.ts";

/** Where in a body something is wrong. */
type Path = Issue["path"];

/** Ids that a client left to the server. */
export type NewId = () => string;

const schemas = lazySchemas(() => {
  /** The start of a call. */
  const Start = type({
    project_id: "string",
    "id?": "string > 0 | null",
    op_name: "string",
    "display_name?": "string|null",
    "trace_id?": "string|null",
    "parent_id?": "string|null",
    started_at: "string",
    attributes: PlainObject(),
    inputs: PlainObject(),
    "thread_id?": "string|null",
    "turn_id?": "string|null",
    "wb_user_id?": "string|null",
    "wb_run_id?": "string|null",
  });

  /** The end of a call. */
  const End = type({
    project_id: "string",
    id: "string > 0",
    ended_at: "string",
    "output?": "unknown",
    "summary?": PlainObject().or("null"),
    "exception?": "string|null",
    "display_name?": "string|null",
  });

  /** A call that has ended, whole. */
  const Complete = Start.and({ id: "string", trace_id: "string" }).and(End);

  /** A new name for a call. */
  const CallUpdate = type({
    project_id: "string",
    call_id: "string > 0",
    "display_name?": "string|null",
  });
  return { Start, End, Complete, CallUpdate };
});
type Schemas = ReturnType<typeof schemas>;

/** The schemas, for an OpenAPI document. */
export const PIECE_SCHEMAS: () => Described<"Start" | "End" | "Complete" | "CallUpdate"> = schemas;

/** The start of a call, from a body's `start`. A call that names no id or trace gets new ones. */
export function readStart(given: unknown, at: Path, newId: NewId): Result<TraceCall> {
  const read = readAs(schemas().Start, given, { at });
  if (!read.ok) return read;
  const start = read.value;
  const wrong = timeIssue(start.started_at, [...at, "started_at"]);
  return wrong === undefined ? ok(startOf(start, newId)) : bad([wrong]);
}

/** The end of a call, from a body's `end`. */
export function readEnd(given: unknown, at: Path): Result<TraceCall> {
  const read = readAs(schemas().End, given, { at });
  if (!read.ok) return read;
  const end = read.value;
  const wrong = timeIssue(end.ended_at, [...at, "ended_at"]);
  return wrong === undefined ? ok(endOf(end, unknownCall(end.project_id, end.id))) : bad([wrong]);
}

/** A call that has ended, whole. */
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

/** A new display name for a call, given at `now`. */
export function readUpdate(given: unknown, at: Path, now: string): Result<TraceCall> {
  const read = readAs(schemas().CallUpdate, given, { at });
  if (!read.ok) return read;
  const update = read.value;
  const call = unknownCall(update.project_id, update.call_id);
  return ok({ ...call, display_name: update.display_name ?? null, renamed_at: now });
}

/** The pieces of a batch, `[{ mode: "start" | "end" | "complete", req }]`, in order. */
export function* readBatch(given: unknown, at: Path, newId: NewId): Steps<Result<readonly TraceCall[]>> {
  if (!Array.isArray(given)) return bad([{ code: "list_type", path: at, message: "must be a list" }]);
  return yield* readEach(given, (item, i) => {
    const { mode, req } = (typeof item === "object" && item !== null ? item : {}) as {
      mode?: unknown;
      req?: unknown;
    };
    const inside = (typeof req === "object" && req !== null ? req : {}) as { start?: unknown; end?: unknown };
    switch (mode) {
      case "start":
        return readStart(inside.start, [...at, i, "req", "start"], newId);
      case "end":
        return readEnd(inside.end, [...at, i, "req", "end"]);
      case "complete":
        return readComplete(req, [...at, i, "req"]);
      default: {
        const message = "must be 'start', 'end' or 'complete'";
        return bad([{ code: "literal_error", path: [...at, i, "mode"], message }]);
      }
    }
  });
}

/** Calls that have ended, whole, in order. */
export function* readCompletes(given: unknown, at: Path): Steps<Result<readonly TraceCall[]>> {
  if (!Array.isArray(given)) return bad([{ code: "list_type", path: at, message: "must be a list" }]);
  return yield* readEach(given, (item, i) => readComplete(item, [...at, i]));
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
  };
}

/** `call` with its end. A name in an end is one that was changed while the call ran. */
function endOf(end: Schemas["End"]["infer"], call: TraceCall): TraceCall {
  const name = end.display_name ?? null;
  return withOutputOf(end as { readonly output?: Json }, {
    ...call,
    ended_at: end.ended_at,
    output: (end.output as Json | undefined) ?? null,
    summary: (end.summary as Json | undefined) ?? {},
    exception: end.exception ?? null,
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
