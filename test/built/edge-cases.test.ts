// Responses of the built server to unusual requests: names that are not valid Unicode, prices, ids of other owners, and
// prompts beyond the tiny model's context.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const KEY = "k".repeat(32);
const home = mkdtempSync(join(tmpdir(), "assay-unusual-"));
let server: AssayServer;
beforeAll(async () => {
  const settings = join(home, "assay.yaml");
  writeFileSync(settings, "prices: { gpt: { input: 0.15, output: 0.6 } }");
  server = await startAssay(join(home, "data"), {
    env: { ASSAY_API_KEY: KEY },
    args: ["--config", settings],
  });
});
afterAll(async () => {
  await server.stop("SIGTERM");
  rmSync(home, { recursive: true });
});

async function ask(method: string, path: string, body?: unknown, key = KEY) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const BY_Q = { field: "inputs.q", direction: "asc" };

describe("an evaluation", () => {
  const time = { started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:01Z" };
  const call = (id: string, op_name: string, more: object) => ({
    ...{
      project_id: "a/b",
      id,
      trace_id: "t",
      op_name,
      attributes: {},
      inputs: {},
      output: null,
      summary: {},
    },
    ...time,
    ...more,
  });
  const batch = [
    call("run", "Evaluation.evaluate", { inputs: { self: "weave:///a/b/object/e:1", model: "m" } }),
    call("trial\ud800", "Evaluation.predict_and_score", {
      parent_id: "run",
      inputs: { example: { q: 1 }, model: "m" },
      output: { output: 1.0, scores: { acc: true } },
    }),
    call("model", "Model.predict", {
      parent_id: "trial\ud800",
      summary: { usage: { gpt: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } } },
    }),
    // The judge's usage does not count towards the model's cost.
    call("judge", "judge.score", {
      parent_id: "trial\ud800",
      attributes: { weave: { score: true } },
      summary: { usage: { gpt: { prompt_tokens: 5000, completion_tokens: 0 } } },
    }),
    call("free", "Evaluation.predict_and_score", {
      parent_id: "run",
      inputs: { example: { q: 2 }, model: "m" },
      output: { output: "y", scores: { acc: true } },
      summary: { usage: { unpriced: { prompt_tokens: 100, completion_tokens: 10 } } },
    }),
  ];

  test("whose trial's id is not Unicode returns it unchanged", async () => {
    expect((await ask("POST", "/v2/a/b/calls/complete", { batch })).status).toBe(200);
    const filters = [{ query: { $expr: { $eq: [{ $getField: "inputs.q" }, { $literal: 1 }] } } }];
    const query = { evaluation_call_ids: ["run"], include_raw_data_rows: true, filters };
    const { status, text } = await ask("POST", "/v2/a/b/eval_results/query", query);
    expect(status).toBe(200);
    expect(JSON.parse(text).rows[0].evaluations[0].trials[0].predict_and_score_call_id).toBe("trial\ud800");
  });

  test("includes costs of its model's tokens by the price table, on request", async () => {
    const query = { evaluation_call_ids: ["run"], include_summary: true, sort_by: [BY_Q] };
    const plain = await ask("POST", "/v2/a/b/eval_results/query", query);
    expect(plain.text).not.toContain("total_cost");
    const { status, text } = await ask("POST", "/v2/a/b/eval_results/query", {
      ...query,
      include_costs: true,
    });
    expect(status).toBe(200);
    const COST = /,"(?:predict_)?total_cost":([^,}]+)/g;
    expect(text.replace(COST, "")).toBe(plain.text);
    expect([...text.matchAll(COST)].map(([, cost]) => cost)).toEqual(["0.000021", "null", "0.000021"]);
    // The summary covers all trials, regardless of the page.
    const beyond = { ...query, include_costs: true, offset: 1, limit: 1 };
    expect((await ask("POST", "/v2/a/b/eval_results/query", beyond)).text).toMatch(
      /"total_cost":null.*"predict_total_cost":0\.000021/,
    );
    const args = ["query", "a/b", "run", "--include-costs", "--format", "table"];
    const shown = await assay([...args, "--data", join(home, "data"), "--api-key", KEY]);
    expect([shown.exitCode, shown.stdout]).toEqual([0, expect.stringContaining("$0.000021")]);
    expect(JSON.parse((await ask("POST", "/v2/a/b/eval_results/query", { include_costs: 1 })).text)).toEqual({
      detail: [expect.objectContaining({ loc: ["body", "include_costs"], type: "bool_type" })],
    });
  });

  test("object is listed in the hosted service's format", async () => {
    const val = {
      _type: "Evaluation",
      _class_name: "Evaluation",
      _bases: ["Object", "BaseModel"],
      name: "e",
    };
    const obj = { project_id: "a/b", object_id: "e", val };
    const { digest } = JSON.parse((await ask("POST", "/obj/create", { obj })).text);
    const { text } = await ask("GET", "/v2/a/b/evaluations");
    const lines = text.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ object_id: "e", digest, name: "e" }]);
  });
});

