// Converts a request of the Responses interface to one for a chat completion. References to earlier responses that are
// not kept are refused by name.

import { bad, type Issue, type Result } from "@assay/base";
import { type Fields, isJsonObject } from "@assay/base/internal";
import type { ChatRequest } from "../requests/chat-request.ts";
import { readChatRequest } from "../requests/read-chat-request.ts";
import type { ResolvedRequest } from "./latest-responses.ts";
import { ITEM_PREFIX } from "./response-events.ts";

const NOT_KEPT =
  "refers to a response that is not kept: only the latest are, in memory, for the API key that requested them, and unless store is false";

/** Fields for unsupported features, with the values that do not request them, and the alternative. */
const ABSENT: readonly (readonly [name: string, nothing: readonly unknown[], instead: string])[] = [
  ["conversation", [], "no conversations are stored, so continue a response, with previous_response_id"],
  ["prompt", [], "no prompts are stored, so send the text as instructions and input"],
  ["background", [false], "responses are kept when they have ended, so wait for the response or stream it"],
  ["truncation", ["disabled"], "nothing is left out, so send an input that fits the model"],
  ["context_management", [], "nothing is left out, so send an input that fits the model"],
  ["moderation", [], "answers are not moderated"],
  ["n", [1], "a response has one answer, so send several requests"],
  ["messages", [], "send the conversation as input"],
];

/**
 * Fields that only this interface has. All others are passed to the engine unchanged, like those of a chat completion
 * request.
 */
const OWN: ReadonlySet<string> = new Set([
  ...ABSENT.map(([name]) => name),
  ...["input", "instructions", "max_output_tokens", "tools", "tool_choice", "text", "reasoning"],
  ...["include", "top_logprobs", "stream_options"],
  // Repeated in the response. Only calls of built-in tools count for the limit of calls, and there are none.
  ...["metadata", "store", "max_tool_calls", "previous_response_id"],
]);

/** The names of this interface for fields of a chat completion request. */
const OWN_NAMES: { readonly [field: string]: readonly string[] } = {
  messages: ["input"],
  max_completion_tokens: ["max_output_tokens"],
  reasoning_effort: ["reasoning", "effort"],
  verbosity: ["text", "verbosity"],
  response_format: ["text", "format"],
};

const LOGPROBS = "message.output_text.logprobs";

/** Values of `include`. All but the first concern built-in tools, or what a client can read from its request. */
const INCLUDED: readonly unknown[] = [
  LOGPROBS,
  ...["message.input_image.image_url", "reasoning.encrypted_content", "file_search_call.results"],
  ...["web_search_call.results", "web_search_call.action.sources", "code_interpreter_call.outputs"],
  "computer_call_output.output.image_url",
];

/** The most issues to report. */
const MOST_ISSUES = 100;

/** Whether the response to `raw` has the log-probabilities of its tokens. */
export function includesLogprobs(raw: Fields): boolean {
  const { include, top_logprobs: top } = raw;
  return (Array.isArray(include) && include.includes(LOGPROBS)) || (typeof top === "number" && top > 0);
}

/**
 * The equivalent chat request of `raw`, after the items of the conversation that it continues. Issues: `missing` and
 * `invalid`, with the fields of the original request; `unsupported` for references to responses that are not kept, for
 * items other than messages and function calls, and for tools other than functions.
 */
