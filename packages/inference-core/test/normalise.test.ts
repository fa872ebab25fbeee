import { Fault } from "@assay/base";
import { engineChunks } from "@assay/testing/engine-chunks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatChunk } from "../src/index.ts";
import { normaliser } from "../src/normalise/normalise.ts";
import type { Normaliser, NormaliserOptions } from "../src/normalise/normalise-chunks.ts";
import type { EngineChunk } from "../src/ports/chat-provider.ts";

function begin(options: Partial<NormaliserOptions> = {}): Normaliser {
  let ids = 0;
  return normaliser({
    id: "chatcmpl-1",
    created: 7,
    model: "org/model",
    choices: 1,
    logprobs: false,
    usage: "last",
    newId: () => `id${++ids}`,
    estimatePrompt: () => 11,
    ...options,
  });
}

function run(chunks: readonly EngineChunk[], options: Partial<NormaliserOptions> = {}): readonly ChatChunk[] {
  const answer = begin(options);
  return [...chunks.flatMap((chunk) => answer.push(chunk)), ...answer.end()];
}

const say = (delta: object, finish_reason: unknown = null, more: object = {}): EngineChunk => ({
  choices: [{ index: 0, delta, finish_reason, ...more }],
});
const stop = say({}, "stop");

const deltas = (chunks: readonly ChatChunk[]) =>
  chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
const code = (work: () => unknown) => {
  try {
    work();
    return "none";
  } catch (error) {
    return error instanceof Fault ? error.code : String(error);
  }
};

describe("the envelope", () => {
  test("has our id, one time, and the requested model", () => {
    const chunks = run([
      { ...say({ content: "a" }), id: "x", model: "engine-name", created: 1, object: "?" },
      stop,
    ]);
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({
        id: "chatcmpl-1",
        created: 7,
        model: "org/model",
        object: "chat.completion.chunk",
      });
    }
  });

  test("keeps what the engine adds", () => {
    const [chunk] = run([{ ...say({ content: "a", annotations: [1] }, "stop"), system_fingerprint: "fp" }]);
    expect(chunk).toMatchObject({ system_fingerprint: "fp", choices: [{ delta: { annotations: [1] } }] });
  });
});

describe("text", () => {
  test("has its role on the first delta and nowhere else", () => {
    const chunks = run([say({ content: "a" }), say({ role: "assistant", content: "b" }), stop]);
    expect(deltas(chunks)).toEqual([{ role: "assistant", content: "a" }, { content: "b" }, {}]);
  });

  test("that arrived as a whole message is one delta", () => {
    const whole = { choices: [{ message: { role: "assistant", content: "all" }, finish_reason: "stop" }] };
    expect(deltas(run([whole]))).toEqual([{ role: "assistant", content: "all" }]);
  });

  test("after the end of its choice is a fault; an empty delta or a second reason is not", () => {
    expect(code(() => run([stop, say({ content: "late" })]))).toBe("corrupt");
    expect(run([stop, say({ content: "" }, "stop")]).flatMap(({ choices }) => choices)).toHaveLength(1);
  });

  test("that is not text is a fault", () => {
    expect(code(() => run([say({ content: 7 })]))).toBe("corrupt");
    expect(code(() => run([{ choices: "?" }]))).toBe("corrupt");
    expect(code(() => run([{ choices: [null] }]))).toBe("corrupt");
  });
});

describe("indexes", () => {
  test("are ignored with one choice", () => {
    const chunks = run([{ choices: [{ index: 5, delta: { content: "a" }, finish_reason: "stop" }] }]);
    expect(chunks[0]?.choices[0]?.index).toBe(0);
  });

  test("that are wrong with several choices are a fault, because texts would be mixed up", () => {
    const wrong = { choices: [{ index: 2, delta: { content: "a" }, finish_reason: null }] };
    expect(code(() => run([wrong], { choices: 2 }))).toBe("corrupt");
    const absent = { choices: [{ delta: { content: "a" }, finish_reason: null }] };
    expect(code(() => run([absent], { choices: 2 }))).toBe("corrupt");
  });

  test("that are absent follow from the position if a chunk has every choice", () => {
    const both = { choices: [{ delta: { content: "a" } }, { delta: { content: "b" } }] };
    const ends = { choices: [{ finish_reason: "stop" }, { finish_reason: "length" }] };
    const chunks = run([both, ends], { choices: 2 }).flatMap(({ choices }) => choices);
    expect(chunks.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, null],
      [1, null],
      [0, "stop"],
      [1, "length"],
    ]);
  });
});

