// Converts an engine's embeddings to the format of clients: a vector for each text, in their order, and the usage.

import { isJsonObject } from "@assay/base/internal";
import { interruptedStream, malformedStream } from "../chat/stream-faults.ts";
import { isTokenCount, type TokenCount } from "../usage/token-counter.ts";
import type { Normaliser } from "./normalise-chunks.ts";

/** The vectors of some texts. */
export interface EmbeddingList {
  /** Always `list`. */
  readonly object: "list";
  /** One for each text, in their order. */
  readonly data: readonly Embedding[];
  /** The model as requested. */
  readonly model: string;
  /** The token counts. */
  readonly usage: {
    readonly prompt_tokens: number;
    readonly total_tokens: number;
    /** Present if the engine did not count them. */
    readonly estimated?: true;
  };
  /** Further fields of the engine. */
  readonly [field: string]: unknown;
}

/** The vector of one text. */
interface Embedding {
  /** Always `embedding`. */
  readonly object: "embedding";
  /** The index of the text, from 0. */
  readonly index: number;
  /** Numbers, or their 32-bit floats, little-endian, in Base64, as requested. */
  readonly embedding: readonly number[] | string;
}

/** Requirements for a list of embeddings. */
export interface EmbeddingOptions {
  /** The model as requested. */
  readonly model: string;
  /** The number of texts. */
  readonly texts: number;
  /** The approximate number of their tokens. Called if the engine does not report it. */
  readonly estimatePrompt: () => number;
}

/** Reads the answer of an engine, which arrives as a whole. */
export function embeddingNormaliser({
  model,
  texts,
  estimatePrompt,
}: EmbeddingOptions): Normaliser<EmbeddingList> {
  let list: EmbeddingList | undefined;
  let byEngine = false;
  const count = (): TokenCount => ({
    prompt: list?.usage.prompt_tokens ?? estimatePrompt(),
    completion: 0,
    cached: 0,
    byEngine,
  });
  return {
    push({ data, usage, error, ...extra }) {
      if (error !== undefined && error !== null) throw interruptedStream();
      if (list !== undefined) throw malformedStream("embeddings twice");
      const counted = isJsonObject(usage) ? usage["prompt_tokens"] : undefined;
      byEngine = isTokenCount(counted);
      const prompt_tokens = isTokenCount(counted) ? counted : estimatePrompt();
      list = {
        ...extra,
        object: "list",
        data: vectorsOf(data, texts),
        model,
        usage: {
          ...(isJsonObject(usage) && usage),
          prompt_tokens,
          total_tokens: prompt_tokens,
          ...(!byEngine && { estimated: true as const }),
        },
      };
      return [list];
    },
    isWhole: () => list !== undefined,
    end() {
      if (list === undefined) throw interruptedStream();
      return [];
    },
    completion: () => 0,
    count,
  };
}

function vectorsOf(data: unknown, texts: number): readonly Embedding[] {
  if (!Array.isArray(data) || data.length !== texts) throw malformedStream("not one embedding for each text");
  const vectors = new Map<number, Embedding>();
  for (const [position, raw] of data.entries()) {
    const { index = position, embedding } = isJsonObject(raw) ? raw : {};
    const fine = typeof embedding === "string" || (Array.isArray(embedding) && embedding.every(isNumber));
    if (!fine) throw malformedStream("an embedding that is not a vector");
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= texts)
      throw malformedStream("an embedding with a wrong index");
    vectors.set(index as number, { object: "embedding", index: index as number, embedding });
  }
  if (vectors.size !== texts) throw malformedStream("two embeddings of one text");
  return [...vectors.values()].sort((a, b) => a.index - b.index);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}
