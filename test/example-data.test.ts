// The committed example data matches its description: complete call trees, and rows under their content digests.

import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { type CallInput, rowDigest } from "@assay/calls";
import { createEvalEngine, type DatasetRow, memoryCalls, memoryRows } from "@assay/eval-engine";
import { expect, test } from "vitest";

const DATA = new URL("../examples/units-parser/data/", import.meta.url);

async function lines(name: string): Promise<readonly unknown[]> {
  const text = gunzipSync(await readFile(new URL(name, DATA))).toString("utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("every row of the example has its content digest", async () => {
  const rows = (await lines("rows.jsonl.gz")) as readonly DatasetRow[];
  expect(rows).toHaveLength(240);
  for (const { digest, val } of rows) expect(rowDigest(val)).toBe(digest);
});

test("the third version is better overall, and the rows with the largest differences show where it is worse", async () => {
  const calls = (await lines("calls.jsonl.gz")) as readonly CallInput[];
  const rows = (await lines("rows.jsonl.gz")) as readonly DatasetRow[];
  const evaluation_call_ids = calls.filter(({ parent_id }) => parent_id === null).map(({ id }) => id);
  const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
  const results = await engine.query("examples/units-parser", {
    evaluation_call_ids: evaluation_call_ids.slice(1),
    include_raw_data_rows: true,
    resolve_row_refs: true,
    include_summary: true,
    sort_by: [{ field: "scores.correct", direction: "desc", mode: "difference" }],
    filters: [
      {
        evaluation_call_id: evaluation_call_ids[1]!,
        query: { $expr: { $eq: [{ $getField: "scores.correct" }, { $literal: true }] } },
      },
    ],
    limit: 20,
  });
  expect(results.warnings).toEqual([]);
  const kinds = new Set(results.rows.map(({ raw_data_row }) => (raw_data_row as { kind: string }).kind));
  expect([...kinds].sort()).toEqual(["prefixed", "thousands"]);

  const summary = await engine.query("examples/units-parser", {
    evaluation_call_ids,
    include_summary: true,
    limit: 0,
  });
  expect(summary.total_rows).toBe(240);
  const rates = summary.summary?.evaluations.map(
    ({ scorer_stats }) => scorer_stats.find(({ scorer_key }) => scorer_key === "correct")!,
  );
  expect(rates?.map(({ pass_true_count, trial_count }) => [pass_true_count, trial_count])).toEqual([
    [141, 258],
    [387, 720],
    [599, 720],
  ]);
});
