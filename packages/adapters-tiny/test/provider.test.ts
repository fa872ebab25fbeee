// The tiny model satisfies the laws of a provider, and names tokens as training expects them.

import {
  answerChat,
  type ChatCall,
  type ChatRequest,
  catalogueOf,
  completeChat,
  memoryTrainedModels,
  memoryUsage,
  requestLimits,
  type TrainedModel,
} from "@assay/inference-core";
import { chatProviderLaws } from "@assay/inference-core/laws";
import { baseModel, encodeCheckpoint, planSft } from "@assay/model-tiny";
import { memoryArtifactStore } from "@assay/training-core/testing";
import { describe, expect, test } from "vitest";
import { tinyProvider } from "../src/index.ts";
import { TINY_FILE } from "../src/trainer.ts";

const messages = [{ role: "user", content: "Japan?" }];
const request: ChatRequest = { model: "assay/tiny", messages, max_tokens: 8, seed: 7 };

function world() {
  const artifacts = memoryArtifactStore();
  let reads = 0;
  const counted = {
    read(sha256: string) {
      reads++;
      return artifacts.read(sha256);
    },
  };
  let pauses = 0;
  const pause = async () => void pauses++;
  let seeds = 0;
  const provider = tinyProvider({ artifacts: counted, pause, newSeed: () => ++seeds, keep: 2 });
  return { artifacts, provider, reads: () => reads, pauses: () => pauses };
}

const checkpoints = new Map<string, Uint8Array>();

/** The base model fine-tuned on an answer; trained once. */
function checkpointOf(answer: string): Uint8Array {
  const known = checkpoints.get(answer);
  if (known !== undefined) return known;
  const model = baseModel("assay/tiny")!;
  const rows = [{ messages: [...messages, { role: "assistant", content: answer }] }];
  for (const _ of planSft(rows, { epochs: 20 }).run(model));
  const checkpoint = encodeCheckpoint(model);
  checkpoints.set(answer, checkpoint);
  return checkpoint;
}

/** Stores the model fine-tuned on an answer as a checkpoint. */
async function taught({ artifacts }: ReturnType<typeof world>, answer: string): Promise<TrainedModel> {
  const blob = await artifacts.write([checkpointOf(answer)]);
  const checkpoint = { id: answer, files: [{ name: TINY_FILE, ...blob }] };
  return {
    entity: "team",
    project: "demo",
    name: "m",
    baseModel: "assay/tiny",
    step: 1,
    createdAt: 0,
    checkpoint,
  };
}

/** The provider's answer as a client gets it, with plain dispatch around it. */
async function answerOf(
  { provider }: ReturnType<typeof world>,
  asked: Partial<ChatRequest>,
  trained?: TrainedModel,
) {
  const inference = {
    catalogue: catalogueOf([{ id: "assay/tiny", provider, trainedProvider: provider }]),
    trainedModels: memoryTrainedModels(trained === undefined ? [] : [trained]),
    limits: requestLimits(),
    usage: memoryUsage(),
    now: () => 0,
    newId: () => "id",
  };
  const model = trained === undefined ? "assay/tiny" : "wandb-artifact:///team/demo/m:step1";
  const caller = { key: "k", allows: () => true };
  const reply = await answerChat(
    inference,
    caller,
    { ...request, model, ...asked },
    new AbortController().signal,
  );
  return reply.ok ? completeChat(reply.chunks) : reply.refusal;
}

describe("laws", () => {
  const call: ChatCall = { model: "assay/tiny", request };
  for (const { name, run } of chatProviderLaws(() => ({ provider: world().provider, call }))) test(name, run);
});

describe("laws, with a checkpoint", () => {
  const open = async () => {
    const here = world();
    const trained = await taught(here, "Tokyo");
    return { provider: here.provider, call: { model: "assay/tiny", trained, request } };
  };
  for (const { name, run } of chatProviderLaws(open)) test(name, run);
});

test("a checkpoint gives the answer it was trained on, and its base model does not", async () => {
  const here = world();
  const trained = await taught(here, "Tokyo");
  expect(await answerOf(here, { temperature: 0 }, trained)).toMatchObject({
    choices: [{ message: { content: "Tokyo" }, finish_reason: "stop" }],
    usage: { completion_tokens: 6 },
  });
  expect(await answerOf(here, { temperature: 0 })).not.toMatchObject({
    choices: [{ message: { content: "Tokyo" } }],
  });
});

