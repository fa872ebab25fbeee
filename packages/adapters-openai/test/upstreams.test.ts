import type { ChatCall, EngineEvent, TrainedModel, UpstreamOptions } from "@assay/inference-core";
import { normaliser } from "@assay/inference-core/internal";
import { chatProviderLaws, upstreamEngineLaws } from "@assay/inference-core/laws";
import {
  type Behaviour,
  engineDouble,
  events,
  json,
  piece,
  send,
  wellBehaved,
} from "@assay/testing/engine-double";
import { afterEach, describe, expect, test } from "vitest";
import { httpEngine } from "../src/engine.ts";
import { openUpstreams, type UpstreamConfig } from "../src/index.ts";
import { upstreamEngine } from "../src/upstreams.ts";

const closing: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close();
});

const configOf = (url: string, name: string): UpstreamConfig => ({
  name,
  url,
  concurrency: 4,
  timeouts: { connect: 5000, firstByte: 30_000, idle: 30_000, whole: 30_000 },
  continuousUsage: false,
  models: [{ id: "org/model", engineName: "inner", serves: ["chat", "completions"] }],
});

/** An upstream for each behaviour, all of them serving `org/model`. */
async function open(
  behaviours: readonly Behaviour[],
  config: Partial<UpstreamConfig> = {},
  options: Partial<UpstreamOptions> = {},
) {
  const engines = await Promise.all(behaviours.map((behaviour) => engineDouble({}, behaviour)));
  closing.push(...engines);
  const upstreams = openUpstreams(
    engines.map(({ url }, at) => ({ ...configOf(url, `u${at}`), ...config })),
    { now: () => 0, ...options },
  );
  closing.push(upstreams);
  const [model] = upstreams.models;
  return { engines, upstreams, provider: model!.provider, trainedProvider: model!.trainedProvider };
}

const request = { model: "org/model", messages: [{ role: "user", content: "hi" }] };
const call: ChatCall = { model: "org/model", request };
const signal = () => new AbortController().signal;

async function all(chunks: AsyncIterable<EngineEvent>): Promise<readonly EngineEvent[]> {
  const read: EngineEvent[] = [];
  for await (const event of chunks) read.push(event);
  return read;
}

/** The text of an answer, or its refusal or fault. */
async function text(chunks: AsyncIterable<EngineEvent>): Promise<string> {
  const answer = normaliser({
    id: "x",
    created: 0,
    model: "x",
    choices: 1,
    logprobs: false,
    usage: "none",
    newId: () => "x",
    estimatePrompt: () => 0,
  });
  const seen = await all(chunks);
  const refusal = seen.find((event) => event.type === "refused")?.refusal.code;
  const sent = seen.flatMap((event) =>
    event.type === "chunks" ? event.chunks.flatMap((chunk) => answer.push(chunk)) : [],
  );
  return refusal ?? sent.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
}

const dead: Behaviour = (response) => {
  response.socket?.destroy();
};
const busy: Behaviour = (response) => json(response, 503, {}, { "retry-after": "9" });

describe("an engine over HTTP satisfies the laws", () => {
  for (const law of chatProviderLaws(async () => ({
    provider: (await open([wellBehaved])).provider,
    call,
  }))) {
    test(law.name, law.run);
  }
});

describe("one of several engines satisfies the laws", () => {
  const one = async () => {
    const double = await engineDouble({ inner: wellBehaved });
    const engine = httpEngine(configOf(double.url, "u0"), { now: () => 0 });
    closing.push(double, engine);
    return { engine: upstreamEngine(engine), request };
  };
  for (const law of upstreamEngineLaws(one)) test(law.name, law.run);
});

describe("of several upstreams", () => {
  test("the next one is tried if one cannot answer, and each only once", async () => {
    const { engines, provider, upstreams } = await open([dead, busy, wellBehaved]);
    expect(await text(provider.chat(call, signal()))).toBe("Hello");
    // A connection that breaks before the answer may have been a reused one, so it is tried twice.
    expect(engines.map(({ seen }) => seen.length)).toEqual([2, 1, 1]);
    expect(upstreams.report()).toEqual([
      { name: "u0", healthy: false, active: 0 },
      { name: "u1", healthy: false, active: 0 },
      { name: "u2", healthy: true, active: 0 },
    ]);
  });

  test("healthy ones are tried first", async () => {
    const { engines, provider } = await open([busy, wellBehaved]);
    for (let i = 0; i < 3; i++) expect(await text(provider.chat(call, signal()))).toBe("Hello");
    expect(engines.map(({ seen }) => seen.length)).toEqual([1, 3]);
  });

  test("the last refusal counts if none can answer", async () => {
    const { provider } = await open([dead, busy]);
    expect(await all(provider.chat(call, signal()))).toMatchObject([
      { type: "refused", refusal: { code: "overloaded", retryAfter: 9 } },
    ]);
    const { provider: other } = await open([busy, dead]);
    await expect(all(other.chat(call, signal()))).rejects.toMatchObject({ code: "unavailable" });
  });

  test("an invalid request is not retried elsewhere", async () => {
    const { engines, provider } = await open([
      (response) => json(response, 400, { error: { message: "no" } }),
      wellBehaved,
    ]);
    expect(await text(provider.chat(call, signal()))).toBe("rejected");
    expect(engines[1]?.seen).toEqual([]);
  });

  test("none takes over an answer that has started", async () => {
    const { engines, provider } = await open([
      (response) => {
        events(response);
        send(response, piece({ content: "ha" }));
        setImmediate(() => response.socket?.destroy());
      },
      wellBehaved,
    ]);
    await expect(all(provider.chat(call, signal()))).rejects.toMatchObject({ code: "unavailable" });
    expect(engines[1]?.seen).toEqual([]);
  });

  test("the one with the most free capacity is used, and if all are full the request is refused", async () => {
    const { engines, provider } = await open([wellBehaved, wellBehaved], { concurrency: 1 });
    const begin = async () => {
      const chunks = provider.chat(call, signal())[Symbol.asyncIterator]();
      await chunks.next();
      return chunks;
    };
    const [first, second] = [await begin(), await begin()];
    expect(engines.map(({ seen }) => seen.length)).toEqual([1, 1]);
    expect(await text(provider.chat(call, signal()))).toBe("overloaded");
    await first.return?.();
    expect(await text(provider.chat(call, signal()))).toBe("Hello");
    await second.return?.();
  });
});

