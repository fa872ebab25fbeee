// Converts the chunks of a chat completion to the events of a response, and to the whole response. Both use the same
// code, so that a streamed and a whole answer cannot differ.

import type {
  ChatChunk,
  ChunkChoice,
  FinishReason,
  SampledLogprob,
  TokenLogprob,
  TokenUsage,
  ToolCallDelta,
} from "../chat/chat-chunk.ts";

/** The prefixes of the ids of items with text. */
export const ITEM_PREFIX = { reasoning: "rs_", text: "msg_", refusal: "msg_" } as const;

/** The items of a response: reasoning, a text or refusal, or a function call. */
type ResponseItem = {
  readonly id: string;
  readonly type: "reasoning" | "message" | "function_call";
  readonly status: "in_progress" | "completed" | "incomplete";
  readonly [field: string]: unknown;
};

/** A response so far. */
interface ResponseObject {
  /** `resp_` and a unique suffix. */
  readonly id: string;
  /** Always `response`. */
  readonly object: "response";
  /** Seconds since 1970. */
  readonly created_at: number;
  /** `incomplete` if the token limit was reached or a filter ended the text. */
  readonly status: "in_progress" | "completed" | "incomplete";
  /** The model as requested. */
  readonly model: string;
  /** The items so far, in order. */
  readonly output: readonly ResponseItem[];
  /** Null until it has ended. */
  readonly usage: ResponseUsage | null;
  /** Settings of the request, and fields that are always empty here. */
  readonly [field: string]: unknown;
}

/** The token counts of a response. */
interface ResponseUsage {
  /** Tokens of the request. */
  readonly input_tokens: number;
  /** Those that an engine had cached. */
  readonly input_tokens_details: { readonly cached_tokens: number };
  /** Tokens of the response. */
  readonly output_tokens: number;
  /** Those used for reasoning. */
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  /** The sum of both. */
  readonly total_tokens: number;
  /** Present if the engine did not count all of them. */
  readonly estimated?: true;
}

/** An event of a streamed response. */
export interface ResponseEvent {
  /** `response.output_text.delta`, … */
  readonly type: string;
  /** The index of the event in its response, from 0. */
  readonly sequence_number: number;
  /** The fields of the type. */
  readonly [field: string]: unknown;
}

/** Turns one answer into events. */
export interface ResponseEvents {
  /** The events for a chunk. */
  push(chunk: ChatChunk): readonly ResponseEvent[];
  /** The last events, after all chunks were pushed. */
  end(): readonly ResponseEvent[];
  /** The current response: complete after `end`. */
  response(): ResponseObject;
}

/** The kind of an item in progress. */
type Kind = keyof typeof ITEM_PREFIX | "call";

/** An item in progress. */
interface Draft {
  readonly id: string;
  readonly kind: Kind;
  readonly call?: { readonly callId: string; readonly name: string };
  readonly logprobs: SampledLogprob[];
  text: string;
  ended: boolean;
}

/** How to write a response. */
export interface ResponseOptions {
  /** The fields of the request that it repeats. */
  readonly settings: { readonly [field: string]: unknown };
  /** Whether it has the log-probabilities of its tokens. */
  readonly logprobs: boolean;
}