test("a trained model names its tokens as training reads them by default", async () => {
  const here = world();
  const trained = await taught(here, "Ab");
  const answer = await answerOf(here, { temperature: 0 }, trained);
  expect(answer).toMatchObject({
    choices: [
      {
        logprobs: {
          content: [
            { token: "token_id:65", bytes: [65], top_logprobs: [] },
            { token: "token_id:98", bytes: [98] },
            { token: "token_id:256", bytes: [] },
          ],
        },
      },
    ],
  });
});

test("restricted to the likeliest token, any seed gives the deterministic answer", async () => {
  const textOf = async (asked: Partial<ChatRequest>) => {
    const answer = await answerOf(world(), { max_tokens: 20, ...asked });
    return "choices" in answer ? answer.choices[0]!.message.content : answer;
  };
  const likeliest = await textOf({ temperature: 0 });
  for (const seed of [1, 2, 3]) expect(await textOf({ top_k: 1, seed })).toBe(likeliest);
  expect(await textOf({ top_k: 0, seed: 1 })).not.toBe(likeliest);
});

test("tokens of the base model are named by their text, as usual", async () => {
  const answer = await answerOf(world(), { logprobs: true, top_logprobs: 1 });
  if (!("choices" in answer)) throw new Error("refused");
  const [choice] = answer.choices;
  const content = choice!.logprobs!.content!;
  expect(content.length).toBeGreaterThan(0);
  for (const { token, bytes } of content)
    expect(token).toBe(new TextDecoder().decode(Uint8Array.from(bytes ?? [])));
});

test.each<[object, string | undefined]>([
  [{ preserve_thinking: true }, undefined],
  [{ preserve_thinking: false, clear_thinking: true, enable_thinking: false, thinking: null }, undefined],
  [{}, undefined],
  [{ preserve_thinking: true, enable_thinking: true }, "chat_template_kwargs.enable_thinking"],
  [{ date_string: "today" }, "chat_template_kwargs.date_string"],
  [["enable_thinking"], "chat_template_kwargs"],
])("of the template's arguments %j, those that would change the answer are refused", async (wish, param) => {
  const answer = await answerOf(world(), { chat_template_kwargs: wish });
  if (param === undefined) expect(answer).toHaveProperty("choices");
  else expect(answer).toMatchObject({ code: "rejected", param });
});

test("tokens of a trained model are named by their text on request", async () => {
  const here = world();
  const trained = await taught(here, "Ab");
  const asked = { temperature: 0, logprobs: true, top_logprobs: 2, return_tokens_as_token_ids: false };
  const answer = await answerOf(here, asked, trained);
  expect(answer).toMatchObject({
    choices: [
      { logprobs: { content: [{ token: "A", top_logprobs: [{ token: "A" }, {}] }, { token: "b" }, {}] } },
    ],
  });
});

test("equal seeds give equal answers, and choices differ", async () => {
  const here = world();
  const asked = { n: 8, max_tokens: 40, seed: 5, temperature: 2 };
  const [one, two] = [await answerOf(here, asked), await answerOf(here, asked)];
  expect(one).toEqual(two);
  if (!("choices" in one)) throw new Error("refused");
  expect(new Set(one.choices.map(({ message }) => message.content)).size).toBeGreaterThan(3);
});

test("a stop text ends an answer before it", async () => {
  const here = world();
  const trained = await taught(here, "Tokyo");
  expect(await answerOf(here, { temperature: 0, stop: "ky" }, trained)).toMatchObject({
    choices: [{ message: { content: "To" }, finish_reason: "stop" }],
  });
});

test.each([
  ["verbosity", "low"],
  ["service_tier", "flex"],
  ["store", true],
  ["moderation", {}],
  ["stream_options", { include_obfuscation: true }],
  ["repetition_penalty", 1.5],
  ["min_p", 0.1],
  ["structured_outputs", { regex: "a" }],
  ["guided_choice", ["yes", "no"]],
  ["guided_regex", "[0-9]+"],
  ["guided_json", {}],
  ["guided_grammar", "a"],
  ["min_tokens", 5],
  ["ignore_eos", true],
  ["stop_token_ids", [1]],
  ["bad_words", ["no"]],
  ["functions", [{ name: "f" }]],
  ["function_call", { name: "f" }],
  ["structural_tag", {}],
  ["allowed_token_ids", [1]],
  ["logits_processors", ["a"]],
  ["use_beam_search", true],
  ["best_of", 2],
  ["length_penalty", 2],
  ["truncate_prompt_tokens", 10],
  ["prompt_logprobs", 1],
  ["echo", true],
  ["continue_final_message", true],
  ["add_generation_prompt", false],
  ["include_stop_str_in_output", true],
  ["documents", [{ text: "a" }]],
  ["chat_template", "a"],
  ["mm_processor_kwargs", { num_crops: 4 }],
  ["reasoning_effort", "high"],
  ["prediction", { type: "content", content: "a" }],
  ["modalities", ["text", "audio"]],
  ["audio", { format: "wav" }],
  ["web_search_options", {}],
])("%s is refused by name, not ignored", async (param, value) => {
  expect(await answerOf(world(), { [param]: value })).toEqual({
    code: "rejected",
    message: `the tiny model does not support ${param}`,
    param,
  });
});

