// Counts the tokens of an answer: by the engine's reports, and until the first report by the received pieces.

import { type Fields, isJsonObject } from "@assay/base/internal";
import type { TokenUsage } from "../chat/chat-chunk.ts";

/** The token counts so far. */
export interface TokenCount {
  /** Tokens of the request. */
  readonly prompt: number;
  /** Tokens of the answer so far. */
  readonly completion: number;
  /** Tokens of the request that the engine had cached, as far as it reports them. */
  readonly cached: number;
  /** Whether the engine counted; otherwise the prompt is estimated, or part of the completion was counted here. */
  readonly byEngine: boolean;
}

/** Counts the tokens of one answer. */
export interface TokenCounter {
  /** Adds about this many tokens. */
  came(tokens: number): void;
  /** Takes the usage that the engine reports, if it is valid. */
  read(raw: unknown): void;
  /** The tokens of the answer so far. */
  completion(): number;
  /** The tokens so far, including those of the request. */
  count(): TokenCount;
  /** The last usage from the engine, without additions; undefined if it sent none. */
  reported(): TokenUsage | undefined;
  /** The usage to send. */
  usage(): TokenUsage;
}

/** Starts a count. `estimatePrompt` is called if the engine does not report the tokens of the request. */
export function tokenCounter(estimatePrompt: () => number): TokenCounter {
  let reported: TokenUsage | undefined;
  /** Tokens since the engine last reported their number. */
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
      // Counts only grow: an engine that sends zeros with its text has not counted.
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

/** The tokens of a request that an engine reports as cached, at most all of them. */
function cachedTokensOf({ prompt_tokens, prompt_tokens_details: details }: Fields): number {
  const cached = isJsonObject(details) ? details["cached_tokens"] : undefined;
  return isTokenCount(cached) && isTokenCount(prompt_tokens) ? Math.min(cached, prompt_tokens) : 0;
}

/** Whether `value` can be a token count. */
export function isTokenCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
