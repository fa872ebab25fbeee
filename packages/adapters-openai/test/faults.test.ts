// The whole path from a client's socket to an engine's when the engine misbehaves: what the client receives, what is
// counted, and that no resource leaks.

import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createHandler, inferenceRoutes } from "@assay/adapters-http";
import { catalogueOf, memoryTrainedModels, memoryUsage, requestLimits } from "@assay/inference-core";
import {
  type Behaviour,
  engineDouble,
  events,
  json,
  piece,
  send,
  used,
  wellBehaved,
} from "@assay/testing/engine-double";
import { serve } from "@hono/node-server";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openUpstreams, type UpstreamConfig, type Upstreams } from "../src/index.ts";

const TEN_MEGABYTES = 10 * 2 ** 20;
let written = 0;
let stalled = false;

/** Writes `text` for as long as the other side reads it. */
function pour(response: Parameters<Behaviour>[0], text: string): void {
  const more = () => {
    while (!response.destroyed) {
      written += text.length;
      stalled = !response.write(text);
      if (stalled) return;
    }
  };
  response.on("drain", more);
  more();
}

const behaviours: Readonly<Record<string, Behaviour>> = {
  good: wellBehaved,
  "silent from the start": () => {},
  "silent after its headers": (response) => {
    events(response);
    response.flushHeaders();
  },
  "silent half-way": (response) => {
    events(response);
    send(response, piece({ content: "ha" }));
  },
  "dead at once": (response) => {
    response.socket?.destroy();
  },
  "dead half-way": (response) => {
    events(response);
    send(response, piece({ content: "ha" }));
    setImmediate(() => response.socket?.destroy());
  },
  "dead after its last word": (response) => {
    events(response);
    send(response, piece({ content: "Hello" }));
    send(response, piece({}, "stop"));
    setImmediate(() => response.socket?.destroy());
  },
  "silent after DONE": (response) => {
    events(response);
    for (const chunk of [piece({ content: "Hello" }, "stop"), used, "[DONE]"]) send(response, chunk);
  },
  "refuses streams in silence": (response, { body }) => {
    if (body.stream) {
      events(response);
      response.end("data: [DONE]\n\n");
      return;
    }
    const message = "the prompt has 9 tokens, the context 8";
    json(response, 400, { error: { message, code: "context_length_exceeded" } });
  },
  "streams nothing": (response, { body }) => {
    if (body.stream) {
      events(response);
      response.end();
      return;
    }
    const usage = { prompt_tokens: 13, completion_tokens: 2, total_tokens: 15 };
    const message = { role: "assistant", content: "Hello" };
    json(response, 200, { choices: [{ index: 0, message, finish_reason: "stop" }], usage });
  },
  "counts nothing": (response) => {
    events(response);
    for (const chunk of [piece({ content: "Hello" }), piece({}, "stop"), "[DONE]"]) send(response, chunk);
    response.end();
  },
  garbage: (response) => {
    events(response);
    send(response, '{"choices": [');
    response.end();
  },
  "garbage half-way": (response) => {
    events(response);
    // Sent in one piece.
    response.end(`data: ${JSON.stringify(piece({ content: "ha" }))}\n\ndata: {"choices": [\n\n`);
  },
  "no events": (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<html>login</html>");
  },
  "wrong indexes": (response, { body }) => {
    events(response);
    const chunk = (index: number, finish: string | null) => ({
      choices: [{ index, delta: { content: "x" }, finish_reason: finish }],
    });
    send(response, chunk(body.n === 2 ? 0 : 3, null));
    send(response, chunk(7, "stop"));
    send(response, "[DONE]");
    response.end();
  },
  "no finish reason": (response) => {
    events(response);
    for (const chunk of [piece({ content: "ha" }), "[DONE]"]) send(response, chunk);
    response.end();
  },
  abort: (response) => {
    events(response);
    for (const chunk of [piece({ content: "ha" }), piece({}, "abort"), used, "[DONE]"]) send(response, chunk);
    response.end();
  },
  "an error half-way": (response) => {
    events(response);
    send(response, piece({ content: "ha" }));
    send(response, { error: { message: "CUDA out of memory at 10.0.0.7", code: 500 } });
    send(response, "[DONE]");
    response.end();
  },
  "500 for an unknown model": (response) =>
    json(response, 500, { error: { message: "KeyError at 10.0.0.7" } }),
  "404": (response) =>
    json(response, 404, { error: { message: "The model `inner` does not exist.", code: 404 } }),
  "400": (response) =>
    json(response, 400, {
      object: "error",
      message: "maximum context length is 8",
      type: "BadRequestError",
      param: "messages",
      code: 400,
    }),
  "401": (response) => json(response, 401, { error: "bad key sk-123" }),
  "402": (response) => json(response, 402, { error: { message: "pay" } }),
  "429": (response) => json(response, 429, { error: { message: "slow" } }, { "retry-after": "7" }),
  "503": (response) => json(response, 503, { error: { message: "busy" } }, { "retry-after": "2.5" }),
  "302": (response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/elsewhere" });
    response.end();
  },
  "200 with an error": (response) =>
    json(response, 200, { error: { message: "prompt too long", type: "invalid_request_error" } }),
  "200 with a failure": (response) => json(response, 200, { error: "llama runner process has terminated" }),
  "200 with an error as an event": (response) => {
    events(response);
    send(response, { error: { message: "slow down", type: "rate_limit_error" } });
    response.end();
  },
  "a whole answer": (response) =>
    json(response, 200, {
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
      usage: used.usage,
    }),
  "a 10 MB line": (response) => {
    events(response);
    response.write(`data: ${"x".repeat(TEN_MEGABYTES)}`);
  },
  "a line without end": (response) => {
    events(response);
    response.write("data: ");
    pour(response, "x".repeat(65_536));
  },
  "a talker": (response) => {
    events(response);
    pour(response, `data: ${JSON.stringify(piece({ content: "word ".repeat(200) }))}\n\n`);
  },
};