describe("finish reasons", () => {
  test.each([
    ["stop", "stop"],
    ["eos_token", "stop"],
    ["end_turn", "stop"],
    ["max_tokens", "length"],
    ["tool_use", "tool_calls"],
  ])("%s is %s", (engine, ours) => {
    expect(run([say({ content: "a" }, engine)])[0]?.choices[0]?.finish_reason).toBe(ours);
  });

  test.each(["abort", "error", "cancelled", 7])("%s means that the engine broke off", (reason) => {
    expect(code(() => run([say({ content: "a" }, reason)]))).toBe("unavailable");
  });

  test("that never came mean that the engine broke off", () => {
    expect(code(() => run([say({ content: "a" })]))).toBe("unavailable");
    expect(code(() => run([]))).toBe("unavailable");
    expect(code(() => run([stop], { choices: 2 }))).toBe("unavailable");
  });

  test("an error in a chunk ends the answer, whatever else the chunk contains", () => {
    expect(code(() => run([{ ...say({ content: "a" }), error: { message: "secret" } }]))).toBe("unavailable");
  });
});

test("a finish reason on each chunk of a call is sent once, after the last of them", () => {
  const call = (index: number, fields: object) => say({ tool_calls: [{ index, ...fields }] }, "tool_calls");
  const sent = run(
    [
      call(0, { id: "a", function: { name: "f", arguments: "{" } }),
      call(0, { function: { arguments: "}" } }),
      call(1, { id: "b", function: { name: "g", arguments: "{}" } }),
      say({}, "tool_calls"),
    ],
    { usage: "none" },
  );
  const choices = sent.flatMap((chunk) => chunk.choices);
  expect(choices.map(({ finish_reason }) => finish_reason)).toEqual([null, null, null, "tool_calls"]);
  expect(choices.flatMap(({ delta }) => delta.tool_calls ?? []).map((one) => one.function.arguments)).toEqual(
    ["{", "}", "{}"],
  );
});

describe("tool calls", () => {
  const call = (fields: object) => say({ tool_calls: [fields] });
  const calls = (chunks: readonly EngineChunk[]) =>
    deltas(run([...chunks, say({}, "tool_calls")])).flatMap(({ tool_calls = [] }) => tool_calls);

  test("have index, id, type and name on their first fragment, and only arguments after it", () => {
    const made = calls([
      call({ index: 0, id: "a", function: { name: "f", arguments: "" } }),
      call({ index: 0, id: "a", type: "function", function: { name: "f", arguments: "{" } }),
      call({ index: 0, function: { arguments: "}" } }),
    ]);
    expect(made).toEqual([
      { index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } },
      { index: 0, function: { arguments: "{" } },
      { index: 0, function: { arguments: "}" } },
    ]);
  });

  test("that all have the index 0 are distinguished by their ids", () => {
    const made = calls([
      call({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }),
      call({ index: 0, id: "b", function: { name: "f", arguments: "{}" } }),
    ]);
    expect(made.map(({ index, id }) => [index, id])).toEqual([
      [0, "a"],
      [1, "b"],
    ]);
  });

  test("without index and id get new ones, one for each name", () => {
    const made = calls([
      call({ function: { name: "f", arguments: { x: 1 } } }),
      call({ id: " ", function: { name: "f", arguments: "{}" } }),
    ]);
    expect(made).toEqual([
      { index: 0, id: "call_id1", type: "function", function: { name: "f", arguments: '{"x":1}' } },
      { index: 1, id: "call_id2", type: "function", function: { name: "f", arguments: "{}" } },
    ]);
  });

  test("that are interleaved, or start at another index, are renumbered from 0", () => {
    const made = calls([
      call({ index: 4, id: "a", function: { name: "f", arguments: "1" } }),
      call({ index: 2, id: "b", function: { name: "g", arguments: "2" } }),
      call({ index: 4, function: { arguments: "3" } }),
    ]);
    expect(made.map(({ index, function: { arguments: text } }) => [index, text])).toEqual([
      [0, "1"],
      [1, "2"],
      [0, "3"],
    ]);
  });

  test("without a name are a fault", () => {
    expect(code(() => calls([call({ index: 0, id: "a", function: { arguments: "{}" } })]))).toBe("corrupt");
  });
});

