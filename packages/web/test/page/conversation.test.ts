// Conversations in the forms in which providers and tools log them, and their alignment.

import type { Json } from "@assay/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { turnPairs } from "../../src/page/format/diff/turn-pairs.ts";
import {
  conversationOf,
  lastText,
  parsedJson,
  type Turn,
} from "../../src/page/format/values/conversation.ts";
import { rowTitle } from "../../src/page/format/values/row-title.ts";

describe("a conversation", () => {
  const asked = { role: "user", kind: "text", text: "2 + 2?" };
  const called = { role: "assistant", kind: "call", name: "add", value: { a: 2, b: 2 } };
  const returned = { role: "tool", kind: "result", value: { sum: 4 } };
  const answered = { role: "assistant", kind: "text", text: "4" };
  const args = '{"a":2,"b":2}';
  const user = { role: "user", content: "2 + 2?" };

  test.each<[string, Json]>([
    [
      "OpenAI's chat",
      [
        user,
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "1", function: { name: "add", arguments: args } }],
        },
        { role: "tool", tool_call_id: "1", content: '{"sum":4}' },
        { role: "assistant", content: "4" },
      ],
    ],
    [
      "OpenAI's responses",
      [
        { role: "user", content: [{ type: "input_text", text: "2 + 2?" }] },
        { type: "function_call", call_id: "1", name: "add", arguments: args },
        { type: "function_call_output", call_id: "1", output: '{"sum":4}' },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "4" }] },
      ],
    ],
    [
      "Anthropic",
      [
        user,
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "add", input: { a: 2, b: 2 } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: { sum: 4 } }] },
        { role: "assistant", content: [{ type: "text", text: "4" }] },
      ],
    ],
    [
      "Google",
      [
        { role: "user", parts: [{ text: "2 + 2?" }] },
        { role: "assistant", parts: [{ functionCall: { name: "add", args: { a: 2, b: 2 } } }] },
        { role: "user", parts: [{ functionResponse: { name: "add", response: { sum: 4 } } }] },
        { role: "assistant", parts: [{ text: "4" }] },
      ],
    ],
    [
      "LangChain",
      [
        { type: "human", content: "2 + 2?" },
        { type: "ai", content: "", tool_calls: [{ name: "add", args: { a: 2, b: 2 } }] },
        { type: "tool", content: '{"sum":4}' },
        { type: "ai", content: "4" },
      ],
    ],
    [
      "Inspect",
      [
        { id: "m1", ...user },
        { role: "assistant", content: "", tool_calls: [{ function: "add", arguments: { a: 2, b: 2 } }] },
        { role: "tool", content: '{"sum":4}', function: "add" },
        { role: "assistant", content: "4" },
      ],
    ],
  ])("of %s has the same turns", (_, messages) => {
    const turns = [asked, called, returned, answered];
    expect(conversationOf(messages)).toEqual({ turns, rest: undefined });
    expect(conversationOf({ messages, cost: 1 })).toEqual({ turns, rest: { cost: 1 } });
  });

  test("is also a single message, and a completion's choices", () => {
    const message = { role: "assistant", content: "4" };
    expect(conversationOf(message)?.turns).toEqual([answered]);
    expect(conversationOf({ choices: [{ index: 0, message }], usage: {} })?.turns).toEqual([answered]);
  });

  test.each<[Json]>([
    [[]],
    [["a"]],
    [[user, 4]],
    [{ messages: [] }],
    [{ role: "admin" }],
    [{ text: "a" }],
    [null],
  ])("is not %j", (value) => expect(conversationOf(value)).toBeUndefined());

  test("titles its row, and is summed up by its last answer or call", () => {
    const messages = [{ role: "system", content: "be brief" }, user];
    expect(rowTitle({ id: "q1", messages })).toEqual({ title: "2 + 2?", rest: "id: q1" });
    const said = (value: Json) => lastText(conversationOf(value)!, "assistant");
    expect(said([user, { role: "assistant", content: "4" }, { role: "user", content: "sure?" }])).toBe("4");
    expect(said([{ role: "assistant", tool_calls: [{ name: "add", args: { a: 2 } }] }])).toBe('add {"a":2}');
  });
});

test("of two conversations, every turn is shown once and in order, and turns of a pair correspond", () => {
  const turn: fc.Arbitrary<Turn> = fc.constantFrom<Turn>(
    { role: "user", kind: "text", text: "a" },
    { role: "assistant", kind: "text", text: "b" },
    { role: "assistant", kind: "call", name: "f", value: 1 },
    { role: "assistant", kind: "call", name: "g", value: 1 },
  );
  const turns = fc.array(turn, { maxLength: 8 });
  fc.assert(
    fc.property(turns, turns, (before, after) => {
      const pairs = turnPairs(before, after);
      expect(pairs.flatMap(([left]) => left ?? [])).toEqual(before);
      expect(pairs.flatMap(([, right]) => right ?? [])).toEqual(after);
      for (const [left, right] of pairs) if (left && right) expect(left).toEqual(right);
      if (before.length === after.length && before.every((one, at) => one === after[at]))
        expect(pairs.length).toBe(before.length);
    }),
  );
});

test("a text of JSON is shown as a tree, unless it is nested too deeply to draw", () => {
  expect(parsedJson(' {"a": [1]}')).toEqual({ a: [1] });
  for (const text of ["{a}", "4", `${"[".repeat(5000)}${"]".repeat(5000)}`])
    expect(parsedJson(text)).toBe(text);
});
