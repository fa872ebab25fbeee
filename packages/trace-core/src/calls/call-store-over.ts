// The calls of Weave clients, in a store of calls that evaluation queries use too.

import type { Json, Steps } from "@assay/base";
import { inTurns, jsonTextSteps, parseJson } from "@assay/base/internal";
import type { CallScan, CallText, CallWriter, KeptCall } from "@assay/calls";
import type { CallStore } from "../ports/call-store.ts";
import { joinCallsSteps, type TraceCall, withOutputOf } from "../ports/trace-call.ts";

/** A call as clients log it, with its text. */
interface TraceText extends CallText {
  readonly call: TraceCall;
  readonly text: string;
  /** All members of the parsed text; empty for a piece that a client logged. */
  readonly known: Record | undefined;
}

type Record = { readonly [key: string]: Json };

/**
 * The calls of a store, for clients: pieces are joined with stored ones. The store's `putTogether` defines how much of
 * a failed batch is stored, and what survives a crash.
 */
export function callStoreOver(calls: CallWriter & CallScan): CallStore {
  return {
    async put(pieces, reading = {}) {
      const projects = new Map<string, CallText[]>();
      for (const piece of pieces) {
        const turn = reading.pause?.();
        if (turn !== undefined) await turn;
        const steps = textOf(piece, undefined);
        const first = steps.next();
        // Nearly all calls are short, and a promise for each takes longer than printing it.
        const text = first.done === true ? first.value : await inTurns(steps, reading.pause);
        const texts = projects.get(piece.project_id);
        if (texts === undefined) projects.set(piece.project_id, [text]);
        else texts.push(text);
      }
      await calls.putTogether(
        Array.from(projects, ([project, calls]) => ({ project, calls })),
        joinTexts,
      );
    },

    async get(project, ids) {
      const found = new Map<string, TraceCall>();
      for await (const texts of calls.scan(project, { ids }))
        for (const item of texts) found.set(item.call.id, readText(project, item).call);
      return ids.map((id) => found.get(id));
    },

    count: (project, scope) => calls.count(project, scope),

    async *scan(project, scope, options) {
      for await (const texts of calls.scan(project, scope, options)) {
        if (texts.length > 0) yield texts.map((item) => readText(project, item).call);
      }
    },
  };
}

function* joinTexts(known: KeptCall, piece: CallText): Steps<TraceText> {
  // A piece always comes from `put`.
  const b = (piece as TraceText).call;
  const a = readText(b.project_id, known);
  return yield* textOf(yield* joinCallsSteps(a.call, b), a.known);
}

function* textOf(call: TraceCall, known: Record | undefined): Steps<TraceText> {
  const whole = known === undefined ? call : withOutputOf(call, { ...known, ...call });
  return { call, known, text: yield* jsonTextSteps(whole) };
}

function readText(project: string, item: KeptCall): TraceText {
  if (isTraceText(item)) return item;
  // It was read from its text before, so it is a JSON object with members of valid types.
  const record = item.record ?? (parseJson(item.text) as Record);
  const text = (key: string): string | null => {
    const value = record[key];
    return typeof value === "string" ? value : null;
  };
  const number = (key: string): number | null => {
    const value = record[key];
    return typeof value === "number" ? value : null;
  };
  const call = withOutputOf(item.call, {
    ...item.call,
    // An exported call can be imported into another project.
    project_id: project,
    renamed_at: text("renamed_at"),
    thread_id: text("thread_id"),
    turn_id: text("turn_id"),
    wb_user_id: text("wb_user_id"),
    wb_run_id: text("wb_run_id"),
    wb_run_step: number("wb_run_step"),
    wb_run_step_end: number("wb_run_step_end"),
  });
  return { call, known: record, text: item.text };
}

function isTraceText(item: KeptCall): item is KeptCall & TraceText {
  return "known" in item;
}
