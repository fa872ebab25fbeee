// Counts the tokens of an answer: what its engine says of them, and until it does, what came.

import { type Fields, isJsonObject } from "@assay/base/internal";
import type { TokenUsage } from "./chat-chunk.ts";

/** How many tokens came so far. */
export interface TokenCount {
  /** Tokens of the request. */
  readonly prompt: number;
  /** Tokens of the answer so far. */
  readonly completion: number;
  /** Tokens of the request that the engine had read before, as far as it says so. */
  readonly cached: number;
  /** Whether the engine counted; else the prompt is estimated, or part of the completion counted here. */
  readonly byEngine: boolean;
}

/** The count of one answer. */
export interface TokenCounter {
  /** About this many tokens came. */
  came(tokens: number): void;
  /** What the engine says of its usage, if it is that. */
  read(raw: unknown): void;
  /** The tokens of the answer that came so far. */
  completion(): number;
  /** The tokens that came so far, and those of the request. */
  count(): TokenCount;
  /** What the engine said last, with nothing of ours; undefined when it said nothing. */
  reported(): TokenUsage | undefined;
  /** The usage to send. */
  usage(): TokenUsage;
}

/** Begins a count. `estimatePrompt` is asked when the engine does not say how many tokens the request has. */
export function tokenCounter(estimatePrompt: () => number): TokenCounter {
  let reported: TokenUsage | undefined;
  /** Tokens that came since the engine last said how many there are. */
  let unreported = 0;
  const completion = () => (reported?.completion_tokens ?? 0) + unreported;
  const count = () => ({
    prompt: reported?.prompt_tokens ?? estimatePrompt(),
    completion: completion(),
    cached: reported === undefined ? 0 : cachedTokensOf(reported),
    byEngine: reported !== undefined && unreported === 0,
  });
  return {
    came(tokens) {
      unreported += tokens;
    },
    read(raw) {
      const usage = usageOf(raw);
      // Counts only grow: an engine that sends zeros beside its text has not counted.
      if (usage === undefined || usage.completion_tokens < completion()) return;
      reported = usage;
      unreported = 0;
    },
    completion,
    count,
    reported: () => reported,
    usage() {
      const { prompt, completion, byEngine } = count();
      const counted = {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
        ...(!byEngine && { estimated: true as const }),
      };
      return { ...reported, ...counted };
    },
  };
}

function usageOf(raw: unknown): TokenUsage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { prompt_tokens, completion_tokens } = raw;
  if (!isTokenCount(prompt_tokens) || !isTokenCount(completion_tokens)) return undefined;
  return { ...raw, prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** How many tokens of a request an engine says that it had read before: no more than there are. */
function cachedTokensOf({ prompt_tokens, prompt_tokens_details: details }: Fields): number {
  const cached = isJsonObject(details) ? details["cached_tokens"] : undefined;
  return isTokenCount(cached) && isTokenCount(prompt_tokens) ? Math.min(cached, prompt_tokens) : 0;
}

/** Whether `value` can be a count of tokens. */
export function isTokenCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
