// The chunk of a streamed answer, as strict as the strictest client reads it.

/** Why a choice ended. Nothing else is ever sent. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

/** A token and its log-probability. */
export interface TokenLogprob {
  /** Its text. */
  readonly token: string;
  /** ln P(token). */
  readonly logprob: number;
  /** The token in UTF-8, when the engine said so. */
  readonly bytes: readonly number[] | null;
  /** What the engine adds. */
  readonly [field: string]: unknown;
}

/** A sampled token, with the likeliest ones beside it. */
export interface SampledLogprob extends TokenLogprob {
  /** Best first; empty when none were asked for. */
  readonly top_logprobs: readonly TokenLogprob[];
}

/** The log-probabilities of the tokens in a delta or message. */
export interface ChoiceLogprobs {
  /** One for each token; null when the engine has none. */
  readonly content: readonly SampledLogprob[] | null;
  /** What the engine adds. */
  readonly [field: string]: unknown;
}

/** A piece of a tool call. The first piece of each call has all fields. */
export interface ToolCallDelta {
  /** Counts the calls of a choice from 0, in the order in which they began. */
  readonly index: number;
  /** What the message with the result refers to. */
  readonly id?: string;
  /** Functions are the only kind. */
  readonly type?: "function";
  /** The function that is called. */
  readonly function: {
    readonly name?: string;
    /** A fragment of JSON text: what is appended. */
    readonly arguments: string;
  };
}

/** What a choice gained. Fields not named here are the engine's. */
export interface ChatDelta {
  /** On the first delta of each choice, and only there. */
  readonly role?: "assistant";
  /** Text: what is appended. */
  readonly content?: string | null;
  /** Pieces of tool calls. */
  readonly tool_calls?: readonly ToolCallDelta[];
  /** What the engine adds. */
  readonly [field: string]: unknown;
}

/** A choice, one piece further. */
export interface ChunkChoice {
  /** Counts the choices of an answer from 0. */
  readonly index: number;
  /** What it gained. */
  readonly delta: ChatDelta;
  /** Set once per choice, on its last delta. */
  readonly finish_reason: FinishReason | null;
  /** Of the tokens in this piece; null when none were asked for. */
  readonly logprobs: ChoiceLogprobs | null;
  /** What the engine adds. */
  readonly [field: string]: unknown;
}

/** How many tokens an answer took. */
export interface TokenUsage {
  /** Tokens of the request. */
  readonly prompt_tokens: number;
  /** Tokens of the answer, all choices together. */
  readonly completion_tokens: number;
  /** Both together. */
  readonly total_tokens: number;
  /** Present when the engine did not count them all. */
  readonly estimated?: true;
  /** What the engine adds, such as details of the prompt. */
  readonly [field: string]: unknown;
}

/** One chunk of a streamed answer. All chunks of an answer have the same id, time and model. */
export interface ChatChunk {
  /** `chatcmpl-` and what makes it unique. */
  readonly id: string;
  /** Always `chat.completion.chunk`. */
  readonly object: "chat.completion.chunk";
  /** Seconds since 1970. */
  readonly created: number;
  /** As it was asked for. */
  readonly model: string;
  /** One choice; none in the chunk that carries the usage. */
  readonly choices: readonly ChunkChoice[];
  /** Absent unless the client asked for it. */
  readonly usage?: TokenUsage | null;
  /** What the engine adds. */
  readonly [field: string]: unknown;
}
