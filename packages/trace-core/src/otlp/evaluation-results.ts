// GenAI evaluation results of OpenTelemetry: the events `gen_ai.evaluation.result` of a span, and spans of evaluators
// below it with the same attributes. A span with results is a trial; the trials scored under one name with one model
// form an evaluation.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { microseconds } from "@assay/calls";
import { textDigest } from "@assay/calls/internal";
import { type TraceCall, unknownCall } from "../ports/trace-call.ts";
import type { OtlpSpan } from "./otlp-span.ts";
import { inputOf, modelOf, outputOf } from "./span-call.ts";

/** The event of a result. */
export const EVENT = "gen_ai.evaluation.result";
/** The attribute with the name of the evaluation. */
export const NAME = "gen_ai.evaluation.name";
const VALUE = "gen_ai.evaluation.score.value";
const LABEL = "gen_ai.evaluation.score.label";

/** The part of a span that is stored in the attributes of its call. */
interface StoredSpan {
  readonly attributes: JsonObject;
  readonly events: readonly { readonly name: string; readonly attributes: JsonObject }[];
  readonly resource: JsonObject;
}

/** Whether a span has results: its own, as events, or its parent's, if it is an evaluator's span. */
export function hasResults({ attributes, events }: Pick<OtlpSpan, "attributes" | "events">): boolean {
  return typeof attributes[NAME] === "string" || events.some(({ name }) => name === EVENT);
}

/** Whether the call belongs to an evaluator's span, whose result is its parent's. */
export function isEvaluator({ attributes }: Pick<OtlpSpan, "attributes">): boolean {
  return typeof attributes[NAME] === "string";
}

/** The trial made of a span's call and the calls of the evaluators below it, with the root of its evaluation. */
export function trialOfSpan(
  call: TraceCall,
  children: readonly TraceCall[],
): { readonly root: TraceCall; readonly trial: TraceCall } | undefined {
  const span = storedSpan(call);
  if (span === undefined) return undefined;
  const results = [
    // An evaluator's span without a parent scores its own content.
    ...(isEvaluator(span) && call.parent_id === null ? [span.attributes] : []),
    ...span.events.filter(({ name }) => name === EVENT).map(({ attributes }) => attributes),
    ...children.flatMap((child) => {
      const kept = storedSpan(child);
      return kept !== undefined && isEvaluator(kept) ? [kept.attributes] : [];
    }),
  ];
  if (results.length === 0) return undefined;
  const scores = Object.fromEntries(results.flatMap(scoreOf));
  const model = modelOf(span);
  const root = rootOf(call, span, model);
  return { root, trial: trial(call, { root, span, model, scores, count: results.length }) };
}

/** The root of the evaluation of a service version and a model, or of the evaluation that the span names. */
function rootOf(call: TraceCall, { attributes, resource }: StoredSpan, model: string | null): TraceCall {
  const given = attributes["assay.evaluation.name"] ?? resource["assay.evaluation.name"];
  const service = textOf(resource["service.name"]) ?? "OpenTelemetry";
  const version = textOf(resource["service.version"]);
  const name = textOf(given) ?? (version === null ? service : `${service} ${version}`);
  const id = textDigest(JSON.stringify(["otel", call.project_id, name, model]));
  return {
    ...unknownCall(call.project_id, id),
    trace_id: id,
    op_name: "Evaluation.evaluate",
    display_name: model === null ? name : `${name} ${model}`,
    started_at: call.started_at,
    inputs: { self: name, model },
    attributes: {},
  };
}

/** The parts of a trial. */
interface TrialParts {
  readonly root: TraceCall;
  readonly span: StoredSpan;
  readonly model: string | null;
  readonly scores: JsonObject;
  /** The results so far. */
  readonly count: number;
}

function trial(call: TraceCall, { root, span, model, scores, count }: TrialParts): TraceCall {
  const ref = { trace_id: call.trace_id, span_id: call.id };
  const input = inputOf(span);
  const latency = (microseconds(call.ended_at) - microseconds(call.started_at)) / 1e6;
  return {
    ...unknownCall(call.project_id, textDigest(JSON.stringify(["otel trial", ref.trace_id, ref.span_id]))),
    trace_id: root.id,
    parent_id: root.id,
    op_name: "Evaluation.predict_and_score",
    started_at: call.started_at,
    inputs: {
      self: root.display_name,
      model,
      // Spans without content, the default of most libraries, are separate rows.
      example: input === undefined ? { span: ref } : { input },
    },
    attributes: { weave: { genai_span_ref: [ref] } },
    // The later of two ends counts: each result moves it by a microsecond, in any order of arrival.
    ended_at: laterBy(call.ended_at ?? call.started_at, count),
    output: {
      output: outputOf(span) ?? null,
      scores,
      ...(!Number.isNaN(latency) && { model_latency: latency }),
    },
    summary: call.summary,
    exception: call.exception,
  };
}

function laterBy(time: string | null, micros: number): string {
  const at = microseconds(time) + micros;
  return `${new Date(Math.floor(at / 1000)).toISOString().slice(0, -1)}${String(at % 1000).padStart(3, "0")}Z`;
}

/** The score of a result: a number, a label, or both. Undefined if the evaluator failed. */
function scoreOf(result: JsonObject): readonly (readonly [string, Json])[] {
  const name = textOf(result[NAME]);
  const [value, label] = [result[VALUE], result[LABEL]];
  if (name === null || (value == null && label == null)) return [];
  if (value == null || label == null) return [[name, value ?? label!]];
  return [[name, { value, label }]];
}

/** The stored part of a call's span; undefined for other calls. */
function storedSpan({ attributes }: TraceCall): StoredSpan | undefined {
  const otel = isJsonObject(attributes) ? attributes["otel"] : undefined;
  return isJsonObject(otel as Json) ? (otel as unknown as StoredSpan) : undefined;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
