// The chat template: converts messages to tokens.
import { callText } from "../grammar/call-grammar.ts";
import { type Sequence, type SequenceWriter, sequenceWriter } from "./sequence.ts";
import { ASSISTANT, SYSTEM, TOOL, USER } from "./vocabulary.ts";

/** A message as chat clients send it. Only text is read; images and sounds are ignored. */
export interface TinyMessage {
  /** The role. `developer` is read as system, `function` as tool, and an unknown role as user. */
  readonly role: string;
  /** The text, whole or in parts `{ type: "text", text }`. */
  readonly content?: unknown;
  /** Function calls, placed after the text in the form in which the model writes them (`call-grammar.ts`). */
  readonly tool_calls?: unknown;
}

const MARKS: ReadonlyMap<string, number> = new Map([
  ["system", SYSTEM],
  ["developer", SYSTEM],
  ["user", USER],
  ["assistant", ASSISTANT],
  ["tool", TOOL],
  ["function", TOOL],
]);

/** The tokens that precede the model's answer to `messages`. */
export function promptOf(messages: readonly TinyMessage[]): Uint16Array {
  const writer = sequenceWriter();
  for (const message of messages) writeMessage(writer, message, false);
  writer.add([ASSISTANT], false);
  return writer.tokens();
}

/** The tokens of a whole conversation; `trains` tells, by index, whether a message's text is learned. */
export function sequenceOf(messages: readonly TinyMessage[], trains: (index: number) => boolean): Sequence {
  const writer = sequenceWriter();
  messages.forEach((message, index) => {
    writeMessage(writer, message, trains(index));
  });
  return writer.sequence();
}

/** Adds `message` to `writer`; `trained` as in `SequenceWriter.turn`. */
export function writeMessage(writer: SequenceWriter, message: TinyMessage, trained: boolean): void {
  writer.turn(MARKS.get(message.role) ?? USER, textOf(message), trained);
}

/** The text of a message, followed by its tool calls. */
export function textOf({ content, tool_calls: calls }: TinyMessage): string {
  const text = Array.isArray(content)
    ? content.map(partText).join("")
    : typeof content === "string"
      ? content
      : "";
  return Array.isArray(calls) ? text + calls.map(callOf).join("") : text;
}

/** A call as the model writes it; anything that is not a function call as JSON. */
function callOf(call: unknown): string {
  const made = typeof call === "object" && call !== null && "function" in call ? call.function : undefined;
  const { name, arguments: args } = (made ?? {}) as { readonly name?: unknown; readonly arguments?: unknown };
  return typeof name === "string" && typeof args === "string" ? callText(name, args) : JSON.stringify(call);
}

function partText(part: unknown): string {
  const text = typeof part === "object" && part !== null && "text" in part ? part.text : undefined;
  return typeof text === "string" ? text : "";
}
