// Normalises one choice of an answer: its role, text, finish reason and log-probabilities.

import { type Fields, isJsonObject } from "@assay/base/internal";
import type { ChatDelta, ChunkChoice, FinishReason } from "../chat/chat-chunk.ts";
import { finishReasonOf } from "../chat/finish-reason.ts";
import { malformedStream } from "../chat/stream-faults.ts";
import type { ChoiceReader } from "./normalise-chunks.ts";
import { readLogprobs } from "./normalise-logprobs.ts";
import { toolCallReader } from "./normalise-tool-calls.ts";

/** Fields of a delta that clients append to text. */
const TEXTS = ["reasoning", "reasoning_content", "refusal"] as const;

/**
 * Starts a choice. `newId` creates an ID for a tool call that has none; `logprobs` tells whether to pass
 * log-probabilities on.
 */
export function choiceReader({
  newId,
  logprobs: keepsLogprobs,
}: {
  readonly newId: () => string;
  readonly logprobs: boolean;
}): ChoiceReader<ChunkChoice> {
  const toolCalls = toolCallReader(newId);
  let started = false;
  let finished = false;
  /** A reason that came with a call. Some engines repeat it with each call, so it is sent when there are no more. */
  let held: FinishReason | null = null;

  return {
    read(raw, index) {
      const {
        delta,
        message,
        finish_reason,
        logprobs: rawLogprobs,
        text: _text,
        index: _index,
        ...extra
      } = raw;
      // An engine that does not stream sends a message instead of deltas.
      const given = delta ?? message ?? {};
      if (!isJsonObject(given)) throw malformedStream("a delta that is not an object");
      const { role: _role, content: rawContent, tool_calls: rawCalls, ...more } = given;
      const content = contentOf(rawContent);
      const calls = toolCalls.read(rawCalls);
      const others = withoutNulls(more);
      for (const name of TEXTS) {
        if (others[name] !== undefined && typeof others[name] !== "string")
          throw malformedStream(`${name} that is not text`);
      }
      const logprobs = readLogprobs(rawLogprobs);
      const finish = finishReasonOf(finish_reason);
      const sampled = Math.max(logprobs?.content?.length ?? 0, lengthOf(extra["token_ids"]));
      const speaks = (content ?? "") !== "" || calls.length > 0 || Object.keys(others).length > 0;

      if (finished || (held !== null && calls.length === 0)) {
        // Some engines repeat the reason, or send an empty delta with their usage.
        if (speaks) throw malformedStream("more of a choice that had ended");
        return { choice: undefined, tokens: 0 };
      }
      const first = !started;
      if (!first && !speaks && finish === null && sampled === 0) return { choice: undefined, tokens: 0 };
      started = true;
      if (calls.length > 0) held = finish ?? held;
      else finished = finish !== null;
      const strict: ChatDelta = {
        ...others,
        ...(first && { role: "assistant" as const }),
        ...(content !== undefined ? { content } : first && calls.length === 0 && { content: "" }),
        ...(calls.length > 0 && { tool_calls: calls }),
      };
      const choice: ChunkChoice = {
        ...extra,
        index,
        delta: strict,
        logprobs: keepsLogprobs ? logprobs : null,
        finish_reason: finished ? finish : null,
      };
      // Engines send one token per piece unless they report otherwise.
      return { choice, tokens: sampled > 0 ? sampled : Number(speaks) };
    },
    isFinished: () => finished || held !== null,
    rest: (index) => (held === null ? undefined : { index, delta: {}, logprobs: null, finish_reason: held }),
  };
}

function contentOf(raw: unknown): string | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === "string") return raw;
  if (!Array.isArray(raw)) throw malformedStream("content that is not text");
  return raw.map((part) => partText(part)).join("");
}

function partText(part: unknown): string {
  if (!isJsonObject(part) || typeof part["text"] !== "string")
    throw malformedStream("a part of content that is not text");
  return part["text"];
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
