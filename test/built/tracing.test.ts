// Traces of the built command with a preloaded OpenTelemetry SDK, as users run it: the spans, their parents, and that
// they contain no keys or texts.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationCalls } from "@assay/calls/testing";
import { engineDouble, events, json, send } from "@assay/testing/engine-double";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test, vi } from "vitest";

const KEY = "k".repeat(32);
const SECRET = "the question nobody may see";
const CALLER = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };

interface SpanLine {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly trace: string;
  readonly id: string;
  readonly parent: string | null;
}

async function open(sdk: boolean) {
  const home = mkdtempSync(join(tmpdir(), "assay-tracing-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const usage = { prompt_tokens: 4, completion_tokens: 1, total_tokens: 5 };
  const engine = await engineDouble({
    chats: (response, { body }) => {
      if (body.stream !== true) {
        const message = { role: "assistant", content: "4" };
        return json(response, 200, { choices: [{ index: 0, message, finish_reason: "stop" }], usage });
      }
      events(response);
      send(response, {
        ...{ id: "chat-1", object: "chat.completion.chunk", created: 1, model: "chats" },
        choices: [{ index: 0, delta: { role: "assistant", content: "4" }, finish_reason: "stop" }],
      });
      send(response, { id: "chat-1", object: "chat.completion.chunk", created: 1, choices: [], usage });
      response.end("data: [DONE]\n\n");
    },
  });
  onTestFinished(() => engine.close());
  const file = join(home, "engines.yaml");
  const models = { "org/chats": "chats" };
  writeFileSync(file, JSON.stringify({ upstreams: [{ name: "double", url: engine.url, models }] }));
  const written = join(home, "spans.jsonl");
  const loaded = new URL("tracing-sdk.mjs", import.meta.url);
  const env = {
    ASSAY_API_KEY: KEY,
    ...(sdk && { ASSAY_TEST_SPANS: written, NODE_OPTIONS: `--import ${loaded}` }),
  };
  const server = await startAssay(join(home, "data"), { env, args: ["--upstreams", file] });
  onTestFinished(() => server.stop("SIGTERM"));
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(server.url + path, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${KEY}`, "openai-project": "acme/demo" },
        "content-type": typeof body === "string" ? "application/x-ndjson" : "application/json",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  const spans = (): readonly SpanLine[] =>
    readFileSync(written, "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as SpanLine]));
  return { engine, post, spans };
}

test("requests, questions and model outputs are spans of the caller's trace, which engines continue", async () => {
  const { engine, post, spans } = await open(true);
  const calls = evaluationCalls("small", [true, false]).map((call) => JSON.stringify(call));
  expect(await post("/v2/acme/demo/calls/import", calls.join("\n"))).toMatchObject({ status: 200 });
  const traceparent = `00-${CALLER.trace}-${CALLER.span}-01`;
  const asked = await post(
    "/v2/acme/demo/eval_results/query",
    {
      evaluation_call_ids: ["small"],
      filters: [{ query: { $expr: { $eq: [{ $literal: SECRET }, { $literal: 1 }] } } }],
    },
    { traceparent },
  );
  expect(asked.status).toBe(200);
  const chat = { model: "org/chats", messages: [{ role: "user", content: SECRET }] };
  expect((await post("/v1/chat/completions", { ...chat, stream: true }, { traceparent })).text).toContain(
    "[DONE]",
  );
  expect((await post("/v1/chat/completions", chat, { traceparent })).status).toBe(200);

  const wanted = (name: string) => spans().filter((span) => span.name === name);
  await vi.waitFor(() => expect(wanted("POST /v1/chat/completions")).toHaveLength(2));
  const [query] = wanted("POST /v2/:entity/:project/eval_results/query");
  expect(query).toMatchObject({
    ...{ kind: 1, status: 0, trace: CALLER.trace, parent: CALLER.span },
    attributes: {
      "http.request.method": "POST",
      "http.route": "/v2/:entity/:project/eval_results/query",
      "http.response.status_code": 200,
    },
  });
  const questions = spans().filter(({ parent }) => parent === query!.id);
  expect(questions).toMatchObject([
    { name: "evaluations query", attributes: { "assay.project": "acme/demo" } },
  ]);
  for (const span of wanted("POST /v1/chat/completions"))
    expect(span).toMatchObject({
      ...{ trace: CALLER.trace, parent: CALLER.span },
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "org/chats",
        "gen_ai.usage.input_tokens": 4,
        "gen_ai.usage.output_tokens": 1,
        "assay.project": "acme/demo",
        "assay.outcome": "complete",
      },
    });
  const chats = wanted("POST /v1/chat/completions").map(({ id }) => `00-${CALLER.trace}-${id}-01`);
  expect(engine.seen.map(({ headers }) => headers["traceparent"]).sort()).toEqual(chats.sort());
  const all = JSON.stringify(spans());
  for (const hidden of [SECRET, KEY, "question 0"]) expect(all).not.toContain(hidden);
});

test("each append to a store is a span below its request, and a job's steps are spans below the job", async () => {
  const { post, spans } = await open(true);
  const json = (body: unknown) => JSON.stringify(body);
  const call = { ...evaluationCalls("small", [true])[0]!, project_id: "acme/demo" };
  const traceparent = `00-${CALLER.trace}-${CALLER.span}-01`;
  const imported = await post("/v2/acme/demo/calls/import", json(call), { traceparent });
  expect(imported.status).toBe(200);
  const object = { project_id: "acme/demo", object_id: "prompt", val: { text: SECRET } };
  expect(await post("/obj/create", { obj: object }, { traceparent })).toMatchObject({ status: 200 });
  const model = { entity: "acme", project: "demo", name: "m", base_model: "assay/tiny" };
  const { id } = JSON.parse((await post("/v1/preview/models", model)).text) as { id: string };
  const messages = [
    { role: "user", content: SECRET },
    { role: "assistant", content: "4" },
  ];
  const data = await post("/v1/preview/training-data", [1, 2].map(() => json({ messages })).join("\n"));
  const { training_data_url } = JSON.parse(data.text) as { training_data_url: string };
  const settings = { experimental_config: { batch_size: 1, epochs: 1 } };
  const job = await post("/v1/preview/sft-training-jobs", { model_id: id, training_data_url, ...settings });
  const { id: jobId } = JSON.parse(job.text) as { id: string };

  const wanted = (name: string) => spans().filter((span) => span.name === name);
  await vi.waitFor(() => expect(wanted("training job")).toHaveLength(1), { timeout: 20_000 });
  const attributes = { "assay.count": 1, "assay.project": "acme/demo" };
  for (const [name, path] of [
    ["append calls", "/v2/:entity/:project/calls/import"],
    ["append objects", "/obj/create"],
  ] as const)
    expect(wanted(name)).toMatchObject([
      { trace: CALLER.trace, parent: wanted(`POST ${path}`)[0]!.id, attributes },
    ]);
  const [trained] = wanted("training job");
  expect(trained).toMatchObject({
    ...{ parent: null, status: 0 },
    attributes: { "assay.project": "acme/demo", "assay.job": jobId, "assay.attempt": 1, "assay.kind": "sft" },
  });
  const steps = wanted("training step");
  expect(steps.map(({ attributes }) => attributes["assay.step"])).toEqual([1, 2]);
  expect(steps.map(({ parent }) => parent)).toEqual([trained!.id, trained!.id]);
  expect(JSON.stringify(spans())).not.toContain(SECRET);
});

test("without an SDK no headers are sent to engines, and everything is answered", async () => {
  const { engine, post } = await open(false);
  const chat = { model: "org/chats", messages: [{ role: "user", content: "2 + 2?" }] };
  const traceparent = `00-${CALLER.trace}-${CALLER.span}-01`;
  expect((await post("/v1/chat/completions", chat, { traceparent })).status).toBe(200);
  expect(engine.seen[0]!.headers["traceparent"]).toBeUndefined();
});
