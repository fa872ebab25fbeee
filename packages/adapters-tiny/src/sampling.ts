// Reads the sampling options of the tiny model from a chat request. Unsupported parameters are refused by name, never
// ignored.

import { isJsonObject } from "@assay/base/internal";
import type { ChatRequest, Refusal } from "@assay/inference-core";
import { OUTPUTS, type SampleOptions } from "@assay/model-tiny/internal";
import { readForm } from "./form.ts";

/** How to answer one request. */
export interface Sampling {
  /** The sampler's seed. Choices other than the first use seeds derived from it. */
  readonly options: SampleOptions;
  /** The number of choices. */
  readonly choices: number;
  /** The functions that an answer may call. */
  readonly functions: readonly string[];
  /** Whether tokens are named `token_id:<n>`, as trainers read them, or by their text. */
  readonly tokenIds: boolean;
}

/** The default limit of an answer's tokens. */
const MAX_TOKENS = 256;

/** Fields that are read here or by the server, and fields that change nothing about an answer. */
const KNOWN: ReadonlySet<string> = new Set([
  ...["model", "messages", "n", "stream", "stop"],
  ...["seed", "max_tokens", "max_completion_tokens", "temperature"],
  ...["top_p", "top_k", "presence_penalty", "frequency_penalty", "logit_bias", "logprobs", "top_logprobs"],
  ...["response_format", "tools", "tool_choice", "parallel_tool_calls", "chat_template_kwargs"],
  ...["return_tokens_as_token_ids", "user", "metadata", "safety_identifier", "prompt_cache_key"],
  ...["prompt_cache_retention", "skip_special_tokens", "spaces_between_special_tokens", "include_reasoning"],
  ...["separate_reasoning", "priority", "request_id", "cache_salt", "return_token_ids"],
]);

/**
 * Fields that would change the answer and are not supported, with the values of each that change nothing. Any other
 * field is refused unless it is false or empty: a misspelt one would have no effect.
 */
const UNSUPPORTED: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["service_tier", (value) => value === "auto" || value === "default"],
  ["store", isOff],
  ["stream_options", (value) => isJsonObject(value) && Object.entries(value).every(isUsageOption)],
  ["verbosity", (value) => value === "medium"],
  ["reasoning_effort", (value) => value === "none"],
  ["modalities", (value) => Array.isArray(value) && value.every((kind) => kind === "text")],
  ["function_call", (value) => value === "auto" || value === "none"],
  ["add_generation_prompt", (value) => value === true],
  ...["repetition_penalty", "length_penalty", "best_of"].map(
    (name) => [name, (value: unknown) => value === 1] as const,
  ),
  ...["min_p", "min_tokens", "ignore_eos", "use_beam_search", "prompt_logprobs", "echo"].map(
    (name) => [name, isOff] as const,
  ),
  ...["continue_final_message", "include_stop_str_in_output"].map((name) => [name, isOff] as const),
  ...["stop_token_ids", "bad_words", "functions", "allowed_token_ids", "documents", "logits_processors"].map(
    (name) => [name, isEmpty] as const,
  ),
  ["mm_processor_kwargs", isEmpty],
  // openpipe-art asks for more data of an engine that has it.
  ["nvext", (value) => isJsonObject(value) && Object.keys(value).every((name) => name === "extra_fields")],
  ...[
    ...["structured_outputs", "guided_choice", "guided_regex", "guided_json", "guided_grammar"],
    ...["structural_tag", "truncate_prompt_tokens", "chat_template", "prediction", "audio"],
    ...["web_search_options", "moderation"],
  ].map((name) => [name, () => false] as const),
]);

/** Whether a stream option is one that its chunks are made with, or is off. */
function isUsageOption([name, value]: readonly [string, unknown]): boolean {
  return name === "include_usage" || name === "continuous_usage_stats" || (value ?? false) === false;
}

