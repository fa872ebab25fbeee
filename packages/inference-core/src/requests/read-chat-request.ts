// Reads a chat completion request. Checks known fields, and passes all others on.

import type { Issue, Result } from "@assay/base";
import { type Fields, isJsonObject } from "@assay/base/internal";
import type { ChatRequest } from "./chat-request.ts";
import {
  type Check,
  type FieldChecks,
  fieldValue,
  isBoolean,
  isInteger,
  isList,
  type Note,
  readRequest,
  SAMPLING_FIELDS,
} from "./request-fields.ts";

const isTyped: Check = (value) =>
  isJsonObject(value) && typeof value["type"] === "string" ? undefined : "must be an object with a type";

const isToolChoice: Check = (value) =>
  value === "none" || value === "auto" || value === "required" || isTyped(value) === undefined
    ? undefined
    : 'must be "none", "auto", "required" or a tool to call';

/** The fields that are checked if present. All others are left to the engine. */
const FIELDS: FieldChecks = [
  ...SAMPLING_FIELDS,
  ["max_tokens", isInteger(1)],
  ["max_completion_tokens", isInteger(1)],
  ["logprobs", isBoolean],
  ["top_logprobs", isInteger(0, 20)],
  ["tools", isList],
  ["tool_choice", isToolChoice],
  ["parallel_tool_calls", isBoolean],
  ["response_format", isTyped],
];

/**
 * The request in `raw`, or all of its issues. Issue codes: `missing` and `invalid`; at most a hundred issues. Unknown
 * fields are always valid.
 */
export function readChatRequest(raw: unknown): Result<ChatRequest> {
  return readRequest(raw, FIELDS, (fields, note) => {
    if (fields["logprobs"] === false && ((fieldValue(fields, "top_logprobs") ?? 0) as number) > 0)
      note(["top_logprobs"], "needs logprobs to be true");
    const [most, before] = [fieldValue(fields, "max_completion_tokens"), fieldValue(fields, "max_tokens")];
    if (most !== undefined && before !== undefined && most !== before)
      note(["max_tokens"], "differs from max_completion_tokens: give one of them");
    noteTools(fieldValue(fields, "tools"), note);
    noteMessages(fieldValue(fields, "messages"), note);
  });
}

function noteMessages(messages: unknown, note: Note): void {
  if (messages === undefined) {
    note(["messages"], "messages are required", "missing");
    return;
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    note(["messages"], "must be a list of at least one message");
    return;
  }
  for (const [at, message] of messages.entries()) {
    const path = ["messages", at];
    if (!isJsonObject(message)) {
      if (note(path, "must be an object with a role and a content")) continue;
      return;
    }
    const role = fieldValue(message, "role");
    if (typeof role !== "string" || role === "") {
      note([...path, "role"], "must be a role", role === undefined ? "missing" : "invalid");
    }
    noteContent(message, [...path, "content"], note);
    const calls = fieldValue(message, "tool_calls");
    if (calls !== undefined) note([...path, "tool_calls"], isList(calls));
    if (role === "tool" && typeof message["tool_call_id"] !== "string") {
      note([...path, "tool_call_id"], "must name the call that this message answers", "missing");
    }
    if (!note(path, undefined)) return;
  }
}

function noteContent(message: Fields, path: Issue["path"], note: Note): void {
  const content = fieldValue(message, "content");
  if (typeof content === "string") return;
  if (content === undefined) {
    // An assistant's message may consist of only tool calls, a refusal or reasoning.
    if (message["role"] !== "assistant") note(path, "content is required", "missing");
    return;
  }
  if (!Array.isArray(content)) {
    note(path, "must be a text or a list of parts");
    return;
  }
  for (const [at, part] of content.entries()) if (!note([...path, at], isTyped(part))) return;
}

function noteTools(tools: unknown, note: Note): void {
  if (!Array.isArray(tools)) return;
  for (const [at, tool] of tools.entries()) {
    if (!note(["tools", at], isTyped(tool))) return;
    if (!isJsonObject(tool) || tool["type"] !== "function") continue;
    const named = isJsonObject(tool["function"]) && typeof tool["function"]["name"] === "string";
    if (!named) note(["tools", at, "function"], "must be an object with a name");
  }
}
