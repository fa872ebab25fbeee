// Reads log-probabilities in a form that the strictest client accepts. Training depends on them: invalid ones are a
// fault.

import { type Fields, isJsonObject } from "@assay/base/internal";
import type { ChoiceLogprobs, SampledLogprob, TokenLogprob } from "../chat/chat-chunk.ts";
import { malformedStream } from "../chat/stream-faults.ts";

/** The log-probabilities of a piece; null if there are none. Throws a `Fault`. */
export function readLogprobs(raw: unknown): ChoiceLogprobs | null {
  if (raw === undefined || raw === null) return null;
  if (!isJsonObject(raw)) throw malformedStream("log-probabilities that are not an object");
  const content = raw["content"] ?? null;
  if (content !== null && !Array.isArray(content))
    throw malformedStream("log-probabilities that are not a list");
  // The fields of text completions, where the same name has another meaning.
  const { content: _content, tokens: _tokens, token_logprobs: _logprobs, ...extra } = raw;
  return { ...extra, content: content?.map(readSampled) ?? null };
}

function readSampled(raw: unknown): SampledLogprob {
  const token = readToken(raw);
  const top = token["top_logprobs"] ?? [];
  if (!Array.isArray(top)) throw malformedStream("likeliest tokens that are not a list");
  return { ...token, top_logprobs: top.map(readToken) };
}

function readToken(raw: unknown): TokenLogprob {
  if (!isJsonObject(raw) || typeof raw["token"] !== "string")
    throw malformedStream("a log-probability without its token");
  const { token, logprob, ...extra } = raw;
  if (!Number.isFinite(logprob)) throw malformedStream("a log-probability that is not a number");
  return { ...extra, token: token as string, logprob: logprob as number, bytes: bytesOf(raw) };
}

function bytesOf({ bytes }: Fields): readonly number[] | null {
  return Array.isArray(bytes) && bytes.every((byte) => Number.isInteger(byte)) ? bytes : null;
}