/** An empty list, or an unset value. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && Object.keys(value ?? {}).length === 0;
}

function isOff(value: unknown): boolean {
  return value === false || value === 0;
}

/** How to answer `request`, with `seed` if it names none; or the first unsupported field. */
export function readSampling(request: ChatRequest, seed: number): Sampling | Refusal {
  for (const [name, value] of Object.entries(request)) {
    if (value === null || value === undefined || KNOWN.has(name)) continue;
    const changesNothing = UNSUPPORTED.get(name);
    if (changesNothing === undefined ? value === false || isEmpty(value) : changesNothing(value)) continue;
    const param = name.slice(0, 100);
    const verb = changesNothing === undefined ? "know" : "support";
    return { code: "rejected", message: `the tiny model does not ${verb} ${param}`, param };
  }
  const template = refuseTemplate(request["chat_template_kwargs"]);
  if (template !== undefined) return template;
  const unread = partsUnread(request);
  if (unread !== undefined) return unread;
  const form = readForm(request);
  if ("code" in form) return form;
  const bias = readBias(request["logit_bias"]);
  if ("code" in bias) return bias;
  const number = (name: string, otherwise: number) => {
    const value = request[name];
    return typeof value === "number" ? value : otherwise;
  };
  const stop = request["stop"] ?? [];
  return {
    options: {
      seed: number("seed", seed),
      maxTokens: number("max_completion_tokens", number("max_tokens", MAX_TOKENS)),
      temperature: number("temperature", 1),
      topP: number("top_p", 1),
      // -1 means all, as in vLLM.
      topK: Math.max(0, number("top_k", 0)),
      presencePenalty: number("presence_penalty", 0),
      frequencyPenalty: number("frequency_penalty", 0),
      logitBias: bias,
      ...(form.grammar !== undefined && { grammar: form.grammar }),
      stop: (Array.isArray(stop) ? stop : [stop]) as readonly string[],
      topLogprobs: request.top_logprobs ?? 0,
    },
    choices: request.n ?? 1,
    functions: form.functions,
    tokenIds: request["return_tokens_as_token_ids"] === true,
  };
}

/**
 * Arguments of chat templates that have no effect on the tiny model, which does not reason, and whether a value is one
 * of these.
 */
const TEMPLATE: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  // The reasoning of an earlier turn is not part of the prompt either way.
  ["preserve_thinking", () => true],
  ["clear_thinking", () => true],
  ["enable_thinking", isOff],
  ["thinking", isOff],
  ["add_generation_prompt", (value: unknown) => value === true],
]);

/** The refusal of the first template argument that would change the answer of a model with a template. */
function refuseTemplate(raw: unknown): Refusal | undefined {
  if (raw === undefined || raw === null) return undefined;
  const wishes = isJsonObject(raw) ? Object.entries(raw) : [["", raw] as const];
  for (const [name, value] of wishes) {
    if (value === null || TEMPLATE.get(name)?.(value)) continue;
    const param = name === "" ? "chat_template_kwargs" : `chat_template_kwargs.${name.slice(0, 40)}`;
    return { code: "rejected", message: `the tiny model does not support ${param}`, param };
  }
  return undefined;
}

/** `{ "<token>": bias }`, for bytes (0 to 255) and the end of the turn (256). */
function readBias(raw: unknown): ReadonlyMap<number, number> | Refusal {
  const bias = new Map<number, number>();
  for (const [name, value] of Object.entries(raw ?? {})) {
    const token = /^\d{1,3}$/.test(name) ? Number(name) : Number.NaN;
    const fine = token < OUTPUTS && typeof value === "number" && Math.abs(value) <= 100;
    if (fine) bias.set(token, value);
    else {
      const message = `logit_bias must map tokens, 0 to ${OUTPUTS - 1} for the tiny model, to numbers from -100 to 100`;
      return { code: "rejected", message, param: `logit_bias.${name.slice(0, 40)}` };
    }
  }
  return bias;
}

/** The refusal of the first part of a message that is not text, which the model would otherwise ignore. */
function partsUnread({ messages }: ChatRequest): Refusal | undefined {
  for (const [m, { content }] of messages.entries()) {
    const at = Array.isArray(content) ? content.findIndex((part) => part.type !== "text") : -1;
    if (at < 0) continue;
    const param = `messages[${m}].content[${at}]`;
    return { code: "rejected", message: `the tiny model reads only text, and ${param} is not text`, param };
  }
  return undefined;
}
