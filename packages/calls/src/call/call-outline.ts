// The part of a call from which a trial is read (docs/reference/semantics.md, "One trial"). Calls kept in memory are
// reduced to this: their inputs and outputs, which are nearly all of their size, are dropped once they have been read.

import type { Json } from "@assay/base";
import { isJsonObject, keepNumberText, numberText } from "@assay/base/internal";
import type { Call } from "./call.ts";
import { type Op, opOf } from "./op-name.ts";
import type { GenAISpanRef } from "./span-ref.ts";
import { microseconds } from "./timestamp.ts";

/** The data that a trial needs of a call, either the trial's own call or a child. */
export interface CallOutline {
  /** The call's id. */
  readonly id: string;
  /** Set when the call was deleted. */
  readonly deleted_at: string | null;
  /** Properties derived from the name of its op. */
  readonly op: Op;
  /** Microseconds since 1970; NaN if unknown. */
  readonly startedAt: number;
  /** Microseconds since 1970; NaN if unknown. */
  readonly endedAt: number;
  /** `inputs.self`. */
  readonly self: Json;
  /** Whether its attributes mark it as a scorer's. */
  readonly isMarkedAsScorer: boolean;
  /** Total tokens over all models; null if none are reported. */
  readonly tokens: number | null;
  /** The OpenTelemetry spans it refers to; null if none. */
  readonly spans: readonly GenAISpanRef[] | null;
  /** For predict-and-score calls; null for others. */
  readonly trial: TrialOutline | null;
}

/** The data that is only needed of a predict-and-score call. */
export interface TrialOutline {
  /** `inputs.example`: a dataset-row reference, an inline row, or null. */
  readonly example: Json;
  /** Its notation, if it is a number that JavaScript would write differently. */
  readonly exampleText: string | undefined;
  /** `inputs.model`. */
  readonly model: Json;
  /** `output.scores` if it is an object, otherwise no scores. */
  readonly scores: Scores;
  /** The latency that the output records, in seconds. */
  readonly latency: number | null;
}

/** A trial's scores by scorer. */
export type Scores = { readonly [scorer: string]: Json };

/** Reads a call's outline. */
export function outlineOf(call: Call): CallOutline {
  const op = opOf(call.op_name);
  return {
    id: call.id,
    deleted_at: call.deleted_at,
    op,
    startedAt: microseconds(call.started_at),
    endedAt: microseconds(call.ended_at),
    self: member(call.inputs, "self"),
    isMarkedAsScorer: isMarkedAsScorer(call.attributes),
    tokens: tokensIn(call.summary),
    spans: spansOf(call),
    trial: op.isPredictAndScore ? trialOutline(call) : null,
  };
}

function trialOutline({ inputs, output }: Call): TrialOutline {
  return {
    example: member(inputs, "example"),
    exampleText: numberText(inputs, "example"),
    model: member(inputs, "model"),
    scores: scoresOf(output),
    latency: recordedLatency(output),
  };
}

/** A trial's `scores`: the output's if they are an object, otherwise none. */
export function scoresOf(output: Json): Scores {
  const scores = member(output, "scores");
  return isJsonObject(scores) ? scores : {};
}

/** The trial with this output; a numeric `model_output` keeps its logged notation. */
export function withLoggedOutput<Trial extends { readonly model_output: Json }>(
  output: Json,
  trial: Trial,
): Trial {
  if (typeof trial.model_output === "number") {
    const key = Object.hasOwn(output as object, "output") ? "output" : "model_output";
    keepNumberText(output, key, trial, "model_output");
  }
  return trial;
}

/** A trial's `model_output`. The TypeScript SDK writes `model_output` where the Python SDK writes `output`. */
export function modelOutputOf(output: Json): Json {
  if (!isJsonObject(output)) return null;
  return (Object.hasOwn(output, "output") ? output["output"] : member(output, "model_output")) ?? null;
}

function isMarkedAsScorer(attributes: Json): boolean {
  const score = member(member(attributes, "weave"), "score");
  if (score === true || score === "true") return true;
  return Boolean(member(member(attributes, "_weave_eval_meta"), "score"));
}

/** `model_latency.mean` (Python SDK) or `model_latency` itself (TypeScript SDK), in seconds. */
function recordedLatency(output: Json): number | null {
  const latency = member(output, "model_latency");
  const seconds = typeof latency === "number" ? latency : member(latency, "mean");
  return typeof seconds === "number" ? seconds : null;
}

/** Total tokens over all models in `summary.usage`, counting whole numbers; null if none are reported. */
function tokensIn(summary: Json): number | null {
  const usage = member(summary, "usage");
  if (!isJsonObject(usage)) return null;
  let total: number | null = null;
  for (const entry of Object.values(usage)) {
    const tokens = member(entry, "total_tokens");
    if (typeof tokens === "number") total = (total ?? 0) + Math.trunc(tokens);
  }
  return total;
}

function spansOf({ attributes, summary }: Call): readonly GenAISpanRef[] | null {
  return (
    readSpans(member(member(attributes, "weave"), "genai_span_ref")) ??
    readSpans(member(member(summary, "weave"), "genai_span_ref"))
  );
}

function readSpans(value: Json): readonly GenAISpanRef[] | null {
  if (value === null) return null;
  const spans: GenAISpanRef[] = [];
  for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
    const trace_id = member(item, "trace_id");
    const span_id = member(item, "span_id");
    if (typeof trace_id === "string" && typeof span_id === "string") spans.push({ trace_id, span_id });
  }
  return joinSpans(spans, null);
}

/** The spans of both without duplicates, those of `first` first; null if there are none. */
export function joinSpans(
  first: readonly GenAISpanRef[] | null,
  second: readonly GenAISpanRef[] | null,
): readonly GenAISpanRef[] | null {
  if (first === null) return second;
  const spans = new Map<string, GenAISpanRef>();
  for (const span of [...first, ...(second ?? [])]) {
    const key = JSON.stringify([span.trace_id, span.span_id]);
    if (!spans.has(key)) spans.set(key, span);
  }
  return spans.size === 0 ? null : [...spans.values()];
}

/** An own member of an object, or null. Most requested members are absent, which a single lookup shows. */
function member(value: Json, key: string): Json {
  if (!isJsonObject(value)) return null;
  const found = value[key];
  return found === undefined || !Object.hasOwn(value, key) ? null : found;
}
