// Completions and embeddings through the built command in a process of its own. Its engine is a test double over a real
// socket. The tests check what an unmodified client reads, what the engine receives, and the recorded usage.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Behaviour, engineDouble, events, json, send } from "@assay/testing/engine-double";
import { type AssayServer, startAssay } from "@assay/testing/server";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const KEY = "k".repeat(32);
const home = mkdtempSync(join(tmpdir(), "assay-texts-"));
let engine: Awaited<ReturnType<typeof engineDouble>>;
let server: AssayServer;

const usage = (prompt_tokens: number, completion_tokens = 0) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});

/** Completes each text with "!" and its index, one token per chunk. */
const continues: Behaviour = (response, { path, body }) => {
  if (path !== "/v1/completions") return json(response, 404, {});
  const texts: unknown[] = Array.isArray(body.prompt) ? body.prompt : [body.prompt];
  const logprobs = (token: string) =>
    body.logprobs
      ? { tokens: [token], token_logprobs: [-1], top_logprobs: [{ [token]: -1 }], text_offset: [0] }
      : null;
  const choice = (index: number, text: string, finish_reason: string | null) => ({
    index,
    text,
    finish_reason,
    logprobs: logprobs(text),
  });
  const used = usage(3 * texts.length, 2 * texts.length);
  if (body.stream !== true) {
    const choices = texts.map((_, i) => choice(i, `!${i}`, "stop"));
    return json(response, 200, { id: "cmpl-x", object: "text_completion", choices, usage: used });
  }
  events(response);
  for (const i of texts.keys()) send(response, { choices: [choice(i, "!", null)] });
  for (const i of texts.keys()) send(response, { choices: [choice(i, String(i), "stop")] });
  send(response, { choices: [], usage: used });
  send(response, "[DONE]");
  response.end();
};

/** Sends one token with its usage, then stalls. */
const stalls: Behaviour = (response) => {
  events(response);
  send(response, { choices: [{ index: 0, text: "a" }], usage: usage(3, 1) });
};

const breaks: Behaviour = (response) => {
  events(response);
  send(response, { choices: [{ index: 0, text: "a" }] });
  setImmediate(() => response.socket?.destroy());
};

/** The vector of a text is its length and its index. Returned in reverse, so only the index gives the order. */
const embeds: Behaviour = (response, { path, body }) => {
  if (path !== "/v1/embeddings") return json(response, 404, {});
  const texts: string[] = Array.isArray(body.input) ? body.input : [body.input];
  const data = texts.map((text, index) => {
    const vector = [text.length, index];
    const bytes = Buffer.from(Float32Array.from(vector).buffer);
    return {
      object: "embedding",
      index,
      embedding: body.encoding_format === "base64" ? bytes.toString("base64") : vector,
    };
  });
  json(response, 200, {
    object: "list",
    model: "inner",
    data: data.reverse(),
    usage: { prompt_tokens: 5, total_tokens: 5 },
  });
};

beforeAll(async () => {
  engine = await engineDouble({
    continues,
    stalls,
    breaks,
    embeds,
    half: (response) => json(response, 200, { data: [] }),
  });
  const models = {
    "org/text": "continues",
    "org/stalls": "stalls",
    "org/breaks": "breaks",
    "org/chats": { name: "chats", serves: ["chat"] },
    "org/embed": { name: "embeds", serves: ["embeddings"] },
    "org/half": { name: "half", serves: ["embeddings"] },
  };
  const upstream = { name: "double", url: engine.url, continuous_usage: true, models };
  const file = join(home, "engines.yaml");
  writeFileSync(file, JSON.stringify({ upstreams: [upstream] }));
  server = await startAssay(join(home, "data"), { env: { ASSAY_API_KEY: KEY }, args: ["--upstreams", file] });
});

afterAll(async () => {
  await server.stop("SIGTERM");
  await engine.close();
  rmSync(home, { recursive: true });
});

beforeEach(() => void engine.seen.splice(0));

