// Serves the tiny model and its checkpoints as a provider of chat completions. Does not train.

import { Fault } from "@assay/base";
import type { ChatProvider, EngineEvent, Refusal } from "@assay/inference-core";
import { promptOf, sampleTokens } from "@assay/model-tiny";
import { choiceSeed, contextOf, END, type SampledToken, type TokenLogprob } from "@assay/model-tiny/internal";
import type { ArtifactStore } from "@assay/training-core";
import { functionCallReader } from "./call-reader.ts";
import { loadedModels } from "./models.ts";
import { readSampling } from "./sampling.ts";

/** Options of the provider. */
export interface TinyProviderOptions {
  /** The store of checkpoints. */
  readonly artifacts: Pick<ArtifactStore, "read">;
  /** Resolves after other work has run: in Node, `setImmediate` of `node:timers/promises`. */
  readonly pause: () => Promise<unknown>;
  /** A random whole number, for requests without a seed: equal seeds sample equal tokens. */
  readonly newSeed: () => number;
  /** How many recently used models stay loaded. Default 32. */
  readonly keep?: number;
}

/** The number of tokens sampled without a pause: about a millisecond. */
const STRETCH = 16;

/**
 * Answers as the base models of `@assay/model-tiny`, and as the models trained from them. Its pieces always have the
 * log-probability of each token. Tokens are bytes with the name `token_id:<n>`, which training reads, unless a request
 * sets `return_tokens_as_token_ids: false`.
 */
export function tinyProvider({ artifacts, pause, newSeed, keep = 32 }: TinyProviderOptions): ChatProvider {
  const models = loadedModels(artifacts, keep);

  return {
    async *chat({ model: base, trained, request }, signal): AsyncGenerator<EngineEvent, void> {
      goOn(signal);
      const sampling = readSampling(request, newSeed());
      if ("code" in sampling) return yield { type: "refused", refusal: sampling };
      const { options, choices, functions, tokenIds } = sampling;
      const model = await models.load(base, trained);
      const prompt = promptOf(request.messages);
      const tooLong = refusalOf(prompt.length, contextOf(model));
      if (tooLong !== undefined) return yield { type: "refused", refusal: tooLong };
      let tokens = 0;
      for (let index = 0; index < choices; index++) {
        const seed = choiceSeed(options.seed, index);
        const reader = functionCallReader(functions);
        for (const token of sampleTokens(model, prompt, { ...options, seed })) {
          goOn(signal);
          const usage = { prompt_tokens: prompt.length, completion_tokens: ++tokens };
          const delta = reader.read(token.text, token.finish);
          const finish = token.finish === "stop" && reader.isCall() ? "tool_calls" : (token.finish ?? null);
          const choice = { index, delta, finish_reason: finish, ...logprobsOf(token, tokenIds) };
          yield { type: "chunks", chunks: [{ choices: [choice], usage }] };
          if (tokens % STRETCH === 0) await pause();
        }
      }
    },
  };
}

/** The refusal of a prompt that leaves no room for an answer: the model would otherwise ignore part of it. */
function refusalOf(length: number, context: number): Refusal | undefined {
  if (length < context) return undefined;
  const message = `the messages have ${length} tokens (bytes of text, and marks of turns), and the context of the tiny model is ${context}, including its answer: at most ${context - 1} are allowed`;
  return { code: "rejected", message, param: "messages" };
}

function goOn(signal: AbortSignal): void {
  if (signal.aborted) throw new Fault("cancelled", "the request was cancelled");
}

function logprobsOf(token: SampledToken, tokenIds: boolean) {
  const content = [{ ...named(token, tokenIds), top_logprobs: token.top.map((top) => named(top, tokenIds)) }];
  return { logprobs: { content } };
}

/** A token in wire format. A byte that is only part of a character has no text: see `bytes`. */
function named({ token, logprob }: TokenLogprob, tokenIds: boolean) {
  const bytes = token === END ? [] : [token];
  const text = new TextDecoder().decode(Uint8Array.from(bytes));
  return { token: tokenIds ? `token_id:${token}` : text, logprob, bytes };
}
