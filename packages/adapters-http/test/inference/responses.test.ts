// The Responses interface and single models, as clients read them.

import { createOpenAI } from "@ai-sdk/openai";
import { Fault } from "@assay/base";
import type { ChatCall } from "@assay/inference-core";
import { engineChunk, type ScriptStep, sayTokens } from "@assay/inference-core/testing";
import { generateText, jsonSchema, stepCountIs, streamText, type ToolSet, tool } from "ai";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import { listen, type Script, world } from "./fixture.ts";

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(script: Script) {
  const { app, ...seen } = world(script);
  const server = await listen(app);
  open.push(server);
  const settings = { apiKey: "key-a", baseURL: server.url };
  const openai = new OpenAI({ ...settings, maxRetries: 0, project: "team/demo" });
  return { ...server, ...seen, openai, vercel: createOpenAI(settings).responses("org/model") };
}

const hello: Script = (call) => sayTokens(call, ["Hel", "lo"]);
const model = "org/model";

/** An engine that calls a function, and records the requests it receives. */
function caller(asked: ChatCall[]): Script {
  return (call): readonly ScriptStep[] => {
    asked.push(call);
    const first = { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":' } };
    const rest = { index: 0, function: { arguments: '"Oslo"}' } };
    return [
      engineChunk({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...first }] } }] }),
      engineChunk({ choices: [{ index: 0, delta: { tool_calls: [rest] } }] }),
      engineChunk({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }),
      engineChunk({ usage: { prompt_tokens: 7, completion_tokens: 9 } }),
    ];
  };
}

const parameters = { type: "object", properties: { city: { type: "string" } } } as const;

