// Reads a stream of chunks to its end: each choice in the chunks, and the fields that all chunks share.

import { Fault } from "@assay/base";
import type { Fields } from "@assay/base/internal";
import type { TokenUsage } from "./chat-chunk.ts";

/** A chunk of any kind. */
interface AnyChunk<Choice> {
  readonly choices: readonly Choice[];
  readonly usage?: TokenUsage | null;
  readonly [field: string]: unknown;
}

/** The most pieces of one answer: more than any model generates, but few enough for memory. */
const MAX_PIECES = 4_000_000;

/**
 * Passes each choice of `stream` to `see`, and resolves to the other fields and the usage, which must exist. Throws
 * what reading throws, and the fault `corrupt` if an engine never stops.
 */
export async function eachChoice<Choice>(
  stream: AsyncIterable<readonly AnyChunk<Choice>[]>,
  see: (choice: Choice) => void,
): Promise<{ readonly envelope: Fields; readonly usage: TokenUsage }> {
  const envelope: Fields = {};
  let usage: TokenUsage | undefined;
  let pieces = 0;
  for await (const chunks of stream) {
    pieces += chunks.length;
    if (pieces > MAX_PIECES) throw new Fault("corrupt", "the engine sent an endless answer");
    for (const { choices, usage: counted, ...rest } of chunks) {
      Object.assign(envelope, rest);
      usage = counted ?? usage;
      for (const choice of choices) see(choice);
    }
  }
  if (usage === undefined) throw new Error("a whole answer must include its usage");
  return { envelope, usage };
}
