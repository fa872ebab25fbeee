// The chat completion request, with the names of its wire format. Unknown fields are passed on unchanged.

/** One message of a conversation. Fields not named here belong to the engine and are passed on. */
export interface ChatMessage {
  /** `system`, `developer`, `user`, `assistant`, `tool`, `function`, or a role that an engine adds. */
  readonly role: string;
  /** Text, parts (text, images, …), or nothing if an assistant only called tools. */
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

/** Options of a stream. */
export interface StreamOptions {
  /** Whether a last chunk has the usage. Default true if there are stream options, else false. */
  readonly include_usage?: boolean | null;
  /** Whether each chunk also has the usage so far. Default false. */
  readonly continuous_usage_stats?: boolean | null;
  /** For the engine. */
  readonly [field: string]: unknown;
}

/**
 * A request for a chat completion. It names only the fields used here; all others, known to an engine or not, are
 * passed on unchanged. `null` means the same as leaving a field out.
 */
export interface ChatRequest {
  /** A catalogue ID, or the name of a trained model. */
  readonly model: string;
  /** The conversation, oldest first. At least one. */
  readonly messages: readonly ChatMessage[];
  /** How many choices to generate. Default 1. */
  readonly n?: number | null;
  /** Whether to stream the answer in chunks. Default false. */
  readonly stream?: boolean | null;
  /** Ignored without `stream`. */
  readonly stream_options?: StreamOptions | null;
  /** Whether to return the log-probability of each token. Default: whether `top_logprobs` is above 0. */
  readonly logprobs?: boolean | null;
  /** How many of the likeliest alternatives to return for each token. */
  readonly top_logprobs?: number | null;
  /** The client's name for the end user; usage can be reported by it. */
  readonly user?: string | null;
  /** For the engine. */
  readonly [field: string]: unknown;
}
