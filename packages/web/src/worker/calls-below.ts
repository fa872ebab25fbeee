// Calls by ID and the calls below a call, like the trace server for Weave's clients (`POST /calls/stream_query` with
// `filter.call_ids` or `filter.parent_ids`), for the trace of a trial. Other queries of that route are not supported.

import { type Call, microseconds } from "@assay/calls";
import type { MemoryCalls } from "@assay/calls/internal";
import { unknownCall, viewCall } from "@assay/trace-core/internal";

/** The path of the route. */
export const CALLS_PATH = "/calls/stream_query";

/** The most calls listed. */
const MOST = 1000;

interface Asked {
  readonly project_id?: unknown;
  readonly filter?: { readonly call_ids?: unknown; readonly parent_ids?: unknown };
  readonly limit?: unknown;
}

/** Answers with a line of JSON for each call, by start. */
export async function callsBelow(calls: MemoryCalls, request: Request): Promise<Response> {
  const { project_id: project, filter, limit } = (await request.json()) as Asked;
  const [ids, parents] = [listOf(filter?.call_ids), listOf(filter?.parent_ids)];
  if (typeof project !== "string" || ids.length + parents.length === 0)
    return Response.json(
      { detail: "a file lists calls only by filter.call_ids or filter.parent_ids" },
      { status: 422 },
    );
  const named = ids.length === 0 ? [] : await calls.calls(project, ids);
  const found: Call[] = named.filter((call) => call !== undefined);
  for (const parent of parents)
    for await (const trees of calls.trees(project, parent)) for (const { call } of trees) found.push(call);
  const lines = found
    .sort(byStart)
    .slice(0, typeof limit === "number" ? Math.min(limit, MOST) : MOST)
    .map((call) => `${JSON.stringify(viewCall({ ...unknownCall(project, call.id), ...plain(call) }))}\n`);
  return new Response(lines.join(""), { headers: { "Content-Type": "application/jsonl" } });
}

function listOf(ids: unknown): readonly string[] {
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** A call that is kept as its line parses it only when it is read. */
function plain(call: Call): Call {
  return JSON.parse(JSON.stringify(call)) as Call;
}

function byStart(a: Call, b: Call): number {
  const [x, y] = [microseconds(a.started_at), microseconds(b.started_at)];
  const byTime = x === y ? 0 : x < y || Number.isNaN(y) ? -1 : 1;
  return byTime || (a.id < b.id ? -1 : 1);
}
