// The chunk of a streamed continuation, as strict as the strictest client reads it; and the whole made of its chunks.

import { type Fields, isJsonObject } from "@assay/base/internal";
import type { FinishReason, TokenUsage } from "../chat-chunk.ts";
import { eachChoice } from "../each-choice.ts";
import { finishReasonOf } from "../finish-reason.ts";
import { type Gathered, gather, joined } from "../gathered.ts";
import { nonsense } from "../nonsense.ts";
import {
  type ChoiceReader,
  chunkNormaliser,
  type Normaliser,
  type NormaliserOptions,
} from "../normalise-chunks.ts";

/** A continuation, one piece further; of a whole answer, all of it. */
interface TextChoice {
  /** Counts the continuations of an answer from 0: those of the first text, then those of the next. */
  readonly index: number;
  /** What it gained. */
  readonly text: string;
  /** Set once per choice, on its last piece. */
  readonly finish_reason: FinishReason | null;
  /** Lists with an item for each token; null when none were asked for. */
  readonly logprobs: Fields | null;
  /** What the engine adds. */
  readonly [field: string]: unknown;
}

/** One chunk of a continuation, or all of it. All chunks of an answer have the same id, time and model. */
export interface TextCompletion {
  /** `cmpl-` and what makes it unique. */
  readonly id: string;
  /** Always `text_completion`. */
  readonly object: "text_completion";
  /** Seconds since 1970. */
  readonly created: number;
  /** As it was asked for. */
  readonly model: string;
  /** One choice in a chunk, none in that which carries the usage; all of them in a whole answer. */
  readonly choices: readonly TextChoice[];
  /** In a chunk absent unless the client asked for it. */
  readonly usage?: TokenUsage | null;
  /** What the engine adds. */
  readonly [field: string]: unknown;
}

/** Begins an answer to a request to continue texts. */
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
      if (typeof text !== "string") throw nonsense("a text that is not text");
      const logprobs = isJsonObject(rawLogprobs) ? rawLogprobs : null;
      const finish = finishReasonOf(finish_reason);
      const sampled = Array.isArray(logprobs?.["tokens"]) ? logprobs["tokens"].length : 0;
      if (finished) {
        // Some engines repeat the reason beside their usage.
        if (text !== "") throw nonsense("more of a choice that had ended");
        return { choice: undefined, tokens: 0 };
      }
      if (started && text === "" && finish === null && sampled === 0) return { choice: undefined, tokens: 0 };
      started = true;
      finished = finish !== null;
      const choice = { ...extra, index, text, logprobs, finish_reason: finish };
      // Engines send one token in a piece unless they say otherwise.
      return { choice, tokens: sampled > 0 ? sampled : Number(text !== "") };
    },
    isFinished: () => finished,
  };
}

/**
 * The answer that `stream` makes, once it has ended; it must bring usage. Throws what reading them throws, and the
 * fault `corrupt` when an engine never stops talking.
 */
export async function completeText(
  stream: AsyncIterable<readonly TextCompletion[]>,
): Promise<TextCompletion> {
  const drafts = new Map<number, TextDraft>();
  const { envelope, usage } = await eachChoice(stream, (choice: TextChoice) => grow(drafts, choice));
  const choices = [...drafts].sort(([a], [b]) => a - b).map(([index, draft]) => finished(index, draft));
  // The envelope is that of strict chunks, so that its named fields are there.
  return { ...envelope, choices, usage } as unknown as TextCompletion;
}

interface TextDraft {
  readonly texts: string[];
  readonly logprobs: Gathered;
  readonly others: Gathered;
}

function grow(drafts: Map<number, TextDraft>, { index, text, logprobs, ...others }: TextChoice): void {
  const draft: TextDraft = drafts.get(index) ?? { texts: [], logprobs: new Map(), others: new Map() };
  drafts.set(index, draft);
  draft.texts.push(text);
  gather(draft.logprobs, logprobs ?? {});
  gather(draft.others, others);
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
