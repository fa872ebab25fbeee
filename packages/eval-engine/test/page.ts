// The cases of the browser test: a query that uses every part of the engine, answered from columns, from stored
// columns, and by the specification; its explanation; and an invalid request.

import type { CallInput } from "@assay/calls";
import { createEvalEngine, type EvalResultsQueryBody, memoryCalls, memoryRows } from "../src/index.ts";
import { memorySegments } from "../src/segment/memory-segments.ts";

const EXAMPLES = ["weave:///acme/demo/object/rows:v1/attr/rows/id/r1", { q: "3 × 3?" }, { q: "🦉?" }];

/** One trial per example; later evaluations score higher. */
function evaluation(id: string, number: number): CallInput[] {
  const started_at = "2026-01-01T00:00:00.000001Z";
  return [
    { id, op_name: "weave:///acme/demo/op/Evaluation.evaluate:v1", trace_id: "t", started_at },
    ...EXAMPLES.flatMap((example, i) => [
      {
        id: `${id}-${i}`,
        parent_id: id,
        op_name: "weave:///acme/demo/op/Evaluation.predict_and_score:v1",
        started_at,
        inputs: { model: "m", example },
        output: {
          output: { text: `${i}`, n: i / 10 },
          scores: { right: i < number, judge: { grade: i * number } },
        },
      },
      {
        id: `${id}-${i}-predict`,
        parent_id: `${id}-${i}`,
        op_name: "predict",
        started_at,
        ended_at: "2026-01-01T00:00:01.5Z",
        summary: { usage: { m: { total_tokens: i } } },
      },
    ]),
  ];
}

const BODY: EvalResultsQueryBody = {
  evaluation_call_ids: ["e1", "e2"],
  filters: [
    {
      query: {
        $expr: {
          $or: [
            { $gte: [{ $getField: "scores.judge.grade" }, { $literal: 1 }] },
            { $contains: { input: { $getField: "inputs.q" }, substr: { $literal: "2+2" } } },
          ],
        },
      },
    },
  ],
  sort_by: [
    { field: "scores.judge.grade", direction: "desc", mode: "difference" },
    { field: "inputs.q", direction: "asc" },
  ],
  include_raw_data_rows: true,
  resolve_row_refs: true,
  include_summary: true,
  limit: 10,
};

export async function page(): Promise<unknown> {
  const parts = {
    calls: memoryCalls([...evaluation("e1", 1), ...evaluation("e2", 2)]),
    rows: memoryRows([{ digest: "r1", val: { q: "2+2?" } }]),
    segments: memorySegments(),
  };
  const engine = createEvalEngine(parts);
  return {
    columns: await engine.query("acme/demo", BODY),
    stored: await createEvalEngine(parts).query("acme/demo", BODY),
    specified: await engine.query("acme/demo", BODY, { plan: "naive" }),
    explained: await createEvalEngine(parts).explain("acme/demo", BODY),
    refused: await engine.answer("acme/demo", { limit: -1, filters: [{ query: { $expr: {} } }] }),
  };
}
