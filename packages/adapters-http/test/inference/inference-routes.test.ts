import { Fault } from "@assay/base";
import { engineChunk, sayTokens } from "@assay/inference-core/testing";
import { describe, expect, test } from "vitest";
import { type Script, world } from "./fixture.ts";

const hello: Script = (call) => sayTokens(call, ["Hel", "lo"]);
const body = { model: "org/model", messages: [{ role: "user", content: "hi there" }] };

function post(json: unknown, headers: Record<string, string> = {}, path = "/v1/chat/completions"): Request {
  return new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { authorization: "Bearer key-a", "content-type": "application/json", ...headers },
    body: typeof json === "string" ? json : JSON.stringify(json),
  });
}

const get = (path: string, key = "key-a") =>
  new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${key}` } });

describe("POST /v1/chat/completions", () => {
  test.each(["/v1/chat/completions", "/v1/chat/completions/"])("%s answers", async (path) => {
    const response = await world(hello).app.fetch(post(body, {}, path));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id: "chatcmpl-id1",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "org/model",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hello", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    });
  });

  test("streams chunks, usage on request, and [DONE]", async () => {
    const asked = { ...body, stream: true, stream_options: { include_usage: true } };
    const response = await world(hello).app.fetch(post(asked));
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    const events = (await response.text()).split("\n\n");
    expect(events.slice(-2)).toEqual(["data: [DONE]", ""]);
    const chunks = events.slice(0, -2).map((event) => JSON.parse(event.slice("data: ".length)));
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: "assistant", content: "" },
      { content: "Hel" },
      { content: "lo" },
      {},
      undefined,
    ]);
    expect(chunks.at(-1).usage).toEqual({ prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 });
  });

  test("ends a stream that fails with an error event and no [DONE]", async () => {
    const { app, errors } = world(() => [
      engineChunk({ choices: [{ index: 0, delta: { content: "a" } }] }),
      new Fault("timeout", "the engine was silent for too long"),
    ]);
    const text = await (await app.fetch(post({ ...body, stream: true }))).text();
    const events = text.trim().split("\n\n");
    expect(JSON.parse(events.at(-1)!.slice("data: ".length))).toEqual({
      error: {
        message: "the engine was silent for too long",
        type: "server_error",
        param: null,
        code: "engine_timeout",
      },
    });
    expect(text).not.toContain("[DONE]");
    expect(errors).toMatchObject([{ code: "timeout" }]);
  });

  test("stops the engine when the client disconnects", async () => {
    let stopped = 0;
    const { app, usage } = world(async function* () {
      try {
        for (;;) yield engineChunk({ choices: [{ index: 0, delta: { content: "a" } }] });
      } finally {
        stopped++;
      }
    });
    const response = await app.fetch(post({ ...body, stream: true }));
    const reader = response.body!.getReader();
    for (let i = 0; i < 3; i++) await reader.read();
    await reader.cancel();
    // The usage is recorded once the engine has stopped.
    await expect.poll(() => usage.records()).toMatchObject([{ outcome: "aborted", deliveredTokens: 2 }]);
    expect(stopped).toBe(1);
  });
});

const BAD_PROJECT =
  "Authentication failed: the header OpenAI-Project, which clients also set from OPENAI_PROJECT_ID, or Compat-Project must be one team/project";

describe("refusals", () => {
  const cases: [string, Request, number, string, string | null][] = [
    ["no key", post(body, { authorization: "" }), 401, "Authentication failed", null],
    ["a wrong key", post(body, { authorization: "Bearer x" }), 401, "Authentication failed", null],
    ["a foreign project", post(body, { "compat-project": "other/demo" }), 401, "Authentication failed", null],
    ["a project in another form", post(body, { "openai-project": "team" }), 401, BAD_PROJECT, null],
    [
      "two projects",
      post(body, { "openai-project": "team/a", "compat-project": "team/b" }),
      401,
      BAD_PROJECT,
      null,
    ],
    [
      "an unknown model",
      post({ ...body, model: "org/x" }),
      404,
      "The requested resource was not found; base models here: org/model, org/other",
      "model",
    ],
    [
      "a value out of range",
      post({ ...body, temperature: 3 }),
      422,
      "temperature: must be a number from 0 to 2",
      "temperature",
    ],
    [
      "a wrong message",
      post({ ...body, messages: [{ content: "hi" }] }),
      422,
      "messages[0].role: must be a role",
      "messages[0].role",
    ],
    ["invalid JSON", post("{"), 422, "body: not JSON: it breaks off at character 1", null],
    ["a body that is not declared as JSON", post(body, { "content-type": "text/plain" }), 415, "", null],
    ["a large body", post({ ...body, more: "x".repeat(5000) }), 413, "", null],
  ];
  test.each(cases)("%s", async (_, request, status, message, param) => {
    const { app, usage } = world(hello, { maxBytes: 4000 });
    const response = await app.fetch(request);
    expect(response.status).toBe(status);
    const answer = await response.json();
    expect(Object.keys(answer)).toEqual(["detail", "error"]);
    expect(answer.error).toMatchObject({ param, type: expect.any(String) });
    if (message !== "") expect(answer.error.message).toBe(message);
    if (status === 422) expect(answer.detail[0]).toMatchObject({ loc: expect.arrayContaining(["body"]) });
    expect(usage.records()).toEqual([]);
  });

  test("a concurrency limit, with the time to wait", async () => {
    const { app } = world(hello, { limits: { project: { concurrent: 0 } } });
    const response = await app.fetch(post(body));
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await response.json()).toMatchObject({
      detail: "Concurrency limit reached for requests of project default/default: 0 at once",
    });
  });

  test.each([
    ["unavailable", 503, "The engine is currently overloaded, please try again later"],
    ["timeout", 503, "The engine is currently overloaded, please try again later"],
    ["corrupt", 500, "The server had an error while processing your request"],
    ["denied", 500, "The server had an error while processing your request"],
  ] as const)("an engine that is %s", async (code, status, message) => {
    for (const stream of [true, false]) {
      const response = await world(() => [new Fault(code, "inner words")]).app.fetch(
        post({ ...body, stream }),
      );
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({
        detail: message,
        error: { message, code: `engine_${code}` },
      });
    }
  });

  test("a refusal of the engine, in its own words", async () => {
    const refusal = { code: "limited", message: "slow down", retryAfter: 6.2 } as const;
    const response = await world(() => [{ type: "refused", refusal }]).app.fetch(post(body));
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
    expect((await response.json()).error.message).toBe("slow down");
  });
});

test("GET /v1/models lists the catalogue, and the trained models of the caller's projects", async () => {
  const response = await world(hello).app.fetch(get("/v1/models"));
  const created = 1_700_000_000;
  const model = (id: string) => ({ id, object: "model", created, owned_by: "system", root: id });
  const models = [model("org/model"), model("org/other")];
  const trained = {
    ...model("wandb-artifact:///team/demo/m"),
    created: 1_600_000_000,
    owned_by: "team",
    parent: "org/model",
  };
  expect(await response.json()).toEqual({ object: "list", data: [...models, trained] });
  const others = await world(hello).app.fetch(get("/v1/models", "key-b"));
  expect(await others.json()).toEqual({ object: "list", data: models });
  expect((await world(hello).app.fetch(get("/v1/models", "nobody"))).status).toBe(401);
});

describe("GET /v1/usage", () => {
  test("reports usage, as far as the caller may see it", async () => {
    const { app } = world(hello);
    await app.fetch(post({ ...body, user: "ada" }, { "openai-project": "team/demo" }));
    await app.fetch(post({ ...body, model: "wandb-artifact:///team/demo/m:step2" }));
    await app.fetch(post(body, { authorization: "Bearer key-b", "compat-project": "other/demo" }));
    const report = await (await app.fetch(get("/v1/usage?group_by=model,user,day"))).json();
    const sums = {
      cost_usd: null,
      unpriced_requests: 1,
      requests: 1,
      aborted: 0,
      failed: 0,
      estimated: 0,
      day: "2023-11-14",
      entity: "team",
      project: "demo",
    };
    const tokens = { prompt_tokens: 2, cached_tokens: 0, generated_tokens: 2, delivered_tokens: 2 };
    expect(report).toEqual({
      object: "list",
      lost_records: 0,
      data: [
        { ...sums, ...tokens, model: "org/model", user: "ada" },
        { ...sums, ...tokens, model: "wandb-artifact:///team/demo/m", user: null },
      ],
    });
    expect((await (await app.fetch(get("/v1/usage", "key-b"))).json()).data).toHaveLength(1);
  });

  test("names the keys", async () => {
    const { app } = world(hello, { keyName: async (id) => (id === "b" ? "The nightly run" : undefined) });
    await app.fetch(post(body, { authorization: "Bearer key-b", "compat-project": "other/demo" }));
    await app.fetch(post(body, { "openai-project": "team/demo" }));
    const rows = async (key: string) =>
      (await (await app.fetch(get("/v1/usage?group_by=key", key))).json()).data;
    expect(await rows("key-b")).toMatchObject([{ key: "b", key_name: "The nightly run" }]);
    expect(await rows("key-a")).toMatchObject([{ key: "a", key_name: null }]);
  });

  test("counts chats with a single-project key toward that project, unless they name one", async () => {
    const { app } = world(hello);
    await app.fetch(post(body, { authorization: "Bearer key-home" }));
    await app.fetch(post(body, { authorization: "Bearer key-home", "compat-project": "team/own" }));
    const { data } = await (await app.fetch(get("/v1/usage", "key-home"))).json();
    expect(data).toMatchObject([{ entity: "team", project: "own", requests: 2 }]);
  });

  test("names each invalid query parameter", async () => {
    const response = await world(hello).app.fetch(
      get("/v1/usage?project=acme/demo&from=yesterday&group_by=colour&step=-1"),
    );
    expect(response.status).toBe(422);
    const { detail } = await response.json();
    expect(detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ["query", "project"],
      ["query", "step"],
      ["query", "from"],
      ["query", "group_by"],
    ]);
  });

  test.each([
    ["from=2026-02-30", "from"],
    ["to=2026-13-01", "to"],
    ["from=2026-03-02&to=2026-03-01", "to"],
  ])("refuses impossible dates, instead of reporting no usage: %s", async (query, name) => {
    const response = await world(hello).app.fetch(get(`/v1/usage?${query}`));
    expect([response.status, (await response.json()).detail]).toMatchObject([
      422,
      [{ loc: ["query", name] }],
    ]);
  });
});
