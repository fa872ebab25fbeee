import { describe, expect, test } from "vitest";
import { promptOf } from "../src/tokens/chat-template.ts";
import { ASSISTANT, END, SYSTEM, TOOL, USER } from "../src/tokens/vocabulary.ts";
import { planSft, sftSequence } from "../src/training/sft.ts";

const bytes = (text: string) => [...new TextEncoder().encode(text)];
const messages = [
  { role: "developer", content: "be kind" },
  {
    role: "user",
    content: [
      { type: "text", text: "h" },
      { type: "image_url", image_url: {} },
      { type: "text", text: "é" },
    ],
  },
  { role: "assistant", content: "a" },
  { role: "tool", content: null },
  { role: "assistant", content: "b" },
];

describe("the chat template", () => {
  test("marks each turn and opens the answer", () => {
    expect([...promptOf(messages.slice(0, 2))]).toEqual([
      SYSTEM,
      ...bytes("be kind"),
      END,
      USER,
      ...bytes("hé"),
      END,
      ASSISTANT,
    ]);
  });

  test("no text can forge a mark", () => {
    expect([...promptOf([{ role: "user", content: "\u0100<END>" }])].filter((token) => token > 255)).toEqual([
      USER,
      END,
      ASSISTANT,
    ]);
  });

  test("training data has the same form as chats: the prompt, then the answer and its end", () => {
    const { tokens, trained } = sftSequence({ messages }, "last");
    const prompt = promptOf(messages.slice(0, 4));
    expect([...tokens]).toEqual([...prompt, ...bytes("b"), END]);
    expect([...trained]).toEqual([...prompt.map(() => 0), 1, 1]);
  });

  test("only the assistant's words are learned", () => {
    const { tokens, trained } = sftSequence({ messages });
    expect([...tokens].filter((_, i) => trained[i] === 1)).toEqual([...bytes("a"), END, ...bytes("b"), END]);
    expect([...tokens]).toContain(TOOL);
  });

  test.each([
    ["all", [0, 1], "b"],
    ["all", [1, 0], "a"],
    ["all", [0, null], "b"],
    ["last", [0, 1], "b"],
    ["last", [1, 0], ""],
  ] as const)("of %s turns with the weights %j, %j is learned", (turns, weights, learned) => {
    const weighted = messages.map((message, i) =>
      i === 2 || i === 4 ? { ...message, weight: weights[i === 2 ? 0 : 1]! } : message,
    );
    const { tokens, trained } = sftSequence({ messages: weighted }, turns);
    const said = [...tokens].filter((_, i) => trained[i] === 1);
    expect(said).toEqual(learned === "" ? [] : [...bytes(learned), END]);
    // A row without anything to learn is left out.
    expect(planSft([{ messages: weighted }], { assistantTurns: turns }).steps).toBe(learned === "" ? 0 : 1);
  });

  test("tool calls are kept as text", () => {
    const calls = [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }];
    const { tokens } = sftSequence({ messages: [{ role: "assistant", content: null, tool_calls: calls }] });
    expect(String.fromCharCode(...tokens.subarray(1, -1))).toBe('{"name":"f","arguments":{}}');
  });
});
