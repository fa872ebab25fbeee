// From a predict-and-score call and its children to one trial (SEMANTICS §1). Pure; the naive evaluator and the
// columns both start here, so that there is one reading of the call tree.

import type { Json } from "@assay/base";
import { compareText, deepEqual, getPath } from "@assay/query-lang";
import { type Call, type CallTree, opName } from "./call.ts";
import type { GenAISpanRef } from "./response.ts";
import { rowDigest } from "./row-digest.ts";
import { microseconds } from "./timestamp.ts";

/** What a trial costs and where its spans are: read from its children, or from the predict-and-score call alone. */
export interface TrialFacts {
  /** The model's call; null when it was not found. */
  readonly predictCallId: string | null;
  /** Seconds. */
  readonly latency: number | null;
  /** Null when none are reported. */
  readonly tokens: number | null;
  /** The scorer's call, by the key of its score. */
  readonly scorerCallIds: { readonly [scorer: string]: string };
  /** Spans of the model's own trace. */
  readonly spans: readonly GenAISpanRef[] | null;
}

/** One trial of one evaluation. */
export interface Trial {
  /** The predict-and-score call's id. */
  readonly id: string;
  /** Microseconds since 1970; NaN when unknown. */
  readonly startedAt: number;
  /** What identifies its row. */
  readonly digest: string;
  /** `inputs.example`: a dataset-row reference, an inline row, or null. */
  readonly example: Json;
  /** The predict-and-score call's whole output. */
  readonly output: Json;
  /** With the children read. */
  readonly facts: TrialFacts;
  /** Without (`include_predict_and_score_children: false`). */
  readonly ownFacts: TrialFacts;
}

const PREDICT_AND_SCORE: ReadonlySet<string> = new Set([
  "Evaluation.predict_and_score",
  "Evaluation.predictAndScore",
]);

/** Whether a call is, by its op's name, a predict-and-score call: a trial of the evaluation whose root is its parent. */
export function isPredictAndScore(call: Pick<Call, "op_name">): boolean {
  return PREDICT_AND_SCORE.has(opName(call));
}

/** The trial that a direct child of an evaluation root is; undefined when it is deleted or something else. */
export function readTrial({ call, children }: CallTree): Trial | undefined {
  if (call.deleted_at !== null || !isPredictAndScore(call)) return undefined;
  const example = getPath(call.inputs, EXAMPLE);
  return {
    id: call.id,
    startedAt: microseconds(call.started_at),
    digest: rowDigest(example),
    example,
    output: call.output,
    facts: factsWithChildren(call, children),
    ownFacts: ownFacts(call),
  };
}

/** A trial's `scores`: the output's when an object, else none. */
export function scoresOf(output: Json): { readonly [key: string]: Json } {
  const scores = member(output, "scores");
  return isObject(scores) ? scores : {};
}

/** A trial's `model_output`. The TypeScript SDK writes `model_output` where the Python SDK writes `output`. */
export function modelOutputOf(output: Json): Json {
  if (!isObject(output)) return null;
  return (Object.hasOwn(output, "output") ? output["output"] : member(output, "model_output")) ?? null;
}

/** The order of trials in a row: by start, then id. A trial with no readable start comes last. */
export function compareTrials(a: Trial, b: Trial): number {
  return compareTimes(a.startedAt, b.startedAt) || compareText(a.id, b.id);
}

/** Earlier first, unknown (NaN) last. */
export function compareTimes(a: number, b: number): number {
  if (a === b) return 0;
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) || a < b ? -1 : 1;
}

const EXAMPLE = ["example"];
const MODEL = ["model"];
const SELF = ["self"];

function ownFacts(call: Call): TrialFacts {
  return {
    predictCallId: null,
    latency: recordedLatency(call),
    tokens: tokensOf(call),
    scorerCallIds: {},
    spans: spansOf(call),
  };
}

