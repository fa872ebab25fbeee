// What ClickHouse stores of a trial besides its columns: everything an answer needs, once each.

import { readTrial } from "@assay/eval-engine/internal";
import { expect, test } from "vitest";
import { MARKS, trialLines, trialOf } from "../src/columns/trial-rows.ts";

const call = {
  id: "t1",
  trace_id: null,
  parent_id: "e1",
  op_name: "Evaluation.predict_and_score",
  display_name: null,
  started_at: "2026-01-01T00:00:01Z",
  ended_at: null,
  inputs: { example: { q: 1 }, model: "m" },
  output: { output: "yes", scores: { s: 1 } },
  attributes: {},
  summary: {},
  exception: null,
  deleted_at: null,
};

test("a number beyond the largest double is left out of the columns, and marked", () => {
  const output = { output: Number.POSITIVE_INFINITY, scores: { s: [Number.NEGATIVE_INFINITY] } };
  const inputs = { example: { q: Number.POSITIVE_INFINITY } };
  const trial = readTrial({ call: { ...call, inputs, output }, children: [] })!;
  const columns = JSON.parse(
    trialLines({ project: "p", evaluation: "e1", id: "t1", version: 1n }, trial).trial,
  );
  expect(columns.marks).toBe(MARKS.scores | MARKS.outputs | MARKS.example);
});

test("the payload of a trial contains its example, its output and its facts, and restores the trial", () => {
  const trial = readTrial({ call, children: [] })!;
  const place = { project: "p", evaluation: "e1", id: "t1", version: 1n };
  const payload = JSON.parse(trialLines(place, trial).payload) as { [column: string]: string };
  expect(JSON.parse(payload["example"]!)).toEqual(call.inputs.example);
  expect(JSON.parse(payload["output"]!)).toEqual(call.output);
  const { id, digest, facts, ownFacts, startedAt, example, output } = trial;
  expect(JSON.parse(payload["facts"]!)).toEqual({ id, digest, facts, ownFacts });
  const back = trialOf({
    example: payload["example"]!,
    output: payload["output"]!,
    facts: payload["facts"]!,
    started: String(payload["started"]),
  });
  expect(back).toEqual({ id, digest, facts, ownFacts, startedAt, example, output });
});
