import fc from "fast-check";
import { expect, test } from "vitest";
import { readChatRequest } from "../src/requests/read-chat-request.ts";

const good = { model: "org/model", messages: [{ role: "user", content: "hi" }] };

function wrong(raw: unknown): readonly string[] {
  const result = readChatRequest(raw);
  return result.ok ? [] : result.issues.map(({ code, path }) => `${code} ${path.join(".")}`);
}

test("a request stays unchanged, including unknown fields", () => {
  const raw = {
    ...good,
    temperature: 0.5,
    seed: 2 ** 62,
    stop: ["a"],
    chat_template_kwargs: { enable_thinking: false },
    messages: [
      { role: "developer", content: [{ type: "text", text: "hi" }], name: "x" },
      { role: "assistant", tool_calls: [{ id: "a" }] },
      { role: "tool", tool_call_id: "a", content: "7" },
      { role: "custom", content: "" },
    ],
    tools: [{ type: "function", function: { name: "f" } }, { type: "builtin" }],
    tool_choice: { type: "function", function: { name: "f" } },
    stream_options: { include_usage: null, other: 1 },
  };
  expect(readChatRequest(raw)).toEqual({ ok: true, value: raw });
});

test("null is the same as leaving a field out", () => {
  expect(
    wrong({ ...good, temperature: null, n: null, stop: null, stream_options: null, tools: null }),
  ).toEqual([]);
  expect(wrong({ model: null, messages: null })).toEqual(["missing model", "missing messages"]);
});

test("each fault is reported with its path", () => {
  expect(wrong({ model: 7, messages: [], temperature: 2.1, n: 0, stop: [1], stream: "yes" })).toEqual([
    "invalid model",
    "invalid n",
    "invalid stream",
    "invalid temperature",
    "invalid stop",
    "invalid messages",
  ]);
  expect(wrong({ ...good, logprobs: false, top_logprobs: 2 })).toEqual(["invalid top_logprobs"]);
  // One of the two limits would be ignored.
  expect(wrong({ ...good, max_tokens: 2, max_completion_tokens: 5 })).toEqual(["invalid max_tokens"]);
  expect(wrong({ ...good, max_tokens: 5, max_completion_tokens: 5 })).toEqual([]);
  const messages = [
    "hi",
    { content: "hi" },
    { role: "user" },
    { role: "user", content: [{}] },
    { role: "tool", content: "" },
  ];
  expect(wrong({ ...good, messages })).toEqual([
    "invalid messages.0",
    "missing messages.1.role",
    "missing messages.2.content",
    "invalid messages.3.content.0",
    "missing messages.4.tool_call_id",
  ]);
  expect(wrong({ ...good, tools: [{ type: "function" }, 1], stream_options: { include_usage: 1 } })).toEqual([
    "invalid stream_options.include_usage",
    "invalid tools.0.function",
    "invalid tools.1",
  ]);
});

test.each([null, 7, "text", [], undefined])("%j is not a request", (raw) => {
  expect(wrong(raw)).toEqual(["invalid "]);
});

test("inherited fields do not count", () => {
  expect(wrong(Object.create(good))).toEqual(["missing model", "missing messages"]);
});

test("it answers any input", () => {
  const fields = fc.constantFrom(
    "model",
    "messages",
    "n",
    "tools",
    "stream_options",
    "stop",
    "tool_choice",
    "logprobs",
  );
  fc.assert(
    fc.property(fc.dictionary(fields, fc.jsonValue({ maxDepth: 3 })), (raw) => {
      const result = readChatRequest(raw);
      if (!result.ok) expect(result.issues.length).toBeGreaterThan(0);
    }),
  );
});