export function readResponsesRequest({ request: raw, before }: ResolvedRequest): Result<ChatRequest> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "a request must be an object" }]);
  const issues: Issue[] = [];
  const refuse: Refuse = (path, message, code = "unsupported") => {
    if (issues.length < MOST_ISSUES) issues.push({ code, path, message });
  };
  for (const [name, nothing, instead] of ABSENT) {
    const value = raw[name] ?? undefined;
    if (value !== undefined && !nothing.includes(value)) refuse([name], `is not supported: ${instead}`);
  }
  if (raw["previous_response_id"] != null)
    refuse(["previous_response_id"], `${NOT_KEPT}; send the whole conversation as input`);
  const { include } = raw;
  if (include != null && !(Array.isArray(include) && include.every((one) => INCLUDED.includes(one))))
    refuse(["include"], `must be a list of ${INCLUDED.join(", ")}`);
  const others = Object.entries(raw).filter(([name, value]) => value !== null && !OWN.has(name));
  const chat = {
    ...Object.fromEntries(others),
    ...(raw["max_output_tokens"] != null && { max_completion_tokens: raw["max_output_tokens"] }),
    ...(includesLogprobs(raw) && { logprobs: true }),
    ...(raw["top_logprobs"] != null && { top_logprobs: raw["top_logprobs"] }),
    ...reasoningOf(raw, refuse),
    ...textOf(raw, refuse),
    ...toolsOf(raw, refuse),
    ...streamOf(raw, refuse),
    messages: messagesOf(raw, before, refuse),
  };
  if (issues.length > 0) return bad(issues);
  const read = readChatRequest(chat);
  return read.ok ? read : bad(read.issues.map((issue) => ({ ...issue, path: ownPath(issue.path) })));
}

type Refuse = (path: Issue["path"], message: string, code?: string) => void;

/** The path of an issue in this interface's terms. */
function ownPath([first = "input", ...rest]: Issue["path"]): Issue["path"] {
  if (first === "messages") return ["input"];
  return [...(OWN_NAMES[first] ?? [first]), ...rest];
}

/** The object in the field `name`, whose members must be among `known`; empty if the field is absent. */
function groupOf(raw: Fields, name: string, known: readonly string[], refuse: Refuse): Fields {
  const group = raw[name] ?? {};
  if (!isJsonObject(group)) {
    refuse([name], "must be an object", "invalid");
    return {};
  }
  for (const [member, value] of Object.entries(group))
    if (value !== null && !known.includes(member))
      refuse([name, member], `is not supported: ${name} may have ${known.join(", ")}`);
  return group;
}

/** The response states that there is no summary: it has the reasoning itself. */
function reasoningOf(raw: Fields, refuse: Refuse): Fields {
  const { effort } = groupOf(raw, "reasoning", ["effort", "summary", "generate_summary"], refuse);
  return effort == null ? {} : { reasoning_effort: effort };
}

function streamOf(raw: Fields, refuse: Refuse): Fields {
  const { include_obfuscation: obfuscation } = groupOf(
    raw,
    "stream_options",
    ["include_obfuscation"],
    refuse,
  );
  if (obfuscation != null && obfuscation !== false)
    refuse(["stream_options", "include_obfuscation"], "must be false: events are not padded");
  // Every response includes the usage.
  return raw["stream"] === true ? { stream_options: { include_usage: true } } : {};
}

function messagesOf(raw: Fields, before: readonly unknown[], refuse: Refuse): readonly Fields[] {
  const { input, instructions } = raw;
  if (instructions != null && typeof instructions !== "string")
    refuse(["instructions"], "must be a text", "invalid");
  const messages: Fields[] =
    typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  // They were read before.
  for (const item of before) add(messages, itemOf(item, ["previous_response_id"], refuse));
  if (typeof input === "string") return [...messages, { role: "user", content: input }];
  if (!Array.isArray(input) || input.length === 0) {
    refuse(["input"], "input is required: a text, or a list of items", input == null ? "missing" : "invalid");
    return [];
  }
  for (const [at, item] of input.entries()) add(messages, itemOf(item, ["input", at], refuse));
  return messages;
}

/** Appends a message. The calls of one turn belong to one message, as engines read them. */
function add(messages: Fields[], message: Fields | undefined): void {
  const last = messages.at(-1);
  const calls = message?.["tool_calls"];
  if (Array.isArray(calls) && last?.["role"] === "assistant") {
    const before = (last["tool_calls"] ?? []) as readonly unknown[];
    messages[messages.length - 1] = { ...last, tool_calls: [...before, ...calls] };
  } else if (message !== undefined) messages.push(message);
}

