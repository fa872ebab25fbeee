// The envelope of an answer's chunks, its usage and its end, for choices of any kind.

import { type Fields, isJsonObject } from "@assay/base/internal";
import type { ChatChunk, TokenUsage } from "../chat/chat-chunk.ts";
import { choiceIndex } from "../chat/choice-index.ts";
import { interruptedStream, malformedStream } from "../chat/stream-faults.ts";
import type { EngineChunk } from "../ports/chat-provider.ts";
import { type TokenCount, tokenCounter } from "../usage/token-counter.ts";

/** Fields that all chunks of an answer share, and the options that its client requested. */
export interface NormaliserOptions {
  /** The id of the answer. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The model as requested. */
  readonly model: string;
  /** The number of requested choices. */
  readonly choices: number;
  /** Whether to pass log-probabilities on. */
  readonly logprobs: boolean;
  /** Whether usage is on no chunk, on a separate last chunk, or on every chunk as well. */
  readonly usage: "none" | "last" | "every";
  /** Creates an ID for a tool call that has none. */
  readonly newId: () => string;
  /** The approximate number of tokens of the prompt. Called if the engine does not report it. */
  readonly estimatePrompt: () => number;
}

/** Normalises an answer, into chunks of a chat by default. */
export interface Normaliser<Chunk = ChatChunk> {
  /** The chunks to send for a chunk of the engine: one for each choice in it. Throws a `Fault`. */
  push(chunk: EngineChunk): readonly Chunk[];
  /** Whether every choice has its finish reason: the answer is then complete, even if the engine breaks off. */
  isWhole(): boolean;
  /**
   * The remaining chunks to send. Call it once the engine has ended. Throws a `Fault` unless the answer is complete.
   */
  end(): readonly Chunk[];
  /** The tokens of the answer so far. */
  completion(): number;
  /** The tokens so far, including those of the request. */
  count(): TokenCount;
}

/** Reads one choice of an answer piece by piece. */
export interface ChoiceReader<Choice> {
  /** The choice to send for a piece, if any, with its approximate number of tokens. Throws a `Fault`. */
  read(raw: Fields, index: number): { readonly choice: Choice | undefined; readonly tokens: number };
  /** Whether it has its finish reason. */
  isFinished(): boolean;
  /** The choice left to send when the engine has ended, with a finish reason that was held back. */
  rest?(index: number): Choice | undefined;
}

/** Starts an answer whose chunks have the type `object` and whose choices are read by `choices`. */
export function chunkNormaliser<Choice>(
  object: string,
  options: Omit<NormaliserOptions, "choices" | "logprobs" | "newId">,
  choices: readonly ChoiceReader<Choice>[],
): Normaliser<unknown> {
  const { id, created, model } = options;
  const tokens = tokenCounter(options.estimatePrompt);

  const chunkOf = (extra: Fields, made: readonly Choice[], usage: TokenUsage | null) => ({
    ...extra,
    id,
    object,
    created,
    model,
    choices: made,
    ...(options.usage !== "none" && { usage }),
  });

  return {
    push(chunk) {
      const {
        choices: given,
        usage,
        error,
        id: _id,
        object: _object,
        created: _created,
        model: _model,
        ...extra
      } = chunk;
      if (error !== undefined && error !== null) throw interruptedStream();
      const list: unknown = given ?? [];
      if (!Array.isArray(list)) throw malformedStream("choices that are not a list");
      const made: Choice[] = [];
      for (const [position, raw] of list.entries()) {
        if (!isJsonObject(raw)) throw malformedStream("a choice that is not an object");
        const index = choiceIndex(raw["index"], position, list.length, choices.length);
        const { tokens: came, choice } = choices[index]!.read(raw, index);
        tokens.came(came);
        if (choice !== undefined) made.push(choice);
      }
      tokens.read(usage);
      const until = options.usage === "every" ? (tokens.reported() ?? null) : null;
      return made.map((choice) => chunkOf(extra, [choice], until));
    },

    isWhole: () => choices.every((choice) => choice.isFinished()),

    end() {
      if (!choices.every((choice) => choice.isFinished())) throw interruptedStream();
      const until = options.usage === "every" ? tokens.usage() : null;
      const rest = choices.flatMap((choice, index) => choice.rest?.(index) ?? []);
      const last = rest.map((choice) => chunkOf({}, [choice], until));
      return options.usage === "none" ? last : [...last, chunkOf({}, [], tokens.usage())];
    },

    completion: tokens.completion,
    count: tokens.count,
  };
}
