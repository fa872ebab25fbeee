import type { Json, JsonObject } from "@assay/base";
import { MAX_CALL_DEPTH, nestsDeeper } from "@assay/calls/internal";
import { expect, test } from "vitest";
import { callOfSpan } from "../src/otlp/span-call.ts";

const callWith = (input: string) => callOf({ "input.value": input });
const callOf = (attributes: JsonObject) =>
  callOfSpan("acme/demo", {
    ...{ traceId: "t", spanId: "s", parentId: null, name: "chat", kind: 1, error: null, scope: null },
    ...{ startedAt: "2026-01-01T00:00:00Z", endedAt: null, events: [], links: [], resource: {} },
    attributes,
  });

test("a structure in a text is parsed, unless it is too large for a call", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(callWith('[{"a": 1}]').inputs).toEqual({ input: [{ a: 1 }] });
  for (const levels of [1, 180, 198, 201, 1_000_000]) {
    const call = callWith(nested(levels));
    expect(nestsDeeper(call.inputs as Json, MAX_CALL_DEPTH - 1)).toBe(false);
    if (levels > MAX_CALL_DEPTH) expect(call.inputs).toEqual({ input: nested(levels) });
  }
  const many = `[${"{},".repeat(4_000_000)}0]`;
  expect(callWith(many).inputs).toEqual({ input: many });
});

test.each([
  [
    "OpenInference",
    {
      "input.value": '{"model":"m","messages":[]}',
      "llm.input_messages.1.message.role": "user",
      "llm.input_messages.1.message.content": "hi",
      "llm.input_messages.0.message.role": "system",
      "llm.input_messages.0.message.content": "be kind",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.content": "hello",
      "llm.model_name": "m",
      "llm.token_count.prompt": 3,
      "llm.token_count.completion": 2,
      "session.id": "t",
    },
  ],
  [
    "OpenLLMetry",
    {
      "gen_ai.prompt.0.role": "system",
      "gen_ai.prompt.0.content": "be kind",
      "gen_ai.prompt.1.role": "user",
      "gen_ai.prompt.1.content": "hi",
      "gen_ai.completion.0.role": "assistant",
      "gen_ai.completion.0.content": "hello",
      "gen_ai.response.model": "m",
      "gen_ai.usage.prompt_tokens": 3,
      "gen_ai.usage.completion_tokens": 2,
      "gen_ai.conversation.id": "t",
    },
  ],
  [
    "the AI SDK",
    {
      "ai.prompt.messages": '[{"role":"system","content":"be kind"},{"role":"user","content":"hi"}]',
      "ai.response.text": "hello",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": 3,
      "gen_ai.usage.output_tokens": 2,
      "session.id": "t",
    },
  ],
])("a span of %s has its messages, model, tokens and thread", (_, attributes) => {
  expect(callOf(attributes)).toMatchObject({
    inputs: {
      input: [
        { role: "system", content: "be kind" },
        { role: "user", content: "hi" },
      ],
    },
    output: "hello",
    summary: { usage: { m: { input_tokens: 3, output_tokens: 2, total_tokens: 5 } } },
    thread_id: "t",
  });
});

test("attributes that look like parts of messages, but are not, change nothing", () => {
  const odd = {
    "llm.input_messages": "x",
    "llm.input_messages.a.message.role": "user",
    [`llm.input_messages.0${".a".repeat(1000)}`]: 1,
  };
  expect(callOf({ ...odd, "input.value": "hi" }).inputs).toEqual({ input: "hi" });
  expect(callOf({ "llm.input_messages.0.__proto__.x": 1, "llm.input_messages.0": 2 }).inputs).toEqual({
    input: [JSON.parse('{"__proto__":{"x":1}}')],
  });
});
