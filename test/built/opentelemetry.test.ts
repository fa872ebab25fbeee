// The exporters of OpenTelemetry's SDK, unmodified, send GenAI spans and evaluation results to the built server, in
// both encodings and compressed; the results become evaluations like any other.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { EvalResults } from "@assay/eval-engine";
import { assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";

const KEY = "0123456789abcdef0123456789abcdef01234567";
const P = "acme/demo";
const AUTHORIZED = { Authorization: `Bearer ${KEY}` };

async function serve() {
  const directory = mkdtempSync(join(tmpdir(), "assay-otlp-"));
  const server = await startAssay(directory, { env: { ASSAY_API_KEY: KEY } });
  onTestFinished(async () => {
    await server.stop("SIGTERM");
    rmSync(directory, { recursive: true });
  });
  const post = (path: string, body: BodyInit, type = "application/json", more: object = {}) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { ...AUTHORIZED, "Content-Type": type, ...more },
      body,
    });
  return { ...server, directory, post };
}

const APPLICATION = fileURLToPath(new URL("./opentelemetry-app.mjs", import.meta.url));

/** Runs an application that evaluates itself, in a separate process. */
async function application(url: string, encoding: "protobuf" | "json", model: string, right: number) {
  await promisify(execFile)(process.execPath, [APPLICATION, url, KEY, encoding, model, String(right)]);
}

test("GenAI evaluation results of the OpenTelemetry SDK become evaluations, in both encodings", async () => {
  const server = await serve();
  await application(server.url, "protobuf", "small", 1);
  await application(server.url, "json", "large", 2);
  const at = ["--data", server.directory, "--api-key", KEY];
  const listed = await assay(["evaluations", P, ...at, "--format", "json"]);
  const evaluations = JSON.parse(listed.stdout) as readonly { readonly id: string; readonly name: string }[];
  expect(evaluations.map(({ name }) => name)).toEqual(["sums 1.2 small", "sums 1.2 large"]);
  const ids = evaluations.map(({ id }) => id);
  const body = { evaluation_call_ids: ids, require_intersection: true, include_summary: true };
  const answer = (await (
    await server.post(`/v2/${P}/eval_results/query`, JSON.stringify(body))
  ).json()) as EvalResults;
  expect(answer.total_rows).toBe(2);
  expect(answer.summary?.evaluations).toMatchObject([
    {
      predict_total_tokens: 30,
      scorer_stats: expect.arrayContaining([
        expect.objectContaining({ scorer_key: "exact", numeric_mean: 0.5 }),
        expect.objectContaining({ scorer_key: "helpful", path: "value", numeric_mean: 0.375 }),
        expect.objectContaining({ scorer_key: "helpful", path: "label", value_type: "text" }),
      ]),
    },
    { scorer_stats: expect.arrayContaining([expect.objectContaining({ numeric_mean: 1 })]) },
  ]);
  const [trial] = answer.rows[0]!.evaluations[0]!.trials;
  expect(trial).toMatchObject({ model_output: expect.stringMatching(/^answer \d$/), total_tokens: 15 });
  expect(trial!.model_latency_seconds).toBeGreaterThan(0);
  // The span itself is stored under its trial's reference, with the evaluator below it.
  const [ref] = trial!.genai_span_ref!;
  const traces = { project_id: P, filter: { trace_ids: [ref!.trace_id] } };
  const lines = (await (await server.post("/calls/stream_query", JSON.stringify(traces))).text()).split("\n");
  const calls = lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  // Both may start in the same microsecond, so their order is undefined.
  expect(calls.map(({ op_name }) => op_name).sort()).toEqual([expect.stringMatching(/^chat/), "judge"]);
  const links = [{ ...ref, attributes: { why: "judged" } }];
  expect(calls.find(({ op_name }) => op_name === "judge")).toMatchObject({
    parent_id: ref!.span_id,
    display_name: "the judge",
    thread_id: "sums",
    attributes: { otel: { links } },
  });
  const [event] = calls.find(({ op_name }) => op_name !== "judge").attributes.otel.events;
  expect(event).toMatchObject({ name: "gen_ai.evaluation.result", time: expect.stringMatching(/^20.*Z$/) });
  const compared = await assay(["compare", P, ...ids, "--measure", "scores.exact", ...at]);
  expect([compared.exitCode, compared.stdout]).toEqual([0, expect.stringContaining("exact")]);
});

