// Real clients against the built command in a process of its own. Its engine is a second server in this process, with
// scripted answers. All tests share one server.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Fault } from "@assay/base";
import type { ChatCall } from "@assay/inference-core";
import { engineChunk, type ScriptStep, sayTokens } from "@assay/inference-core/testing";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen, world } from "./fixture.ts";

const KEY = "k".repeat(32);
const messages = [{ role: "user" as const, content: "hi" }];
const home = mkdtempSync(join(tmpdir(), "assay-clients-"));
let engine: Awaited<ReturnType<typeof listen>>;
let server: AssayServer;
/** The engine's next answer. */
let script: (call: ChatCall) => readonly ScriptStep[];

const hello = (call: ChatCall) => sayTokens(call, ["Hel", "lo"]);

beforeAll(async () => {
  engine = await listen(world((call) => script(call)).app);
  const file = join(home, "engines.yaml");
  const upstream = {
    name: "scripted",
    url: engine.url,
    key_env: "ENGINE_KEY",
    models: { "org/model": true },
  };
  writeFileSync(file, JSON.stringify({ upstreams: [upstream] }));
  const env = { ASSAY_API_KEY: KEY, ENGINE_KEY: "key-a" };
  server = await startAssay(join(home, "data"), { env, args: ["--upstreams", file] });
});

afterAll(async () => {
  await server.stop("SIGTERM");
  await engine.close();
  rmSync(home, { recursive: true });
});

const openai = (options: object = {}) =>
  new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1`, maxRetries: 0, ...options });

describe("openai", () => {
  test("reads whole and streamed answers, with and without its stream helper", async () => {
    script = hello;
    const wish = { model: "org/model", messages };
    const whole = await openai().chat.completions.create(wish);
    expect([whole.choices[0]?.message.content, whole.usage?.total_tokens]).toEqual(["Hello", 3]);
    const options = { stream: true as const, stream_options: { include_usage: true } };
    let [text, total] = ["", 0];
    for await (const chunk of await openai().chat.completions.create({ ...wish, ...options })) {
      text += chunk.choices[0]?.delta.content ?? "";
      total = chunk.usage?.total_tokens ?? total;
    }
    expect([text, total]).toEqual(["Hello", 3]);
    const helped = await openai().chat.completions.stream(wish).finalChatCompletion();
    expect(helped.choices[0]?.message.content).toBe("Hello");
  });

  test("the tiny model, and the list of models", async () => {
    const answer = await openai().chat.completions.create({ model: "assay/tiny", messages, max_tokens: 4 });
    expect(answer.choices[0]?.finish_reason).toBeTypeOf("string");
    const ids: string[] = [];
    for await (const { id } of openai().models.list()) ids.push(id);
    expect(ids).toEqual(expect.arrayContaining(["org/model", "assay/tiny"]));
  });

  test("refusals have the class for their status", async () => {
    const ask = (more: object, options = {}) =>
      openai(options)
        .chat.completions.create({ model: "org/model", messages, ...more })
        .catch((error: unknown) => error);
    expect(await ask({ model: "org/x" })).toMatchObject({
      constructor: OpenAI.NotFoundError,
      code: "model_not_found",
      param: "model",
    });
    expect(await ask({ temperature: 9 })).toMatchObject({
      constructor: OpenAI.UnprocessableEntityError,
      message: "422 temperature: must be a number from 0 to 2",
    });
    expect(await ask({ messages: [{}] })).toMatchObject({ constructor: OpenAI.UnprocessableEntityError });
    expect(await ask({}, { apiKey: "wrong" })).toMatchObject({ constructor: OpenAI.AuthenticationError });
  });

  test("a stream that breaks is an error, not a truncated answer", async () => {
    script = () => [
      engineChunk({ choices: [{ delta: { content: "ha" } }] }),
      new Fault("unavailable", "the engine stopped before the end of its answer"),
    ];
    const read = async () => {
      const stream = await openai().chat.completions.create({ model: "org/model", messages, stream: true });
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toThrow();
  });
});

describe.each(["compatible", "openai", "openai with its defaults"] as const)("the AI SDK, %s", (name) => {
  const model = () => {
    const options = { apiKey: KEY, baseURL: `${server.url}/v1` };
    // By default it uses /v1/responses.
    if (name === "openai with its defaults") return createOpenAI(options)("org/model");
    return name === "openai"
      ? createOpenAI(options).chat("org/model")
      : createOpenAICompatible({ name: "assay", includeUsage: true, ...options })("org/model");
  };

  test("whole and streamed", async () => {
    script = hello;
    // The scripted engine counts the words of texts but not of parts, and Responses sends parts.
    const total = name === "openai with its defaults" ? 2 : 3;
    const whole = await generateText({ model: model(), messages });
    expect([whole.text, whole.usage.totalTokens, whole.finishReason]).toEqual(["Hello", total, "stop"]);
    const { textStream, usage, finishReason } = streamText({ model: model(), messages });
    let text = "";
    for await (const part of textStream) text += part;
    expect([text, (await usage).totalTokens, await finishReason]).toEqual(["Hello", total, "stop"]);
  });

  test("a refusal is shown with its message, and not retried", async () => {
    const failed = await generateText({ model: model(), messages, temperature: 9 }).catch((error) => error);
    expect(failed).toMatchObject({
      statusCode: 422,
      isRetryable: false,
      message: "temperature: must be a number from 0 to 2",
    });
  });
});