const messages = [{ role: "user" as const, content: "hi there" }];
const usage = memoryUsage();
const inner: unknown[] = [];
let engine: Awaited<ReturnType<typeof engineDouble>>;
let upstreams: Upstreams;
let inferenceServer: ReturnType<typeof serve>;
let openai: OpenAI;
let base: { port: number };
const clientSockets = new Set<Socket>();

let timersBefore = 0;

beforeAll(async () => {
  timersBefore = timers();
  engine = await engineDouble(behaviours);
  const dead = createServer();
  await new Promise<void>((resolve) => dead.listen(0, "127.0.0.1", resolve));
  const { port: closedPort } = dead.address() as AddressInfo;
  await new Promise((resolve) => dead.close(resolve));
  // Only silent engines get a short timeout.
  const silent = Object.keys(behaviours).filter((name) => name.startsWith("silent"));
  const others = Object.keys(behaviours).filter((name) => !name.startsWith("silent"));
  const config = (name: string, url: string, wait: number, names: readonly string[]): UpstreamConfig => ({
    name,
    url,
    key: "engine-key",
    concurrency: 8,
    timeouts: { connect: 100, firstByte: wait, idle: wait, whole: wait },
    continuousUsage: false,
    models: names.map((id) => ({ id, engineName: id })),
  });
  upstreams = openUpstreams(
    [
      config("silent", engine.url, 500, silent),
      config("bad", engine.url, 30_000, others),
      config("refuses", `http://127.0.0.1:${closedPort}/v1`, 30_000, ["refused"]),
    ],
    { now: () => 0 },
  );
  let ids = 0;
  const inference = inferenceRoutes({
    inference: {
      catalogue: catalogueOf(upstreams.models),
      trainedModels: memoryTrainedModels(),
      // With a limit of one, a request that was not released would block the next.
      limits: requestLimits({ key: { concurrent: 1 } }),
      usage,
      now: () => 0,
      newId: () => `id${++ids}`,
    },
    authenticate: async () => ({ id: "k", allows: () => true }),
    onError: (error) => inner.push(error),
  });
  base = await new Promise((resolve) => {
    inferenceServer = serve(
      { fetch: createHandler({ routes: [inference] }), port: 0, hostname: "127.0.0.1" },
      resolve,
    );
  });
  inferenceServer.on("connection", (socket: Socket) => {
    clientSockets.add(socket);
    socket.on("close", () => clientSockets.delete(socket));
  });
  openai = new OpenAI({ apiKey: "k", baseURL: `http://127.0.0.1:${base.port}/v1`, maxRetries: 0 });
});

/** Timers that keep this process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

let recorded = 0;
beforeEach(() => {
  recorded = usage.records().length;
  written = 0;
  stalled = false;
});

afterAll(async () => {
  await engine.close();
  for (const socket of clientSockets) socket.destroy();
  await new Promise((resolve) => inferenceServer.close(resolve));
});

/** What a client receives: the text so far, and the error if there is one. */
async function ask(model: string, stream: boolean, more: object = {}) {
  let text = "";
  try {
    if (stream) {
      const chunks = await openai.chat.completions.create({ model, messages, stream, ...more });
      for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? "";
    } else {
      const answer = await openai.chat.completions.create({ model, messages, ...more });
      text = answer.choices[0]?.message.content ?? "";
    }
    return { text };
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error;
    return { text, status: error.status, message: error.message, code: error.code, headers: error.headers };
  }
}

