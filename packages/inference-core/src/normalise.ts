// The normaliser: whatever an engine streams becomes what the strictest client reads, or a fault. It never guesses
// at what would change the meaning: text that came too late, a call without a name, a reason nobody knows.

import { type Fields, isJsonObject } from "@assay/base";
import type { ChatChunk, ChunkChoice, TokenUsage } from "./chat-chunk.ts";
import { brokenOff, nonsense } from "./nonsense.ts";
import { choiceReader } from "./normalise-choice.ts";
import type { EngineChunk } from "./ports/chat-provider.ts";

/** What all chunks of an answer share, and what its client asked for. */
export interface NormaliserOptions {
  /** The id of the answer. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** As it was asked for. */
  readonly model: string;
  /** How many choices were asked for. */
  readonly choices: number;
  /** Whether log-probabilities are passed on. */
  readonly logprobs: boolean;
  /** Usage on no chunk, on one of its own at the end, or on every chunk as well. */
  readonly usage: "none" | "last" | "every";
  /** Makes an id for a tool call that has none. */
  readonly newId: () => string;
  /** About how many tokens the prompt has. Asked when the engine does not say. */
  readonly estimatePrompt: () => number;
}

/** How many tokens came so far. */
export interface TokenCount {
  /** Tokens of the request. */
  readonly prompt: number;
  /** Tokens of the answer so far. */
  readonly completion: number;
  /** Whether the engine counted; else the prompt is estimated, or part of the completion counted here. */
  readonly byEngine: boolean;
}

/** An answer being normalised. */
export interface Normaliser {
  /** What to send for a chunk of the engine: one chunk for each choice in it. Throws a `Fault`. */
  push(chunk: EngineChunk): readonly ChatChunk[];
  /** Whether every choice has its finish reason: then the answer is whole, even when the engine breaks off. */
  isWhole(): boolean;
  /** To be called once the engine has ended: what is left to send. Throws a `Fault` unless the answer is whole. */
  end(): readonly ChatChunk[];
  /** The tokens of the answer that came so far. */
  completion(): number;
  /** The tokens that came so far, and those of the request. */
  count(): TokenCount;
}

/** Begins an answer. */
export function normaliser(options: NormaliserOptions): Normaliser {
  const { id, created, model } = options;
  const choices = Array.from({ length: options.choices }, () => choiceReader(options.newId));
  let reported: TokenUsage | undefined;
  /** Tokens that came since the engine last said how many there are. */
  let unreported = 0;

  const chunkOf = (extra: Fields, made: readonly ChunkChoice[], usage: TokenUsage | null): ChatChunk => ({
    ...extra,
    id,
    object: "chat.completion.chunk",
    created,
    model,
    choices: made,
    ...(options.usage !== "none" && { usage }),
  });

  const completion = () => (reported?.completion_tokens ?? 0) + unreported;

  const readUsage = (raw: unknown) => {
    const usage = usageOf(raw);
    // Counts only grow: an engine that sends zeros beside its text has not counted.
    if (usage === undefined || usage.completion_tokens < completion()) return;
    reported = usage;
    unreported = 0;
  };

  return {
    push(chunk) {
      const {
        choices: said,
        usage,
        error,
        id: _id,
        object: _object,
        created: _created,
        model: _model,
        ...extra
      } = chunk;
      if (error !== undefined && error !== null) throw brokenOff();
      const list: unknown = said ?? [];
      if (!Array.isArray(list)) throw nonsense("choices that are not a list");
      const made: ChunkChoice[] = [];
      for (const [position, raw] of list.entries()) {
        if (!isJsonObject(raw)) throw nonsense("a choice that is not an object");
        const index = indexOf(raw["index"], position, list.length, choices.length);
        const { tokens, choice } = choices[index]!.read(raw, index);
        unreported += tokens;
        if (choice !== undefined) made.push(options.logprobs ? choice : { ...choice, logprobs: null });
      }
      readUsage(usage);
      const until = options.usage === "every" ? (reported ?? null) : null;
      return made.map((choice) => chunkOf(extra, [choice], until));
    },

    isWhole: () => choices.every((choice) => choice.isFinished()),

    end() {
      if (!choices.every((choice) => choice.isFinished())) throw brokenOff();
      if (options.usage === "none") return [];
      const { prompt, completion } = this.count();
      const counted = {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
      };
      return [chunkOf({}, [], { ...reported, ...counted })];
    },

    completion,

    count: () => ({
      prompt: reported?.prompt_tokens ?? options.estimatePrompt(),
      completion: completion(),
      byEngine: reported !== undefined && unreported === 0,
    }),
  };
}

/** Which choice a piece belongs to. With one choice there is nothing to mix up; with more, a wrong index is fatal. */
function indexOf(raw: unknown, position: number, together: number, choices: number): number {
  if (choices === 1) {
    if (together > 1) throw nonsense("more choices than were asked for");
    return 0;
  }
  // Without indexes, a chunk that has them all has them in order.
  const index = raw ?? (together === choices ? position : undefined);
  if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= choices) {
    throw nonsense("a choice with a wrong index");
  }
  return index as number;
}

function usageOf(raw: unknown): TokenUsage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { prompt_tokens, completion_tokens } = raw;
  if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return undefined;
  return { ...raw, prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