/** Starts a response. */
export function responseEvents({ settings, logprobs: keepsLogprobs }: ResponseOptions): ResponseEvents {
  let head: {
    readonly [field: string]: unknown;
    readonly id: string;
    readonly created_at: number;
    readonly model: string;
  } = {
    id: "resp_",
    created_at: 0,
    model: "",
  };
  /** Log-probabilities of tokens that have no text yet, such as the first byte of a character. */
  let early: SampledLogprob[] = [];
  let sequence = 0;
  let finish: FinishReason | undefined;
  let usage: TokenUsage | undefined;
  let begun = false;
  const drafts: Draft[] = [];
  const calls = new Map<number, number>();

  const event = (type: string, fields: object): ResponseEvent => ({
    type,
    sequence_number: sequence++,
    ...fields,
  });
  const response = (): ResponseObject => {
    const status = finish === undefined ? "in_progress" : statusOf(finish);
    return {
      ...NEVER_HERE,
      ...settings,
      ...head,
      object: "response",
      status,
      incomplete_details: finish === undefined ? null : cutBy(finish),
      output: drafts.map((draft) => itemOf(draft, draft.ended ? status : "in_progress")),
      usage: usage === undefined ? null : usageOf(usage),
    };
  };

  const add = (draft: Draft): readonly ResponseEvent[] => {
    const output_index = drafts.push(draft) - 1;
    const item = { ...itemOf(draft, "in_progress"), ...(draft.call === undefined && { content: [] }) };
    const added = event("response.output_item.added", { output_index, item });
    if (draft.call !== undefined) return [added];
    const place = { item_id: draft.id, output_index, content_index: 0 };
    return [added, event("response.content_part.added", { ...place, part: partOf({ ...draft, text: "" }) })];
  };

  const close = (draft: Draft, output_index: number): readonly ResponseEvent[] => {
    draft.ended = true;
    const { id: item_id, kind, text, call } = draft;
    if (kind === "text") draft.logprobs.push(...early);
    const item = itemOf(draft, statusOf(finish));
    const done = () => event("response.output_item.done", { output_index, item });
    if (call !== undefined) {
      const fields = { item_id, output_index, name: call.name, arguments: text };
      return [event("response.function_call_arguments.done", fields), done()];
    }
    const place = { item_id, output_index, content_index: 0 };
    const ended =
      kind === "refusal"
        ? { refusal: text }
        : { text, ...(kind === "text" && { logprobs: draft.logprobs.map(logprobOf) }) };
    return [
      event(`${EVENT_OF[kind as TextItem]}.done`, { ...place, ...ended }),
      event("response.content_part.done", { ...place, part: partOf(draft) }),
      done(),
    ];
  };

  /** Appends to the reasoning, the text or the refusal: a response has one of each. */
  const say = (kind: TextItem, delta: string): readonly ResponseEvent[] => {
    const found = drafts.findIndex((draft) => draft.kind === kind);
    const id = ITEM_PREFIX[kind] + head.id.slice(5);
    const added = found < 0 ? add({ id, kind, logprobs: [], text: "", ended: false }) : [];
    const output_index = found < 0 ? drafts.length - 1 : found;
    const draft = drafts[output_index]!;
    draft.text += delta;
    const fields = { item_id: draft.id, output_index, content_index: 0, delta };
    if (kind !== "text") return [...added, event(`${EVENT_OF[kind]}.delta`, fields)];
    draft.logprobs.push(...early);
    const logprobs = early.map(logprobOf);
    early = [];
    return [...added, event(`${EVENT_OF[kind]}.delta`, { ...fields, logprobs })];
  };

  const call = ({ index, id, function: made }: ToolCallDelta): readonly ResponseEvent[] => {
    const known = calls.get(index);
    const output_index = known ?? drafts.length;
    calls.set(index, output_index);
    const about = { callId: id ?? "", name: made.name ?? "" };
    const added =
      known === undefined
        ? add({
            id: `fc_${index}_${head.id.slice(5)}`,
            kind: "call",
            call: about,
            logprobs: [],
            text: "",
            ended: false,
          })
        : [];
    const draft = drafts[output_index]!;
    draft.text += made.arguments;
    if (made.arguments === "") return added;
    const fields = { item_id: draft.id, output_index, delta: made.arguments };
    return [...added, event("response.function_call_arguments.delta", fields)];
  };

  const choose = ({ delta, logprobs, finish_reason }: ChunkChoice): readonly ResponseEvent[] => {
    const { content, refusal, tool_calls: made = [] } = delta;
    // Engines have two names for it, and some send both.
    const thought = delta["reasoning"] ?? delta["reasoning_content"];
    const hasText = typeof content === "string" && !thought && made.length === 0;
    if (keepsLogprobs && hasText) early.push(...(logprobs?.content ?? []));
    const events = [
      ...(typeof thought === "string" && thought !== "" ? say("reasoning", thought) : []),
      ...(content ? say("text", content) : []),
      ...(typeof refusal === "string" && refusal !== "" ? say("refusal", refusal) : []),
      ...made.flatMap(call),
    ];
    if (finish_reason === null) return events;
    finish = finish_reason;
    return events;
  };

  return {
    push(chunk) {
      head = {
        id: `resp_${chunk.id.replace(/^chatcmpl-/, "")}`,
        created_at: chunk.created,
        model: chunk.model,
        ...(chunk["service_tier"] != null && { service_tier: chunk["service_tier"] }),
      };
      usage = chunk.usage ?? usage;
      const first = begun ? [] : ["response.created", "response.in_progress"];
      begun = true;
      return [
        ...first.map((type) => event(type, { response: response() })),
        // A response has one answer.
        ...chunk.choices.filter(({ index }) => index === 0).flatMap(choose),
      ];
    },
    end() {
      const closed = drafts.flatMap((draft, i) => close(draft, i));
      return [...closed, event(`response.${statusOf(finish)}`, { response: response() })];
    },
    response,
  };
}

