import { Fault } from "@assay/base";
import { describe, expect, test } from "vitest";
import type { ChatStream } from "../src/dispatch/dispatch.ts";
import {
  answerChat,
  type Caller,
  type ChatCall,
  type ChatChunk,
  type ChatProvider,
  type ChatRequest,
  catalogueOf,
  completeChat,
  type Inference,
  type LimitOptions,
  memoryTrainedModels,
  memoryUsage,
  requestLimits,
} from "../src/index.ts";
import type { StreamOptions } from "../src/requests/chat-request.ts";
import { engineChunk, type ScriptStep, sayTokens, scriptedProvider } from "../src/testing/index.ts";

const caller: Caller = { key: "k", attribution: { entity: "team", project: "demo" }, allows: () => true };
const request: ChatRequest = { model: "org/model", messages: [{ role: "user", content: "one two three" }] };
const streaming: ChatRequest = { ...request, stream: true };
const open = () => new AbortController().signal;

function setUp(script: (call: ChatCall) => Iterable<ScriptStep>, limits: LimitOptions = {}) {
  const calls: ChatCall[] = [];
  const provider: ChatProvider = scriptedProvider((call) => {
    calls.push(call);
    return script(call);
  });
  const usage = memoryUsage();
  let ids = 0;
  const trained = { entity: "team", project: "demo", name: "m", baseModel: "org/model", createdAt: 0 };
  const inference: Inference = {
    catalogue: catalogueOf([{ id: "org/model", provider, trainedProvider: provider }]),
    trainedModels: memoryTrainedModels([
      { ...trained, step: 0 },
      { ...trained, step: 3, checkpoint: { id: "c3", files: [] } },
      { ...trained, name: "orphan", baseModel: "org/gone", step: 1, checkpoint: { id: "c1", files: [] } },
    ]),
    limits: requestLimits(limits),
    usage,
    now: () => 1_700_000_000_999,
    newId: () => `id${++ids}`,
  };
  return { inference, usage, calls };
}

const hello = (call: ChatCall) => sayTokens(call, ["Hel", "lo"]);

async function started(inference: Inference, asked: ChatRequest, signal = open()): Promise<ChatStream> {
  const reply = await answerChat(inference, caller, asked, signal);
  if (!reply.ok) throw new Error(`refused: ${reply.refusal.code}`);
  return reply.chunks;
}

async function all(chunks: ChatStream): Promise<readonly ChatChunk[]> {
  const read: ChatChunk[] = [];
  for await (const together of chunks) read.push(...together);
  return read;
}

const fault = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Fault ? error.code : String(error);
};

describe("an answer", () => {
  test("is the same whole or streamed, and counts the same", async () => {
    const { inference, usage } = setUp(hello);
    const whole = await completeChat(await started(inference, request));
    const chunks = await all(await started(inference, streaming));
    expect(whole.choices[0]?.message.content).toBe("Hello");
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Hello");
    expect(whole).toMatchObject({ created: 1_700_000_000, model: "org/model", usage: { total_tokens: 5 } });
    const [first, second] = usage.records();
    expect(first).toMatchObject({
      promptTokens: 3,
      generatedTokens: 2,
      deliveredTokens: 2,
      counted: "engine",
    });
    expect({ ...second, id: first?.id, streamed: false }).toEqual(first);
  });

  test("is counted before its end is reported", async () => {
    const { inference, usage } = setUp(hello);
    await all(await started(inference, { ...streaming, stream_options: {} }));
    expect(usage.records()).toHaveLength(1);
  });

  test("that cannot be counted is not complete", async () => {
    const { inference } = setUp(hello);
    const down = { record: async () => Promise.reject(new Fault("unavailable", "the ledger is down")) };
    expect(await fault(all(await started({ ...inference, usage: down }, streaming)))).toBe("unavailable");
  });

  test("has usage only if the client requested it", async () => {
    const { inference } = setUp(hello);
    const usages = async (stream_options: StreamOptions | null) =>
      (await all(await started(inference, { ...streaming, stream_options }))).map(({ usage }) => usage);
    expect((await usages({})).at(-1)).toMatchObject({ total_tokens: 5 });
    expect((await usages({ include_usage: false })).at(-1)).toBeUndefined();
    expect((await usages(null)).at(-1)).toBeUndefined();
  });
});

