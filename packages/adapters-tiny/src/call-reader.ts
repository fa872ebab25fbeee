// Converts the text of an answer to deltas for clients: a function call is streamed as one, piece by piece.

import { CALL_BEGIN, callBegin } from "@assay/model-tiny/internal";

/** The addition of a piece of an answer to a message. */
type Delta =
  | { readonly content: string }
  | { readonly tool_calls: readonly [{ readonly index: 0; readonly function: FunctionDelta }] };

interface FunctionDelta {
  readonly name?: string;
  readonly arguments: string;
}

/** Reads one answer. */
export interface FunctionCallReader {
  /** The deltas for `text`; at the end, also for text that was held back. */
  read(text: string, finish: "stop" | "length" | undefined): Delta;
  /** Whether the answer is a function call. */
  isCall(): boolean;
}

/** A reader of an answer that may call `functions`; without any, it is all text. */
export function functionCallReader(functions: readonly string[]): FunctionCallReader {
  let kind: "open" | "text" | "call" = functions.length === 0 ? "text" : "open";
  let held = "";
  /** The beginning of the call, once its function is known. */
  let begun: string | undefined;

  const readCall = (finish: "stop" | "length" | undefined): Delta => {
    const name = begun === undefined ? functions.find((one) => held.startsWith(callBegin(one))) : undefined;
    if (begun === undefined && name === undefined) return { content: "" };
    if (name !== undefined) {
      begun = name;
      held = held.slice(callBegin(name).length);
    }
    // The last character may end the call, in which case it is not part of the arguments.
    const end = finish === "length" ? held.length : Math.max(0, held.length - 1);
    const args = held.slice(0, end);
    held = finish === undefined ? held.slice(end) : "";
    return { tool_calls: [{ index: 0, function: { ...(name !== undefined && { name }), arguments: args } }] };
  };

  return {
    read(text, finish) {
      held += text;
      if (kind === "open" && held.startsWith(CALL_BEGIN)) kind = "call";
      else if (kind === "open" && (finish !== undefined || !CALL_BEGIN.startsWith(held))) kind = "text";
      if (kind === "call") return readCall(finish);
      if (kind === "open") return { content: "" };
      const content = held;
      held = "";
      return { content };
    },
    isCall: () => begun !== undefined,
  };
}
