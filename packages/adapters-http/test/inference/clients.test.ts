// Real, unmodified clients against the routes behind a real socket.

import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Fault } from "@assay/base";
import type { ChatCall } from "@assay/inference-core";
import { engineChunk, type ScriptStep, sayTokens } from "@assay/inference-core/testing";
import { generateText, jsonSchema, type LanguageModel, streamText, type ToolSet, tool } from "ai";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import { listen, type Script, world } from "./fixture.ts";

const messages = [{ role: "user" as const, content: "hi there" }];
const open: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(script: Script) {
  const { app, usage } = world(script);
  const server = await listen(app);
  open.push(server);
  const openai = new OpenAI({ apiKey: "key-a", baseURL: server.url, maxRetries: 0, project: "team/demo" });
  const compatible = createOpenAICompatible({
    name: "assay",
    apiKey: "key-a",
    baseURL: server.url,
    includeUsage: true,
  })("org/model");
  const vercel = createOpenAI({ apiKey: "key-a", baseURL: server.url }).chat("org/model");
  return { ...server, usage, openai, compatible, vercel };
}

const hello: Script = (call) => sayTokens(call, ["Hel", "lo"]);

/** An engine with its own form of tool call: index always 0, no type, arguments as an object. */
function weather(call: ChatCall): readonly ScriptStep[] {
  const said = (id: string, city: string) => ({
    index: 0,
    id,
    function: { name: "weather", arguments: { city } },
  });
  return [
    engineChunk({ choices: [{ delta: { tool_calls: [said("a", "Rome")] } }] }),
    engineChunk({ choices: [{ delta: { tool_calls: [said("b", "Oslo")] } }] }),
    engineChunk({ choices: [{ delta: {}, finish_reason: "tool_calls" }] }),
    engineChunk({ usage: { prompt_tokens: call.request.messages.length, completion_tokens: 9 } }),
  ];
}

const half: readonly ScriptStep[] = [
  engineChunk({ choices: [{ delta: { content: "ha" } }] }),
  new Fault("unavailable", "the engine stopped before the end of its answer"),
];