describe("an answer that breaks off", () => {
  const half: readonly ScriptStep[] = [
    engineChunk({ choices: [{ index: 0, delta: { content: "a" } }] }),
    engineChunk({ choices: [{ index: 0, delta: { content: "b" } }] }),
    new Fault("timeout", "the engine was silent for too long"),
  ];

  test("before the first chunk is thrown, and counts nothing", async () => {
    const { inference, usage } = setUp(() => [new Fault("unavailable", "refused")]);
    expect(await fault(answerChat(inference, caller, streaming, open()))).toBe("unavailable");
    expect(usage.records()).toMatchObject([{ outcome: "failed", promptTokens: 0, generatedTokens: 0 }]);
  });

  test("midway is thrown, and counts generated and delivered tokens", async () => {
    const { inference, usage } = setUp(() => half);
    expect(await fault(all(await started(inference, streaming)))).toBe("timeout");
    expect(await fault(completeChat(await started(inference, request)))).toBe("timeout");
    expect(usage.records()).toMatchObject([
      { outcome: "failed", generatedTokens: 2, deliveredTokens: 2, counted: "estimate" },
      { outcome: "failed", generatedTokens: 2, deliveredTokens: 0, counted: "estimate" },
    ]);
  });

  test("among chunks that arrived together preserves those before it", async () => {
    const [good, bad] = [{ choices: [{ delta: { content: "a" } }] }, { choices: "?" }];
    const { inference, usage } = setUp(() => [{ type: "chunks", chunks: [good, good, bad, good] }]);
    const chunks = await started(inference, streaming);
    expect((await chunks.next()).value).toHaveLength(2);
    expect(await fault(chunks.next())).toBe("corrupt");
    expect(usage.records()).toMatchObject([{ outcome: "failed", generatedTokens: 2, deliveredTokens: 2 }]);
  });

  test("after the last finish reason changes nothing", async () => {
    const { inference, usage } = setUp((call) => [
      ...hello(call).slice(0, -1),
      new Fault("unavailable", "reset"),
    ]);
    expect((await completeChat(await started(inference, request))).choices[0]?.finish_reason).toBe("stop");
    expect(usage.records()).toMatchObject([{ outcome: "complete", generatedTokens: 2, counted: "estimate" }]);
  });

  test("by the client counts the chunks that it read", async () => {
    const { inference, usage } = setUp(() => half.slice(0, 2));
    const chunks = await started(inference, streaming);
    await chunks.next();
    await chunks.next();
    await chunks.return?.();
    expect(usage.records()).toMatchObject([{ outcome: "aborted", generatedTokens: 2, deliveredTokens: 1 }]);
  });

  test("by the client before it read anything is counted too", async () => {
    const { inference, usage } = setUp(hello, { key: { concurrent: 1 } });
    await (await started(inference, streaming)).return?.();
    expect(usage.records()).toMatchObject([{ outcome: "aborted", deliveredTokens: 0 }]);
    await started(inference, streaming);
  });

  test("by an abort counts as the client's", async () => {
    const { inference, usage } = setUp(hello);
    const controller = new AbortController();
    const chunks = await started(inference, streaming, controller.signal);
    controller.abort();
    expect(await fault(all(chunks))).toBe("cancelled");
    expect(usage.records()).toMatchObject([{ outcome: "aborted" }]);
  });

  test("because of a bug in the provider is a fault, whose message stays inside", async () => {
    const { inference } = setUp(() => {
      throw new Error("secret");
    });
    await expect(answerChat(inference, caller, request, open())).rejects.toMatchObject({
      message: "the engine failed",
    });
  });
});

