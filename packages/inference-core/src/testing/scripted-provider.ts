// A provider that follows a script. For tests, examples and trials without an engine.

import { Fault } from "@assay/base";
import type { ChatCall, ChatProvider, EngineChunk, EngineEvent } from "../ports/chat-provider.ts";

/** The script's result: the events of an answer, or a `Fault` to throw. */
export type ScriptStep = EngineEvent | Fault;

/** Answers each call with the result of `script`. */
export function scriptedProvider(
  script: (call: ChatCall, signal: AbortSignal) => Iterable<ScriptStep> | AsyncIterable<ScriptStep>,
): ChatProvider {
  return {
    async *chat(call, signal) {
      throwIfAborted(signal);
      for await (const step of script(call, signal)) {
        throwIfAborted(signal);
        if (step instanceof Fault) throw step;
        yield step;
        throwIfAborted(signal);
      }
    },
  };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Fault("cancelled", "the request was cancelled");
}

/** An event with one chunk of an engine. */
export function engineChunk(chunk: EngineChunk): EngineEvent {
  return { type: "chunks", chunks: [chunk] };
}

/**
 * The events of a well-behaved engine that answers with `tokens`, one chunk each, in every requested choice, with
 * log-probabilities if requested, followed by its usage. The prompt counts one token per word.
 */
export function sayTokens({ request }: ChatCall, tokens: readonly string[]): readonly EngineEvent[] {
  const choices = Array.from({ length: request.n ?? 1 }, (_, index) => index);
  const piece = (index: number, delta: object, finish_reason: string | null, token?: string) => {
    const logprobs = token !== undefined && request.logprobs === true ? { content: [certain(token)] } : null;
    return engineChunk({ choices: [{ index, delta, finish_reason, logprobs }] });
  };
  const prompt = request.messages.map(({ content }) => (typeof content === "string" ? words(content) : 0));
  const prompt_tokens = prompt.reduce((sum, count) => sum + count, 0);
  const completion_tokens = tokens.length * choices.length;
  return [
    ...choices.map((index) => piece(index, { role: "assistant", content: "" }, null)),
    ...tokens.flatMap((token) => choices.map((index) => piece(index, { content: token }, null, token))),
    ...choices.map((index) => piece(index, {}, "stop")),
    engineChunk({ choices: [], usage: { prompt_tokens, completion_tokens } }),
  ];
}

function certain(token: string) {
  return { token, logprob: 0, bytes: [...new TextEncoder().encode(token)], top_logprobs: [] };
}

function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}
