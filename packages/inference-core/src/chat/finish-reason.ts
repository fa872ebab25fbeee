// Converts the finish reasons of engines to those of clients.

import type { FinishReason } from "./chat-chunk.ts";
import { interruptedStream } from "./stream-faults.ts";

/** Engines' names for the reasons. Any other (`abort`, `error`, …) means that the answer is incomplete. */
const FINISH: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ["stop", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["content_filter", "content_filter"],
  ["function_call", "function_call"],
]);

/** The reason from an engine; null if it sends none. Throws a `Fault` for one that means a broken answer. */
export function finishReasonOf(raw: unknown): FinishReason | null {
  if (raw === undefined || raw === null || raw === "") return null;
  const reason = FINISH.get(raw);
  if (reason === undefined) throw interruptedStream();
  return reason;
}
