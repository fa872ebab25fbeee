// A call for clients: its logged members, and derived members under `summary.weave`.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { microseconds } from "@assay/calls";
import { opName } from "@assay/calls/internal";
import { hasEnded, type TraceCall, withOutputOf } from "../ports/trace-call.ts";

/** The call as the trace server streams it. */
export function viewCall(call: TraceCall): JsonObject {
  const { renamed_at: _, ...shown } = call;
  return withOutputOf(call, {
    ...shown,
    trace_id: call.trace_id ?? call.id,
    inputs: call.inputs ?? {},
    attributes: call.attributes ?? {},
    summary: viewSummary(call),
  });
}

/** The call with derived members. */
export function withDerivedMembers(call: JsonObject, more: JsonObject): JsonObject {
  const summary = isJsonObject(call["summary"]) ? call["summary"] : {};
  const weave = isJsonObject(summary["weave"]) ? summary["weave"] : {};
  return withOutputOf(call, { ...call, summary: { ...summary, weave: { ...weave, ...more } } });
}

function viewSummary(call: TraceCall): Json {
  const summary = isJsonObject(call.summary) ? call.summary : {};
  const own = isJsonObject(summary["weave"]) ? summary["weave"] : {};
  const micros = microseconds(call.ended_at) - microseconds(call.started_at);
  const weave = {
    ...own,
    status: statusOf(call, summary),
    trace_name: opName(call),
    latency_ms: Number.isNaN(micros) ? null : Math.round(micros / 1000),
  };
  return { ...summary, weave };
}

function statusOf(call: TraceCall, summary: JsonObject): string {
  if (call.exception !== null) return "error";
  if (!hasEnded(call)) return "running";
  const counts = summary["status_counts"];
  const errors = isJsonObject(counts) && Object.hasOwn(counts, "error") ? counts["error"] : 0;
  return typeof errors === "number" && errors > 0 ? "descendant_error" : "success";
}
