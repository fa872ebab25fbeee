// The malformed chunks that the normaliser rejects, each with its message, and the engine formats that it converts to
// the one of the strictest client.

import { Fault } from "@assay/base";
import { describe, expect, test } from "vitest";
import type { ChatChunk } from "../src/index.ts";
import { normaliser } from "../src/normalise/normalise.ts";
import type { NormaliserOptions } from "../src/normalise/normalise-chunks.ts";
import type { EngineChunk } from "../src/ports/chat-provider.ts";

const begin = (options: Partial<NormaliserOptions> = {}) => {
  let ids = 0;
  return normaliser({
    ...{ id: "chat-1", created: 7, model: "org/model", choices: 1, logprobs: true, usage: "last" },
    newId: () => `id${++ids}`,
    estimatePrompt: () => 11,
    ...options,
  });
};
const say = (delta: unknown, more: object = {}): EngineChunk => ({
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const call = (fields: unknown) => say({ tool_calls: [fields] });
const sampled = (content: unknown) => say({}, { logprobs: { content } });

describe("malformed streams are reported", () => {
  test.each<[what: string, chunk: object]>([
    ["choices that are not a list", { choices: {} }],
    ["a choice that is not an object", { choices: [1] }],
    ["a delta that is not an object", say("text")],
    ["reasoning that is not text", say({ reasoning: 1 })],
    ["reasoning_content that is not text", say({ reasoning_content: [] })],
    ["refusal that is not text", say({ refusal: {} })],
    ["content that is not text", say({ content: 1 })],
    ["a part of content that is not text", say({ content: ["text"] })],
    ["a part of content that is not text", say({ content: [{ type: "image" }] })],
    ["a part of content that is not text", say({ content: [{ text: 1 }] })],
    ["log-probabilities that are not an object", say({}, { logprobs: [] })],
    ["log-probabilities that are not a list", sampled({})],
    ["a log-probability without its token", sampled([1])],
    ["a log-probability without its token", sampled([{ logprob: -1 }])],
    ["a log-probability that is not a number", sampled([{ token: "a", logprob: "-1" }])],
    ["likeliest tokens that are not a list", sampled([{ token: "a", logprob: -1, top_logprobs: {} }])],
    ["a log-probability without its token", sampled([{ token: "a", logprob: -1, top_logprobs: [{}] }])],
    ["tool calls that are not a list", say({ tool_calls: {} })],
    ["a tool call that is not an object", call("f")],
    ["a tool call without a name", call({ index: 0, id: "a" })],
    ["a tool call without a name", call({ index: 0, id: "a", function: { name: " " } })],
    ["arguments of a tool call that are not text", call({ function: { name: "f", arguments: 1 } })],
  ])("%s: %j", (what, chunk) => {
    expect(() => begin().push(chunk as EngineChunk)).toThrow(new Fault("corrupt", `the engine sent ${what}`));
  });

  test("text of a choice that had ended is a fault, whatever its kind", () => {
    for (const more of [
      { content: "a" },
      { reasoning: "a" },
      { tool_calls: [{ function: { name: "f" } }] },
    ]) {
      const answer = begin();
      answer.push(say({ content: "a" }, { finish_reason: "stop" }));
      expect(() => answer.push(say(more))).toThrow("the engine sent more of a choice that had ended");
    }
  });

  test("an error means that the engine broke off, and null means no error", () => {
    expect(() => begin().push({ ...say({}), error: { message: "no" } })).toThrow("the engine stopped");
    expect(begin().push({ ...say({ content: "a" }), error: null })).toHaveLength(1);
  });
});

/** The chunks sent for these engine chunks, and their deltas. */
function heard(chunks: readonly EngineChunk[], options: Partial<NormaliserOptions> = {}) {
  const answer = begin(options);
  const sent = chunks.flatMap((chunk) => answer.push(chunk));
  return { sent, deltas: sent.flatMap(({ choices }) => choices.map(({ delta }) => delta)), answer };
}

describe("the formats of engines", () => {
  test("content in parts is their text", () => {
    const { deltas } = heard([say({ content: [{ type: "text", text: "a" }, { text: "b" }] })]);
    expect(deltas).toEqual([{ role: "assistant", content: "ab" }]);
  });

  test("the first delta has text, possibly empty, unless it has a tool call; nulls are left out", () => {
    expect(heard([say({ role: "assistant", content: null, refusal: null })]).deltas).toEqual([
      { role: "assistant", content: "" },
    ]);
    const called = heard([call({ index: 0, id: "a", function: { name: "f" } })]).deltas;
    expect(called).toEqual([
      {
        role: "assistant",
        tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }],
      },
    ]);
    expect(heard([say(undefined)]).deltas).toEqual([{ role: "assistant", content: "" }]);
  });

  test("empty chunks are not sent, but their finish reason and tokens are", () => {
    const { deltas, answer } = heard([
      say({ content: "a" }),
      say({ content: "", reasoning: null }),
      say({ content: "" }, { token_ids: [1, 2] }),
      say({}, { finish_reason: "stop" }),
      say({}, { finish_reason: "stop" }),
    ]);
    expect(deltas).toEqual([{ role: "assistant", content: "a" }, { content: "" }, {}]);
    expect(answer.completion()).toBe(3);
  });

  test("a piece counts its number of tokens, by default one", () => {
    const one = { token: "a", logprob: -1 };
    const counted = (chunk: EngineChunk) => heard([chunk]).answer.completion();
    expect(counted(say({ content: "abc" }))).toBe(1);
    expect(counted(say({ content: "" }))).toBe(0);
    expect(counted(say({ reasoning: "abc" }))).toBe(1);
    expect(counted(say({ content: "abc" }, { token_ids: [1, 2, 3] }))).toBe(3);
    expect(counted(say({ content: "abc" }, { token_ids: "none" }))).toBe(1);
    expect(counted(say({ content: "abc" }, { logprobs: { content: [one, one] }, token_ids: [1] }))).toBe(2);
  });

  test("log-probabilities have whole bytes or none, and keep their other fields", () => {
    const bytesOf = (bytes: unknown) => {
      const { sent } = heard([sampled([{ token: "a", logprob: -1, bytes, rank: 1 }])]);
      const [token] = sent[0]!.choices[0]!.logprobs!.content!;
      expect(token).toMatchObject({ token: "a", logprob: -1, rank: 1, top_logprobs: [] });
      return token!.bytes;
    };
    expect([[97], [], [97, 0.5], ["a"], "a", undefined].map(bytesOf)).toEqual([
      [97],
      [],
      null,
      null,
      null,
      null,
    ]);
    const of = (logprobs: unknown) => heard([say({}, { logprobs })]).sent[0]!.choices[0]!.logprobs;
    expect(of({ tokens: ["a"], token_logprobs: [-1], refusal: null })).toEqual({
      content: null,
      refusal: null,
    });
    expect(of(null)).toBeNull();
  });

  test("usage so far is on every chunk on request, null until the engine reports it", () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    const chunks = [say({ content: "a" }), { ...say({ content: "b" }), usage }];
    const usages = (wanted: NormaliserOptions["usage"]) =>
      heard(chunks, { usage: wanted }).sent.map(
        (chunk: ChatChunk) => chunk.usage?.prompt_tokens ?? chunk.usage,
      );
    expect(usages("every")).toEqual([null, 3]);
    expect(usages("last")).toEqual([null, null]);
    expect(usages("none")).toEqual([undefined, undefined]);
  });

  test("an answer is complete when each of its choices has ended, and has its usage last", () => {
    const ended = (index: number) => ({
      choices: [{ index, delta: { content: "a" }, finish_reason: "stop" }],
    });
    const { answer } = heard([ended(0)], { choices: 2 });
    expect(answer.isWhole()).toBe(false);
    expect(() => answer.end()).toThrow("the engine stopped");
    answer.push(ended(1));
    expect(answer.isWhole()).toBe(true);
    expect(answer.end()).toMatchObject([{ choices: [], usage: { completion_tokens: 2 } }]);
    const silent = heard([ended(0)], { usage: "none" }).answer;
    expect(silent.end()).toEqual([]);
  });
});