function itemOf(item: unknown, path: Issue["path"], refuse: Refuse): Fields | undefined {
  if (!isJsonObject(item)) {
    refuse(path, "must be an item of an input", "invalid");
    return undefined;
  }
  switch (item["type"] ?? "message") {
    case "message":
      return { role: item["role"], content: contentOf(item["content"], [...path, "content"], refuse) };
    case "function_call": {
      const made = { name: item["name"], arguments: item["arguments"] };
      const call = { id: item["call_id"], type: "function", function: made };
      return { role: "assistant", content: null, tool_calls: [call] };
    }
    case "function_call_output": {
      const { output } = item;
      const content = typeof output === "string" ? output : contentOf(output, [...path, "output"], refuse);
      return { role: "tool", tool_call_id: item["call_id"], content };
    }
    case "reasoning":
      // The model's reasoning is not sent back to it.
      return undefined;
    case "item_reference":
      if (typeof item["id"] !== "string" || !item["id"].startsWith(ITEM_PREFIX.reasoning))
        refuse(path, `${NOT_KEPT}; send the item itself`);
      return undefined;
    default:
      refuse([...path, "type"], "must be message, function_call or function_call_output");
      return undefined;
  }
}

/** The parts of a message, in the format of chat completions. */
function contentOf(content: unknown, path: Issue["path"], refuse: Refuse): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown, at) => partOf(isJsonObject(part) ? part : {}, [...path, at], refuse));
}

function partOf({ type, ...part }: Fields, path: Issue["path"], refuse: Refuse): Fields {
  switch (type) {
    case "input_text":
    case "output_text":
      return { type: "text", text: part["text"] };
    case "refusal":
      return { type, refusal: part["refusal"] };
    case "input_image": {
      const { image_url: url, detail } = part;
      if (typeof url !== "string") refuse([...path, "image_url"], "is required: files cannot be referred to");
      return { type: "image_url", image_url: { url, ...(detail != null && { detail }) } };
    }
    default:
      refuse([...path, "type"], "must be input_text, output_text, refusal or input_image");
      return {};
  }
}

function toolsOf(raw: Fields, refuse: Refuse): Fields {
  const { tools = null, tool_choice: choice = null } = raw;
  if (tools !== null && !Array.isArray(tools)) refuse(["tools"], "must be a list", "invalid");
  const made = Array.isArray(tools) ? tools.map((tool, at) => toolOf(tool, ["tools", at], refuse)) : [];
  // Without tools, these two have no effect.
  const vacuous = made.length === 0 && (choice === "auto" || choice === "none");
  return {
    ...(made.length > 0 && { tools: made }),
    ...(choice !== null && !vacuous && { tool_choice: choiceOf(choice, refuse) }),
  };
}

function toolOf(tool: unknown, path: Issue["path"], refuse: Refuse): Fields {
  const { type, ...made } = isJsonObject(tool) ? tool : { type: undefined };
  if (type !== "function") refuse([...path, "type"], "must be function: no other tools are supported");
  return { type: "function", function: made };
}

function choiceOf(choice: unknown, refuse: Refuse): unknown {
  if (!isJsonObject(choice)) return choice;
  const { type, mode, tools } = choice;
  if (type === "function") return toolOf(choice, ["tool_choice"], refuse);
  if (type !== "allowed_tools" || !Array.isArray(tools)) {
    refuse(
      ["tool_choice"],
      "must be none, auto, required, a function, or allowed_tools with a list of functions",
    );
    return undefined;
  }
  const allowed = tools.map((tool, at) => toolOf(tool, ["tool_choice", "tools", at], refuse));
  return { type, allowed_tools: { mode, tools: allowed } };
}

/** Converts `text`, with its `format`, to `verbosity` and `response_format`. */
function textOf(raw: Fields, refuse: Refuse): Fields {
  const { format = null, verbosity = null } = groupOf(raw, "text", ["format", "verbosity"], refuse);
  const { type, ...schema } = isJsonObject(format) ? format : { type: undefined };
  return {
    ...(verbosity !== null && { verbosity }),
    ...(format !== null && {
      response_format: type === "json_schema" ? { type, json_schema: schema } : { type },
    }),
  };
}