test.each([
  ["max_token", 5],
  ["typical_p", 0.5],
  ["zork", "on"],
])("the unknown field %s is refused, because it would have no effect", async (param, value) => {
  const message = `the tiny model does not know ${param}`;
  expect(await answerOf(world(), { [param]: value })).toEqual({ code: "rejected", message, param });
});

test("the defaults of clients are accepted, and unknown fields that are off", async () => {
  const defaults = {
    ...{ return_token_ids: true, later: {}, latest: false },
    ...{ include_reasoning: true, skip_special_tokens: true, spaces_between_special_tokens: true },
    ...{ add_special_tokens: false, add_generation_prompt: true, length_penalty: 1, min_tokens: 0 },
    ...{ nvext: { extra_fields: ["engine_data"] }, chat_template_kwargs: { preserve_thinking: true } },
    ...{ ignore_eos: false, priority: 0, parallel_tool_calls: true, service_tier: "auto", store: false },
  };
  expect(await answerOf(world(), defaults)).toHaveProperty("choices");
});

const city = {
  type: "object",
  properties: { city: { enum: ["Rome", "Oslo"] }, days: { type: "integer", minimum: 1, maximum: 7 } },
  required: ["city", "days"],
  additionalProperties: false,
};
const tools = [
  { type: "function", function: { name: "weather", parameters: city } },
  { type: "function", function: { name: "now" } },
];

test("a structured answer fits its schema, or is any object that parses", async () => {
  const schema = { type: "json_schema", json_schema: { name: "trip", strict: true, schema: city } };
  for (const response_format of [schema, { type: "json_object" }]) {
    const answer = await answerOf(world(), { response_format, max_tokens: 60, temperature: 2 });
    if (!("choices" in answer)) throw new Error(answer.message);
    const [{ message, finish_reason }] = answer.choices as readonly [(typeof answer.choices)[number]];
    const value = JSON.parse(message.content ?? "") as { city?: string; days?: number };
    expect([finish_reason, typeof value]).toEqual(["stop", "object"]);
    if (response_format === schema) {
      expect(city.properties.city.enum).toContain(value.city);
      expect([1, 2, 3, 4, 5, 6, 7]).toContain(value.days);
    }
  }
});

test.each([
  ["required", ["weather", "now"]],
  [{ type: "function", function: { name: "weather" } }, ["weather"]],
  [{ type: "function", function: { name: "now" } }, ["now"]],
])("with the tool choice %j a function is called, with arguments that fit", async (tool_choice, names) => {
  const answer = await answerOf(world(), { tools, tool_choice, max_tokens: 80, temperature: 2 });
  if (!("choices" in answer)) throw new Error(answer.message);
  const [{ message, finish_reason, logprobs }] = answer.choices as readonly [(typeof answer.choices)[number]];
  const [call] = message.tool_calls ?? [];
  expect(finish_reason).toBe("tool_calls");
  expect(message.content).toBeNull();
  expect(call).toMatchObject({ id: expect.any(String), type: "function" });
  expect(names).toContain(call!.function.name);
  const args = JSON.parse(call!.function.arguments) as object;
  expect(Object.keys(args)).toEqual(call!.function.name === "now" ? [] : ["city", "days"]);
  expect(logprobs).toBeNull();
});

test("without instructions it answers with text, or with a call if it was taught one", async () => {
  const here = world();
  expect(await answerOf(here, { tools, temperature: 0, max_tokens: 100 })).toMatchObject({
    choices: [{ message: { content: expect.stringMatching(/\w/) }, finish_reason: "stop" }],
  });
  const trained = await taught(here, '{"name":"weather","arguments":{"city":"Oslo","days":3}}');
  expect(await answerOf(here, { tools, temperature: 0, max_tokens: 100 }, trained)).toMatchObject({
    choices: [
      {
        message: {
          content: null,
          tool_calls: [{ function: { name: "weather", arguments: '{"city":"Oslo","days":3}' } }],
        },
        finish_reason: "tool_calls",
      },
    ],
  });
});

