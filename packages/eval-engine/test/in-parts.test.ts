// An answer in parts shows the state at the time of the query, however late its rows are read.

import type { CallInput } from "@assay/calls";
import { expect, test } from "vitest";
import { partsText, resultsText } from "../src/in-memory/results-text.ts";
import { createEvalEngine, memoryCalls, memoryRows } from "../src/index.ts";

const P = "acme/demo";
const ROWS = 400;

const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

function trial(i: number, answer: string): CallInput {
  return {
    ...{ id: `t${i}`, trace_id: "e", parent_id: "e", op_name: "Evaluation.predict_and_score" },
    ...{ started_at: time(i), ended_at: time(i + 1), attributes: {}, summary: {} },
    inputs: { example: i % 7 === 0 ? `weave:///${P}/object/d:v0/attr/rows/id/row${i}` : { question: i } },
    output: { output: { answer, n: 1 }, scores: { match: i % 2 === 0 } },
  };
}

const BODY = {
  evaluation_call_ids: ["e"],
  include_summary: true,
  include_raw_data_rows: true,
  resolve_row_refs: true,
  sort_by: [{ field: "scores.match", direction: "desc" as const }],
};

function opened() {
  const root = {
    id: "e",
    trace_id: "e",
    parent_id: null,
    op_name: "Evaluation.evaluate",
    started_at: time(0),
  };
  const calls = memoryCalls();
  calls.put(P, [root, ...Array.from({ length: ROWS }, (_, i) => trial(i, `first ${i}`))]);
  return { calls, engine: createEvalEngine({ calls, rows: memoryRows() }) };
}

test.each([{}, { limit: 3, offset: 5 }, { limit: 0 }, { include_rows: false }])(
  "its text equals that of the whole answer: %j",
  async (more) => {
    const { engine } = opened();
    const body = { ...BODY, ...more };
    const parts = await engine.answerInParts(P, body);
    if (!parts.ok) throw new Error("refused");
    let text = "";
    for await (const piece of partsText(parts.value)) text += piece;
    const whole = await engine.query(P, body);
    expect(text).toBe([...resultsText(whole)].join(""));
    expect(parts.value.row_count).toBe(whole.rows.length);
  },
);

test("writes during reading do not change it, but another query sees them", async () => {
  const { calls, engine } = opened();
  const before = [...resultsText(await engine.query(P, BODY))].join("");
  const parts = await engine.answerInParts(P, BODY);
  if (!parts.ok) throw new Error("refused");
  const pieces = partsText(parts.value);
  let text = (await pieces.next()).value as string;
  calls.put(
    P,
    Array.from({ length: ROWS }, (_, i) => trial(i, `second ${i}`)),
  );
  expect([...resultsText(await engine.query(P, BODY))].join("")).toContain("second 399");
  for await (const piece of pieces) text += piece;
  expect(text).toBe(before);
});

test("an invalid body is refused, and an answer can be abandoned", async () => {
  const { engine } = opened();
  expect(await engine.answerInParts(P, { limit: -1 })).toMatchObject({ ok: false });
  const parts = await engine.answerInParts(P, BODY);
  if (!parts.ok) throw new Error("refused");
  await parts.value.rows.return([]);
  expect(await parts.value.rows.next()).toEqual({ done: true, value: undefined });
});