describe("a fragment of a tool call", () => {
  const callsOf = (...fragments: readonly object[]) =>
    heard(fragments.map(call)).deltas.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ index, id, function: made }) => [index, id ?? "", made.name ?? "", made.arguments]),
    );
  const of = (name: string | undefined, text: string, more: object = {}) => ({
    ...more,
    function: { ...(name && { name }), arguments: text },
  });

  test("continues the call with its id, whatever the index", () => {
    expect(
      callsOf(
        of("f", "1", { index: 0, id: "a" }),
        of("g", "2", { index: 1, id: "b" }),
        of("f", "3", { index: 1, id: "a" }),
      ),
    ).toEqual([
      [0, "a", "f", "1"],
      [1, "b", "g", "2"],
      [0, "", "", "3"],
    ]);
  });

  test("continues the last call if it has neither id nor index", () => {
    expect(callsOf(of("f", "1"), of(undefined, "2"), of("g", "3"), of(undefined, "4"))).toEqual([
      [0, "call_id1", "f", "1"],
      [0, "", "", "2"],
      [1, "call_id2", "g", "3"],
      [1, "", "", "4"],
    ]);
  });

  test("with an index may repeat the name, and another name starts a call", () => {
    expect(
      callsOf(of("f", "1", { index: 0 }), of("f", "2", { index: 0 }), of("g", "3", { index: 0 })),
    ).toEqual([
      [0, "call_id1", "f", "1"],
      [0, "", "", "2"],
      [1, "call_id2", "g", "3"],
    ]);
  });

  test("continues the call at its index, which gets a later id", () => {
    expect(callsOf(of("f", "1", { index: 0 }), of(undefined, "2", { index: 0, id: "late" }))).toEqual([
      [0, "call_id1", "f", "1"],
      [0, "", "", "2"],
    ]);
  });

  test("arguments may be an object, or nothing", () => {
    expect(callsOf({ function: { name: "f", arguments: { x: 1 } } }, { function: { name: "g" } })).toEqual([
      [0, "call_id1", "f", '{"x":1}'],
      [1, "call_id2", "g", ""],
    ]);
    expect(heard([say({ tool_calls: null })]).deltas).toEqual([{ role: "assistant", content: "" }]);
  });
});