test("another owner's id looks like an unknown one, and no list reveals it", async () => {
  const wish = { entity: "x", project: "y", name: "theirs", base_model: "assay/tiny" };
  const theirs = JSON.parse((await ask("POST", "/v1/preview/models", wish)).text).id;
  const { key } = JSON.parse((await ask("POST", "/v1/keys", { name: "narrow", scopes: ["a/b"] })).text);
  const seen = async (list: string, id: string) => {
    const { status, text } = await ask("GET", `/v1/preview/${list}?after=${id}`, undefined, key);
    return `${status} ${text.replaceAll(id, "ID")}`;
  };
  for (const list of ["models", "training-jobs"]) {
    expect(await seen(list, theirs)).toBe(await seen(list, crypto.randomUUID()));
    const { status, text } = await ask("GET", `/v1/preview/${list}?limit=1`, undefined, key);
    expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ data: [], last_id: "" })]);
  }
});

describe("the tiny model", () => {
  const chat = async (more: object) => {
    const { status, text } = await ask("POST", "/v1/chat/completions", {
      ...{ model: "assay/tiny", messages: [{ role: "user", content: "x" }] },
      ...more,
    });
    return { status, text };
  };

  test("refuses a prompt beyond its context, and unsupported parameters by name", async () => {
    const long = await chat({ messages: [{ role: "user", content: "é".repeat(255) }] });
    expect(long).toEqual({
      status: 400,
      text: expect.stringMatching(/513 tokens .* is 512, .* at most 511/),
    });
    const picture = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }];
    for (const [more, named] of [
      [{ guided_choice: ["yes", "no"] }, "guided_choice"],
      [{ messages: [{ role: "user", content: picture }] }, "messages[0].content[0] is not text"],
    ] as const) {
      const { status, text } = await chat(more);
      expect([status, text]).toEqual([400, expect.stringContaining(named)]);
      expect(text).not.toContain("base64");
    }
  });

  test("is suggested when another base model is requested", async () => {
    const wish = { entity: "a", project: "b", name: "m", base_model: "nobody/nothing" };
    const { status, text } = await ask("POST", "/v1/preview/models", wish);
    expect([status, text]).toEqual([422, expect.stringMatching(/nobody\/nothing cannot .*assay\/tiny can/)]);
  });

  test("reports the number of rows that were truncated for training", async () => {
    const file = join(home, "rows.jsonl");
    const row = (content: string) =>
      JSON.stringify({
        messages: [
          { role: "user", content },
          { role: "assistant", content: "y" },
        ],
      });
    writeFileSync(file, [row("short"), row("long".repeat(400)), row("long".repeat(500))].join("\n"));
    const args = ["train", "sft", "a/rows", file, "--base-model", "assay/tiny", "--set", "epochs=1"];
    const ran = await assay([...args, "--data", join(home, "data")], {
      timeout: 90_000,
      env: { ASSAY_API_KEY: KEY },
    });
    expect(ran.stdout + ran.stderr).toMatch(/\b2 .*rows?\b/);
  });
});
