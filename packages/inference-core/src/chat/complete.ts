// The whole answer, computed from its chunks, so that streamed and whole answers cannot differ.

import type { ChatChunk, ChoiceLogprobs, ChunkChoice, FinishReason, TokenUsage } from "./chat-chunk.ts";
import { eachChoice } from "./each-choice.ts";
import { joined, type MergedDeltas, mergeDelta } from "./merge-deltas.ts";

/** A tool call of a whole answer. */
interface ToolCall {
  /** The ID that the message with the result refers to. */
  readonly id: string;
  /** Always `function`. */
  readonly type: "function";
  /** The function, and its arguments as JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The model's message. Fields not named here are the engine's. */
interface AnswerMessage {
  /** Always `assistant`. */
  readonly role: "assistant";
  /** Null if it only called tools. */
  readonly content: string | null;
  /** Why the model refused; null if it did not. */
  readonly refusal: string | null;
  /** Absent if it called none. */
  readonly tool_calls?: readonly ToolCall[];
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** One choice of a whole answer. */
interface AnswerChoice {
  /** The index of the choice, from 0. */
  readonly index: number;
  /** The model's message. */
  readonly message: AnswerMessage;
  /** Why it ended. */
  readonly finish_reason: FinishReason;
  /** The log-probabilities of all its tokens; null if none were requested. */
  readonly logprobs: ChoiceLogprobs | null;
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** A whole answer. */
export interface ChatCompletion {
  /** `chatcmpl-` and a unique suffix. */
  readonly id: string;
  /** Always `chat.completion`. */
  readonly object: "chat.completion";
  /** Seconds since 1970. */
  readonly created: number;
  /** The model as requested. */
  readonly model: string;
  /** Ordered by index. */
  readonly choices: readonly AnswerChoice[];
  /** The token counts. */
  readonly usage: TokenUsage;
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/**
 * The whole answer of `stream`, which must include usage. Throws what reading the stream throws, and the fault
 * `corrupt` if an engine never stops.
 */
export async function completeChat(stream: AsyncIterable<readonly ChatChunk[]>): Promise<ChatCompletion> {
  const drafts = new Map<number, Draft>();
  const { envelope, usage } = await eachChoice(stream, (choice: ChunkChoice) => {
    const draft = drafts.get(choice.index) ?? newDraft();
    drafts.set(choice.index, draft);
    grow(draft, choice);
  });
  const choices = [...drafts.entries()]
    .sort(([a], [b]) => a - b)
    .map(([index, draft]) => finish(index, draft));
  // The envelope comes from validated chunks, so its named fields exist.
  return { ...envelope, object: "chat.completion", choices, usage } as unknown as ChatCompletion;
}

/** A choice under construction. */
interface Draft {
  readonly message: MergedDeltas;
  readonly logprobs: MergedDeltas;
  readonly others: MergedDeltas;
  readonly calls: Map<number, { readonly id: string; readonly name: string; readonly fragments: string[] }>;
}

function newDraft(): Draft {
  return { message: new Map(), logprobs: new Map(), others: new Map(), calls: new Map() };
}

function grow(draft: Draft, { index: _index, delta, logprobs, ...others }: ChunkChoice): void {
  const { role: _role, tool_calls: calls = [], ...fields } = delta;
  mergeDelta(draft.message, fields);
  mergeDelta(draft.logprobs, logprobs ?? {});
  mergeDelta(draft.others, others);
  for (const { index, id, function: made } of calls) {
    const call = draft.calls.get(index) ?? { id: id ?? "", name: made.name ?? "", fragments: [] };
    draft.calls.set(index, call);
    call.fragments.push(made.arguments);
  }
}

function finish(index: number, draft: Draft): AnswerChoice {
  const { content, refusal, ...fields } = joined(draft.message, true);
  const calls = [...draft.calls.values()].map(
    ({ id, name, fragments }): ToolCall => ({
      id,
      type: "function",
      function: { name, arguments: fragments.join("") },
    }),
  );
  const text = typeof content === "string" ? content : "";
  const message: AnswerMessage = {
    ...fields,
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: typeof refusal === "string" ? refusal : null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const { finish_reason, ...others } = joined(draft.others, false);
  const logprobs =
    draft.logprobs.size === 0 ? null : (joined(draft.logprobs, false) as unknown as ChoiceLogprobs);
  return { ...others, index, message, finish_reason: finish_reason as FinishReason, logprobs };
}