describe("openai", () => {
  test("reads a whole answer, with the given project", async () => {
    const { openai, usage } = await serve(hello);
    const answer = await openai.chat.completions.create({ model: "org/model", messages });
    expect(answer.choices[0]?.message.content).toBe("Hello");
    expect(answer.usage?.total_tokens).toBe(4);
    expect(usage.records()).toMatchObject([{ entity: "team", project: "demo", key: "a" }]);
  });

  test("streamed", async () => {
    const { openai, usage } = await serve(hello);
    const stream = await openai.chat.completions.create({
      model: "org/model",
      messages,
      stream: true,
      stream_options: { include_usage: true },
      logprobs: true,
    });
    let text = "";
    let total: number | undefined;
    let logprobs = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      logprobs += chunk.choices[0]?.logprobs?.content?.length ?? 0;
      total = chunk.usage?.total_tokens ?? total;
    }
    expect([text, total, logprobs]).toEqual(["Hello", 4, 2]);
    expect(usage.records()).toMatchObject([{ streamed: true, generatedTokens: 2, deliveredTokens: 2 }]);
  });

  test("with its stream helper", async () => {
    const { openai } = await serve(hello);
    const runner = openai.chat.completions.stream({ model: "org/model", messages, n: 2 });
    const answer = await runner.finalChatCompletion();
    expect(answer.choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual([
      ["Hello", "stop"],
      ["Hello", "stop"],
    ]);
  });

  test("tool calls, whole and with its stream helper", async () => {
    const { openai } = await serve(weather);
    const asked = { model: "org/model", messages };
    const streamed = await openai.chat.completions.stream(asked).finalChatCompletion();
    const whole = await openai.chat.completions.create(asked);
    for (const answer of [streamed, whole]) {
      const calls = answer.choices[0]?.message.tool_calls?.map(
        (call) => call.type === "function" && call.function,
      );
      expect(calls).toMatchObject([
        { name: "weather", arguments: '{"city":"Rome"}' },
        { name: "weather", arguments: '{"city":"Oslo"}' },
      ]);
    }
  });

  test("errors have the class for their status, and their message", async () => {
    const { openai, url } = await serve(hello);
    const ask = (client: OpenAI, more: object) =>
      client.chat.completions
        .create({ model: "org/model", messages, ...more })
        .catch((error: unknown) => error);
    expect(await ask(openai, { model: "org/x" })).toMatchObject({
      constructor: OpenAI.NotFoundError,
      message: expect.stringMatching(
        /^404 The requested resource was not found; base models here: .*org\/model/,
      ),
      code: "model_not_found",
      param: "model",
    });
    expect(await ask(openai, { temperature: 9 })).toMatchObject({
      constructor: OpenAI.UnprocessableEntityError,
      message: "422 temperature: must be a number from 0 to 2",
    });
    const stranger = new OpenAI({ apiKey: "key-a", baseURL: url, project: "other/demo", maxRetries: 0 });
    expect(await ask(stranger, {})).toMatchObject({ constructor: OpenAI.AuthenticationError });
  });

  test("retries when the engine was overloaded, after the time it names", async () => {
    let tries = 0;
    const { url, usage } = await serve((call) =>
      ++tries < 3
        ? [{ type: "refused", refusal: { code: "overloaded", message: "later", retryAfter: 0 } }]
        : sayTokens(call, ["yes"]),
    );
    const client = new OpenAI({ apiKey: "key-a", baseURL: url, maxRetries: 2 });
    const answer = await client.chat.completions.create({ model: "org/model", messages });
    expect([answer.choices[0]?.message.content, tries]).toEqual(["yes", 3]);
    expect(usage.records().map(({ outcome, generatedTokens }) => [outcome, generatedTokens])).toEqual([
      ["failed", 0],
      ["failed", 0],
      ["complete", 1],
    ]);
  });

  test("a stream that breaks is an error, not a truncated answer", async () => {
    const { openai } = await serve(() => half);
    const read = async () => {
      const stream = await openai.chat.completions.create({ model: "org/model", messages, stream: true });
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toThrow("the engine stopped before the end of its answer");
    const runner = openai.chat.completions.stream({ model: "org/model", messages });
    await expect(runner.finalChatCompletion()).rejects.toThrow("the engine stopped");
  });

  test("lists models", async () => {
    const { openai } = await serve(hello);
    const models: string[] = [];
    for await (const { id } of openai.models.list()) models.push(id);
    expect(models).toEqual(["org/model", "org/other", "wandb-artifact:///team/demo/m"]);
  });

  test("disconnecting stops the engine, and the tokens so far are counted", async () => {
    let stopped = false;
    const { openai, usage } = await serve(async function* () {
      try {
        for (;;) {
          yield engineChunk({ choices: [{ delta: { content: "a" } }] });
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        stopped = true;
      }
    });
    const stream = await openai.chat.completions.create({ model: "org/model", messages, stream: true });
    for await (const _chunk of stream) break;
    await expect.poll(() => usage.records()).toMatchObject([{ outcome: "aborted", counted: "estimate" }]);
    expect(stopped).toBe(true);
  });

  test("disconnecting while waiting for a whole answer stops the engine too", {
    tags: ["long"],
  }, async () => {
    let began = () => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const { openai, usage } = await serve(async function* (_call, signal) {
      began();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield new Fault("cancelled", "the request was cancelled");
    });
    const controller = new AbortController();
    const answer = openai.chat.completions.create(
      { model: "org/model", messages },
      { signal: controller.signal },
    );
    const aborted = expect(answer).rejects.toThrow("aborted");
    await beginning;
    controller.abort();
    await aborted;
    await expect.poll(() => usage.records()).toMatchObject([{ outcome: "aborted", generatedTokens: 0 }]);
  });
});

describe.each(["compatible", "vercel"] as const)("the AI SDK, %s", (name) => {
  const model = (world: Record<typeof name, LanguageModel>) => world[name];

  test("whole", async () => {
    const { text, usage, finishReason } = await generateText({ model: model(await serve(hello)), messages });
    expect([text, usage.totalTokens, finishReason]).toEqual(["Hello", 4, "stop"]);
  });

  test("streamed", async () => {
    const { textStream, usage, finishReason } = streamText({ model: model(await serve(hello)), messages });
    let text = "";
    for await (const part of textStream) text += part;
    expect([text, (await usage).totalTokens, await finishReason]).toEqual(["Hello", 4, "stop"]);
  });

  test("tool calls, whole and streamed", async () => {
    const world = await serve(weather);
    // The types of the AI SDK do not compile under exactOptionalPropertyTypes.
    const tools = { weather: tool({ inputSchema: jsonSchema({ type: "object" }) }) } as unknown as ToolSet;
    const whole = await generateText({ model: model(world), messages, tools });
    const streamed = await streamText({ model: model(world), messages, tools }).toolCalls;
    for (const calls of [whole.toolCalls, streamed]) {
      expect(calls.map(({ input }) => input)).toEqual([{ city: "Rome" }, { city: "Oslo" }]);
    }
  });

  test("errors are shown with their message, and only temporary ones are retried", async () => {
    let tries = 0;
    const world = await serve(() => {
      tries++;
      return [new Fault("unavailable", "down")];
    });
    const ask = (more: object) =>
      generateText({ model: model(world), messages, maxRetries: 0, ...more }).catch(
        (error: unknown) => error,
      );
    expect(await ask({})).toMatchObject({
      statusCode: 503,
      isRetryable: true,
      message: "The engine is currently overloaded, please try again later",
    });
    expect(await ask({ temperature: 9 })).toMatchObject({
      statusCode: 422,
      isRetryable: false,
      message: "temperature: must be a number from 0 to 2",
    });
    expect(tries).toBe(1);
  });

  test("a stream that breaks is an error, not a truncated answer", async () => {
    const errors: unknown[] = [];
    const result = streamText({
      model: model(await serve(() => half)),
      messages,
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    let text = "";
    for await (const part of result.textStream) text += part;
    expect(text).toBe("ha");
    expect(JSON.stringify(errors)).toContain("the engine stopped");
  });
});
