// From a request of the Responses interface to one for a chat completion. Nothing is kept between two requests: what
// refers to an earlier answer is refused by name.

import { bad, type Issue, type Result } from "@assay/base";
import { type Fields, isJsonObject } from "@assay/base/internal";
import type { ChatRequest } from "../chat/chat-request.ts";
import { readChatRequest } from "../chat/read-chat-request.ts";

/** Fields for unsupported features, with the values that do not request them. */
const ABSENT: readonly (readonly [name: string, nothing: readonly unknown[]])[] = [
  ["previous_response_id", []],
  ["conversation", []],
  ["prompt", []],
  ["background", [false]],
  ["truncation", ["disabled"]],
];

/** Fields with the same meaning as in a chat completion request. */
const SAME = [
  ...["model", "stream", "temperature", "top_p", "parallel_tool_calls", "user", "seed", "stop"],
  ...["logit_bias", "presence_penalty", "frequency_penalty", "top_k"],
];

/** The most issues to report. */
const MOST_ISSUES = 100;

/**
 * The equivalent chat request of `raw`. Issues: `missing` and `invalid`, with the fields of the original request;
 * `unsupported` for what needs an earlier answer, for items other than messages and function calls, and for tools
 * other than functions.
 */
export function readResponsesRequest(raw: unknown): Result<ChatRequest> {
  if (!isJsonObject(raw)) return bad([{ code: "invalid", path: [], message: "a request must be an object" }]);
  const issues: Issue[] = [];
  const refuse: Refuse = (path, message, code = "unsupported") => {
    if (issues.length < MOST_ISSUES) issues.push({ code, path, message });
  };
  for (const [name, nothing] of ABSENT) {
    const value = raw[name] ?? undefined;
    if (value !== undefined && !nothing.includes(value))
      refuse(
        [name],
        "is not supported: nothing is stored between requests, so send the whole conversation as input",
      );
  }
  const messages = messagesOf(raw, refuse);
  const chat = {
    ...Object.fromEntries(SAME.filter((name) => raw[name] != null).map((name) => [name, raw[name]])),
    ...(raw["max_output_tokens"] != null && { max_completion_tokens: raw["max_output_tokens"] }),
    ...(isJsonObject(raw["reasoning"]) &&
      raw["reasoning"]["effort"] != null && { reasoning_effort: raw["reasoning"]["effort"] }),
    ...toolsOf(raw, refuse),
    ...formatOf(raw["text"]),
    // Every response includes the usage.
    ...(raw["stream"] === true && { stream_options: { include_usage: true } }),
    messages,
  };
  if (issues.length > 0) return bad(issues);
  const read = readChatRequest(chat);
  return read.ok ? read : bad(read.issues.map((issue) => ({ ...issue, path: ownPath(issue.path) })));
}

type Refuse = (path: Issue["path"], message: string, code?: string) => void;

/** The path of an issue in this interface's terms. */
function ownPath([first, ...rest]: Issue["path"]): Issue["path"] {
  if (first === "messages") return ["input"];
  return [first === "max_completion_tokens" ? "max_output_tokens" : (first ?? "input"), ...rest];
}

function messagesOf(raw: Fields, refuse: Refuse): readonly Fields[] {
  const { input, instructions } = raw;
  if (instructions != null && typeof instructions !== "string")
    refuse(["instructions"], "must be a text", "invalid");
  const told = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  if (typeof input === "string") return [...told, { role: "user", content: input }];
  if (!Array.isArray(input) || input.length === 0) {
    refuse(["input"], "input is required: a text, or a list of items", input == null ? "missing" : "invalid");
    return [];
  }
  return [...told, ...input.flatMap((item: unknown, at) => itemOf(item, ["input", at], refuse))];
}

function itemOf(item: unknown, path: Issue["path"], refuse: Refuse): readonly Fields[] {
  if (!isJsonObject(item)) {
    refuse(path, "must be an item of an input", "invalid");
    return [];
  }
  switch (item["type"] ?? "message") {
    case "message":
      return [{ role: item["role"], content: contentOf(item["content"], path, refuse) }];
    case "function_call": {
      const made = { name: item["name"], arguments: item["arguments"] };
      const call = { id: item["call_id"], type: "function", function: made };
      return [{ role: "assistant", content: null, tool_calls: [call] }];
    }
    case "function_call_output": {
      const { output } = item;
      const content = typeof output === "string" ? output : contentOf(output, path, refuse);
      return [{ role: "tool", tool_call_id: item["call_id"], content }];
    }
    case "reasoning":
      // The model's reasoning is not sent back to it.
      return [];
    default:
      refuse([...path, "type"], "must be message, function_call or function_call_output");
      return [];
  }
}

/** The parts of a message, in the format of chat completions. */
function contentOf(content: unknown, path: Issue["path"], refuse: Refuse): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown, at) => {
    const type = isJsonObject(part) ? part["type"] : undefined;
    if (type === "input_text" || type === "output_text")
      return { type: "text", text: (part as Fields)["text"] };
    if (type === "input_image")
      return { type: "image_url", image_url: { url: (part as Fields)["image_url"] } };
    refuse([...path, "content", at, "type"], "must be input_text, output_text or input_image");
    return { type: "text", text: "" };
  });
}

function toolsOf(raw: Fields, refuse: Refuse): Fields {
  const { tools, tool_choice: wish } = raw;
  const made = Array.isArray(tools)
    ? tools.map((tool: unknown, at) => {
        const { type, ...of } = isJsonObject(tool) ? tool : { type: undefined };
        if (type !== "function")
          refuse(["tools", at, "type"], "must be function: no other tools are supported");
        return { type: "function", function: of };
      })
    : [];
  const named = isJsonObject(wish) && wish["type"] === "function";
  return {
    ...(made.length > 0 && { tools: made }),
    ...(wish != null &&
      made.length > 0 && {
        tool_choice: named ? { type: "function", function: { name: wish["name"] } } : wish,
      }),
  };
}

/** Converts `text.format` to `response_format`. */
function formatOf(text: unknown): Fields {
  const format = isJsonObject(text) ? text["format"] : undefined;
  if (!isJsonObject(format)) return {};
  const { type, ...schema } = format;
  return { response_format: type === "json_schema" ? { type, json_schema: schema } : { type } };
}
