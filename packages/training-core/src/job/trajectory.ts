// Trajectories: the training data of a reinforcement-learning job in wire format. Other fields are passed through
// unchanged.

import type { Json } from "@assay/base";

/** A message of a conversation: context, unless it is the message of a `Choice`. */
export interface Message {
  /** `system`, `developer`, `user`, `assistant`, `tool` or `function`. */
  readonly role: string;
  /** Text, a list of parts, or null. */
  readonly content?: Json;
  /** Further members of the message, unchanged. */
  readonly [field: string]: Json | undefined;
}

/** One sampled token and its natural log-probability under the policy that sampled it. */
interface TokenLogprob {
  /** The token's text, or `token_id:<n>`. */
  readonly token: string;
  /** Natural logarithm of the probability it was sampled with. */
  readonly logprob: number;
  /** Further members of the token, unchanged. */
  readonly [field: string]: Json | undefined;
}

/** A sampled answer, as chat completions return it. Only the tokens of choices are trained on. */
export interface Choice {
  /** Why sampling ended. */
  readonly finish_reason: string;
  /** The index of the choice. */
  readonly index: number;
  /** The answer. */
  readonly message: Message;
  /** The log-probabilities of its tokens, if they were requested. */
  readonly logprobs?: { readonly content?: readonly TokenLogprob[] | null } | null;
}

/** A further conversation of the same trajectory. */
export interface MessageHistory {
  /** Context and sampled answers, in order. */
  readonly messages_and_choices: readonly (Message | Choice)[];
  /** The available tools. */
  readonly tools?: readonly Json[] | null;
}

/** One attempt at a task, with its reward. */
export interface Trajectory extends MessageHistory {
  /** The reward; compared only with the other trajectories of its group. */
  readonly reward: number;
  /** Further conversations that share the reward. */
  readonly additional_histories: readonly MessageHistory[];
  /** Custom metrics; booleans count as 0 and 1. */
  readonly metrics: Readonly<Record<string, number | boolean>>;
}

/** Attempts at the same task. */
export interface TrajectoryGroup {
  /** The attempts. */
  readonly trajectories: readonly Trajectory[];
  /** Attempts that failed with an exception. */
  readonly exceptions: readonly Json[];
}

/** Whether an entry of `messages_and_choices` is a sampled answer rather than context. */
export function isChoice(entry: Message | Choice): entry is Choice {
  return Object.hasOwn(entry, "message") && Object.hasOwn(entry, "finish_reason");
}