test("damaged spans are counted in partial success, resending duplicates nothing, and refusals are explained", async () => {
  const { post, url } = await serve();
  const span = (spanId: string, more: object = {}) => ({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId,
    name: "chat",
    startTimeUnixNano: "1767225600000000000",
    endTimeUnixNano: "1767225601500000000",
    events: [
      {
        name: "gen_ai.evaluation.result",
        attributes: [
          { key: "gen_ai.evaluation.name", value: { stringValue: "exact" } },
          { key: "gen_ai.evaluation.score.value", value: { doubleValue: 1 } },
        ],
      },
    ],
    ...more,
  });
  const request = (...spans: readonly object[]) =>
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  const mixed = request(
    span("b7ad6b7169203331"),
    span("0000000000000000"),
    span("b7ad6b7169203332", { startTimeUnixNano: "0" }),
  );
  const named = { project_id: P };
  // The second address is that of Weave's integrations of agents.
  for (const path of ["/otel/v1/traces", "/agents/otel/v1/traces"]) {
    const answer = await post(path, mixed, "application/json", named);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: "2", errorMessage: expect.stringContaining("span id") } },
    ]);
  }
  const { evaluations } = (await (
    await fetch(`${url}/v2/${P}/eval_results/evaluations`, { headers: AUTHORIZED })
  ).json()) as { readonly evaluations: readonly { readonly trials: number }[] };
  expect(evaluations).toMatchObject([{ name: "OpenTelemetry", trials: 1 }]);

  expect((await post("/otel/v1/traces", mixed)).status).toBe(400);
  expect((await post("/otel/v1/traces", "{", "application/json", named)).status).toBe(400);
  for (const [damaged, message] of [
    [{ resource: [] }, "resourceSpans.0.resource must be an object"],
    [{ resource: { attributes: {} } }, "resourceSpans.0.resource.attributes must be a list"],
    [{ scopeSpans: {} }, "resourceSpans.0.scopeSpans must be a list"],
    [{ scopeSpans: [{ scope: [] }] }, "resourceSpans.0.scopeSpans.0.scope must be an object"],
    [{ scopeSpans: [{ scope: { name: [] } }] }, "resourceSpans.0.scopeSpans.0.scope.name must be a string"],
  ] as const) {
    const body = JSON.stringify({ resourceSpans: [damaged] });
    const answer = await post("/otel/v1/traces", body, "application/json", named);
    expect([answer.status, await answer.json()]).toEqual([400, { message, detail: message }]);
  }
  const unlisted = request(span("b7ad6b7169203333", { attributes: {} }));
  expect(await (await post("/otel/v1/traces", unlisted, "application/json", named)).json()).toEqual({
    partialSuccess: { rejectedSpans: "1", errorMessage: "the attributes of a span must be a list" },
  });
  expect((await post("/otel/v1/traces", "x", "text/plain", named)).status).toBe(415);
  expect(
    (await post("/otel/v1/traces", mixed, "application/json", { Authorization: "Bearer wrong" })).status,
  ).toBe(401);
  const binary = "application/x-protobuf";
  expect((await post("/otel/v1/traces", new Uint8Array(), binary, named)).status).toBe(200);
  for (const body of [
    [0x0a, 0x7f],
    [0xff, 0xff, 0xff],
    [0x0a, 0x02, 0x12, 0x05],
  ]) {
    const answer = await post("/otel/v1/traces", Uint8Array.from(body), binary, named);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, binary]);
  }
});