test("a call that does not fit in the token limit breaks off, and reports it", async () => {
  const asked = { tools, tool_choice: { type: "function", function: { name: "weather" } }, max_tokens: 40 };
  expect(await answerOf(world(), asked)).toMatchObject({
    choices: [
      {
        message: {
          tool_calls: [
            { function: { name: "weather", arguments: expect.stringMatching(/^\{"city":"[OR]$/) } },
          ],
        },
        finish_reason: "length",
      },
    ],
  });
});

test.each([
  [{ response_format: { type: "grammar" } }, "response_format.type"],
  [{ response_format: { type: "json_schema" } }, "response_format.json_schema.schema"],
  [
    {
      response_format: {
        type: "json_schema",
        json_schema: { schema: { properties: { a: { pattern: "x", type: "string" } } } },
      },
    },
    "response_format.json_schema.schema.properties.a.pattern",
  ],
  [{ tools: [{ type: "web_search" }] }, "tools[0].type"],
  [{ tools, tool_choice: { type: "function", function: { name: "other" } } }, "tool_choice"],
  [{ tool_choice: "required" }, "tool_choice"],
  [{ tools, response_format: { type: "json_object" } }, "response_format"],
  [{ logit_bias: { 300: 1 } }, "logit_bias.300"],
])("an unsupported format is refused with its path: %j", async (asked, param) => {
  expect(await answerOf(world(), asked)).toMatchObject({
    code: "rejected",
    param,
    message: expect.stringContaining(param.split(".")[0]!),
  });
});

test("a part that is not text is refused with its path", async () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const messages = [
    { role: "system", content: "Look." },
    { role: "user", content: [{ type: "text", text: "What is it?" }, image] },
  ];
  const param = "messages[1].content[1]";
  expect(await answerOf(world(), { messages })).toEqual({
    code: "rejected",
    message: `the tiny model reads only text, and ${param} is not text`,
    param,
  });
});

test("a prompt beyond the context is refused with both lengths, and one that just fits is answered", async () => {
  // Two turn marks and the end of the turn are tokens too, and one token is left for the answer.
  const asked = (bytes: number) => ({ messages: [{ role: "user", content: "é".repeat(bytes / 2) }] });
  expect(await answerOf(world(), asked(508))).toMatchObject({
    choices: [{ finish_reason: "length" }],
    usage: { prompt_tokens: 511, completion_tokens: 1 },
  });
  expect(await answerOf(world(), asked(510))).toEqual({
    code: "rejected",
    message:
      "the messages have 513 tokens (bytes of text, and marks of turns), and the context of the tiny model is 512, including its answer: at most 511 are allowed",
    param: "messages",
  });
});

test("empty settings are valid", async () => {
  const asked = {
    presence_penalty: 0,
    logit_bias: {},
    response_format: { type: "text" },
    tool_choice: "auto",
  };
  expect(await answerOf(world(), { ...asked, top_k: null })).toMatchObject({ object: "chat.completion" });
});

test("a checkpoint is loaded once, and again after others have replaced it", async () => {
  const here = world();
  const [one, two, three] = [await taught(here, "a"), await taught(here, "b"), await taught(here, "c")];
  await Promise.all([answerOf(here, {}, one), answerOf(here, {}, one), answerOf(here, {}, two)]);
  expect(here.reads()).toBe(2);
  await answerOf(here, {}, three);
  await answerOf(here, {}, two);
  expect(here.reads()).toBe(3);
  await answerOf(here, {}, one);
  expect(here.reads()).toBe(4);
});

test("a missing checkpoint is a failure, not the base model, and is retried", async () => {
  const here = world();
  const trained = await taught(here, "Tokyo");
  const sha256 = trained.checkpoint!.files[0]!.sha256;
  await here.artifacts.remove(sha256);
  await expect(answerOf(here, {}, trained)).rejects.toMatchObject({ code: "missing" });
  await taught(here, "Tokyo");
  expect(await answerOf(here, {}, trained)).toMatchObject({ object: "chat.completion" });
});

test("a long answer yields to other work", async () => {
  const here = world();
  await answerOf(here, { max_tokens: 100, n: 4 });
  expect(here.pauses()).toBeGreaterThan(1);
});