describe("refusals", () => {
  const rejected = { type: "refused", refusal: { code: "rejected", message: "too long" } } as const;

  test("of the engine are passed on, and count nothing", async () => {
    const { inference, usage } = setUp(() => [rejected]);
    expect(await answerChat(inference, caller, request, open())).toMatchObject({
      ok: false,
      refusal: rejected.refusal,
    });
    expect(usage.records()).toMatchObject([{ outcome: "failed", promptTokens: 0, generatedTokens: 0 }]);
  });

  test("that come midway are faults, because the answer had started", async () => {
    const { inference } = setUp(() => [engineChunk({ choices: [{ delta: { content: "a" } }] }), rejected]);
    expect(await fault(all(await started(inference, streaming)))).toBe("unavailable");
  });

  test("of unknown models reach no engine and count nothing", async () => {
    const { inference, usage, calls } = setUp(hello);
    const names = [
      "org/other",
      "Org/model",
      "",
      "__proto__",
      "wandb-artifact:///team/demo/nobody",
      "wandb-artifact:///team/demo/m:step2",
      "wandb-artifact:///team/demo/m:best",
      "wandb-artifact:///team/demo/orphan",
      "wandb-artifact:///team/m",
      "wandb-artifact:org/model",
    ];
    for (const model of names) {
      const reply = await answerChat(inference, caller, { ...request, model }, open());
      expect(reply, model).toMatchObject({ ok: false, refusal: { code: "unknown_model" } });
    }
    expect([calls, usage.records()]).toEqual([[], []]);
  });

  test("of hidden models look the same as of unknown ones", async () => {
    const { inference } = setUp(hello);
    const stranger: Caller = { ...caller, allows: () => false };
    const model = "wandb-artifact:///team/demo/m";
    expect(await answerChat(inference, stranger, { ...request, model }, open())).toEqual(
      await answerChat(
        inference,
        caller,
        { ...request, model: "wandb-artifact:///team/demo/nobody" },
        open(),
      ),
    );
  });

  test("start when too many requests are in progress, and stop when one ends", async () => {
    const { inference } = setUp(hello, { key: { concurrent: 1 } });
    const first = await started(inference, streaming);
    expect(await answerChat(inference, caller, streaming, open())).toMatchObject({
      ok: false,
      refusal: { code: "limited", retryAfter: 1 },
    });
    await all(first);
    await all(await started(inference, streaming));
  });
});

describe("trained models", () => {
  test("go to an engine that loads checkpoints, with log-probabilities, under the requested name", async () => {
    const { inference, usage, calls } = setUp(hello);
    const model = "wandb-artifact://team/demo/m:step3";
    const answer = await completeChat(await started(inference, { ...request, model }));
    expect(answer.model).toBe(model);
    expect(answer.choices[0]?.logprobs?.content).toHaveLength(2);
    expect(calls).toMatchObject([
      {
        model: "org/model",
        trained: { step: 3, checkpoint: { id: "c3" } },
        request: { logprobs: true, return_tokens_as_token_ids: true },
      },
    ]);
    expect(usage.records()).toMatchObject([{ model: "wandb-artifact:///team/demo/m", step: 3 }]);
  });

  test("name their tokens as the client requests, and base models by their own default", async () => {
    const { inference, calls } = setUp(hello);
    const model = "wandb-artifact:///team/demo/m";
    await completeChat(await started(inference, { ...request, model, return_tokens_as_token_ids: false }));
    await completeChat(await started(inference, { ...request, logprobs: true }));
    expect(calls.map((call) => call.request["return_tokens_as_token_ids"])).toEqual([false, undefined]);
  });

  test("are their base model at step 0, as the usage shows", async () => {
    const { inference, usage, calls } = setUp(hello);
    const model = "wandb-artifact:///team/demo/m:step0";
    await completeChat(await started(inference, { ...request, model, logprobs: false }));
    expect(calls).toMatchObject([{ model: "org/model", request: { logprobs: false } }]);
    expect(calls[0]).not.toHaveProperty("trained");
    expect(usage.records()).toMatchObject([{ step: 0 }]);
  });

  test("count for their own project if the caller names none", async () => {
    const { inference, usage } = setUp(hello);
    const nobody: Caller = { key: "k", allows: () => true };
    for (const model of ["wandb-artifact:///team/demo/m", "org/model"]) {
      const reply = await answerChat(inference, nobody, { ...request, model }, open());
      if (reply.ok) await all(reply.chunks);
    }
    expect(usage.records().map(({ entity, project }) => [entity, project])).toEqual([
      ["team", "demo"],
      ["default", "default"],
    ]);
  });
});
