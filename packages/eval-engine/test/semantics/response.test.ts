// docs/reference/semantics.md, "Answers and refusals": one whole answer with every field.

import { expect, test } from "vitest";
import { ask, at, call, evaluation, row, trial } from "./project.ts";

test("every field of the response is present; without a value it is null, [] or {}", async () => {
  const calls = [
    evaluation(
      "first",
      trial("t1", {
        of: row("r1"),
        output: { text: "4" },
        scores: { exact: { correct: true }, length: 1 },
        at: 1,
        children: [
          call("t1-predict", {
            op_name: "weave:///acme/demo/op/Model.predict:v1",
            started_at: at(1),
            ended_at: at(1.5),
            summary: { usage: { "small-model": { total_tokens: 12 } } },
          }),
          call("t1-exact", { op_name: "weave:///acme/demo/op/exact.score:v1", started_at: at(2) }),
        ],
      }),
      trial("t2", { of: row("r2"), call: { output: null } }),
    ),
    evaluation(
      "second",
      trial("t3", { of: row("r1"), output: "five", scores: { exact: { correct: false } } }),
    ),
  ];
  const answer = await ask(
    calls,
    {
      evaluation_call_ids: ["first", "second"],
      include_raw_data_rows: true,
      resolve_row_refs: true,
      include_summary: true,
      sort_by: [{ field: "scores.exact.correct", direction: "desc", mode: "difference" }],
      limit: 10,
    },
    [{ digest: "r1", val: { question: "2+2?" } }],
  );
  expect(answer).toEqual({
    rows: [
      {
        row_digest: "r1",
        raw_data_row: { question: "2+2?" },
        evaluations: [
          {
            evaluation_call_id: "first",
            trials: [
              {
                predict_and_score_call_id: "t1",
                predict_call_id: "t1-predict",
                model_output: { text: "4" },
                scores: { exact: { correct: true }, length: 1 },
                model_latency_seconds: 0.5,
                total_tokens: 12,
                scorer_call_ids: { exact: "t1-exact" },
                genai_span_ref: null,
              },
            ],
          },
          {
            evaluation_call_id: "second",
            trials: [
              {
                predict_and_score_call_id: "t3",
                predict_call_id: null,
                model_output: "five",
                scores: { exact: { correct: false } },
                model_latency_seconds: null,
                total_tokens: null,
                scorer_call_ids: {},
                genai_span_ref: null,
              },
            ],
          },
        ],
      },
      {
        row_digest: "r2",
        raw_data_row: row("r2"),
        evaluations: [
          {
            evaluation_call_id: "first",
            trials: [
              {
                predict_and_score_call_id: "t2",
                predict_call_id: null,
                model_output: null,
                scores: {},
                model_latency_seconds: null,
                total_tokens: null,
                scorer_call_ids: {},
                genai_span_ref: null,
              },
            ],
          },
        ],
      },
    ],
    total_rows: 2,
    summary: {
      row_count: 2,
      evaluations: [
        {
          evaluation_call_id: "first",
          trial_count: 2,
          scorer_stats: [
            {
              scorer_key: "exact",
              path: "correct",
              value_type: "binary",
              trial_count: 1,
              numeric_count: 0,
              numeric_mean: null,
              pass_true_count: 1,
              pass_known_count: 1,
              pass_rate: 1,
              pass_signal_coverage: 1,
            },
            {
              scorer_key: "length",
              path: null,
              value_type: "continuous",
              trial_count: 1,
              numeric_count: 1,
              numeric_mean: 1,
              pass_true_count: 0,
              pass_known_count: 0,
              pass_rate: null,
              pass_signal_coverage: 0,
            },
          ],
          predict_total_tokens: 12,
          evaluation_ref: null,
          model_ref: null,
          display_name: null,
          trace_id: "trace-1",
          started_at: "2026-01-01T00:00:00.000Z",
        },
        {
          evaluation_call_id: "second",
          trial_count: 1,
          scorer_stats: [
            {
              scorer_key: "exact",
              path: "correct",
              value_type: "binary",
              trial_count: 1,
              numeric_count: 0,
              numeric_mean: null,
              pass_true_count: 0,
              pass_known_count: 1,
              pass_rate: 0,
              pass_signal_coverage: 1,
            },
          ],
          predict_total_tokens: null,
          evaluation_ref: null,
          model_ref: null,
          display_name: null,
          trace_id: "trace-1",
          started_at: "2026-01-01T00:00:00.000Z",
        },
      ],
    },
    warnings: ["Failed to resolve dataset row refs; raw_data_row may contain refs"],
  });
});