/** The single record of a request, once the engine is idle. */
async function counted() {
  await expect.poll(() => [engine.busy(), usage.records().length]).toEqual([0, recorded + 1]);
  const { outcome, promptTokens, generatedTokens, deliveredTokens, counted } = usage.records().at(-1)!;
  recorded++;
  return [outcome, promptTokens, generatedTokens, deliveredTokens, counted];
}

const ESTIMATE = 6;
const NOTHING = ["failed", 0, 0, 0, "engine"];
const LATER = "503 The engine is currently overloaded, please try again later";
const SORRY = "500 The server had an error while processing your request";

describe("before an answer starts, the status reports the fault, whole or streamed, and nothing is counted", () => {
  test.each([
    ["refused", 503, LATER],
    ["silent from the start", 503, LATER],
    ["silent after its headers", 503, LATER],
    ["dead at once", 503, LATER],
    ["garbage", 500, SORRY],
    ["no events", 503, LATER],
    ["500 for an unknown model", 500, SORRY],
    ["404", 404, "404 The requested resource was not found"],
    ["400", 400, "400 maximum context length is 8"],
    ["401", 500, SORRY],
    ["402", 402, "402 You exceeded your current quota, please check your plan and billing details"],
    ["429", 429, "429 Concurrency limit reached for requests"],
    ["503", 503, LATER],
    ["302", 500, SORRY],
    ["200 with an error", 400, "400 prompt too long"],
    ["200 with a failure", 500, SORRY],
    ["200 with an error as an event", 429, "429 Concurrency limit reached for requests"],
    ["a 10 MB line", 500, SORRY],
    ["a line without end", 500, SORRY],
  ])("%s", async (model, status, message) => {
    for (const stream of [true, false]) {
      const refused = await ask(model, stream);
      expect(refused).toMatchObject({ text: "", status, message });
      if (status === 429 || status === 503) expect(refused.headers?.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(await counted()).toEqual(NOTHING);
    }
    expect(written).toBeLessThan(64 * 2 ** 20);
  });

  test("tells how long to wait, if the engine does", async () => {
    expect((await ask("429", true)).headers?.get("retry-after")).toBe("7");
    expect((await ask("503", false)).headers?.get("retry-after")).toBe("3");
    expect((await ask("404", false)).headers?.get("retry-after")).toBeNull();
  });
});

describe("midway, a stream ends with an error, a whole answer is a status, and the received part is counted", () => {
  const BROKE = "the engine stopped before the end of its answer";
  test.each([
    ["silent half-way", 503, LATER, "the engine was silent for too long", "engine_timeout", {}],
    [
      "dead half-way",
      503,
      LATER,
      "the engine cannot be reached, or closed the connection",
      "engine_unavailable",
      {},
    ],
    ["no finish reason", 503, LATER, BROKE, "engine_unavailable", {}],
    ["an error half-way", 503, LATER, BROKE, "engine_unavailable", {}],
    ["garbage half-way", 500, SORRY, "the engine sent an invalid chunk", "engine_corrupt", {}],
    ["wrong indexes", 500, SORRY, "the engine sent a choice with a wrong index", "engine_corrupt", { n: 2 }],
  ])("%s", async (model, status, message, told, code, more) => {
    expect(await ask(model, false, more)).toMatchObject({ text: "", status, message });
    expect(await counted()).toEqual(["failed", ESTIMATE, 1, 0, "estimate"]);
    const streamed = await ask(model, true, more);
    expect(streamed).toMatchObject({ message: told, code });
    expect(streamed.text).not.toBe("");
    expect(await counted()).toEqual(["failed", ESTIMATE, 1, 1, "estimate"]);
  });

  test("an engine that aborts has not answered, even if it sends DONE", async () => {
    expect(await ask("abort", true)).toMatchObject({ text: "ha", message: BROKE });
    expect(await counted()).toEqual(["failed", ESTIMATE, 1, 1, "estimate"]);
  });
});

describe("recoverable answers are completed", () => {
  test.each([
    ["good", ["complete", 7, 2, 2, "engine"]],
    ["a whole answer", ["complete", 7, 2, 2, "engine"]],
    ["silent after DONE", ["complete", 7, 2, 2, "engine"]],
    ["dead after its last word", ["complete", ESTIMATE, 1, 1, "estimate"]],
  ])("%s", async (model, record) => {
    for (const stream of [true, false]) {
      expect(await ask(model, stream)).toEqual({ text: "Hello" });
      expect(await counted()).toEqual(record);
    }
  });

  test("wrong indexes, with one choice", async () => {
    for (const stream of [true, false]) expect(await ask("wrong indexes", stream)).toEqual({ text: "xx" });
  });
});

describe("a client", () => {
  /** Sends a request over a socket that the test may or may not read. */
  async function askRaw(model: string): Promise<Socket> {
    const body = JSON.stringify({ model, messages, stream: true });
    const socket = connect(base.port, "127.0.0.1");
    socket.on("error", () => {});
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await new Promise((resolve) => socket.once("readable", resolve));
    return socket;
  }

  test("that reads slowly slows the engine down, and memory does not fill up", async () => {
    const memory = process.memoryUsage().rss;
    const socket = await askRaw("a talker");
    let before = -1;
    const rests = () => {
      const rested = stalled && written === before;
      before = written;
      return rested;
    };
    await expect.poll(rests, { interval: 100, timeout: 20_000 }).toBe(true);
    expect(written).toBeLessThan(64 * 2 ** 20);
    expect(process.memoryUsage().rss - memory).toBeLessThan(256 * 2 ** 20);
    socket.destroy();
    const [outcome, prompt, generated, delivered] = await counted();
    expect([outcome, prompt]).toEqual(["aborted", ESTIMATE]);
    expect(delivered).toBeLessThanOrEqual(generated as number);
  });

  test("that disconnects midway stops the engine, and the tokens so far are counted", async () => {
    (await askRaw("silent half-way")).destroy();
    expect(await counted()).toEqual(["aborted", ESTIMATE, 1, 1, "estimate"]);
  });
});

test("connections to the engine are reused", async () => {
  await ask("good", true);
  const before = engine.connections();
  for (let i = 0; i < 5; i++) await ask("good", i % 2 === 0);
  expect(engine.connections()).toBe(before);
});

test("an engine gets the client's request, streamed or whole, with token counting and its own key", async () => {
  const more = { temperature: 0.5, top_k: 3 };
  await ask("good", true, { ...more, stream_options: { include_usage: false } });
  expect(engine.seen.at(-1)).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer engine-key" },
    body: { model: "good", stream: true, stream_options: { include_usage: true }, ...more },
  });
  await ask("good", false, more);
  expect(engine.seen.at(-1)?.body).toEqual({ model: "good", messages, stream: false, ...more });
});

