// Reads one trial as defined in docs/reference/semantics.md, table row by table row, over plain objects: the
// specification for `trials/trials.ts`. It must not share the reading of calls with it, only times, digests and names
// of ops, which have separate tests.

import type { Json } from "@assay/base";
import { compareText, isJsonObject, numberText } from "@assay/base/internal";
import { type Call, type CallTree, type GenAISpanRef, microseconds, rowDigest } from "@assay/calls";
import { opName } from "@assay/calls/internal";
import { deepEqual } from "@assay/query-lang/internal";
import type { Trial, TrialFacts } from "../trials/trials.ts";

/** The trial of a direct child of an evaluation root; undefined if the child is deleted or something else. */
export function readTrialPlainly({ call, children }: CallTree): Trial | undefined {
  if (call.deleted_at !== null) return undefined;
  if (!["Evaluation.predict_and_score", "Evaluation.predictAndScore"].includes(opName(call)))
    return undefined;
  const example = at(call.inputs, "example");
  return {
    id: call.id,
    startedAt: microseconds(call.started_at),
    digest: rowDigest(example, numberText(call.inputs, "example")),
    example,
    output: call.output,
    facts: factsOf(call, children.filter(({ deleted_at }) => deleted_at === null).sort(byStart)),
    ownFacts: factsOf(call, []),
  };
}

function factsOf(call: Call, children: readonly Call[]): TrialFacts {
  const predict = children.find((child) => !isMarked(child) && isModelsCall(child, at(call.inputs, "model")));
  const scorers = children.filter((child) => isMarked(child) || /\.score|scorer/i.test(opName(child)));
  const scorerCallIds: [string, string][] = [];
  for (const key of Object.keys(objectOr(at(call.output, "scores")))) {
    const exact = scorers.find((scorer) => [key, `${key}.score`].includes(opName(scorer)));
    const scorer = exact ?? scorers.find((other) => containsOther(opName(other), key));
    if (scorer !== undefined) scorerCallIds.push([key, scorer.id]);
  }
  return {
    predictCallId: predict?.id ?? null,
    latency: (predict === undefined ? null : secondsOf(predict)) ?? recordedLatency(call),
    tokens: tokensOf(predict ?? call),
    scorerCallIds: Object.fromEntries(scorerCallIds),
    spans: once([...(predict === undefined ? [] : spansOf(predict)), ...spansOf(call)]),
  };
}

/** By start, unreadable starts last, then by ID. */
function byStart(a: Call, b: Call): number {
  const [x, y] = [a, b].map(({ started_at }) => {
    const start = microseconds(started_at);
    return Number.isNaN(start) ? Number.POSITIVE_INFINITY : start;
  }) as [number, number];
  return x < y ? -1 : x > y ? 1 : compareText(a.id, b.id);
}

function isMarked({ attributes }: Call): boolean {
  const score = at(attributes, "weave", "score");
  return score === true || score === "true" || Boolean(at(attributes, "_weave_eval_meta", "score"));
}

function isModelsCall(child: Call, model: Json): boolean {
  if (/predict|invoke/i.test(opName(child))) return true;
  if (model === null) return false;
  return deepEqual(at(child.inputs, "self"), model) || (isRef(child.op_name) && child.op_name === model);
}

function isRef(name: string): boolean {
  return name.includes(":///");
}

function containsOther(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  return x.includes(y) || y.includes(x);
}

function secondsOf({ started_at, ended_at }: Call): number | null {
  const micros = microseconds(ended_at) - microseconds(started_at);
  return Number.isNaN(micros) ? null : micros / 1e6;
}

function recordedLatency({ output }: Call): number | null {
  const found = [at(output, "model_latency"), at(output, "model_latency", "mean")];
  return found.find((value) => typeof value === "number") ?? null;
}

function tokensOf({ summary }: Call): number | null {
  const totals = Object.values(objectOr(at(summary, "usage")))
    .map((entry) => at(entry, "total_tokens"))
    .filter((tokens) => typeof tokens === "number");
  return totals.length === 0 ? null : totals.reduce((sum, tokens) => sum + Math.trunc(tokens), 0);
}

function spansOf({ attributes, summary }: Call): readonly GenAISpanRef[] {
  const own = spansIn(at(attributes, "weave", "genai_span_ref"));
  return own.length > 0 ? own : spansIn(at(summary, "weave", "genai_span_ref"));
}

function spansIn(value: Json): readonly GenAISpanRef[] {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return items.flatMap((item) => {
    const [trace_id, span_id] = [at(item, "trace_id"), at(item, "span_id")];
    return typeof trace_id === "string" && typeof span_id === "string" ? [{ trace_id, span_id }] : [];
  });
}

function once(spans: readonly GenAISpanRef[]): readonly GenAISpanRef[] | null {
  const isFirst = ({ trace_id, span_id }: GenAISpanRef, i: number): boolean =>
    spans.findIndex((other) => other.trace_id === trace_id && other.span_id === span_id) === i;
  return spans.length === 0 ? null : spans.filter(isFirst);
}

function objectOr(value: Json): { readonly [key: string]: Json } {
  return isJsonObject(value) ? value : {};
}

/** The value at a path of own keys; null if part of the path is missing or not an object. */
function at(value: Json, ...keys: readonly string[]): Json {
  const [key, ...deeper] = keys;
  if (key === undefined) return value;
  return isJsonObject(value) && Object.hasOwn(value, key) ? at(value[key]!, ...deeper) : null;
}
