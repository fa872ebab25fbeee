// The content of an exported file; its worker's handler answers like a server.

import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { createHandler, evalResultsRoutes, type Handler, loopbackAuthentication } from "@assay/adapters-http";
import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { expect, test } from "vitest";
import { exportedPage } from "../src/index.ts";
import type { FileFacts } from "../src/worker/messages.ts";
import { sealedHandler } from "../src/worker/sealed-handler.ts";

const HOSTILE = "</script><script>alert(1)</script><!--<script>";
const calls = [
  ...evaluationCalls("good", [true, true, false]),
  ...evaluationCalls("bad", [false, true]),
  { id: "note", op_name: "note", inputs: { text: HOSTILE } },
];
const lines = calls.map((call) => `${JSON.stringify(call)}\n`);
const dataset = [
  { digest: "row0", val: { question: HOSTILE, number: 1 } },
  { digest: "row1", val: { question: "é\u2028😀" } },
];
const rowLines = dataset.map((row) => JSON.stringify(row)).join("\n");
const listed = (id: string, rows: number) => ({
  ...{ id, name: HOSTILE, model: null, started_at: null, ended_at: null },
  ...{ evaluation_ref: null, dataset: null, trials: rows, rows },
});
const facts: FileFacts = {
  project: "acme/demo",
  evaluations: [listed("good", 3), listed("bad", 2)],
  made: "2026-11-22T18:00:00.000Z",
  picked: true,
};

async function* bytesOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const exported = (mostBytes?: number) =>
  exportedPage(
    { ...facts, calls: bytesOf(lines), rows: bytesOf([rowLines]) },
    mostBytes === undefined ? {} : { mostBytes },
  );

test("the file allows only its own script, and contains its data as base64", async () => {
  const page = await exported();
  let html = "";
  for await (const piece of page.pieces()) html += piece;
  await page.close();
  expect(page.bytes).toBe(Buffer.byteLength(html));
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!;
  expect(policy).toContain("default-src 'none'; script-src 'sha256-");
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text!);
  expect(scripts).toHaveLength(1);
  expect(policy).toContain(`'sha256-${createHash("sha256").update(scripts[0]!).digest("base64")}'`);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)![1]!;
  expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
  expect(html).not.toContain("alert(1)");

  const held = (kind: string) => {
    const blocks = html.matchAll(new RegExp(`data-holds="${kind}">([A-Za-z0-9+/=]*)</script>`, "g"));
    return Buffer.concat(Array.from(blocks, ([, text]) => Buffer.from(text!, "base64")));
  };
  expect(JSON.parse(held("facts").toString())).toEqual(facts);
  const heldCalls = gunzipSync(held("calls"))
    .toString()
    .split(/(?<=\n)/);
  expect(heldCalls.toSorted()).toEqual(lines.toSorted());
  expect(gunzipSync(held("rows")).toString()).toBe(rowLines);
  expect(held("worker").length).toBeGreaterThan(100_000);
});

test("too much data is refused before anything is written", async () => {
  await expect(exported(200)).rejects.toThrow(RangeError);
});

test("the handler in the file answers with a server's bytes", async () => {
  const split = (text: string) => {
    const whole = gzipSync(text);
    return [new Uint8Array(whole.subarray(0, 40)), new Uint8Array(whole.subarray(40))];
  };
  const inFile = await sealedHandler({
    project: facts.project,
    evaluations: facts.evaluations,
    calls: split(lines.join("")),
    rows: split(rowLines),
  });
  const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(dataset) });
  const served = createHandler({
    routes: [evalResultsRoutes({ engine, authenticate: loopbackAuthentication() })],
  });
  const query = { evaluation_call_ids: ["good", "bad"], include_summary: true };
  const raw = { include_raw_data_rows: true, resolve_row_refs: true };
  const measure = "scores.match.correct";
  const asked: readonly (readonly [string, unknown])[] = [
    ["query", { ...query, ...raw }],
    ["query", { limit: "1", bogus: 1 }],
    ["compare", { query, baseline: "bad" }],
    ["page", { query, measure, baseline: "bad", order: "worst_first" }],
    ["slices", { query, baseline: "bad" }],
    ["ranking", { query }],
    ["groups", { query, by: { field: "inputs.question" }, measures: [measure], baseline: "bad" }],
    ["fields", { evaluation_call_ids: ["good"] }],
    ["nothing", {}],
  ];
  for (const [question, body] of asked) {
    const answer = async (handler: Handler) => {
      const response = await handler(
        new Request(`http://localhost/v2/acme/demo/eval_results/${question}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
      return [question, response.status, await response.text()];
    };
    expect(await answer(inFile)).toEqual(await answer(served));
  }
  const got = async (path: string) => inFile(new Request(`http://localhost${path}`));
  const list = await got("/v2/acme/demo/eval_results/evaluations");
  expect(await list.json()).toEqual({ evaluations: facts.evaluations, next: null });
  expect((await got("/v2/acme/demo/calls/export")).status).toBe(409);
});
