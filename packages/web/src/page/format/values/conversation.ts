// Conversations in rows and outputs, as chat APIs and evaluation tools log them: their messages as turns.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";

/** A text, a call of a tool, what a tool returned, or anything else, such as an image. */
export type Turn = { readonly role: string } & (
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly name: string; readonly value: Json }
  | { readonly kind: "result" | "other"; readonly value: Json }
);

/** A conversation, and the members of its object beside the messages. */
export interface Conversation {
  readonly turns: readonly Turn[];
  readonly rest: JsonObject | undefined;
}

/** The conversation that a value is: a list of messages, an object with such a list, or one message. */
export function conversationOf(value: Json): Conversation | undefined {
  if (Array.isArray(value)) {
    const turns = turnsOf(value);
    return turns && { turns, rest: undefined };
  }
  if (!isJsonObject(value)) return undefined;
  const own = turnsOf([value]);
  if (own !== undefined) return { turns: own, rest: undefined };
  for (const key of ["messages", "choices", "output"]) {
    const { [key]: listed, ...rest } = value;
    const turns = Array.isArray(listed) ? turnsOf(listed) : undefined;
    if (turns !== undefined) return { turns, rest: Object.keys(rest).length === 0 ? undefined : rest };
  }
  return undefined;
}

/** The last text of a conversation, of this role if it has one; else its last call. */
export function lastText({ turns }: Conversation, role: string): string | undefined {
  const texts = turns.filter((turn) => turn.kind === "text");
  const text = (texts.findLast((turn) => turn.role === role) ?? texts.at(-1))?.text;
  const call = turns.findLast((turn) => turn.kind === "call");
  return text ?? (call && `${call.name} ${JSON.stringify(call.value)}`);
}

/** The most levels of JSON in a text that is shown as a tree. */
const DEEPEST = 64;

/** A text that is a JSON object or list, as that value; any other value unchanged. */
export function parsedJson(value: Json): Json {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    const parsed = JSON.parse(value) as Json;
    return isDeeper(parsed, DEEPEST) ? value : parsed;
  } catch {
    return value;
  }
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part as Json, levels - 1));
}

/** The turns of a list; undefined unless every item is a message. */
function turnsOf(items: readonly Json[]): readonly Turn[] | undefined {
  const turns: Turn[] = [];
  for (const item of items) {
    const inner = isJsonObject(item) && isJsonObject(item["message"]) ? item["message"] : item;
    const found = isJsonObject(inner) ? messageTurns(inner) : undefined;
    if (found === undefined) return undefined;
    turns.push(...found);
  }
  return turns.length === 0 ? undefined : turns;
}

/** The roles of LangChain's message types. */
const ROLES: Readonly<Record<string, string>> = {
  human: "user",
  ai: "assistant",
  system: "system",
  tool: "tool",
};

function messageTurns(message: JsonObject): readonly Turn[] | undefined {
  const { role: named, type, content, parts, tool_calls: calls, function_call: call } = message;
  const item = partTurn("assistant", message);
  if (typeof named !== "string" && item !== undefined && item.kind !== "text") return [item];
  const role = typeof named === "string" ? named : ROLES[String(type)];
  const said = content ?? parts ?? null;
  const called = [...(Array.isArray(calls) ? calls : []), ...(isJsonObject(call) ? [call] : [])];
  if (role === undefined || (said === null && called.length === 0)) return undefined;
  const pieces = Array.isArray(said) ? said : said === null || said === "" ? [] : [said];
  return [
    ...pieces.map((piece) => pieceTurn(role, piece)),
    ...called.map((one): Turn => callTurn(role, one) ?? { role, kind: "other", value: one }),
  ];
}

function pieceTurn(role: string, piece: Json): Turn {
  if (role === "tool" || role === "function")
    return { role, kind: "result", value: parsedJson(textIn(piece)) };
  if (typeof piece === "string") return { role, kind: "text", text: piece };
  return (isJsonObject(piece) && partTurn(role, piece)) || { role, kind: "other", value: piece };
}

/** A part of a message, in the forms of OpenAI, Anthropic and Google. */
function partTurn(role: string, part: JsonObject): Turn | undefined {
  const { type, text, reasoning, functionCall, functionResponse } = part;
  if (typeof text === "string") return { role, kind: "text", text };
  if (typeof reasoning === "string") return { role: "reasoning", kind: "text", text: reasoning };
  if (type === "tool_use" || type === "function_call") return callTurn(role, part);
  if (type === "tool_result") return { role: "tool", kind: "result", value: part["content"] ?? null };
  if (type === "function_call_output")
    return { role: "tool", kind: "result", value: parsedJson(part["output"] ?? null) };
  if (isJsonObject(functionCall)) return callTurn(role, functionCall);
  if (isJsonObject(functionResponse))
    return { role: "tool", kind: "result", value: functionResponse["response"] ?? null };
  return undefined;
}

function callTurn(role: string, call: Json): Turn | undefined {
  if (!isJsonObject(call)) return undefined;
  const { function: called, ...own } = call;
  const { name = called, arguments: given, args, input } = isJsonObject(called) ? called : own;
  if (typeof name !== "string") return undefined;
  return { role, kind: "call", name, value: parsedJson(given ?? args ?? input ?? null) };
}

/** The text of a part that has one. */
function textIn(piece: Json): Json {
  const text = isJsonObject(piece) ? piece["text"] : undefined;
  return typeof text === "string" ? text : piece;
}
