// Makes calls for laws and tests.

import { jsonText } from "@assay/base";
import type { Call } from "../call/call.ts";
import type { KeptCall } from "../ports/call-writer.ts";

/** A call that started with the year 2026 and has only the given fields. */
export function callOf(id: string, parent_id: string | null, fields: Partial<Call> = {}): Call {
  return {
    id,
    trace_id: "trace",
    parent_id,
    op_name: "op",
    display_name: null,
    started_at: "2026-01-01T00:00:00Z",
    ended_at: null,
    inputs: {},
    output: null,
    attributes: {},
    summary: {},
    exception: null,
    deleted_at: null,
    ...fields,
  };
}

/** A call and its text. */
export function textOf(call: Call): KeptCall {
  return { call, text: jsonText(call) };
}