describe("trained models", () => {
  const trained: TrainedModel = {
    entity: "team",
    project: "demo",
    name: "m",
    baseModel: "org/model",
    step: 3,
    createdAt: 0,
    checkpoint: { id: "c3", files: [] },
  };
  const trainedCall: ChatCall = { ...call, trained };

  /** vLLM's handling of adapters: it answers for loaded ones and does not know others. */
  function vllm() {
    const loaded = new Set<string>();
    const behaviour: Behaviour = (response, seen) => {
      const { path, body } = seen;
      if (path === "/v1/load_lora_adapter") {
        const known = loaded.has(body.lora_name);
        loaded.add(body.lora_name);
        if (known) return json(response, 400, { message: `The lora adapter has already been loaded.` });
        return json(response, 200, "Success");
      }
      if (path === "/v1/unload_lora_adapter") {
        return json(response, loaded.delete(body.lora_name) ? 200 : 404, "");
      }
      if (!loaded.has(body.model)) return json(response, 404, { error: { message: "no such model" } });
      return wellBehaved(response, seen);
    };
    return { loaded, behaviour };
  }

  const lora = { loraSlots: 1 };
  const place = { placeAdapter: async ({ step }: TrainedModel) => `/adapters/${step}` };

  test("are loaded before they are called, under a name of letters, digits and dashes", async () => {
    const engine = vllm();
    const { engines, trainedProvider } = await open([engine.behaviour], lora, place);
    expect(await text(trainedProvider!.chat(trainedCall, signal()))).toBe("Hello");
    expect(await text(trainedProvider!.chat(trainedCall, signal()))).toBe("Hello");
    const [name] = engine.loaded;
    expect(name).toMatch(/^assay-m-step3-[0-9a-f]{16}$/);
    expect(engines[0]?.seen.map(({ path, body }) => [path, body.lora_path ?? body.model])).toEqual([
      ["/v1/load_lora_adapter", "/adapters/3"],
      ["/v1/chat/completions", name],
      ["/v1/chat/completions", name],
    ]);
  });

  test("are unloaded for others when no slot is left", async () => {
    const engine = vllm();
    const { trainedProvider } = await open([engine.behaviour], lora, place);
    for (const step of [3, 4, 5]) {
      const other: TrainedModel = { ...trained, step, checkpoint: { id: `c${step}`, files: [] } };
      expect(await text(trainedProvider!.chat({ ...call, trained: other }, signal()))).toBe("Hello");
      expect(engine.loaded.size).toBe(1);
    }
  });

  test("are loaded again after a restart of the engine or of this server", async () => {
    const engine = vllm();
    const { trainedProvider, upstreams } = await open([engine.behaviour], lora, place);
    await text(trainedProvider!.chat(trainedCall, signal()));
    engine.loaded.clear();
    expect(await text(trainedProvider!.chat(trainedCall, signal()))).toBe("Hello");
    await upstreams.close();
    const again = await open([engine.behaviour], lora, place);
    expect(await text(again.trainedProvider!.chat(trainedCall, signal()))).toBe("Hello");
  });

  test("that do not load are a failure, and the base model never answers for them", async () => {
    const { engines, trainedProvider } = await open(
      [(response) => json(response, 500, "no memory")],
      lora,
      place,
    );
    await expect(all(trainedProvider!.chat(trainedCall, signal()))).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(engines[0]?.seen.map(({ path }) => path)).toEqual(["/v1/load_lora_adapter"]);
  });

  test("are not served where no upstream has slots", async () => {
    expect((await open([wellBehaved])).trainedProvider).toBeUndefined();
    await expect(open([wellBehaved], lora)).rejects.toThrow("no adapter loader is set");
  });
});

test("an engine that can count continuously does so, and an interrupted answer is counted exactly", async () => {
  const { engines, provider } = await open([wellBehaved], { continuousUsage: true });
  const streamed = { stream: true, stream_options: { include_usage: false, include_obfuscation: false } };
  await text(provider.chat({ ...call, request: { ...call.request, ...streamed } }, signal()));
  expect(engines[0]?.seen[0]?.body.stream_options).toEqual({
    include_obfuscation: false,
    include_usage: true,
    continuous_usage_stats: true,
  });
});
