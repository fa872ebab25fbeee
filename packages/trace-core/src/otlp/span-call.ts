// Converts a span to a call: the model's input, output and usage, by the GenAI semantic conventions of OpenTelemetry or
// by earlier attributes.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject, parseJson, textHasMoreValues, textNestsDeeper } from "@assay/base/internal";
import { MAX_CALL_DEPTH, MAX_RECORD_VALUES } from "@assay/calls/internal";
import { type TraceCall, unknownCall } from "../ports/trace-call.ts";
import { flatMessages } from "./flat-messages.ts";
import type { OtlpSpan } from "./otlp-span.ts";

// Of the GenAI conventions, OpenInference, the AI SDK, OpenLLMetry and MLflow; `*` stands for the parts of messages that
// are spread over attributes.
const INPUTS = [
  ...["gen_ai.input.messages", "llm.input_messages.*", "gen_ai.prompt.*", "gen_ai.prompt", "input.value"],
  ...["ai.prompt.messages", "ai.prompt", "ai.toolCall.args", "traceloop.entity.input", "mlflow.spanInputs"],
];
const OUTPUTS = [
  ...["gen_ai.output.messages", "llm.output_messages.*", "gen_ai.completion.*", "gen_ai.completion"],
  ...[
    "output.value",
    "ai.response.text",
    "ai.response.object",
    "ai.response.toolCalls",
    "ai.toolCall.result",
  ],
  ...["traceloop.entity.output", "mlflow.spanOutputs"],
];
/** A conversation's id, in the order in which Weave looks for it, then that of OpenInference. */
const THREADS = ["gen_ai.conversation.id", "gcp.vertex.agent.session_id", "wandb.thread_id", "session.id"];

/** The call of a span. All attributes of the span are in `attributes.otel`. */
export function callOfSpan(project: string, span: OtlpSpan): TraceCall {
  const { attributes, resource, scope, kind, events, links } = span;
  const system = attributes["gen_ai.system_instructions"];
  const input = inputOf(span);
  return {
    ...unknownCall(project, span.spanId),
    trace_id: span.traceId,
    parent_id: span.parentId,
    op_name: span.name === "" ? "span" : span.name,
    started_at: span.startedAt,
    ended_at: span.endedAt,
    inputs: {
      ...(input !== undefined && { input }),
      ...(system !== undefined && { system_instructions: structured(system) }),
    },
    output: outputOf(span) ?? null,
    attributes: {
      otel: {
        kind,
        scope,
        resource,
        attributes,
        events: events as unknown as Json,
        ...(links.length > 0 && { links: links as unknown as Json }),
      },
    },
    summary: usageOf(span),
    exception: span.error ?? thrownIn(span),
    display_name: textOf(attributes["wandb.display_name"]),
    thread_id: textOf(firstOf(attributes, THREADS)),
  };
}

/** The model's input; undefined if the span does not contain it. */
export function inputOf({ attributes }: Pick<OtlpSpan, "attributes">): Json | undefined {
  return firstOf(attributes, INPUTS);
}

/** The model's output; undefined if the span does not contain it. A single text message becomes its text. */
export function outputOf({ attributes }: Pick<OtlpSpan, "attributes">): Json | undefined {
  const output = firstOf(attributes, OUTPUTS);
  return output === undefined ? undefined : (onlyText(output) ?? output);
}

const MODELS = ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name"];

/** The model that answered, else the requested one; null if the span names none. */
export function modelOf({ attributes }: Pick<OtlpSpan, "attributes">): string | null {
  const named = MODELS.map((name) => textOf(attributes[name]));
  return named.find((name) => name !== null) ?? null;
}

/** The tokens of a span, as in a call's summary. */
function usageOf(span: Pick<OtlpSpan, "attributes">): JsonObject {
  const { attributes } = span;
  const count = (...names: readonly string[]) =>
    names.map((name) => attributes[name]).find((value) => typeof value === "number");
  const input = count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt");
  const output = count(
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
  );
  if (input === undefined && output === undefined) return {};
  const [asked, answered] = [(input as number | undefined) ?? 0, (output as number | undefined) ?? 0];
  const usage = { input_tokens: asked, output_tokens: answered, total_tokens: asked + answered };
  return { usage: { [modelOf(span) ?? "model"]: usage } };
}

function firstOf(attributes: JsonObject, names: readonly string[]): Json | undefined {
  for (const name of names) {
    const value = name.endsWith(".*") ? flatMessages(attributes, name.slice(0, -2)) : attributes[name];
    if (value !== undefined && value !== null) return structured(value);
  }
  return undefined;
}

/** Levels and values of a structure: a call has several of them, and levels around them. */
const LIMITS = { depth: MAX_CALL_DEPTH - 10, values: MAX_RECORD_VALUES / 4 };

/**
 * Parses a structure, which libraries that can only send texts write as JSON. One that is too large for a call stays a
 * text.
 */
function structured(value: Json): Json {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  if (textHasMoreValues(value, LIMITS.values) || textNestsDeeper(value, LIMITS.depth)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

function onlyText(output: Json): string | undefined {
  if (!Array.isArray(output) || output.length !== 1) return undefined;
  const [message] = output as readonly Json[];
  const { parts, content } = (isJsonObject(message!) ? message : {}) as JsonObject;
  if (typeof content === "string") return content;
  if (!Array.isArray(parts) || parts.length !== 1) return undefined;
  const [part] = parts as readonly Json[];
  return isJsonObject(part!) && part["type"] === "text" ? (textOf(part["content"]) ?? undefined) : undefined;
}

function thrownIn({ events }: OtlpSpan): string | null {
  const thrown = events.find(({ name }) => name === "exception")?.attributes;
  if (thrown === undefined) return null;
  const parts = [thrown["exception.type"], thrown["exception.message"]].filter(
    (text) => typeof text === "string",
  );
  return parts.join(": ") || "exception";
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
