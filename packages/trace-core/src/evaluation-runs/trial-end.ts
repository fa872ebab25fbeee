// The end of a trial: its output, and the scores of its scorer calls. Written again with every score, so that a running
// evaluation shows all scores so far; joining keeps the latest.

import { type Json, jsonText } from "@assay/base";
import { isJsonObject, keepNumberText, keyedSemaphore } from "@assay/base/internal";
import { microseconds } from "@assay/calls";
import { type TraceCall, unknownCall } from "../ports/trace-call.ts";
import { marksOf, nameIn, type RunLogging, textMember } from "./logging.ts";

/** The piece that ends the trial `call` with these children at `now`; undefined if nothing changes. */
export function trialEnd(
  call: TraceCall,
  children: readonly TraceCall[],
  now: string,
): TraceCall | undefined {
  const output = trialOutput(call, children);
  if (jsonText(output) === jsonText(call.output)) return undefined;
  const ended_at = call.ended_at === null ? now : laterThan(call.ended_at, now);
  const { summary, exception } = call;
  return { ...unknownCall(call.project_id, call.id), ended_at, output, summary: summary ?? {}, exception };
}

/** Ends each trial once at a time. */
const ends = keyedSemaphore(1);

/**
 * Ends a trial with everything logged for it. Calls for the same trial run one after the other, so that no score is
 * lost.
 */
export async function endTrial(logging: RunLogging, id: string): Promise<void> {
  const { stores, project } = logging;
  await ends.run(`${project}/${id}`, async () => {
    const [call] = await stores.calls.get(project, [id]);
    if (call === undefined) return;
    const children: TraceCall[] = [];
    for await (const some of stores.calls.scan(project, { parentIds: [id] })) children.push(...some);
    const end = trialEnd(call, children, logging.now());
    if (end !== undefined) await stores.calls.put([end]);
  });
}

function trialOutput(call: TraceCall, children: readonly TraceCall[]): Json {
  const known = isJsonObject(call.output) ? call.output : {};
  const scores: { [name: string]: Json } = {};
  for (const child of children) {
    const marks = marksOf(child);
    const scorer = textMember(marks, "scorer");
    if (marks["score"] !== "true" || scorer === undefined) continue;
    const name = nameIn(scorer);
    scores[name] = child.output;
    keepNumberText(child as { readonly output: Json }, "output", scores, name);
  }
  const output = { ...known, output: known["output"] ?? null, scores };
  keepNumberText(known, "output", output, "output");
  return output;
}

/** `now`, or the microsecond after `time` if that is later: an end only counts if it is later than the one before. */
function laterThan(time: string, now: string): string {
  const [before, at] = [microseconds(time), microseconds(now)];
  if (Number.isNaN(before) || at > before) return now;
  const next = before + 1;
  const whole = Math.floor(next / 1000);
  const fraction = String(next - whole * 1000).padStart(3, "0");
  return `${new Date(whole).toISOString().slice(0, -1)}${fraction}Z`;
}
