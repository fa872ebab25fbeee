// From a chat request to how the tiny model samples. What it cannot do is refused by name, never left out in silence.

import type { ChatRequest, Refusal } from "@assay/inference-core";
import type { SampleOptions } from "@assay/model-tiny";

/** How to answer one request. */
export interface Sampling {
  /** For the sampler. Choices other than the first take a seed that follows from this one. */
  readonly options: SampleOptions;
  /** How many answers to make. */
  readonly choices: number;
  /** Whether tokens are called `token_id:<n>`, as trainers read them, or by their text. */
  readonly tokenIds: boolean;
}

/** How many tokens an answer has at most, when the request does not say. */
const MAX_TOKENS = 256;
/** However many tokens a request asks for: an answer must end some time. */
const LONGEST = 4096;

/** Fields that would change the answer and that the sampler does not have, and their values that ask for nothing. */
const ABSENT: readonly (readonly [name: string, asksNothing: (value: unknown) => boolean])[] = [
  ["presence_penalty", (value) => value === 0],
  ["frequency_penalty", (value) => value === 0],
  ["repetition_penalty", (value) => value === 1],
  ["top_k", (value) => value === 0 || value === -1],
  ["min_p", (value) => value === 0],
  ["logit_bias", (value) => typeof value === "object" && Object.keys(value ?? {}).length === 0],
  ["response_format", (value) => (value as { readonly type?: unknown }).type === "text"],
  ["structured_outputs", () => false],
  ["guided_choice", () => false],
  ["guided_regex", () => false],
  ["guided_json", () => false],
  ["guided_grammar", () => false],
  ["min_tokens", (value) => value === 0],
  ["ignore_eos", (value) => value === false],
  ["stop_token_ids", (value) => Array.isArray(value) && value.length === 0],
  ["bad_words", (value) => Array.isArray(value) && value.length === 0],
  ["tool_choice", (value) => value === "auto" || value === "none"],
];

/** How to answer `request`, with `seed` when it names none; or the first field that is asked for in vain. */
export function readSampling(request: ChatRequest, seed: number): Sampling | Refusal {
  for (const [param, asksNothing] of ABSENT) {
    const value = request[param] ?? undefined;
    if (value === undefined || asksNothing(value)) continue;
    return { code: "rejected", message: `the tiny model answers without ${param}`, param };
  }
  const unread = partsUnread(request);
  if (unread !== undefined) return unread;
  const number = (name: string, otherwise: number) => {
    const value = request[name];
    return typeof value === "number" ? value : otherwise;
  };
  const stop = request["stop"] ?? [];
  const maxTokens = number("max_completion_tokens", number("max_tokens", MAX_TOKENS));
  return {
    options: {
      seed: number("seed", seed),
      maxTokens: Math.min(maxTokens, LONGEST),
      temperature: number("temperature", 1),
      topP: number("top_p", 1),
      stop: (Array.isArray(stop) ? stop : [stop]) as readonly string[],
      topLogprobs: request.top_logprobs ?? 0,
    },
    choices: request.n ?? 1,
    tokenIds: request["return_tokens_as_token_ids"] !== false,
  };
}

/** The refusal of the first part of a message that is no text: the model would answer as if it were not there. */
function partsUnread({ messages }: ChatRequest): Refusal | undefined {
  for (const [m, { content }] of messages.entries()) {
    const at = Array.isArray(content) ? content.findIndex((part) => part.type !== "text") : -1;
    if (at < 0) continue;
    const param = `messages[${m}].content[${at}]`;
    return { code: "rejected", message: `the tiny model reads text alone, and ${param} is none`, param };
  }
  return undefined;
}
