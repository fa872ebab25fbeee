// The chunk of a streamed answer, in a form that the strictest client accepts.

/** Why a choice ended. No other value is ever sent. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

/** A token and its log-probability. */
export interface TokenLogprob {
  /** Its text. */
  readonly token: string;
  /** ln P(token). */
  readonly logprob: number;
  /** The token in UTF-8, if the engine sent it. */
  readonly bytes: readonly number[] | null;
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** A sampled token, with the likeliest alternatives. */
export interface SampledLogprob extends TokenLogprob {
  /** Best first; empty if none were requested. */
  readonly top_logprobs: readonly TokenLogprob[];
}

/** The log-probabilities of the tokens in a delta or message. */
export interface ChoiceLogprobs {
  /** One for each token; null if the engine has none. */
  readonly content: readonly SampledLogprob[] | null;
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** A piece of a tool call. The first piece of each call has all fields. */
export interface ToolCallDelta {
  /** The index of the call in its choice, from 0, in order of appearance. */
  readonly index: number;
  /** The ID that the message with the result refers to. */
  readonly id?: string;
  /** Always `function`. */
  readonly type?: "function";
  /** The function to call. */
  readonly function: {
    readonly name?: string;
    /** A fragment of JSON text to append. */
    readonly arguments: string;
  };
}

/** The additions to a choice. Fields not named here are the engine's. */
export interface ChatDelta {
  /** Only on the first delta of each choice. */
  readonly role?: "assistant";
  /** Text to append. */
  readonly content?: string | null;
  /** Pieces of tool calls. */
  readonly tool_calls?: readonly ToolCallDelta[];
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** The next piece of a choice. */
export interface ChunkChoice {
  /** The index of the choice, from 0. */
  readonly index: number;
  /** The additions. */
  readonly delta: ChatDelta;
  /** Set once per choice, on its last delta. */
  readonly finish_reason: FinishReason | null;
  /** The log-probabilities of the tokens in this piece; null if none were requested. */
  readonly logprobs: ChoiceLogprobs | null;
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** The token counts of an answer. */
export interface TokenUsage {
  /** Tokens of the request. */
  readonly prompt_tokens: number;
  /** Tokens of the answer, over all choices. */
  readonly completion_tokens: number;
  /** The sum of both. */
  readonly total_tokens: number;
  /** Present if the engine did not count all of them. */
  readonly estimated?: true;
  /** Further fields of the engine, such as details of the prompt. */
  readonly [field: string]: unknown;
}

/** One chunk of a streamed answer. All chunks of an answer have the same id, time and model. */
export interface ChatChunk {
  /** `chatcmpl-` and a unique suffix. */
  readonly id: string;
  /** Always `chat.completion.chunk`. */
  readonly object: "chat.completion.chunk";
  /** Seconds since 1970. */
  readonly created: number;
  /** The model as requested. */
  readonly model: string;
  /** One choice; none in the chunk with the usage. */
  readonly choices: readonly ChunkChoice[];
  /** Absent unless the client requested it. */
  readonly usage?: TokenUsage | null;
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}
