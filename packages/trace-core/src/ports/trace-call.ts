// A call as clients log it: in pieces, in any order, possibly repeatedly. Ingestion consists only of joining pieces.

import { atOnce, type Json, type Steps } from "@assay/base";
import { jsonTextSteps, keepNumberText } from "@assay/base/internal";
import { type Call, microseconds } from "@assay/calls";

/**
 * A call, or the known part of it so far. A piece of a call (its start, its end, a new name, its deletion) is a
 * `TraceCall` with no other content; `joinCalls` combines pieces.
 */
export interface TraceCall extends Call {
  /** `entity/project`. */
  readonly project_id: string;
  /** When `display_name` was changed after the start; null if it is the start's. */
  readonly renamed_at: string | null;
  /** The conversation it belongs to, if the client sent one. */
  readonly thread_id: string | null;
  /** The turn of the conversation. */
  readonly turn_id: string | null;
  /** Who logged it, if the client sent it. */
  readonly wb_user_id: string | null;
  /** The W&B run it belongs to, if the client sent one. */
  readonly wb_run_id: string | null;
  /** The step of that run when it started. */
  readonly wb_run_step: number | null;
  /** The step of that run when it ended. */
  readonly wb_run_step_end: number | null;
}

/** A call of which only its ID is known. */
export function unknownCall(project_id: string, id: string): TraceCall {
  return {
    id,
    project_id,
    trace_id: null,
    parent_id: null,
    op_name: "",
    display_name: null,
    renamed_at: null,
    started_at: null,
    ended_at: null,
    inputs: null,
    output: null,
    attributes: null,
    summary: null,
    exception: null,
    deleted_at: null,
    thread_id: null,
    turn_id: null,
    wb_user_id: null,
    wb_run_id: null,
    wb_run_step: null,
    wb_run_step_end: null,
  };
}

/** Whether the start of `call` has arrived. Until then, the call is not visible. */
function hasStarted(call: TraceCall): boolean {
  return call.started_at !== null || call.op_name !== "";
}

/** Whether the end of `call` has arrived. */
export function hasEnded(call: TraceCall): boolean {
  return call.ended_at !== null || call.output !== null || call.summary !== null || call.exception !== null;
}

/**
 * The known data of a call from both `a` and `b`, which have the same ID and project.
 *
 * It is the join of a semilattice: commutative, associative and idempotent, so that pieces may arrive in any order, in
 * any batches and any number of times. Of two different starts, or two different ends, the later one counts as a whole;
 * of two names, the one set later; a deletion is final.
 */
export function joinCalls(a: TraceCall, b: TraceCall): TraceCall {
  return atOnce(joinCallsSteps(a, b));
}

/** The same in steps: calls may be long, and two with the same time are compared by their texts. */
export function* joinCallsSteps(a: TraceCall, b: TraceCall): Steps<TraceCall> {
  const start = hasStarted(a) === hasStarted(b) ? yield* laterStart(a, b) : hasStarted(a) ? a : b;
  const end = hasEnded(a) === hasEnded(b) ? yield* laterEnd(a, b) : hasEnded(a) ? a : b;
  const name = yield* laterName(a, b, start);
  return withOutputOf(end, {
    id: a.id,
    project_id: a.project_id,
    trace_id: start.trace_id,
    parent_id: start.parent_id,
    op_name: start.op_name,
    display_name: name.display_name,
    renamed_at: name.renamed_at,
    started_at: start.started_at,
    ended_at: end.ended_at,
    inputs: start.inputs,
    output: end.output,
    attributes: start.attributes,
    summary: end.summary,
    exception: end.exception,
    deleted_at: earlier(a.deleted_at, b.deleted_at),
    thread_id: start.thread_id,
    turn_id: start.turn_id,
    wb_user_id: start.wb_user_id,
    wb_run_id: start.wb_run_id,
    wb_run_step: start.wb_run_step,
    wb_run_step_end: end.wb_run_step_end,
  });
}

/** `to`, which has the output of `from`, with the output's number in its logged notation. */
export function withOutputOf<To extends object>(from: { readonly output?: Json }, to: To): To {
  if (typeof from.output === "number")
    keepNumberText(from as { readonly output: Json }, "output", to, "output");
  return to;
}

function laterStart(a: TraceCall, b: TraceCall): Steps<TraceCall> {
  return later(a, b, a.started_at, b.started_at, startText);
}

function laterEnd(a: TraceCall, b: TraceCall): Steps<TraceCall> {
  return later(a, b, a.ended_at, b.ended_at, endText);
}

/** The piece that names the call: the last rename, or the start if there is none. */
function* laterName(a: TraceCall, b: TraceCall, start: TraceCall): Steps<TraceCall> {
  if (a.renamed_at === null) return b.renamed_at === null ? start : b;
  if (b.renamed_at === null) return a;
  return yield* later(a, b, a.renamed_at, b.renamed_at, (call) =>
    jsonTextSteps([call.renamed_at, call.display_name]),
  );
}

/**
 * Of two different pieces, the one with the later time; for equal times the text decides, so that the result is
 * unique.
 */
function* later(
  a: TraceCall,
  b: TraceCall,
  timeOfA: string | null,
  timeOfB: string | null,
  text: (call: TraceCall) => Steps<string>,
): Steps<TraceCall> {
  const [x, y] = [orderOf(timeOfA), orderOf(timeOfB)];
  if (x !== y) return x > y ? a : b;
  return (yield* text(a)) >= (yield* text(b)) ? a : b;
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  const [x, y] = [orderOf(a), orderOf(b)];
  return x < y || (x === y && a <= b) ? a : b;
}

function orderOf(time: string | null): number {
  const micros = microseconds(time);
  return Number.isNaN(micros) ? Number.NEGATIVE_INFINITY : micros;
}

function startText(call: TraceCall): Steps<string> {
  const { trace_id, parent_id, op_name, started_at, inputs, attributes } = call;
  const { thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step, renamed_at, display_name } = call;
  // The start's own name takes part, otherwise two starts that differ only in it would be unordered.
  const name = renamed_at === null ? display_name : null;
  const users = [thread_id, turn_id, wb_user_id, wb_run_id, wb_run_step];
  return jsonTextSteps([trace_id, parent_id, op_name, started_at, inputs, attributes, users, name]);
}

function endText(call: TraceCall): Steps<string> {
  const { ended_at, output, summary, exception, wb_run_step_end } = call;
  return jsonTextSteps(withOutputOf(call, { ended_at, output, summary, exception, wb_run_step_end }));
}
