// The tool calls of one choice: which call a fragment belongs to, and the required fields of the first fragment of
// each.

import { type Fields, isJsonObject } from "@assay/base/internal";
import type { ToolCallDelta } from "../chat/chat-chunk.ts";
import { malformedStream } from "../chat/stream-faults.ts";

/** A call that has started. */
interface Call {
  readonly index: number;
  /** The engine's index; undefined if it sends none. */
  readonly id: string | undefined;
  readonly name: string;
}

/** Starts the tool calls of a choice. `read` takes the `tool_calls` of a delta and throws a `Fault`. */
export function toolCallReader(newId: () => string): { read(raw: unknown): readonly ToolCallDelta[] } {
  const byIndex = new Map<unknown, Call>();
  const byId = new Map<string, Call>();
  let count = 0;
  let last: Call | undefined;

  /** The call that continues, or undefined if the fragment starts a new one. */
  const goesOn = (
    engineIndex: unknown,
    id: string | undefined,
    name: string | undefined,
  ): Call | undefined => {
    const known = id === undefined ? undefined : byId.get(id);
    if (known !== undefined) return known;
    const there = typeof engineIndex === "number" ? byIndex.get(engineIndex) : last;
    if (there === undefined) return undefined;
    // Engines that give every call the index 0 distinguish them by ID, or at least by name.
    if (id !== undefined && there.id !== undefined) return undefined;
    if (name === undefined) return there;
    // Without an index, a name starts a call; with one, the same name may just be repeated.
    return typeof engineIndex === "number" && name === there.name ? there : undefined;
  };

  const readCall = (raw: unknown): ToolCallDelta => {
    if (!isJsonObject(raw)) throw malformedStream("a tool call that is not an object");
    const made = isJsonObject(raw["function"]) ? raw["function"] : {};
    const id = textOf(raw["id"]);
    const name = textOf(made["name"]);
    const fragment = argumentsOf(made);
    const call = goesOn(raw["index"], id, name);
    if (call !== undefined) {
      last = call;
      return { index: call.index, function: { arguments: fragment } };
    }
    if (name === undefined) throw malformedStream("a tool call without a name");
    const begun: Call = { index: count++, id, name };
    if (typeof raw["index"] === "number") byIndex.set(raw["index"], begun);
    if (id !== undefined) byId.set(id, begun);
    last = begun;
    const given = id ?? `call_${newId()}`;
    return { index: begun.index, id: given, type: "function", function: { name, arguments: fragment } };
  };

  return {
    read(raw) {
      if (raw === undefined || raw === null) return [];
      if (!Array.isArray(raw)) throw malformedStream("tool calls that are not a list");
      return raw.map(readCall);
    },
  };
}

/** A non-empty text: engines write blank IDs and names when they have none. */
function textOf(raw: unknown): string | undefined {
  return typeof raw === "string" && raw.trim() !== "" ? raw : undefined;
}

/** Arguments are JSON text; some engines send the object itself. */
function argumentsOf({ arguments: raw }: Fields): string {
  if (raw === undefined || raw === null) return "";
  if (typeof raw === "string") return raw;
  if (isJsonObject(raw)) return JSON.stringify(raw);
  throw malformedStream("arguments of a tool call that are not text");
}
