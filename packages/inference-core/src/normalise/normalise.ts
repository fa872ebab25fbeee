// The normaliser: converts the stream of any engine to a form that the strictest client accepts, or throws a fault. It
// never guesses if the meaning could change: late text, a call without a name, an unknown reason.

import type { ChunkChoice } from "../chat/chat-chunk.ts";
import { choiceReader } from "./normalise-choice.ts";
import { chunkNormaliser, type Normaliser, type NormaliserOptions } from "./normalise-chunks.ts";

/** Starts an answer of a chat. */
export function normaliser(options: NormaliserOptions): Normaliser {
  const choices = Array.from({ length: options.choices }, () => choiceReader(options));
  return chunkNormaliser<ChunkChoice>("chat.completion.chunk", options, choices) as Normaliser;
}
