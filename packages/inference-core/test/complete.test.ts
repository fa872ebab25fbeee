import { expect, test } from "vitest";
import type { ChunkChoice } from "../src/chat/chat-chunk.ts";
import { type ChatChunk, completeChat } from "../src/index.ts";

async function* stream(...choices: readonly Partial<ChunkChoice>[]): AsyncGenerator<readonly ChatChunk[]> {
  const chunk = { id: "i", object: "chat.completion.chunk", created: 1, model: "m" } as const;
  for (const choice of choices) {
    yield [{ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: null, logprobs: null, ...choice }] }];
  }
  yield [{ ...chunk, choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }];
}

const token = (text: string) => ({ token: text, logprob: -1, bytes: null, top_logprobs: [] });

test("texts, lists and log-probabilities are appended; for other values the last one counts", async () => {
  const answer = await completeChat(
    stream(
      { delta: { role: "assistant", content: "a", reasoning: "x" }, logprobs: { content: [token("a")] } },
      {
        delta: { content: "b", reasoning: "y", note: 1 },
        logprobs: { content: [token("b")] },
        token_ids: [1],
      },
      { delta: { note: 2 }, finish_reason: "stop", stop_reason: "END", token_ids: [2, 3] },
    ),
  );
  expect(answer).toEqual({
    id: "i",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "ab", refusal: null, reasoning: "xy", note: 2 },
        logprobs: { content: [token("a"), token("b")] },
        finish_reason: "stop",
        stop_reason: "END",
        token_ids: [1, 2, 3],
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });
});

test("tool calls are assembled, and content is then null", async () => {
  const call = (index: number, text: string, first?: object) => ({
    index,
    function: { arguments: text },
    ...first,
  });
  const begin = (index: number, id: string) =>
    ({ index, id, type: "function", function: { name: "f", arguments: "" } }) as const;
  const answer = await completeChat(
    stream(
      { delta: { role: "assistant", content: "", tool_calls: [begin(0, "a"), begin(1, "b")] } },
      { delta: { tool_calls: [call(1, "{}"), call(0, "[")] } },
      { delta: { tool_calls: [call(0, "]")] }, finish_reason: "tool_calls" },
    ),
  );
  expect(answer.choices[0]?.message).toEqual({
    role: "assistant",
    content: null,
    refusal: null,
    tool_calls: [
      { id: "a", type: "function", function: { name: "f", arguments: "[]" } },
      { id: "b", type: "function", function: { name: "f", arguments: "{}" } },
    ],
  });
});

test("choices are ordered by index", async () => {
  const answer = await completeChat(
    stream({ index: 1, delta: { content: "b" } }, { index: 0, delta: { content: "a" } }),
  );
  expect(answer.choices.map(({ message }) => message.content)).toEqual(["a", "b"]);
});

test("a field named __proto__ remains a field", async () => {
  const delta = JSON.parse('{"content":"a","__proto__":"x"}');
  const answer = await completeChat(stream({ delta }));
  const message = answer.choices[0]!.message;
  expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
  expect(Object.getOwnPropertyDescriptor(message, "__proto__")?.value).toBe("x");
});
