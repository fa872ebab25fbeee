// Exporting rows over HTTP: exactly those that the page shows, in its order, in each format.

import { gunzipSync } from "node:zlib";
import { createHandler, exportRoutes, loopbackAuthentication } from "@assay/adapters-http";
import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { expect, test } from "vitest";
import { exportedRows } from "../src/export/exported-rows.ts";

const right = (every: number) => Array.from({ length: 600 }, (_, row) => row % every !== 0);
const calls = [...evaluationCalls("good", right(7)), ...evaluationCalls("bad", right(5))];
const engine = createEvalEngine({
  calls: memoryCalls(calls),
  rows: memoryRows(),
});
const listed = (id: string) => ({
  ...{ id, name: id, model: null, started_at: null, ended_at: null, evaluation_ref: null },
  ...{ dataset: null, trials: 600, rows: 600 },
});
const source = exportedRows(
  {
    engine,
    query: (project, body) => engine.answer(project, body),
    evaluations: async () => [listed("good"), listed("bad")],
    async *exportLines(_project, kind) {
      if (kind === "calls") yield Buffer.from(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
    },
  },
  undefined,
);
const handler = createHandler({ routes: [exportRoutes({ source, authenticate: loopbackAuthentication() })] });
const ask = (format: string, body: object) =>
  handler(
    new Request(`http://localhost/v2/acme/demo/eval_results/export?format=${format}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

const view = {
  query: { evaluation_call_ids: ["good", "bad"] },
  measure: "scores.match.correct",
  baseline: "bad",
  change: "changed",
  order: "worst_first",
};

/** The row digests of a page, once for each trial in order. */
async function shown(body: { readonly query: object }): Promise<string[]> {
  const answer = await engine.answerView("page", "acme/demo", {
    ...body,
    query: { ...body.query, limit: 1000 },
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
  return answer.value.rows.flatMap(({ row_digest, evaluations }) => evaluations.map(() => row_digest));
}

test("JSON lines have the trials of the rows that a page shows, in its order", async () => {
  const answer = await ask("jsonl", view);
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="rows.jsonl"');
  const lines = (await answer.text()).trim().split("\n");
  const records = lines.map((line) => JSON.parse(line) as { readonly [column: string]: unknown });
  const digests = await shown(view);
  // More than one page of the writer.
  expect(digests.length).toBeGreaterThan(300);
  expect(records.map((record) => record["row_digest"])).toEqual(digests);
  expect(records[0]).toMatchObject({ evaluation_call_id: "good", "scores.match.correct": false });
});

test("CSV and Parquet have the same content, and a query's limit applies", async () => {
  const few = { ...view, query: { ...view.query, limit: 3 } };
  const csv = await (await ask("csv", few)).text();
  const digests = await shown(view);
  const lines = csv.trim().split("\n");
  expect(lines).toHaveLength(1 + 6);
  for (const [i, line] of lines.slice(1).entries()) expect(line).toContain(digests[i]);
  const parquet = new Uint8Array(await (await ask("parquet", few)).arrayBuffer());
  expect(new TextDecoder().decode(parquet.subarray(0, 4))).toBe("PAR1");
});

test("a file has only the evaluations and rows that a page shows, and its length is known", async () => {
  const answer = await ask("html", view);
  const html = await answer.text();
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(html)));
  expect(answer.headers.get("content-disposition")).toContain("attachment");
  const held = (kind: string) =>
    Array.from(html.matchAll(new RegExp(`data-holds="${kind}">([^<]*)`, "g")), ([, text]) =>
      Buffer.from(text!, "base64"),
    );
  const lines = gunzipSync(Buffer.concat(held("calls")))
    .toString()
    .trim()
    .split("\n");
  const trials = lines.map((line) => JSON.parse(line) as { id: string }).filter(({ id }) => id.includes("-"));
  expect(trials).toHaveLength((await shown(view)).length);
  const facts = JSON.parse(Buffer.concat(held("facts")).toString()) as { evaluations: { rows: number }[] };
  expect(facts.evaluations.map(({ rows }) => rows)).toEqual([trials.length / 2, trials.length / 2]);

  const misspelt = await ask("html&redact=inputs.emial", view);
  expect([misspelt.status, await misspelt.text()]).toEqual([409, expect.stringContaining("inputs.emial")]);
  const wrong = await ask("html&redact=emial&outputs=some", view);
  expect([wrong.status, await wrong.text()]).toEqual([
    422,
    expect.stringMatching(/redact.*outputs|outputs.*redact/),
  ]);
});

test("an invalid request is refused before anything is written", async () => {
  const answer = await ask("xlsx", { query: {}, change: "worse" });
  const { detail } = (await answer.json()) as { detail: { loc: string[] }[] };
  expect([answer.status, detail.map(({ loc }) => loc.join(".")).sort()]).toEqual([
    422,
    ["body.baseline", "body.measure", "query.format"],
  ]);
});