describe("log-probabilities", () => {
  const logprobs = { content: [{ token: "a", logprob: -0.5, top_logprobs: null }] };

  test("have a possibly empty list of the likeliest tokens, and are only sent on request", () => {
    const [asked] = run([say({ content: "a" }, "stop", { logprobs })], { logprobs: true });
    expect(asked?.choices[0]?.logprobs).toEqual({
      content: [{ token: "a", logprob: -0.5, bytes: null, top_logprobs: [] }],
    });
    const [unasked] = run([say({ content: "a" }, "stop", { logprobs })]);
    expect(unasked?.choices[0]?.logprobs).toBeNull();
  });

  test("of a token without text are sent, because half a character has a probability too", () => {
    const chunks = run([say({ content: "a" }), say({ content: "" }, null, { logprobs }), stop], {
      logprobs: true,
    });
    expect(chunks[1]?.choices[0]?.logprobs?.content).toHaveLength(1);
  });

  test("that are not numbers are a fault", () => {
    const broken = { content: [{ token: "a", logprob: null }] };
    expect(code(() => run([say({ content: "a" }, null, { logprobs: broken })], { logprobs: true }))).toBe(
      "corrupt",
    );
  });
});

describe("usage", () => {
  const used = {
    prompt_tokens: 3,
    completion_tokens: 1,
    total_tokens: 99,
    prompt_tokens_details: { cached_tokens: 2 },
  };

  test("is in a last chunk of its own if requested, and null in the others", () => {
    const chunks = run([say({ content: "a" }, "stop"), { choices: [], usage: used }]);
    expect(chunks.map(({ usage }) => usage)).toEqual([null, { ...used, total_tokens: 4 }]);
    expect(chunks.at(-1)?.choices).toEqual([]);
  });

  test("is not sent unless requested, but is counted", () => {
    const answer = begin({ usage: "none" });
    const chunks = [
      ...answer.push(say({ content: "a" }, "stop")),
      ...answer.push({ usage: used }),
      ...answer.end(),
    ];
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
    expect(answer.count()).toEqual({ prompt: 3, completion: 1, cached: 2, byEngine: true });
  });

  test("includes cached tokens, at most the prompt tokens", () => {
    const cachedOf = (cached_tokens: unknown) => {
      const answer = begin();
      answer.push({ ...say({ content: "a" }), usage: { ...used, prompt_tokens_details: { cached_tokens } } });
      return answer.count().cached;
    };
    expect([2, 99, -1, "2", undefined].map(cachedOf)).toEqual([2, 3, 0, 0, 0]);
  });

  test("is counted here if the engine does not count, and marked", () => {
    const answer = begin();
    for (const chunk of [say({ content: "a" }), say({ content: "b" })]) answer.push(chunk);
    expect(answer.count()).toEqual({ prompt: 11, completion: 2, cached: 0, byEngine: false });
  });

  test("from an engine is the base for later counting", () => {
    const answer = begin();
    answer.push({ ...say({ content: "a" }), usage: { prompt_tokens: 0, completion_tokens: 5 } });
    answer.push(say({ content: "b" }));
    expect(answer.count()).toEqual({ prompt: 0, completion: 6, cached: 0, byEngine: false });
  });

  test("of zero is zero, but zeros next to text are ignored", () => {
    const silent = begin();
    for (const chunk of [stop, { usage: { prompt_tokens: 0, completion_tokens: 0 } }]) silent.push(chunk);
    expect(silent.count()).toEqual({ prompt: 0, completion: 0, cached: 0, byEngine: true });
    const lying = begin();
    lying.push({ ...say({ content: "a" }, "stop"), usage: { prompt_tokens: 0, completion_tokens: 0 } });
    expect(lying.count()).toEqual({ prompt: 11, completion: 1, cached: 0, byEngine: false });
  });
});

test("any output of an engine becomes a valid answer or a fault", () => {
  fc.assert(
    fc.property(engineChunks, fc.constantFrom(1, 2), (chunks, choices) => {
      const sent: ChatChunk[] = [];
      const answer = begin({ choices, logprobs: true });
      try {
        for (const chunk of chunks) sent.push(...answer.push(chunk));
        sent.push(...answer.end());
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
        return;
      }
      const last = sent.pop();
      expect(last?.choices).toEqual([]);
      expect(last?.usage?.total_tokens).toBeGreaterThanOrEqual(0);
      for (let index = 0; index < choices; index++) {
        const own = sent.flatMap((chunk) => chunk.choices).filter((choice) => choice.index === index);
        expect(own.map(({ delta }) => delta.role)).toEqual([
          "assistant",
          ...own.slice(1).map(() => undefined),
        ]);
        expect(own.map(({ finish_reason }) => finish_reason !== null)).toEqual(
          own.map((_, at) => at === own.length - 1),
        );
        let begun = 0;
        for (const call of own.flatMap(({ delta }) => delta.tool_calls ?? [])) {
          expect(call.index).toBeLessThanOrEqual(begun);
          if (call.index < begun) continue;
          begun++;
          expect([call.type, typeof call.id, typeof call.function.name]).toEqual([
            "function",
            "string",
            "string",
          ]);
        }
      }
    }),
  );
});
