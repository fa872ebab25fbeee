// Reads a stream of chunks to its end: each choice in them, and what all of them share.

import { Fault } from "@assay/base";
import type { Fields } from "@assay/base/internal";
import type { TokenUsage } from "./chat-chunk.ts";

/** A chunk of any kind. */
interface AnyChunk<Choice> {
  readonly choices: readonly Choice[];
  readonly usage?: TokenUsage | null;
  readonly [field: string]: unknown;
}

/** Pieces in one answer: more than any model makes, less than what memory cannot hold. */
const MAX_PIECES = 4_000_000;

/**
 * Shows each choice of `stream` to `see`, and resolves to the other fields and the usage, which must come. Throws what
 * reading throws, and the fault `corrupt` when an engine never stops talking.
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
    if (pieces > MAX_PIECES) throw new Fault("corrupt", "the engine sent an answer without end");
    for (const { choices, usage: counted, ...rest } of chunks) {
      Object.assign(envelope, rest);
      usage = counted ?? usage;
      for (const choice of choices) see(choice);
    }
  }
  if (usage === undefined) throw new Error("a whole answer needs its usage");
  return { envelope, usage };
}