describe("openai", () => {
  test("the whole answer, the stream and its helper have the same text and the engine's own usage", async () => {
    const { openai, usage } = await serve(hello);
    const whole = await openai.responses.create({ model, input: "hi there", instructions: "Be kind." });
    expect(whole).toMatchObject({ object: "response", status: "completed", output_text: "Hello", model });
    expect(whole.instructions).toBe("Be kind.");
    const types: string[] = [];
    let text = "";
    for await (const event of await openai.responses.create({ model, input: "hi there", stream: true })) {
      types.push(event.type);
      if (event.type === "response.output_text.delta") text += event.delta;
    }
    expect(text).toBe("Hello");
    expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
    const helper = await openai.responses.stream({ model, input: "hi there" }).finalResponse();
    expect(helper.output_text).toBe("Hello");
    expect(helper.usage).toMatchObject({ output_tokens: whole.usage!.output_tokens });
    expect(usage.records()).toHaveLength(3);
    expect(usage.records()[0]).toMatchObject({ entity: "team", outcome: "complete", generatedTokens: 2 });
  });

  test.each(["reasoning", "reasoning_content"])("an engine's %s is an item of its own", async (name) => {
    const delta = (fields: object, finish_reason: string | null = null) =>
      engineChunk({ choices: [{ index: 0, delta: fields, finish_reason }] });
    const { openai } = await serve(() => [
      delta({ [name]: "Let me " }),
      delta({ [name]: "think." }),
      delta({ content: "Hello" }, "stop"),
    ]);
    const whole = await openai.responses.create({ model, input: "hi there" });
    expect(whole.output).toMatchObject([
      { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Let me think." }] },
      { type: "message", content: [{ text: "Hello" }] },
    ]);
    const stream = openai.responses.stream({ model, input: "hi there" });
    let thought = "";
    for await (const event of stream)
      if (event.type === "response.reasoning_text.delta") thought += event.delta;
    expect(thought).toBe("Let me think.");
    expect((await stream.finalResponse()).output_text).toBe("Hello");
  });

  test("function calls are sent and returned as items", async () => {
    const asked: ChatCall[] = [];
    const { openai } = await serve(caller(asked));
    const tools = [{ type: "function" as const, name: "weather", parameters, strict: false }];
    const { output } = await openai.responses.create({
      model,
      input: "Oslo?",
      tools,
      tool_choice: "required",
    });
    expect(output).toMatchObject([
      { type: "function_call", name: "weather", arguments: '{"city":"Oslo"}', status: "completed" },
    ]);
    const said = output[0] as OpenAI.Responses.ResponseFunctionToolCall;
    await openai.responses.create({
      model,
      input: [
        { role: "user", content: [{ type: "input_text", text: "Oslo?" }] },
        said,
        { type: "function_call_output", call_id: said.call_id, output: "rain" },
      ],
      text: { format: { type: "json_schema", name: "answer", schema: parameters, strict: true } },
      max_output_tokens: 5,
    });
    expect(asked[0]!.request).toMatchObject({
      tools: [{ type: "function", function: { name: "weather", parameters } }],
      tool_choice: "required",
    });
    expect(asked[1]!.request).toMatchObject({
      messages: [
        { role: "user", content: [{ type: "text", text: "Oslo?" }] },
        { role: "assistant", tool_calls: [{ id: said.call_id, function: { name: "weather" } }] },
        { role: "tool", tool_call_id: said.call_id, content: "rain" },
      ],
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: true } },
      max_completion_tokens: 5,
    });
  });

  test("every other field reaches the engine, translated or unchanged", async () => {
    const asked: ChatCall[] = [];
    const { openai } = await serve((call) => {
      asked.push(call);
      return sayTokens(call, ["Hi"]);
    });
    const call = (call_id: string) => ({ type: "function_call", call_id, name: "weather", arguments: "{}" });
    const response = await openai.responses.create({
      model,
      input: [
        { role: "user", content: [{ type: "input_image", image_url: "data:a", detail: "high" }] },
        { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
        { type: "item_reference", id: "rs_1" },
        call("a"),
        call("b"),
        { type: "function_call_output", call_id: "a", output: [{ type: "input_text", text: "rain" }] },
      ],
      tools: [{ type: "function", name: "weather", parameters, strict: true }],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "weather" }] },
      reasoning: { effort: "low", summary: "auto" },
      text: { verbosity: "low" },
      metadata: { a: "b" },
      max_tool_calls: 2,
      service_tier: "flex",
      prompt_cache_key: "k",
      min_p: 0.1,
    } as object as OpenAI.Responses.ResponseCreateParamsNonStreaming);
    const weather = { type: "function", function: { name: "weather" } };
    expect(asked[0]!.request).toEqual({
      model,
      messages: [
        { role: "user", content: [{ type: "image_url", image_url: { url: "data:a", detail: "high" } }] },
        {
          role: "assistant",
          content: [{ type: "refusal", refusal: "no" }],
          tool_calls: ["a", "b"].map((id) => ({
            id,
            type: "function",
            function: { name: "weather", arguments: "{}" },
          })),
        },
        { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "rain" }] },
      ],
      tools: [{ type: "function", function: { name: "weather", parameters, strict: true } }],
      tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [weather] } },
      reasoning_effort: "low",
      verbosity: "low",
      service_tier: "flex",
      prompt_cache_key: "k",
      min_p: 0.1,
    });
    expect(response).toMatchObject({
      reasoning: { effort: "low", summary: null },
      text: { format: { type: "text" }, verbosity: "low" },
      metadata: { a: "b" },
      max_tool_calls: 2,
    });
  });

  test("log-probabilities are in the response that asks for them, and in its events", async () => {
    const { openai } = await serve(hello);
    const wish = { model, input: "hi", include: ["message.output_text.logprobs" as const] };
    const logprobs = ["Hel", "lo"].map((token) => ({ token, logprob: 0 }));
    const content = [{ type: "output_text", text: "Hello", logprobs }];
    expect((await openai.responses.create(wish)).output).toMatchObject([{ content }]);
    const said: unknown[] = [];
    for await (const event of await openai.responses.create({ ...wish, stream: true }))
      if (event.type === "response.output_text.delta") said.push(...event.logprobs);
    expect(said).toMatchObject(logprobs);
    const without = await openai.responses.create({ model: "wandb-artifact:///team/demo/m", input: "hi" });
    expect(without.output).toMatchObject([{ content: [{ logprobs: [] }] }]);
  });

  test.each([
    [{ refusal: "I cannot" }, "stop", [{ type: "refusal", refusal: "I cannot" }], "completed", null],
    [{ content: "ha" }, "content_filter", [{ text: "ha" }], "incomplete", { reason: "content_filter" }],
    [{ content: "ha" }, "length", [{ text: "ha" }], "incomplete", { reason: "max_output_tokens" }],
  ])(
    "an engine answer of %j that ends with %s is reported",
    async (delta, finish_reason, content, status, incomplete_details) => {
      const { openai } = await serve(() => [engineChunk({ choices: [{ index: 0, delta, finish_reason }] })]);
      const response = { status, incomplete_details, output: [{ type: "message", status, content }] };
      expect(await openai.responses.create({ model, input: "hi" })).toMatchObject(response);
      const streamed = await openai.responses.stream({ model, input: "hi" }).finalResponse();
      expect(streamed).toMatchObject(response);
    },
  );

  test("unsupported fields are refused by name, and a stream that breaks off is an error", async () => {
    const { openai, errors } = await serve(() => [
      engineChunk({ choices: [{ index: 0, delta: { content: "ha" } }] }),
      new Fault("unavailable", "the engine broke off"),
    ]);
    const ask = (more: object) =>
      openai.responses.create({ model, input: "hi", ...more } as OpenAI.Responses.ResponseCreateParams);
    const refused = (more: object, status: number, param: string) =>
      expect(ask(more)).rejects.toMatchObject({ status, param });
    await refused({ previous_response_id: "resp_1" }, 422, "previous_response_id");
    await refused({ instructions: {} }, 422, "instructions");
    await refused({ input: [{ type: "computer_call" }] }, 422, "input[0].type");
    await refused({ tools: [{ type: "web_search" }] }, 422, "tools[0].type");
    await refused({ temperature: 9 }, 422, "temperature");
    await refused({ n: 2 }, 422, "n");
    await refused({ truncation: "auto" }, 422, "truncation");
    await refused({ text: { format: {} } }, 422, "text.format");
    await refused({ text: { verbosty: "low" } }, 422, "text.verbosty");
    await refused({ reasoning: { budget: 5 } }, 422, "reasoning.budget");
    await refused({ include: ["logprobs"] }, 422, "include");
    await refused({ top_logprobs: 99 }, 422, "top_logprobs");
    await refused(
      { stream: true, stream_options: { include_obfuscation: true } },
      422,
      "stream_options.include_obfuscation",
    );
    await refused({ tool_choice: { type: "web_search" } }, 422, "tool_choice");
    await refused({ input: [{ type: "item_reference", id: "msg_1" }] }, 422, "input[0]");
    const file = { role: "user", content: [{ type: "input_image", file_id: "file-1" }] };
    await refused({ input: [file] }, 422, "input[0].content[0].image_url");
    await refused({ model: "org/x" }, 404, "model");
    const stream = (await ask({ stream: true })) as AsyncIterable<{ readonly type: string }>;
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow("the engine broke off");
    expect(errors).toHaveLength(1);
  });

  test("a conversation continues by response or by item, for the same key and unless storing is off", async () => {
    const asked: ChatCall[] = [];
    const { openai, url } = await serve((call) => {
      asked.push(call);
      return sayTokens(call, ["Hel", "lo"]);
    });
    const first = await openai.responses.create({ model, input: "hi", instructions: "Be kind." });
    expect(first).toMatchObject({ store: true, previous_response_id: null });
    const second = await openai.responses
      .stream({ model, input: "more", previous_response_id: first.id })
      .finalResponse();
    expect(second.previous_response_id).toBe(first.id);
    const turns = (...contents: readonly unknown[]) =>
      contents.map((content, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content }));
    const hello = [{ type: "text", text: "Hello" }];
    // A response does not inherit the instructions of the previous one.
    expect(asked[1]!.request.messages).toEqual(turns("hi", hello, "more"));
    const reference = (id: string) => ({ type: "item_reference" as const, id });
    const input = [...turns("hi"), reference(first.output[0]!.id!), ...turns("so?")];
    const ask = (client: OpenAI, more: object) =>
      client.responses.create({ model, input, ...more } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
    await ask(openai, {});
    expect(asked[2]!.request.messages).toEqual([...turns("hi", hello), ...turns("so?")]);
    await ask(openai, { input: "and?", previous_response_id: second.id });
    expect(asked[3]!.request.messages).toEqual(turns("hi", hello, "more", hello, "and?"));

    const other = new OpenAI({ apiKey: "key-b", baseURL: url, maxRetries: 0 });
    await expect(ask(other, {})).rejects.toMatchObject({ status: 422, param: "input[1]" });
    const forgotten = await ask(openai, { input: "hi", store: false });
    expect(forgotten).toMatchObject({ store: false });
    await expect(ask(openai, { input: "hi", previous_response_id: forgotten.id })).rejects.toMatchObject({
      status: 422,
      param: "previous_response_id",
    });
  });

  test("the latest responses can be read and deleted with their key; what is not stored is refused by name", async () => {
    const { openai, url } = await serve(hello);
    const kept = await openai.responses.create({ model, input: "hi", metadata: { run: "7" } });
    const { id } = await openai.responses.stream({ model, input: "hi" }).finalResponse();
    expect(await openai.responses.retrieve(kept.id)).toMatchObject(JSON.parse(JSON.stringify(kept)));
    expect((await openai.responses.retrieve(id)).output_text).toBe(kept.output_text);
    const other = new OpenAI({ apiKey: "key-b", baseURL: url, maxRetries: 0 });
    await expect(other.responses.delete(id)).rejects.toMatchObject({ status: 404 });
    await openai.responses.delete(id);
    const item = { type: "item_reference" as const, id: id.replace("resp_", "msg_") };
    for (const [act, message] of [
      [() => openai.responses.retrieve(id), "only the latest are kept"],
      [() => openai.responses.create({ model, input: "so?", previous_response_id: id }), "not kept"],
      [() => openai.responses.create({ model, input: [item] }), "not kept"],
      [() => openai.responses.cancel(kept.id), "only responses in the background"],
      [() => openai.responses.inputItems.list(kept.id), "not stored as items"],
      [() => openai.chat.completions.retrieve("chatcmpl-1"), "chat completions are not stored"],
      [() => openai.chat.completions.messages.list("chatcmpl-1"), "chat completions are not stored"],
    ] as const)
      await expect((async () => act())()).rejects.toThrow(message);
  });

  test("a model is shown under its id, whatever it contains, and a foreign one looks unknown", async () => {
    const { openai, url } = await serve(hello);
    const trained = "wandb-artifact:///team/demo/m:step2";
    expect(await openai.models.retrieve(model)).toMatchObject({ id: model, owned_by: "system" });
    expect(await openai.models.retrieve(trained)).toMatchObject({
      id: trained,
      owned_by: "team",
      parent: model,
    });
    const other = new OpenAI({ apiKey: "key-b", baseURL: url, maxRetries: 0 });
    await expect(openai.models.retrieve("org/x")).rejects.toMatchObject({ status: 404 });
    await expect(other.models.retrieve(trained)).rejects.toMatchObject({ status: 404 });
    await expect(openai.embeddings.create({ model, input: "a" })).rejects.toMatchObject({
      status: 404,
      code: "unsupported_by_model",
    });
  });

  test("your own model is deleted completely; a base model, a checkpoint and a foreign model are not", async () => {
    const { openai, url, deleted } = await serve(hello);
    const own = "wandb-artifact:///team/demo/m";
    const other = new OpenAI({ apiKey: "key-b", baseURL: url, maxRetries: 0 });
    await expect(other.models.delete(own)).rejects.toMatchObject({ status: 404 });
    await expect(openai.models.delete(model)).rejects.toMatchObject({ status: 403 });
    await expect(openai.models.delete(`${own}:step2`)).rejects.toMatchObject({ status: 400 });
    await expect(openai.models.delete(`${own}x`)).rejects.toMatchObject({ status: 404 });
    expect(deleted).toEqual([]);
    expect(await openai.models.delete(own)).toEqual({ id: own, object: "model", deleted: true });
    expect(deleted).toEqual(["team/demo/m"]);
  });
});

