// Reads a chat completion request. Checks the fields it knows, and lets every other field through.

import { bad, type Fields, type Issue, isJsonObject, ok, type Result } from "@assay/base";
import type { ChatRequest } from "./chat-request.ts";

/** What is wrong with a value, or undefined. */
type Check = (value: unknown) => string | undefined;

const MAX_CHOICES = 128;
const MAX_STOPS = 64;
/** Longer than any name of a model with its entity, project and version. */
const LONGEST_MODEL = 1024;
/** Beyond these nobody reads on. */
const MOST_ISSUES = 100;

const isBoolean: Check = (value) => (typeof value === "boolean" ? undefined : "must be true or false");
const isText: Check = (value) => (typeof value === "string" ? undefined : "must be text");
const isObject: Check = (value) => (isJsonObject(value) ? undefined : "must be an object");
const isList: Check = (value) => (Array.isArray(value) ? undefined : "must be a list");

function isNumber(least: number, most: number): Check {
  return (value) =>
    typeof value === "number" && value >= least && value <= most
      ? undefined
      : `must be a number from ${least} to ${most}`;
}

function isInteger(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `must be a whole number ${range}`;
}

// Clients draw seeds from 64 bits. Rounded to a double, the same seed is still the same.
const isSeed: Check = (value) => (Number.isInteger(value) ? undefined : "must be a whole number");

const isStop: Check = (value) => {
  const stops = typeof value === "string" ? [value] : value;
  const fine =
    Array.isArray(stops) && stops.length <= MAX_STOPS && stops.every((stop) => typeof stop === "string");
  return fine ? undefined : `must be a text, or a list of at most ${MAX_STOPS} texts`;
};

const isTyped: Check = (value) =>
  isJsonObject(value) && typeof value["type"] === "string" ? undefined : "must be an object with a type";

const isToolChoice: Check = (value) =>
  value === "none" || value === "auto" || value === "required" || isTyped(value) === undefined
    ? undefined
    : 'must be "none", "auto", "required" or a tool to call';

/** The fields that are checked when they are there. Any other field is the engine's business. */
const FIELDS: readonly (readonly [name: string, check: Check])[] = [
  ["n", isInteger(1, MAX_CHOICES)],
  ["stream", isBoolean],
  ["stream_options", isObject],
  ["temperature", isNumber(0, 2)],
  ["top_p", isNumber(0, 1)],
  ["presence_penalty", isNumber(-2, 2)],
  ["frequency_penalty", isNumber(-2, 2)],
  ["max_tokens", isInteger(1)],
  ["max_completion_tokens", isInteger(1)],
  ["seed", isSeed],
  ["stop", isStop],
  ["logprobs", isBoolean],
  ["top_logprobs", isInteger(0, 20)],
  ["logit_bias", isObject],
  ["tools", isList],
  ["tool_choice", isToolChoice],
  ["parallel_tool_calls", isBoolean],
  ["response_format", isTyped],
  ["user", isText],
];

/**
 * The request in `raw`, or everything that is wrong with it. Issue codes: `missing` and `invalid`; at most a
 * hundred issues. Unknown fields are never wrong.
 */
export function readChatRequest(raw: unknown): Result<ChatRequest> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "a request is an object" }]);
  const issues: Issue[] = [];
  const note: Note = (path, message, code = "invalid") => {
    if (message !== undefined && issues.length < MOST_ISSUES) issues.push({ code, path, message });
    return issues.length < MOST_ISSUES;
  };
  if (given(raw, "model") === undefined) note(["model"], "a model is needed", "missing");
  else if (typeof raw["model"] !== "string" || raw["model"] === "") note(["model"], "must be a model's name");
  else if (raw["model"].length > LONGEST_MODEL)
    note(["model"], `must be a model's name, of at most ${LONGEST_MODEL} characters`);
  for (const [name, check] of FIELDS) {
    const value = given(raw, name);
    if (value !== undefined) note([name], check(value));
  }
  const options = given(raw, "stream_options");
  if (isJsonObject(options)) {
    for (const name of ["include_usage", "continuous_usage_stats"]) {
      const value = given(options, name);
      if (value !== undefined) note(["stream_options", name], isBoolean(value));
    }
  }
  noteTools(given(raw, "tools"), note);
  noteMessages(given(raw, "messages"), note);
  // Each field that is acted on was checked just now.
  return issues.length === 0 ? ok(raw as unknown as ChatRequest) : bad(issues);
}

/** Notes what is wrong, if anything; false when nothing more is to be said. */
type Note = (path: Issue["path"], message: string | undefined, code?: string) => boolean;

function noteMessages(messages: unknown, note: Note): void {
  if (messages === undefined) {
    note(["messages"], "messages are needed", "missing");
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
    const role = given(message, "role");
    if (typeof role !== "string" || role === "") {
      note([...path, "role"], "must be the role of a speaker", role === undefined ? "missing" : "invalid");
    }
    noteContent(message, [...path, "content"], note);
    const calls = given(message, "tool_calls");
    if (calls !== undefined) note([...path, "tool_calls"], isList(calls));
    if (role === "tool" && typeof message["tool_call_id"] !== "string") {
      note([...path, "tool_call_id"], "must name the call that this message answers", "missing");
    }
    if (!note(path, undefined)) return;
  }
}

function noteContent(message: Fields, path: Issue["path"], note: Note): void {
  const content = given(message, "content");
  if (typeof content === "string") return;
  if (content === undefined) {
    // An assistant may have called tools, refused or reasoned without a word.
    if (message["role"] !== "assistant") note(path, "a content is needed", "missing");
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

/** A field's value; undefined when it is absent or null. */
function given(record: Fields, name: string): unknown {
  return Object.hasOwn(record, name) ? (record[name] ?? undefined) : undefined;
}