test("if an engine ends a stream before any output, the whole answer is requested once and used", async () => {
  for (const stream of [true, false]) {
    expect(await ask("refuses streams in silence", stream)).toMatchObject({
      status: 400,
      code: "context_length_exceeded",
      message: "400 the prompt has 9 tokens, the context 8",
    });
    expect(await counted()).toEqual(NOTHING);
  }
  const before = engine.seen.length;
  expect(await ask("streams nothing", true)).toEqual({ text: "Hello" });
  expect(engine.seen.slice(before).map(({ body }) => body.stream)).toEqual([true, false]);
  expect(await counted()).toEqual(["complete", 13, 2, 2, "engine"]);
});

test("usage that the engine did not count is marked as estimated, in the answer and in its headers", async () => {
  const { data, response } = await openai.chat.completions
    .create({ model: "counts nothing", messages })
    .withResponse();
  expect(data.usage).toMatchObject({ prompt_tokens: ESTIMATE, estimated: true });
  expect(response.headers.get("x-usage")).toBe("estimated");
  const counted = await openai.chat.completions.create({ model: "good", messages }).withResponse();
  expect(counted.data.usage).not.toHaveProperty("estimated");
  expect(counted.response.headers.get("x-usage")).toBeNull();
});

test("nothing is left at the end: no request, no connection, no timer", async () => {
  const answers = [...Array(3)].map(() => ask("good", true));
  await Promise.all(answers);
  await upstreams.close();
  await expect.poll(() => [engine.busy(), engine.connections()]).toEqual([0, 0]);
  await expect.poll(() => timers() - timersBefore).toBeLessThanOrEqual(0);
  expect(upstreams.report().map(({ active }) => active)).toEqual([0, 0, 0]);
  expect(inner.length).toBeGreaterThan(10);
});