test("evaluation results logged as events score their spans, sent before or after them, in both encodings", async () => {
  const { post, url } = await serve();
  const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const named = { project_id: P };
  const timeUnixNano = "1767225602000000000";
  const attribute = (key: string, value: object) => ({ key, value });
  const result = (name: string, score: number) => ({
    traceId,
    spanId,
    timeUnixNano,
    eventName: "gen_ai.evaluation.result",
    attributes: [
      attribute("gen_ai.evaluation.name", { stringValue: name }),
      attribute("gen_ai.evaluation.score.value", { doubleValue: score }),
    ],
  });
  const request = (...logRecords: readonly object[]) =>
    JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  const early = request(
    result("exact", 1),
    { timeUnixNano, body: { stringValue: "started" } },
    {
      ...result("exact", 1),
      attributes: [],
    },
  );
  for (let i = 0; i < 2; i++) {
    const answer = await post("/otel/v1/logs", early, "application/json", named);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        partialSuccess: { rejectedLogRecords: "1", errorMessage: expect.stringContaining("evaluation.name") },
      },
    ]);
  }
  const span = { traceId, spanId, name: "chat", startTimeUnixNano: "1767225600000000000" };
  const attributes = [attribute("gen_ai.request.model", { stringValue: "small" })];
  const spans = [{ ...span, endTimeUnixNano: "1767225601500000000", attributes }];
  const traces = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  expect((await post("/otel/v1/traces", traces, "application/json", named)).status).toBe(200);

  // Encodes messages of opentelemetry/proto/logs/v1 by hand.
  const field = (number: number, bytes: Uint8Array) => [(number << 3) | 2, bytes.length, ...bytes];
  const text = (value: string) => Buffer.from(value);
  const pair = (key: string, value: readonly number[]) =>
    field(6, Uint8Array.from([...field(1, text(key)), ...field(2, Uint8Array.from(value))]));
  const half = Buffer.alloc(8);
  half.writeDoubleLE(0.5);
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE(BigInt(timeUnixNano));
  const record = Uint8Array.from([
    ...[(11 << 3) | 1, ...time],
    ...pair("gen_ai.evaluation.name", field(1, text("helpful"))),
    ...pair("gen_ai.evaluation.score.value", [(4 << 3) | 1, ...half]),
    ...pair("event.name", field(1, text("gen_ai.evaluation.result"))),
    ...field(9, Buffer.from(traceId, "hex")),
    ...field(10, Buffer.from(spanId, "hex")),
  ]);
  // The record needs a length of two bytes.
  const long = (number: number, bytes: readonly number[] | Uint8Array) => [
    (number << 3) | 2,
    (bytes.length & 0x7f) | 0x80,
    bytes.length >> 7,
    ...bytes,
  ];
  const body = Uint8Array.from(long(1, long(2, long(2, record))));
  const binary = await post("/otel/v1/logs", body, "application/x-protobuf", named);
  expect([binary.status, (await binary.arrayBuffer()).byteLength]).toEqual([200, 0]);
  expect(
    (await post("/otel/v1/logs", Uint8Array.of(0x0a, 0x7f), "application/x-protobuf", named)).status,
  ).toBe(400);

  const { evaluations } = (await (
    await fetch(`${url}/v2/${P}/eval_results/evaluations`, { headers: AUTHORIZED })
  ).json()) as { readonly evaluations: readonly { readonly id: string; readonly trials: number }[] };
  expect(evaluations).toMatchObject([{ name: "OpenTelemetry small", trials: 1 }]);
  const query = JSON.stringify({ evaluation_call_ids: [evaluations[0]!.id] });
  expect(await (await post(`/v2/${P}/eval_results/query`, query)).json()).toMatchObject({
    rows: [{ evaluations: [{ trials: [{ scores: { exact: 1, helpful: 0.5 } }] }] }],
  });
});