/** Fields that clients expect and that are always empty here. */
const NEVER_HERE = {
  background: false,
  error: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  user: null,
};

/** Kinds of items with text. */
type TextItem = keyof typeof ITEM_PREFIX;

/** The prefixes of the types of their events. */
const EVENT_OF: { readonly [kind in TextItem]: string } = {
  reasoning: "response.reasoning_text",
  text: "response.output_text",
  refusal: "response.refusal",
};

/** Why an answer is incomplete; null if it is complete. */
function cutBy(finish: FinishReason | undefined): { readonly reason: string } | null {
  if (finish === "length") return { reason: "max_output_tokens" };
  return finish === "content_filter" ? { reason: "content_filter" } : null;
}

function statusOf(finish: FinishReason | undefined): "completed" | "incomplete" {
  return cutBy(finish) === null ? "completed" : "incomplete";
}

function itemOf(draft: Draft, status: ResponseItem["status"]): ResponseItem {
  const { id, kind, call, text } = draft;
  if (call !== undefined)
    return { id, type: "function_call", status, call_id: call.callId, name: call.name, arguments: text };
  const content = [partOf(draft)];
  if (kind === "reasoning") return { id, type: "reasoning", status, summary: [], content };
  return { id, type: "message", status, role: "assistant", content };
}

function partOf({ kind, text, logprobs }: Draft) {
  if (kind === "reasoning") return { type: "reasoning_text", text };
  if (kind === "refusal") return { type: "refusal", refusal: text };
  return { type: "output_text", text, annotations: [], logprobs: logprobs.map(logprobOf) };
}

function logprobOf({ token, logprob, bytes, top_logprobs }: SampledLogprob) {
  const one = (likely: TokenLogprob) => ({
    token: likely.token,
    logprob: likely.logprob,
    bytes: likely.bytes ?? [],
  });
  return { ...one({ token, logprob, bytes }), top_logprobs: top_logprobs.map(one) };
}

function usageOf(usage: TokenUsage): ResponseUsage {
  const { prompt_tokens, completion_tokens, total_tokens, estimated, ...details } = usage;
  const number = (group: string, name: string) => {
    const value = (details[group] as { readonly [name: string]: unknown } | null | undefined)?.[name];
    return typeof value === "number" ? value : 0;
  };
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens: number("prompt_tokens_details", "cached_tokens") },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: number("completion_tokens_details", "reasoning_tokens") },
    total_tokens,
    ...(estimated && { estimated }),
  };
}
