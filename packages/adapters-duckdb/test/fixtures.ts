// Calls to fill stores with.

import type { Call, CallText } from "@assay/eval-engine";

/** A call with these fields. */
export function call(id: string, parent_id: string | null, fields: Partial<Call> = {}): Call {
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
export function written(call: Call): CallText {
  return { call, text: JSON.stringify(call) };
}
