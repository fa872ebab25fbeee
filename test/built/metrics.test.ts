// `GET /metrics` of the built server: what it counts, who may read it, and that it contains no user data.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";

const KEY = "0123456789abcdef0123456789abcdef01234567";
const P = "sesame/tahini";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "assay-metrics-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The value of a metric with these labels as printed; undefined if there is none. */
function valueIn(text: string, metric: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length + 1));
}

test("counts requests by route, stored data, tokens, streams and disk faults, without naming anyone", async () => {
  const data = folder();
  const server = await startAssay(data, { env: { ASSAY_API_KEY: KEY }, args: ["--metrics"] });
  onTestFinished(() => server.stop("SIGKILL"));
  const ask = (path: string, init: RequestInit = {}, key = KEY) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...init.headers },
    });
  const lines = evaluationLines("halva", [true, false]).join("\n");
  const imported = { method: "POST", body: lines, headers: { "Content-Type": "application/x-ndjson" } };
  expect((await ask(`/v2/${P}/calls/import`, imported)).status).toBe(200);
  for (let i = 0; i < 20; i++) expect((await ask(`/nothing/sesame-${i}`)).status).toBe(404);
  const wish = { model: "assay/tiny", messages: [{ role: "user", content: "tahini?" }], max_tokens: 3 };
  expect((await ask("/v1/chat/completions", { method: "POST", body: JSON.stringify(wish) })).status).toBe(
    200,
  );
  const seeded = { ...wish, model: "assay/tiny-sesame" };
  await ask("/v1/chat/completions", { method: "POST", body: JSON.stringify(seeded) });
  const watch = await ask(`/v2/${P}/eval_results/watch?evaluation=waited-for`);
  expect(watch.status).toBe(200);
  // Corrupts the file on disk before any reader has verified it.
  const calls = join(data, "calls.jsonl");
  writeFileSync(calls, readFileSync(calls, "latin1").replace("closeness", "clozeness"), "latin1");
  const body = JSON.stringify({ evaluation_call_ids: ["halva"] });
  expect((await ask(`/v2/${P}/eval_results/query`, { method: "POST", body })).status).toBe(503);

  const answer = await ask("/metrics");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=0\.0\.4/),
  ]);
  const text = await answer.text();
  const requests = (method: string, route: string, status: number) =>
    valueIn(text, `assay_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
  expect(requests("POST", "/v2/:entity/:project/calls/import", 200)).toBe(1);
  expect(requests("POST", "/v2/:entity/:project/eval_results/query", 503)).toBe(1);
  const unmet = text
    .split("\n")
    .filter((line) => /^assay_http_requests_total.*method="GET".*"404"/.test(line));
  expect(unmet).toHaveLength(1);
  expect(unmet[0]).toMatch(/ 20$/);
  const found = Object.fromEntries(
    [
      'assay_http_request_duration_seconds_count{method="POST",route="/v1/chat/completions"}',
      "assay_open_streams",
      "assay_store_up",
      "assay_projects",
      "assay_evaluations",
      "assay_trials",
      'assay_disk_faults_total{code="corrupt"}',
    ].map((metric) => [metric.replace(/\{.*/, ""), valueIn(text, metric)]),
  );
  expect(found).toEqual({
    assay_http_request_duration_seconds_count: 2,
    assay_open_streams: 1,
    assay_store_up: 1,
    assay_projects: 1,
    assay_evaluations: 1,
    assay_trials: 2,
    assay_disk_faults_total: 1,
  });
  expect(valueIn(text, 'assay_tokens_total{model="assay/tiny",kind="generated"}')).toBeGreaterThan(0);
  for (const metric of [
    "nodejs_eventloop_lag_p99_seconds",
    "process_resident_memory_bytes",
    "process_open_fds",
  ])
    expect(valueIn(text, metric), metric).toBeGreaterThan(0);
  expect(text).not.toMatch(/sesame|tahini|halva|waited-for/);
  expect(text).not.toContain(KEY);
  await watch.body?.cancel();

  // The store is queried for each scrape, and ended streams do not count.
  await expect.poll(async () => valueIn(await (await ask("/metrics")).text(), "assay_open_streams")).toBe(0);
  const made = await Promise.all(
    [{ scopes: ["*"], can: ["read"] }, { scopes: ["*"], can: ["write"] }, { scopes: ["sesame/*"] }].map(
      async (wished) => {
        const sent = await ask("/v1/keys", {
          method: "POST",
          body: JSON.stringify({ name: "one", ...wished }),
        });
        return ((await sent.json()) as { readonly key: string }).key;
      },
    ),
  );
  const statuses = await Promise.all(
    [...made, "wrong"].map(async (key) => (await ask("/metrics", {}, key)).status),
  );
  expect(statuses).toEqual([200, 403, 403, 401]);
});

test("without --metrics nothing is served and nothing is counted", async () => {
  const server = await startAssay(folder(), { env: { ASSAY_API_KEY: KEY } });
  onTestFinished(() => server.stop("SIGKILL"));
  const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${KEY}` } });
  expect(answer.headers.get("content-type")).not.toMatch(/version=0\.0\.4/);
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { readonly paths: object };
  expect(Object.keys(document.paths)).not.toContain("/metrics");
});
