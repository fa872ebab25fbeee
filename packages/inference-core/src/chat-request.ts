// The chat completion request, in the words of its wire format. What is not known here is passed on as it came.

/** One message of a conversation. Fields not named here belong to the engine and are passed on. */
export interface ChatMessage {
  /** `system`, `developer`, `user`, `assistant`, `tool`, `function`, or what an engine adds. */
  readonly role: string;
  /** Text, parts (text, images, …), or nothing when an assistant only called tools. */
  readonly content?: string | readonly ChatPart[] | null;
  /** For the engine. */
  readonly [field: string]: unknown;
}

/** One part of a message's content. */
interface ChatPart {
  /** `text`, `image_url`, … */
  readonly type: string;
  /** For the engine. */
  readonly [field: string]: unknown;
}

/** What a client says about its stream. */
export interface StreamOptions {
  /** Whether a last chunk carries the usage. Default true when there are stream options, else false. */
  readonly include_usage?: boolean | null;
  /** Whether each chunk carries the usage until there. Default false. */
  readonly continuous_usage_stats?: boolean | null;
  /** For the engine. */
  readonly [field: string]: unknown;
}

/**
 * A request for a chat completion. Only the fields that are acted on here are named; all others, known to an
 * engine or not, are passed on untouched. `null` means the same as leaving a field out.
 */
export interface ChatRequest {
  /** A catalogue id, or the name of a trained model. */
  readonly model: string;
  /** The conversation, oldest first. At least one. */
  readonly messages: readonly ChatMessage[];
  /** How many choices to make. Default 1. */
  readonly n?: number | null;
  /** Whether the client wants chunks as they come. Default false. */
  readonly stream?: boolean | null;
  /** Of no meaning without `stream`. */
  readonly stream_options?: StreamOptions | null;
  /** Whether to return the log-probability of each token. Default false. */
  readonly logprobs?: boolean | null;
  /** How many of the likeliest tokens to return beside each one. */
  readonly top_logprobs?: number | null;
  /** The end user, in the client's words; usage can be reported by it. */
  readonly user?: string | null;
  /** For the engine. */
  readonly [field: string]: unknown;
}