const client = (project: string) =>
  new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1`, maxRetries: 0, project });

/** The recorded usage of a project. */
async function counted(project: string): Promise<object> {
  const [entity, name] = project.split("/");
  const response = await fetch(`${server.url}/v1/usage?entity=${entity}&project=${name}`, {
    headers: { Authorization: `Bearer ${KEY}` },
  });
  const { data } = (await response.json()) as { readonly data: readonly object[] };
  return data[0] ?? {};
}

describe("completions", () => {
  test("whole, of several texts, with log-probabilities and the engine's own usage", async () => {
    const openai = client("t/whole");
    const one = await openai.completions.create({
      model: "org/text",
      prompt: "a",
      max_tokens: 0,
      echo: true,
    });
    expect(one).toMatchObject({ object: "text_completion", model: "org/text", usage: usage(3, 2) });
    expect(one.choices).toEqual([{ index: 0, text: "!0", finish_reason: "stop", logprobs: null }]);
    expect(engine.seen[0]?.body).toMatchObject({
      model: "continues",
      stream: false,
      max_tokens: 0,
      echo: true,
    });

    const two = await openai.completions.create({ model: "org/text", prompt: ["a", "b"], logprobs: 1 });
    expect(
      two.choices.map(({ text, logprobs }) => [text, logprobs?.tokens, logprobs?.token_logprobs]),
    ).toEqual([
      ["!0", ["!0"], [-1]],
      ["!1", ["!1"], [-1]],
    ]);
    // The best of several is known only once all are complete, so an engine refuses to stream them.
    const best = await openai.completions.create({ model: "org/text", prompt: [[1, 2]], best_of: 2 });
    expect([best.choices[0]?.text, engine.seen[2]?.body]).toMatchObject([
      "!0",
      { stream: false, best_of: 2 },
    ]);
    expect(await counted("t/whole")).toMatchObject({
      requests: 3,
      prompt_tokens: 12,
      generated_tokens: 8,
      delivered_tokens: 8,
      estimated: 0,
    });
  });

  test("streamed, with usage on request", async () => {
    const stream = await client("t/stream").completions.create({
      model: "org/text",
      prompt: "a",
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.Completion[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.text ?? "").join("")).toBe("!0");
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason ?? null)).toEqual([null, "stop", null]);
    expect(new Set(chunks.map(({ id, model, object }) => `${id} ${model} ${object}`)).size).toBe(1);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: usage(3, 2) });
    expect(await counted("t/stream")).toMatchObject({ requests: 1, prompt_tokens: 3, delivered_tokens: 2 });
  });

  test("abandoned by its client stops the engine, and the tokens so far are counted", async () => {
    const stream = await client("t/gone").completions.create({
      model: "org/stalls",
      prompt: "a",
      stream: true,
    });
    for await (const { choices } of stream) {
      expect(choices[0]?.text).toBe("a");
      break;
    }
    await vi.waitFor(async () => {
      expect(engine.busy()).toBe(0);
      const gone = { aborted: 1, failed: 0, prompt_tokens: 3, generated_tokens: 1, estimated: 0 };
      expect(await counted("t/gone")).toMatchObject(gone);
    });
  });

  test("that breaks off is an error, whole and streamed", async () => {
    const ask = { model: "org/breaks", prompt: "a" };
    await expect(client("t/broken").completions.create(ask)).rejects.toMatchObject({ status: 503 });
    const read = async () => {
      for await (const _ of await client("t/broken").completions.create({ ...ask, stream: true }));
    };
    await expect(read()).rejects.toThrow("closed the connection");
    expect(await counted("t/broken")).toMatchObject({ requests: 2, failed: 2, estimated: 2 });
  });

  test("errors name the field, and models that do not support the operation", async () => {
    const ask = (body: object) =>
      client("t/no")
        .completions.create({ model: "org/text", prompt: "a", ...body })
        .catch((error) => error);
    expect(await ask({ prompt: ["a", 7] })).toMatchObject({ status: 422, param: "prompt[1]" });
    expect(await ask({ prompt: [] })).toMatchObject({ status: 422, param: "prompt" });
    expect(await ask({ best_of: 2, stream: true })).toMatchObject({ status: 422, param: "best_of" });
    for (const model of ["assay/tiny", "org/chats", "org/embed"])
      expect(await ask({ model })).toMatchObject({
        status: 404,
        code: "unsupported_by_model",
        message: `404 ${model} does not continue bare texts; models that do: org/text, org/stalls, org/breaks`,
      });
    expect(engine.seen).toEqual([]);
    expect(await counted("t/no")).toEqual({});
  });
});

describe("embeddings", () => {
  test("one vector for each text, in order, as the client decodes them, with the engine's own usage", async () => {
    const openai = client("t/embed");
    // The client requests Base64 by default.
    const list = await openai.embeddings.create({ model: "org/embed", input: ["abc", "de"] });
    expect(list).toMatchObject({
      object: "list",
      model: "org/embed",
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    const vectors = [
      { object: "embedding", index: 0, embedding: [3, 0] },
      { object: "embedding", index: 1, embedding: [2, 1] },
    ];
    expect(list.data).toEqual(vectors);
    const floats = { model: "org/embed", input: ["abc", "de"], encoding_format: "float" as const, user: "u" };
    expect((await openai.embeddings.create(floats)).data).toEqual(vectors);
    expect(engine.seen.map(({ body }) => [body.model, body.encoding_format])).toEqual([
      ["embeds", "base64"],
      ["embeds", "float"],
    ]);
    const sums = { requests: 2, prompt_tokens: 10, generated_tokens: 0, estimated: 0 };
    expect(await counted("t/embed")).toMatchObject(sums);
  });

  test("of an engine that leaves one out are an error; from a model without embeddings, a 404 that names the models with them", async () => {
    const ask = (body: object) =>
      client("t/none")
        .embeddings.create({ model: "org/half", input: "a", ...body })
        .catch((error) => error);
    expect(await ask({})).toMatchObject({ status: 500, code: "engine_corrupt" });
    for (const model of ["assay/tiny", "org/text"])
      expect(await ask({ model })).toMatchObject({
        status: 404,
        message: `404 ${model} does not make embeddings; models that do: org/embed, org/half`,
      });
    expect(await ask({ model: "org/x" })).toMatchObject({ status: 404, code: "model_not_found" });
    expect(await ask({ stream: true })).toMatchObject({ status: 422, param: "stream" });
    const messages = [{ role: "user" as const, content: "hi" }];
    const chat = client("t/none").chat.completions.create({ model: "org/embed", messages });
    await expect(chat).rejects.toMatchObject({
      status: 404,
      message:
        "404 org/embed does not answer chats; models that do: org/text, org/stalls, org/breaks, org/chats",
    });
  });

  test("and completions require a key, and count only for their own project", async () => {
    const stranger = new OpenAI({ apiKey: "wrong", baseURL: `${server.url}/v1`, maxRetries: 0 });
    await expect(stranger.embeddings.create({ model: "org/embed", input: "a" })).rejects.toMatchObject({
      status: 401,
    });
    await expect(stranger.completions.create({ model: "org/text", prompt: "a" })).rejects.toMatchObject({
      status: 401,
    });
    const made = await fetch(`${server.url}/v1/keys`, {
      method: "POST",
      headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "b", scopes: ["b/*"] }),
    });
    const { key } = (await made.json()) as { readonly key: string };
    const narrow = (project: string) =>
      new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0, project });
    const ask = { model: "org/embed", input: "a" };
    await expect(narrow("t/embed").embeddings.create(ask)).rejects.toMatchObject({ status: 401 });
    await narrow("b/x").embeddings.create(ask);
    expect(await counted("b/x")).toMatchObject({ requests: 1, prompt_tokens: 5 });
  });
});