describe("the AI SDK", () => {
  test("text, whole and streamed, and calls of tools", async () => {
    const { vercel } = await serve(hello);
    const prompt = "hi there";
    expect((await generateText({ model: vercel, prompt })).text).toBe("Hello");
    const streamed = streamText({ model: vercel, prompt });
    expect(await streamed.text).toBe("Hello");
    expect((await streamed.usage).outputTokens).toBe(2);
    const tools = { weather: tool({ inputSchema: jsonSchema(parameters) }) } as unknown as ToolSet;
    const called = await serve(caller([]));
    const { toolCalls } = await generateText({ model: called.vercel, prompt, tools });
    expect(toolCalls).toMatchObject([{ toolName: "weather", input: { city: "Oslo" } }]);
    const later = streamText({ model: called.vercel, prompt, tools });
    expect(await later.toolCalls).toMatchObject([{ toolName: "weather", input: { city: "Oslo" } }]);
  });

  test("a tool's result reaches the model, although the SDK only refers to the call", async () => {
    const asked: ChatCall[] = [];
    const { vercel } = await serve((call, signal) => {
      if (!call.request.messages.some(({ role }) => role === "tool")) return caller([])(call, signal);
      asked.push(call);
      return sayTokens(call, ["Rain"]);
    });
    const execute = async () => "rain";
    const tools = { weather: tool({ inputSchema: jsonSchema(parameters), execute }) } as unknown as ToolSet;
    const { text } = await generateText({ model: vercel, prompt: "Oslo?", tools, stopWhen: stepCountIs(2) });
    expect(text).toBe("Rain");
    expect(asked[0]!.request.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ function: { name: "weather", arguments: '{"city":"Oslo"}' } }] },
      { role: "tool", content: "rain" },
    ]);
  });
});