function factsWithChildren(call: Call, children: readonly Call[]): TrialFacts {
  const live = children.filter((child) => child.deleted_at === null).sort(compareCalls);
  const predict = predictChild(call, live);
  return {
    predictCallId: predict?.id ?? null,
    latency: (predict === undefined ? null : elapsed(predict)) ?? recordedLatency(call),
    tokens: tokensOf(predict ?? call),
    scorerCallIds: scorerCalls(Object.keys(scoresOf(call.output)), live),
    spans: (predict === undefined ? null : spansOf(predict)) ?? spansOf(call),
  };
}

function compareCalls(a: Call, b: Call): number {
  return compareTimes(microseconds(a.started_at), microseconds(b.started_at)) || compareText(a.id, b.id);
}

function predictChild(call: Call, children: readonly Call[]): Call | undefined {
  const model = getPath(call.inputs, MODEL);
  return children.find((child) => {
    if (isMarkedAsScorer(child)) return false;
    const self = getPath(child.inputs, SELF);
    if (model !== null && deepEqual(self, model)) return true;
    const name = opName(child).toLowerCase();
    return name.includes("predict") || name.includes("invoke");
  });
}

function isMarkedAsScorer({ attributes }: Call): boolean {
  const score = member(member(attributes, "weave"), "score");
  if (score === true || score === "true") return true;
  return Boolean(member(member(attributes, "_weave_eval_meta"), "score"));
}

/** For each scorer key its call: an exact match of the op's name wins before any substring match. */
function scorerCalls(
  keys: readonly string[],
  children: readonly Call[],
): { readonly [scorer: string]: string } {
  const scorers: { id: string; name: string; lower: string }[] = [];
  for (const child of children) {
    const name = opName(child);
    const lower = name.toLowerCase();
    if (isMarkedAsScorer(child) || lower.includes(".score") || lower.includes("scorer"))
      scorers.push({ id: child.id, name, lower });
  }
  const found: [string, string][] = [];
  for (const key of keys) {
    const lowerKey = key.toLowerCase();
    const scorer =
      scorers.find(({ name }) => name === key || name === `${key}.score`) ??
      scorers.find(({ lower }) => lower.includes(lowerKey) || lowerKey.includes(lower));
    if (scorer !== undefined) found.push([key, scorer.id]);
  }
  return Object.fromEntries(found);
}

/** Seconds between start and end, or null when either is unknown. */
function elapsed(call: Call): number | null {
  const micros = microseconds(call.ended_at) - microseconds(call.started_at);
  return Number.isNaN(micros) ? null : micros / 1e6;
}

/** `model_latency.mean` (Python SDK) or `model_latency` itself (TypeScript SDK), in seconds. */
function recordedLatency(call: Call): number | null {
  const latency = member(call.output, "model_latency");
  const seconds = typeof latency === "number" ? latency : member(latency, "mean");
  return typeof seconds === "number" ? seconds : null;
}

/** Total tokens over all models in `summary.usage`; null when none reports any. */
function tokensOf(call: Call): number | null {
  const usage = member(call.summary, "usage");
  if (!isObject(usage)) return null;
  let total: number | null = null;
  for (const entry of Object.values(usage)) {
    const tokens = member(entry, "total_tokens");
    if (typeof tokens === "number") total = (total ?? 0) + tokens;
  }
  return total;
}

function spansOf(call: Call): readonly GenAISpanRef[] | null {
  return (
    readSpans(member(member(call.attributes, "weave"), "genai_span_ref")) ??
    readSpans(member(member(call.summary, "weave"), "genai_span_ref"))
  );
}

function readSpans(value: Json): readonly GenAISpanRef[] | null {
  const seen = new Set<string>();
  const spans: GenAISpanRef[] = [];
  for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
    const trace_id = member(item, "trace_id");
    const span_id = member(item, "span_id");
    if (typeof trace_id !== "string" || typeof span_id !== "string") continue;
    const key = JSON.stringify([trace_id, span_id]);
    if (seen.has(key)) continue;
    seen.add(key);
    spans.push({ trace_id, span_id });
  }
  return spans.length === 0 ? null : spans;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member of an object, or null. */
function member(value: Json, key: string): Json {
  return isObject(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}
