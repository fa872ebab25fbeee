// The normaliser: whatever an engine streams becomes what the strictest client reads, or a fault. It never guesses
// what would change the meaning: late text, a call without a name, an unknown reason.

import type { ChunkChoice } from "../chat/chat-chunk.ts";
import { choiceReader } from "./normalise-choice.ts";
import { chunkNormaliser, type Normaliser, type NormaliserOptions } from "./normalise-chunks.ts";

/** Starts an answer of a chat. */
export function normaliser(options: NormaliserOptions): Normaliser {
  const choices = Array.from({ length: options.choices }, () => choiceReader(options));
  return chunkNormaliser<ChunkChoice>("chat.completion.chunk", options, choices) as Normaliser;
}
