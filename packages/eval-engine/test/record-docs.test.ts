// docs/reference/record.md describes the record: it lists every field that is read, with its default and a valid
// example.

import { readFileSync } from "node:fs";
import { memoryCalls, memoryRows, readCall } from "@assay/calls";
import { expect, test } from "vitest";
import { createEvalEngine } from "../src/index.ts";

const TEXT = readFileSync(new URL("../../../docs/reference/record.md", import.meta.url), "utf8");
const [, CALL = ""] = /## A call\n([\s\S]*?)\n## /.exec(TEXT) ?? [];
const FIELDS = [...CALL.matchAll(/^\| `(\w+)` .*\|\s*([^|]*?)\s*\|\s*`([^|]*)`\s*\|$/gm)].map(
  ([, name, standard, example]) => ({ name: name!, standard: standard!, example: JSON.parse(example!) }),
);

test("every field of a call is documented with its default", () => {
  const bare = readCall({ id: "run-1" });
  expect(bare.ok).toBe(true);
  const call = (bare.ok ? bare.value : {}) as { readonly [name: string]: unknown };
  expect(FIELDS.map(({ name }) => name)).toEqual(Object.keys(call));
  for (const { name, standard } of FIELDS) {
    if (name === "id") expect(standard).toBe("required");
    else expect([name, JSON.parse(standard.replaceAll("`", ""))]).toEqual([name, call[name]]);
  }
});

test("every example is accepted, and a value of another type is refused with the field's name", () => {
  for (const { name, example } of FIELDS) {
    const read = readCall({ id: "a", [name]: example });
    expect([name, read.ok && read.value]).toEqual([name, expect.objectContaining({ [name]: example })]);
    if (typeof example !== "string") continue;
    const wrong = readCall({ id: "a", [name]: 5 });
    expect([name, wrong.ok || wrong.issues[0]?.path]).toEqual([name, [name]]);
    expect(() => memoryCalls([{ id: "a", [name]: 5 }])).toThrow(new RegExp(`call 0\\.${name}`));
  }
});

test("the two trials are as documented", async () => {
  const [, lines = ""] = /```jsonl\n([\s\S]*?)```/.exec(TEXT) ?? [];
  const calls = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() });
  const { rows, summary } = await engine.query("acme/demo", {
    evaluation_call_ids: ["run-1"],
    include_summary: true,
    include_raw_data_rows: true,
  });
  expect(summary?.evaluations[0]).toMatchObject({
    display_name: "small, nightly",
    evaluation_ref: "sums",
    model_ref: "small",
    trial_count: 2,
    predict_total_tokens: 12,
    scorer_stats: [
      { scorer_key: "exact", pass_rate: 1, trial_count: 1 },
      { scorer_key: "judge", path: "quality", numeric_mean: 0.5 },
    ],
  });
  const trials = rows.map(
    ({ raw_data_row, evaluations }) => [raw_data_row, evaluations[0]!.trials[0]!] as const,
  );
  const of = (question: string) => trials.find(([row]) => JSON.stringify(row).includes(question))![1];
  expect(of("2+2?")).toMatchObject({ model_output: "4", model_latency_seconds: 0.2, total_tokens: 12 });
  expect(of("3+4?")).toMatchObject({ model_output: null, scores: {}, model_latency_seconds: null });
});
