// The chunk of a streamed text completion, in a form that the strictest client accepts, and the whole answer built from
// chunks.

import { type Fields, isJsonObject } from "@assay/base/internal";
import type { FinishReason, TokenUsage } from "../chat/chat-chunk.ts";
import { eachChoice } from "../chat/each-choice.ts";
import { finishReasonOf } from "../chat/finish-reason.ts";
import { joined, type MergedDeltas, mergeDelta } from "../chat/merge-deltas.ts";
import { malformedStream } from "../chat/stream-faults.ts";
import {
  type ChoiceReader,
  chunkNormaliser,
  type Normaliser,
  type NormaliserOptions,
} from "./normalise-chunks.ts";

/** The next piece of a continuation; in a whole answer, all of it. */
interface TextChoice {
  /** The index of the continuation, from 0: those of the first text, then those of the next. */
  readonly index: number;
  /** The text to append. */
  readonly text: string;
  /** Set once per choice, on its last piece. */
  readonly finish_reason: FinishReason | null;
  /** Lists with an item for each token; null if none were requested. */
  readonly logprobs: Fields | null;
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** One chunk of a continuation, or all of it. All chunks of an answer have the same id, time and model. */
export interface TextCompletion {
  /** `cmpl-` and a unique suffix. */
  readonly id: string;
  /** Always `text_completion`. */
  readonly object: "text_completion";
  /** Seconds since 1970. */
  readonly created: number;
  /** The model as requested. */
  readonly model: string;
  /** One choice in a chunk, none in the chunk with the usage; all of them in a whole answer. */
  readonly choices: readonly TextChoice[];
  /** In a chunk, absent unless the client requested it. */
  readonly usage?: TokenUsage | null;
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** Starts an answer to a request to continue texts. */
export function textNormaliser(
  options: Omit<NormaliserOptions, "logprobs" | "newId">,
): Normaliser<TextCompletion> {
  const choices = Array.from({ length: options.choices }, textChoiceReader);
  return chunkNormaliser("text_completion", options, choices) as Normaliser<TextCompletion>;
}

function textChoiceReader(): ChoiceReader<TextChoice> {
  let started = false;
  let finished = false;
  return {
    read({ index: _index, text: raw, logprobs: rawLogprobs, finish_reason, ...extra }, index) {
      const text = raw ?? "";
      if (typeof text !== "string") throw malformedStream("a text that is not text");
      const logprobs = isJsonObject(rawLogprobs) ? rawLogprobs : null;
      const finish = finishReasonOf(finish_reason);
      const sampled = Array.isArray(logprobs?.["tokens"]) ? logprobs["tokens"].length : 0;
      if (finished) {
        // Some engines repeat the reason with their usage.
        if (text !== "") throw malformedStream("more of a choice that had ended");
        return { choice: undefined, tokens: 0 };
      }
      if (started && text === "" && finish === null && sampled === 0) return { choice: undefined, tokens: 0 };
      started = true;
      finished = finish !== null;
      const choice = { ...extra, index, text, logprobs, finish_reason: finish };
      // Engines send one token per piece unless they report otherwise.
      return { choice, tokens: sampled > 0 ? sampled : Number(text !== "") };
    },
    isFinished: () => finished,
  };
}

/**
 * The whole answer of `stream`, which must include usage. Throws what reading the stream throws, and the fault
 * `corrupt` if an engine never stops.
 */
export async function completeText(
  stream: AsyncIterable<readonly TextCompletion[]>,
): Promise<TextCompletion> {
  const drafts = new Map<number, TextDraft>();
  const { envelope, usage } = await eachChoice(stream, (choice: TextChoice) => grow(drafts, choice));
  const choices = [...drafts].sort(([a], [b]) => a - b).map(([index, draft]) => finished(index, draft));
  // The envelope comes from validated chunks, so its named fields exist.
  return { ...envelope, choices, usage } as unknown as TextCompletion;
}

interface TextDraft {
  readonly texts: string[];
  readonly logprobs: MergedDeltas;
  readonly others: MergedDeltas;
}

function grow(drafts: Map<number, TextDraft>, { index, text, logprobs, ...others }: TextChoice): void {
  const draft: TextDraft = drafts.get(index) ?? { texts: [], logprobs: new Map(), others: new Map() };
  drafts.set(index, draft);
  draft.texts.push(text);
  mergeDelta(draft.logprobs, logprobs ?? {});
  mergeDelta(draft.others, others);
}

function finished(index: number, { texts, logprobs, others }: TextDraft): TextChoice {
  const { finish_reason, ...more } = joined(others, false);
  return {
    ...more,
    index,
    text: texts.join(""),
    finish_reason: finish_reason as FinishReason,
    logprobs: logprobs.size === 0 ? null : joined(logprobs, false),
  };
}
