// Requests and answers of the examples in the OpenAPI document, written by the test that sends them.

import type { Example } from "./example.ts";

/** Examples by `operationId`. */
export const EXAMPLES: { readonly [operationId: string]: Example } = {
  importCalls: {
    body: '{"trace_id":"small","attributes":{},"summary":{},"display_name":null,"id":"small","parent_id":null,"op_name":"Evaluation.evaluate","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:01:40.000Z","inputs":{"self":"weave:///acme/demo/object/units:v0","model":"weave:///acme/demo/object/small-model:v0"},"output":null}\n{"trace_id":"small","attributes":{},"summary":{},"display_name":null,"id":"small-0","parent_id":"small","op_name":"Evaluation.predict_and_score","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:01.000Z","inputs":{"example":{"question":"question 0"}},"output":{"output":{"answer":0},"scores":{"match":{"correct":true}},"model_latency":{"mean":0.5}}}',
    answer: {
      lines: 2,
      changed: 2,
      bad_lines: 0,
      bad: [],
      in_evaluations: true,
    },
    type: "application/json",
  },
  importRows: {
    body: '{"digest":"row-1","val":{"question":"question 0"}}',
    answer: {
      lines: 1,
      changed: 1,
      bad_lines: 0,
      bad: [],
      in_evaluations: false,
    },
    type: "application/json",
  },
  exportCalls: {
    answer:
      '{"trace_id":"large","attributes":{},"summary":{},"display_name":null,"id":"large","parent_id":null,"op_name":"Evaluation.evaluate","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:01:40.000Z","inputs":{"self":"weave:///acme/demo/object/units:v0","model":"weave:///acme/demo/object/large-model:v0"},"output":null}\n{"trace_id":"large","attributes":{},"summary":{},"display_name":null,"id":"large-0","parent_id":"large","op_name":"Evaluation.predict_and_score","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:01.000Z","inputs":{"example":{"question":"question 0"}},"output":{"output":{"answer":0},"scores":{"match":{"correct":true}},"model_latency":{"mean":0.5}}}\n{"trace_id":"small","attributes":{},"summary":{},"display_name":null,"id":"small","parent_id":null,"op_name":"Evaluation.evaluate","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:01:40.000Z","inputs":{"self":"weave:///acme/demo/object/units:v0","model":"weave:///acme/demo/object/small-model:v0"},"output":null}\n{"trace_id":"small","attributes":{},"summary":{},"display_name":null,"id":"small-0","parent_id":"small","op_name":"Evaluation.predict_and_score","started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:00:01.000Z","inputs":{"example":{"question":"question 0"}},"output":{"output":{"answer":0},"scores":{"match":{"correct":true}},"model_latency":{"mean":0.5}}}\n{"trace_id":"large","attributes":{},"summary":{},"display_name":null,"id":"large-1","parent_id":"large","op_name":"Evaluation.predict_and_score","started_at":"2026-01-01T00:00:01.000Z","ended_at":"2026-01-01T00:00:02.000Z","inputs":{"example":{"question":"question 1"}},"output":{"output":{"answer":1},"scores":{"match":{"correct":true}},"model_latency":{"mean":0.5}}}\n{"trace_id":"small","attributes":{},"summary":{},"display_name":null,"id":"small-1","parent_id":"small","op_name":"Evaluation.predict_and_score","started_at":"2026-01-01T00:00:01.000Z","ended_at":"2026-01-01T00:00:02.000Z","inputs":{"example":{"question":"question 1"}},"output":{"output":{"answer":1},"scores":{"match":{"correct":false}},"model_latency":{"mean":0.5}}}\n{"trace_id":"large","attributes":{},"summary":{},"display_name":null,"id":"large-2","parent_id":"large","op_name":"Evaluation.predict_and_score","started_at":"2026-01-01T00:00:02.000Z","ended_at":"2026-01-01T00:00:03.000Z","inputs":{"example":{"question":"question 2"}},"output":{"output":{"answer":2},"scores":{"match":{"correct":true}},"model_latency":{"mean":0.5}}}\n{"trace_id":"small","attributes":{},"summary":{},"display_name":null,"id":"small-2","parent_id":"small","op_name":"Evaluation.predict_and_score","started_at":"2026-01-01T00:00:02.000Z","ended_at":"2026-01-01T00:00:03.000Z","inputs":{"example":{"question":"question 2"}},"output":{"output":{"answer":2},"scores":{"match":{"correct":true}},"model_latency":{"mean":0.5}}}\n',
    type: "application/x-ndjson",
  },
  exportRows: {
    answer: '{"digest":"row-1","val":{"question":"question 0"}}\n',
    type: "application/x-ndjson",
  },
  listProjects: {
    answer: {
      projects: [
        {
          entity: "acme",
          project: "demo",
          evaluations: 2,
          last_started_at: "2026-01-01T00:00:00.000Z",
        },
      ],
      next: null,
    },
    type: "application/json",
  },
  evalResultsQuery: {
    body: {
      evaluation_call_ids: ["small", "large"],
      include_summary: true,
      limit: 1,
      filters: [
        {
          query: {
            $expr: {
              $eq: [
                {
                  $getField: "scores.match.correct",
                },
                {
                  $literal: false,
                },
              ],
            },
          },
        },
      ],
      sort_by: [
        {
          field: "scores.match.correct",
          direction: "desc",
          mode: "difference",
        },
      ],
    },
    answer: {
      rows: [
        {
          row_digest: "vcWjFIMsX3gS41rhKJrniKC8uh2usM0UoYqTbTJVXd0",
          raw_data_row: null,
          evaluations: [
            {
              evaluation_call_id: "small",
              trials: [
                {
                  predict_and_score_call_id: "small-1",
                  predict_call_id: null,
                  model_output: {
                    answer: 1,
                  },
                  scores: {
                    match: {
                      correct: false,
                    },
                  },
                  model_latency_seconds: 0.5,
                  total_tokens: null,
                  scorer_call_ids: {},
                  genai_span_ref: null,
                },
              ],
            },
            {
              evaluation_call_id: "large",
              trials: [
                {
                  predict_and_score_call_id: "large-1",
                  predict_call_id: null,
                  model_output: {
                    answer: 1,
                  },
                  scores: {
                    match: {
                      correct: true,
                    },
                  },
                  model_latency_seconds: 0.5,
                  total_tokens: null,
                  scorer_call_ids: {},
                  genai_span_ref: null,
                },
              ],
            },
          ],
        },
      ],
      total_rows: 1,
      summary: {
        row_count: 1,
        evaluations: [
          {
            evaluation_call_id: "small",
            trial_count: 1,
            scorer_stats: [
              {
                scorer_key: "match",
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
            evaluation_ref: "weave:///acme/demo/object/units:v0",
            model_ref: "weave:///acme/demo/object/small-model:v0",
            display_name: null,
            trace_id: "small",
            started_at: "2026-01-01T00:00:00.000Z",
          },
          {
            evaluation_call_id: "large",
            trial_count: 1,
            scorer_stats: [
              {
                scorer_key: "match",
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
            ],
            predict_total_tokens: null,
            evaluation_ref: "weave:///acme/demo/object/units:v0",
            model_ref: "weave:///acme/demo/object/large-model:v0",
            display_name: null,
            trace_id: "large",
            started_at: "2026-01-01T00:00:00.000Z",
          },
        ],
      },
      warnings: [],
    },
    type: "application/json",
  },
  evalResultsCompare: {
    body: {
      query: {
        evaluation_call_ids: ["small", "large"],
        limit: 2,
      },
      baseline: "small",
      measures: ["scores.match.correct"],
      anytime: false,
    },
    answer: {
      row_count: 3,
      baseline: "small",
      level: 0.95,
      adjustment: "holm",
      comparisons: [
        {
          candidate: "large",
          measures: [
            {
              field: "scores.match.correct",
              kind: "boolean",
              direction: "higher",
              direction_source: "name",
              reduce: "mean",
              margin: 0,
              baseline: {
                rows: 3,
                trials: 3,
                missing: 0,
                mean: 0.6666666666666666,
                sd: 0.5773502691896257,
                se: 0.3333333333333333,
                interval: {
                  low: 0.2076596008020477,
                  high: 0.9385080552796037,
                  method: "wilson",
                },
              },
              candidate: {
                rows: 3,
                trials: 3,
                missing: 0,
                mean: 1,
                sd: 0,
                se: 0,
                interval: {
                  low: 0.4385029682449546,
                  high: 1,
                  method: "wilson",
                },
              },
              paired: true,
              pairs: 3,
              baseline_mean: 0.6666666666666666,
              candidate_mean: 1,
              only_baseline: 0,
              only_candidate: 0,
              difference: 0.3333333333333333,
              se: 0.3333333333333333,
              interval: {
                low: -0.4559294077244456,
                high: 0.8559294077244457,
                method: "bonett_price",
              },
              p_value: 0.5,
              p_method: "mcnemar_mid_p",
              adjusted_p: 0.5,
              wins: 1,
              losses: 0,
              ties: 2,
              correlation: null,
              effect: 0.5773502691896257,
              odds: null,
              verdict: "inconclusive",
              reason: "the interval includes 0",
              minimum_detectable: 1.787770967176428,
              rows_needed: 87,
              noise: null,
            },
          ],
        },
      ],
      warnings: [],
    },
    type: "application/json",
  },
  evalResultsSlices: {
    body: {
      query: {
        evaluation_call_ids: ["small", "large"],
        limit: 2,
      },
      baseline: "small",
      candidate: "large",
      measure: "scores.match.correct",
      fields: ["inputs.question"],
      min_rows: 1,
    },
    answer: {
      looked_at: 3,
      tested: 0,
      whole: {
        field: "scores.match.correct",
        kind: "boolean",
        direction: "higher",
        direction_source: "name",
        reduce: "mean",
        margin: 0,
        baseline: {
          rows: 3,
          trials: 3,
          missing: 0,
          mean: 0.6666666666666666,
          sd: 0.5773502691896257,
          se: 0.3333333333333333,
          interval: {
            low: 0.2076596008020477,
            high: 0.9385080552796037,
            method: "wilson",
          },
        },
        candidate: {
          rows: 3,
          trials: 3,
          missing: 0,
          mean: 1,
          sd: 0,
          se: 0,
          interval: {
            low: 0.4385029682449546,
            high: 1,
            method: "wilson",
          },
        },
        paired: true,
        pairs: 3,
        baseline_mean: 0.6666666666666666,
        candidate_mean: 1,
        only_baseline: 0,
        only_candidate: 0,
        difference: 0.3333333333333333,
        se: 0.3333333333333333,
        interval: {
          low: -0.4559294077244456,
          high: 0.8559294077244457,
          method: "bonett_price",
        },
        p_value: 0.5,
        p_method: "mcnemar_mid_p",
        adjusted_p: 0.5,
        wins: 1,
        losses: 0,
        ties: 2,
        correlation: null,
        effect: 0.5773502691896257,
        odds: null,
        verdict: "inconclusive",
        reason: "the interval includes 0",
        minimum_detectable: 1.787770967176428,
        rows_needed: 87,
        noise: null,
      },
      slices: [
        {
          fields: [
            {
              field: "inputs.question",
              value: "question 1",
              low: null,
              high: null,
            },
          ],
          filter: {
            evaluation_call_id: null,
            query: {
              $expr: {
                $eq: [
                  {
                    $getField: "inputs.question",
                  },
                  {
                    $literal: "question 1",
                  },
                ],
              },
            },
          },
          rows: 1,
          pairs: 1,
          baseline_mean: 0,
          candidate_mean: 1,
          difference: 1,
          interval: null,
          p_value: null,
          q_value: null,
          verdict: "inconclusive",
          reason: "fewer than 2 rows have a value in both",
          outside: {
            rows: 2,
            difference: 0,
          },
          difference_to_outside: 1,
        },
        {
          fields: [
            {
              field: "inputs.question",
              value: "question 0",
              low: null,
              high: null,
            },
          ],
          filter: {
            evaluation_call_id: null,
            query: {
              $expr: {
                $eq: [
                  {
                    $getField: "inputs.question",
                  },
                  {
                    $literal: "question 0",
                  },
                ],
              },
            },
          },
          rows: 1,
          pairs: 1,
          baseline_mean: 1,
          candidate_mean: 1,
          difference: 0,
          interval: null,
          p_value: null,
          q_value: null,
          verdict: "inconclusive",
          reason: "fewer than 2 rows have a value in both",
          outside: {
            rows: 2,
            difference: 0.5,
          },
          difference_to_outside: -0.5,
        },
        {
          fields: [
            {
              field: "inputs.question",
              value: "question 2",
              low: null,
              high: null,
            },
          ],
          filter: {
            evaluation_call_id: null,
            query: {
              $expr: {
                $eq: [
                  {
                    $getField: "inputs.question",
                  },
                  {
                    $literal: "question 2",
                  },
                ],
              },
            },
          },
          rows: 1,
          pairs: 1,
          baseline_mean: 1,
          candidate_mean: 1,
          difference: 0,
          interval: null,
          p_value: null,
          q_value: null,
          verdict: "inconclusive",
          reason: "fewer than 2 rows have a value in both",
          outside: {
            rows: 2,
            difference: 0.5,
          },
          difference_to_outside: -0.5,
        },
      ],
      warnings: [],
    },
    type: "application/json",
  },
  evalResultsRanking: {
    body: {
      query: {
        evaluation_call_ids: ["small", "large"],
        limit: 2,
      },
      measure: "scores.match.correct",
    },
    answer: {
      row_count: 3,
      evaluations: [
        {
          evaluation_call_id: "large",
          rows: 3,
          mean: 1,
          interval: {
            low: 0.4385029682449546,
            high: 1,
            method: "wilson",
          },
          shrunken: null,
          rank: {
            low: 1,
            high: 2,
          },
          group: 1,
          ahead_of: null,
        },
        {
          evaluation_call_id: "small",
          rows: 3,
          mean: 0.6666666666666666,
          interval: {
            low: 0.2076596008020477,
            high: 0.9385080552796037,
            method: "wilson",
          },
          shrunken: null,
          rank: {
            low: 1,
            high: 2,
          },
          group: 1,
          ahead_of: null,
        },
      ],
      pairs: [
        {
          a: "large",
          b: "small",
          difference: 0.3333333333333333,
          interval: {
            low: -0.4559294077244456,
            high: 0.8559294077244457,
            method: "bonett_price",
          },
          p_value: 0.5,
          adjusted_p: 0.5,
        },
      ],
      warnings: [],
    },
    type: "application/json",
  },
  evalResultsPage: {
    body: {
      query: {
        evaluation_call_ids: ["small", "large"],
        limit: 2,
      },
      measures: ["scores.match.correct"],
    },
    answer: {
      rows: [
        {
          row_digest: "iqmY6K3VTKg5SZij9XwMZXnGtvNNSmN20QCNMntAc6k",
          row: {
            value: {
              question: "question 0",
            },
            length: 25,
            cut: false,
          },
          evaluations: [
            {
              evaluation_call_id: "small",
              trials: [
                {
                  predict_and_score_call_id: "small-0",
                  output: {
                    value: {
                      answer: 0,
                    },
                    length: 12,
                    cut: false,
                  },
                  values: [true],
                },
              ],
              means: [1],
              differences: null,
            },
            {
              evaluation_call_id: "large",
              trials: [
                {
                  predict_and_score_call_id: "large-0",
                  output: {
                    value: {
                      answer: 0,
                    },
                    length: 12,
                    cut: false,
                  },
                  values: [true],
                },
              ],
              means: [1],
              differences: null,
            },
          ],
        },
        {
          row_digest: "nlIRqNTUo3YDO7t3SSygshLoKwqxiMv1S48L1CU9TP0",
          row: {
            value: {
              question: "question 2",
            },
            length: 25,
            cut: false,
          },
          evaluations: [
            {
              evaluation_call_id: "small",
              trials: [
                {
                  predict_and_score_call_id: "small-2",
                  output: {
                    value: {
                      answer: 2,
                    },
                    length: 12,
                    cut: false,
                  },
                  values: [true],
                },
              ],
              means: [1],
              differences: null,
            },
            {
              evaluation_call_id: "large",
              trials: [
                {
                  predict_and_score_call_id: "large-2",
                  output: {
                    value: {
                      answer: 2,
                    },
                    length: 12,
                    cut: false,
                  },
                  values: [true],
                },
              ],
              means: [1],
              differences: null,
            },
          ],
        },
      ],
      total_rows: 3,
      measures: ["scores.match.correct"],
      counts: null,
      warnings: [],
    },
    type: "application/json",
  },
  evalResultsGroups: {
    body: {
      query: {
        evaluation_call_ids: ["small", "large"],
        limit: 2,
      },
      by: {
        field: "inputs.question",
      },
      measures: ["scores.match.correct"],
    },
    answer: {
      rows: 3,
      groups: [
        {
          label: "question 0",
          kind: "value",
          value: "question 0",
          low: null,
          high: null,
          row_filter: {
            field: "inputs.question",
            equals: "question 0",
          },
          filter: {
            evaluation_call_id: null,
            query: {
              $expr: {
                $eq: [
                  {
                    $getField: "inputs.question",
                  },
                  {
                    $literal: "question 0",
                  },
                ],
              },
            },
          },
          rows: 1,
          evaluations: [
            {
              evaluation_call_id: "small",
              measures: [
                {
                  rows: 1,
                  mean: 1,
                },
              ],
            },
            {
              evaluation_call_id: "large",
              measures: [
                {
                  rows: 1,
                  mean: 1,
                },
              ],
            },
          ],
          differences: null,
        },
        {
          label: "question 1",
          kind: "value",
          value: "question 1",
          low: null,
          high: null,
          row_filter: {
            field: "inputs.question",
            equals: "question 1",
          },
          filter: {
            evaluation_call_id: null,
            query: {
              $expr: {
                $eq: [
                  {
                    $getField: "inputs.question",
                  },
                  {
                    $literal: "question 1",
                  },
                ],
              },
            },
          },
          rows: 1,
          evaluations: [
            {
              evaluation_call_id: "small",
              measures: [
                {
                  rows: 1,
                  mean: 0,
                },
              ],
            },
            {
              evaluation_call_id: "large",
              measures: [
                {
                  rows: 1,
                  mean: 1,
                },
              ],
            },
          ],
          differences: null,
        },
        {
          label: "question 2",
          kind: "value",
          value: "question 2",
          low: null,
          high: null,
          row_filter: {
            field: "inputs.question",
            equals: "question 2",
          },
          filter: {
            evaluation_call_id: null,
            query: {
              $expr: {
                $eq: [
                  {
                    $getField: "inputs.question",
                  },
                  {
                    $literal: "question 2",
                  },
                ],
              },
            },
          },
          rows: 1,
          evaluations: [
            {
              evaluation_call_id: "small",
              measures: [
                {
                  rows: 1,
                  mean: 1,
                },
              ],
            },
            {
              evaluation_call_id: "large",
              measures: [
                {
                  rows: 1,
                  mean: 1,
                },
              ],
            },
          ],
          differences: null,
        },
      ],
      measures: ["scores.match.correct"],
      warnings: [],
    },
    type: "application/json",
  },
  evalResultsFields: {
    body: {
      evaluation_call_ids: ["small", "large"],
    },
    answer: {
      rows: 3,
      inputs: [
        {
          field: "inputs.question",
          types: ["string"],
          count: 3,
          min: null,
          max: null,
          values: [
            {
              value: "question 0",
              count: 1,
            },
            {
              value: "question 1",
              count: 1,
            },
            {
              value: "question 2",
              count: 1,
            },
          ],
        },
      ],
      scores: [
        {
          field: "scores.match.correct",
          types: ["boolean"],
          count: 6,
          min: 0,
          max: 1,
          values: [],
        },
      ],
      outputs: [
        {
          field: "outputs.answer",
          types: ["number"],
          count: 6,
          min: 0,
          max: 2,
          values: [
            {
              value: 0,
              count: 2,
            },
            {
              value: 1,
              count: 2,
            },
            {
              value: 2,
              count: 2,
            },
          ],
        },
      ],
      looked_at: 6,
    },
    type: "application/json",
  },
  evalResultsExport: {
    parameters: {
      format: "csv",
    },
    body: {
      query: {
        evaluation_call_ids: ["small", "large"],
        limit: 2,
      },
    },
    answer:
      "evaluation,model,row_digest,trial,inputs.question,outputs.answer,scores.match.correct,model_latency_seconds,total_tokens,evaluation_call_id,evaluation_started_at,predict_and_score_call_id,predict_call_id\nsmall,weave:///acme/demo/object/small-model:v0,iqmY6K3VTKg5SZij9XwMZXnGtvNNSmN20QCNMntAc6k,1,question 0,0,true,0.5,,small,2026-01-01T00:00:00.000Z,small-0,\nlarge,weave:///acme/demo/object/large-model:v0,iqmY6K3VTKg5SZij9XwMZXnGtvNNSmN20QCNMntAc6k,1,question 0,0,true,0.5,,large,2026-01-01T00:00:00.000Z,large-0,\nsmall,weave:///acme/demo/object/small-model:v0,nlIRqNTUo3YDO7t3SSygshLoKwqxiMv1S48L1CU9TP0,1,question 2,2,true,0.5,,small,2026-01-01T00:00:00.000Z,small-2,\nlarge,weave:///acme/demo/object/large-model:v0,nlIRqNTUo3YDO7t3SSygshLoKwqxiMv1S48L1CU9TP0,1,question 2,2,true,0.5,,large,2026-01-01T00:00:00.000Z,large-2,\n",
    type: "text/csv",
  },
  listEvaluations: {
    answer: {
      evaluations: [
        {
          id: "large",
          name: null,
          model: "weave:///acme/demo/object/large-model:v0",
          started_at: "2026-01-01T00:00:00.000Z",
          ended_at: "2026-01-01T00:01:40.000Z",
          evaluation_ref: "weave:///acme/demo/object/units:v0",
          trials: 3,
          rows: 3,
          dataset: null,
        },
        {
          id: "small",
          name: null,
          model: "weave:///acme/demo/object/small-model:v0",
          started_at: "2026-01-01T00:00:00.000Z",
          ended_at: "2026-01-01T00:01:40.000Z",
          evaluation_ref: "weave:///acme/demo/object/units:v0",
          trials: 3,
          rows: 3,
          dataset: null,
        },
      ],
      next: null,
    },
    type: "application/json",
  },
  sayScoreDirections: {
    body: {
      directions: [
        {
          field: "scores.match.correct",
          direction: "higher",
        },
      ],
    },
    answer: {
      directions: [
        {
          field: "scores.match.correct",
          direction: "higher",
        },
      ],
    },
    type: "application/json",
  },
  listScoreDirections: {
    answer: {
      directions: [
        {
          field: "scores.match.correct",
          direction: "higher",
        },
      ],
    },
    type: "application/json",
  },
  watchEvaluations: {
    parameters: {
      evaluation: "small",
    },
    answer:
      'event: progress\ndata: [{"evaluation_call_id":"small","display_name":null,"started_at":"2026-01-01T00:00:00.000Z","ended_at":"2026-01-01T00:01:40.000Z","trial_count":3,"scorer_stats":[{"scorer_key":"match","path":"correct","value_type":"binary","trial_count":3,"numeric_count":0,"numeric_mean":null,"pass_true_count":2,"pass_known_count":3,"pass_rate":0.6666666666666666,"pass_signal_coverage":1}],"trials_per_second":0}]\n\nevent: end\ndata: {}\n\n',
    type: "text/event-stream",
  },
  weaveCallStart: {
    body: {
      start: {
        project_id: "acme/demo",
        id: "call-1",
        trace_id: "call-1",
        op_name: "answer",
        started_at: "2026-01-01T00:00:00Z",
        attributes: {},
        inputs: {
          question: "2 + 2?",
        },
      },
    },
    answer: {
      id: "call-1",
      trace_id: "call-1",
    },
    type: "application/json",
  },
  weaveCallEnd: {
    body: {
      end: {
        project_id: "acme/demo",
        id: "call-1",
        ended_at: "2026-01-01T00:00:01Z",
        output: "4",
        summary: {},
      },
    },
    answer: {},
    type: "application/json",
  },
  weaveCallUpsertBatch: {
    body: {
      batch: [
        {
          mode: "start",
          req: {
            start: {
              project_id: "acme/demo",
              id: "call-2",
              trace_id: "call-2",
              op_name: "answer",
              started_at: "2026-01-01T00:00:00Z",
              attributes: {},
              inputs: {
                question: "2 + 2?",
              },
            },
          },
        },
        {
          mode: "end",
          req: {
            end: {
              project_id: "acme/demo",
              id: "call-2",
              ended_at: "2026-01-01T00:00:01Z",
              output: "4",
              summary: {},
            },
          },
        },
      ],
    },
    answer: {
      res: [
        {
          id: "call-2",
          trace_id: "call-2",
        },
        {},
      ],
    },
    type: "application/json",
  },
  weaveCallUpdate: {
    body: {
      project_id: "acme/demo",
      call_id: "call-1",
      display_name: "sum",
    },
    answer: {},
    type: "application/json",
  },
  weaveCallRead: {
    body: {
      project_id: "acme/demo",
      id: "call-1",
    },
    answer: {
      call: {
        id: "call-1",
        trace_id: "call-1",
        parent_id: null,
        op_name: "answer",
        display_name: "sum",
        started_at: "2026-01-01T00:00:00Z",
        ended_at: "2026-01-01T00:00:01Z",
        inputs: {
          question: "2 + 2?",
        },
        output: "4",
        attributes: {},
        summary: {
          weave: {
            status: "success",
            trace_name: "answer",
            latency_ms: 1000,
          },
        },
        exception: null,
        deleted_at: null,
        project_id: "acme/demo",
        thread_id: null,
        turn_id: null,
        wb_user_id: null,
        wb_run_id: null,
        wb_run_step: null,
        wb_run_step_end: null,
      },
    },
    type: "application/json",
  },
  weaveV2EntityProjectCallStart: {
    body: {
      start: {
        project_id: "acme/demo",
        id: "call-3",
        trace_id: "call-3",
        op_name: "answer",
        started_at: "2026-01-01T00:00:00Z",
        attributes: {},
        inputs: {
          question: "2 + 2?",
        },
      },
    },
    answer: {
      id: "call-3",
      trace_id: "call-3",
    },
    type: "application/json",
  },
  weaveV2EntityProjectCallEnd: {
    body: {
      end: {
        project_id: "acme/demo",
        id: "call-3",
        ended_at: "2026-01-01T00:00:01Z",
        output: "4",
        summary: {},
      },
    },
    answer: {},
    type: "application/json",
  },
  weaveV2EntityProjectCallsComplete: {
    body: {
      batch: [
        {
          project_id: "acme/demo",
          id: "call-4",
          trace_id: "call-4",
          op_name: "answer",
          started_at: "2026-01-01T00:00:00Z",
          attributes: {},
          inputs: {
            question: "2 + 2?",
          },
          ended_at: "2026-01-01T00:00:01Z",
          output: "4",
          summary: {},
        },
      ],
    },
    answer: {},
    type: "application/json",
  },
  weaveCallsStreamQuery: {
    body: {
      project_id: "acme/demo",
      filter: {
        op_names: ["answer"],
      },
      limit: 1,
    },
    answer:
      '{"id":"call-1","trace_id":"call-1","parent_id":null,"op_name":"answer","display_name":"sum","started_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T00:00:01Z","inputs":{"question":"2 + 2?"},"output":"4","attributes":{},"summary":{"weave":{"status":"success","trace_name":"answer","latency_ms":1000}},"exception":null,"deleted_at":null,"project_id":"acme/demo","thread_id":null,"turn_id":null,"wb_user_id":null,"wb_run_id":null,"wb_run_step":null,"wb_run_step_end":null}\n',
    type: "application/jsonl",
  },
  weaveCallsQueryStats: {
    body: {
      project_id: "acme/demo",
      filter: {
        op_names: ["answer"],
      },
    },
    answer: {
      count: 4,
    },
    type: "application/json",
  },
  weaveCallsDelete: {
    body: {
      project_id: "acme/demo",
      call_ids: ["call-3"],
    },
    answer: {
      num_deleted: 1,
    },
    type: "application/json",
  },
  weaveTableCreate: {
    body: {
      table: {
        project_id: "acme/demo",
        rows: [
          {
            question: "2 + 2?",
          },
          {
            question: "3 + 4?",
          },
        ],
      },
    },
    answer: {
      digest: "29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
      row_digests: [
        "BAaN9hJaKDHtd6aShuz7YKo6XIHEloZTXRu0rAjZDYI",
        "ZNec5lmO4h031b1p2BffOQYOi738vqGNHWgzRw3dMCA",
      ],
    },
    type: "application/json",
  },
  weaveTableCreateFromDigests: {
    body: {
      project_id: "acme/demo",
      row_digests: [
        "BAaN9hJaKDHtd6aShuz7YKo6XIHEloZTXRu0rAjZDYI",
        "ZNec5lmO4h031b1p2BffOQYOi738vqGNHWgzRw3dMCA",
      ],
    },
    answer: {
      digest: "29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
      row_digests: [
        "BAaN9hJaKDHtd6aShuz7YKo6XIHEloZTXRu0rAjZDYI",
        "ZNec5lmO4h031b1p2BffOQYOi738vqGNHWgzRw3dMCA",
      ],
    },
    type: "application/json",
  },
  weaveTableUpdate: {
    body: {
      project_id: "acme/demo",
      base_digest: "29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
      updates: [
        {
          append: {
            row: {
              question: "5 + 6?",
            },
          },
        },
        {
          pop: {
            index: 0,
          },
        },
      ],
    },
    answer: {
      digest: "68602e3f3c6b93395d32b5ee38103be155940956e490597573198447643012dd",
      updated_row_digests: [
        "8ANQjkl5ooJ1ZM1d21Xc4YqXTEaisgwZ4u8Kh3Wc06M",
        "BAaN9hJaKDHtd6aShuz7YKo6XIHEloZTXRu0rAjZDYI",
      ],
    },
    type: "application/json",
  },
  weaveTableQuery: {
    body: {
      project_id: "acme/demo",
      digest: "29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
      limit: 1,
    },
    answer: {
      rows: [
        {
          digest: "BAaN9hJaKDHtd6aShuz7YKo6XIHEloZTXRu0rAjZDYI",
          original_index: 0,
          val: {
            question: "2 + 2?",
          },
        },
      ],
    },
    type: "application/json",
  },
  weaveTableQueryStats: {
    body: {
      project_id: "acme/demo",
      digest: "29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
    },
    answer: {
      count: 2,
    },
    type: "application/json",
  },
  weaveTableQueryStatsBatch: {
    body: {
      project_id: "acme/demo",
      digests: ["29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5"],
    },
    answer: {
      tables: [
        {
          digest: "29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
          count: 2,
        },
      ],
    },
    type: "application/json",
  },
  weaveObjCreate: {
    body: {
      obj: {
        project_id: "acme/demo",
        object_id: "sums",
        val: {
          rows: "weave:///acme/demo/table/29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
        },
      },
    },
    answer: {
      digest: "L3RWkcPHqGlimQsRtuyrGTuErWwbH3eqbPVU5RSu0hA",
      object_id: "sums",
    },
    type: "application/json",
  },
  weaveObjRead: {
    body: {
      project_id: "acme/demo",
      object_id: "sums",
      digest: "L3RWkcPHqGlimQsRtuyrGTuErWwbH3eqbPVU5RSu0hA",
    },
    answer: {
      obj: {
        project_id: "acme/demo",
        object_id: "sums",
        digest: "L3RWkcPHqGlimQsRtuyrGTuErWwbH3eqbPVU5RSu0hA",
        kind: "object",
        base_object_class: null,
        leaf_object_class: null,
        created_at: "2026-01-01T00:00:00Z",
        deleted_at: null,
        wb_user_id: null,
        version_index: 0,
        is_latest: 1,
        val: {
          rows: "weave:///acme/demo/table/29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
        },
      },
    },
    type: "application/json",
  },
  weaveObjsQuery: {
    body: {
      project_id: "acme/demo",
      filter: {
        object_ids: ["sums"],
      },
    },
    answer: {
      objs: [
        {
          project_id: "acme/demo",
          object_id: "sums",
          digest: "L3RWkcPHqGlimQsRtuyrGTuErWwbH3eqbPVU5RSu0hA",
          kind: "object",
          base_object_class: null,
          leaf_object_class: null,
          created_at: "2026-01-01T00:00:00Z",
          deleted_at: null,
          wb_user_id: null,
          version_index: 0,
          is_latest: 1,
          val: {
            rows: "weave:///acme/demo/table/29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
          },
        },
      ],
    },
    type: "application/json",
  },
  weaveRefsReadBatch: {
    body: {
      refs: ["weave:///acme/demo/object/sums:L3RWkcPHqGlimQsRtuyrGTuErWwbH3eqbPVU5RSu0hA"],
    },
    answer: {
      vals: [
        {
          rows: "weave:///acme/demo/table/29d7f70395d4ef7e4f8fe2fc69cf16503386ec8f37ef9e860d6fe2f638793bd5",
        },
      ],
    },
    type: "application/json",
  },
  weaveObjDelete: {
    body: {
      project_id: "acme/demo",
      object_id: "sums",
      digests: ["L3RWkcPHqGlimQsRtuyrGTuErWwbH3eqbPVU5RSu0hA"],
    },
    answer: {
      num_deleted: 1,
      deleted_versions: [
        {
          digest: "L3RWkcPHqGlimQsRtuyrGTuErWwbH3eqbPVU5RSu0hA",
        },
      ],
    },
    type: "application/json",
  },
  weaveFileCreate: {
    answer: {
      digest: "ONRq02GIJs9mDfVCvPE6O5K2HfkoVOJyPvy6ZZr1P0s",
    },
    type: "application/json",
  },
  weaveFileContent: {
    body: {
      project_id: "acme/demo",
      digest: "ONRq02GIJs9mDfVCvPE6O5K2HfkoVOJyPvy6ZZr1P0s",
    },
  },
  weaveFeedbackCreate: {
    body: {
      project_id: "acme/demo",
      weave_ref: "weave:///acme/demo/call/call-1",
      feedback_type: "wandb.reaction.1",
      payload: {
        emoji: "👍",
      },
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000002",
      created_at: "2026-01-01T00:00:00Z",
      wb_user_id: "local",
      payload: {
        emoji: "👍",
      },
    },
    type: "application/json",
  },
  weaveFeedbackBatchCreate: {
    body: {
      batch: [
        {
          project_id: "acme/demo",
          weave_ref: "weave:///acme/demo/call/call-1",
          feedback_type: "wandb.reaction.1",
          payload: {
            emoji: "👎",
          },
        },
      ],
    },
    answer: {
      res: [
        {
          id: "00000000-0000-4000-8000-000000000004",
          created_at: "2026-01-01T00:00:00Z",
          wb_user_id: "local",
          payload: {
            emoji: "👎",
          },
        },
      ],
    },
    type: "application/json",
  },
  weaveFeedbackReplace: {
    body: {
      project_id: "acme/demo",
      weave_ref: "weave:///acme/demo/call/call-1",
      feedback_type: "wandb.reaction.1",
      payload: {
        emoji: "👍",
      },
      feedback_id: "00000000-0000-4000-8000-000000000002",
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000006",
      created_at: "2026-01-01T00:00:00Z",
      wb_user_id: "local",
      payload: {
        emoji: "👍",
      },
    },
    type: "application/json",
  },
  weaveFeedbackQuery: {
    body: {
      project_id: "acme/demo",
      limit: 1,
    },
    answer: {
      result: [
        {
          id: "00000000-0000-4000-8000-000000000006",
          project_id: "acme/demo",
          weave_ref: "weave:///acme/demo/call/call-1",
          feedback_type: "wandb.reaction.1",
          payload: {
            emoji: "👍",
          },
          creator: null,
          created_at: "2026-01-01T00:00:00Z",
          wb_user_id: "local",
          annotation_ref: null,
          runnable_ref: null,
          call_ref: null,
          trigger_ref: null,
        },
      ],
      total_count: 2,
    },
    type: "application/json",
  },
  weaveFeedbackPurge: {
    body: {
      project_id: "acme/demo",
      query: {
        $expr: {
          $eq: [
            {
              $getField: "id",
            },
            {
              $literal: "00000000-0000-4000-8000-000000000006",
            },
          ],
        },
      },
    },
    answer: {},
    type: "application/json",
  },
  weaveCostCreate: {
    body: {
      project_id: "acme/demo",
      costs: {
        small: {
          prompt_token_cost: 5e-7,
          completion_token_cost: 0.000002,
          effective_date: "2026-01-01T00:00:00Z",
        },
      },
    },
    answer: {
      ids: [["small", "00000000-0000-4000-8000-000000000008"]],
    },
    type: "application/json",
  },
  weaveCostQuery: {
    body: {
      project_id: "acme/demo",
      limit: 1,
    },
    answer: {
      results: [
        {
          id: "00000000-0000-4000-8000-000000000008",
          llm_id: "small",
          provider_id: "default",
          effective_date: "2026-01-01T00:00:00Z",
          prompt_token_cost: 5e-7,
          completion_token_cost: 0.000002,
          cache_read_input_token_cost: 0,
          cache_creation_input_token_cost: 0,
          prompt_token_cost_unit: "USD",
          completion_token_cost_unit: "USD",
          created_at: "2026-01-01T00:00:00Z",
          created_by: "local",
        },
      ],
    },
    type: "application/json",
  },
  weaveCostPurge: {
    body: {
      project_id: "acme/demo",
      query: {
        $expr: {
          $eq: [
            {
              $getField: "llm_id",
            },
            {
              $literal: "small",
            },
          ],
        },
      },
    },
    answer: {},
    type: "application/json",
  },
  createDataset: {
    body: {
      name: "sums-data",
      rows: [
        {
          question: "2 + 2?",
        },
      ],
    },
    answer: {
      digest: "HOHvL9NO2ztePeOT2o2sG3IRkcSHNUPO4v8CRZPWS7Q",
      object_id: "sums-data",
      version_index: 0,
    },
    type: "application/json",
  },
  createScorer: {
    body: {
      name: "exact",
      op_source_code: "def score(output, answer): return output == answer",
    },
    answer: {
      digest: "iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI",
      object_id: "exact",
      version_index: 0,
      scorer: "weave:///acme/demo/object/exact:iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI",
    },
    type: "application/json",
  },
  createModelObject: {
    body: {
      name: "adder",
      source_code: "class Adder: ...",
    },
    answer: {
      digest: "BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8",
      object_id: "adder",
      version_index: 0,
      model_ref: "weave:///acme/demo/object/adder:BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8",
    },
    type: "application/json",
  },
  createEvaluationObject: {
    body: {
      name: "nightly",
      dataset: "weave:///acme/demo/object/sums-data:HOHvL9NO2ztePeOT2o2sG3IRkcSHNUPO4v8CRZPWS7Q",
      scorers: ["weave:///acme/demo/object/exact:iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI"],
    },
    answer: {
      digest: "biI8gaj6koxi5CbRHPoeDO69xPkbIDX9pnvIwx1fDgs",
      object_id: "nightly",
      version_index: 0,
      evaluation_ref: "weave:///acme/demo/object/nightly:biI8gaj6koxi5CbRHPoeDO69xPkbIDX9pnvIwx1fDgs",
    },
    type: "application/json",
  },
  listDatasets: {
    answer:
      '{"object_id":"sums-data","digest":"HOHvL9NO2ztePeOT2o2sG3IRkcSHNUPO4v8CRZPWS7Q","version_index":0,"created_at":"2026-01-01T00:00:00Z","name":"sums-data","description":null,"rows":"weave:///acme/demo/table/24b7bd48663040da8e6750b8cab6716eaa3c80ef662db35050edfca7df0476ba"}\n',
    type: "application/jsonl",
  },
  readDataset: {
    parameters: {
      object_id: "sums-data",
      digest: "HOHvL9NO2ztePeOT2o2sG3IRkcSHNUPO4v8CRZPWS7Q",
    },
    answer: {
      object_id: "sums-data",
      digest: "HOHvL9NO2ztePeOT2o2sG3IRkcSHNUPO4v8CRZPWS7Q",
      version_index: 0,
      created_at: "2026-01-01T00:00:00Z",
      name: "sums-data",
      description: null,
      rows: "weave:///acme/demo/table/24b7bd48663040da8e6750b8cab6716eaa3c80ef662db35050edfca7df0476ba",
    },
    type: "application/json",
  },
  listScorers: {
    answer:
      '{"object_id":"exact","digest":"iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI","version_index":0,"created_at":"2026-01-01T00:00:00Z","name":"exact","description":null,"score_op":"weave:///acme/demo/op/exact_score:VLxlEvXEJeQvHAugSr07K3GhvNUuYdkGTuwkMYoMw2o"}\n',
    type: "application/jsonl",
  },
  readScorer: {
    parameters: {
      object_id: "exact",
      digest: "iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI",
    },
    answer: {
      object_id: "exact",
      digest: "iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI",
      version_index: 0,
      created_at: "2026-01-01T00:00:00Z",
      name: "exact",
      description: null,
      score_op: "weave:///acme/demo/op/exact_score:VLxlEvXEJeQvHAugSr07K3GhvNUuYdkGTuwkMYoMw2o",
    },
    type: "application/json",
  },
  listModelObjects: {
    answer:
      '{"object_id":"adder","digest":"BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8","version_index":0,"created_at":"2026-01-01T00:00:00Z","name":"adder","description":null,"source_code":"class Adder: ...","attributes":{}}\n',
    type: "application/jsonl",
  },
  readModelObject: {
    parameters: {
      object_id: "adder",
      digest: "BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8",
    },
    answer: {
      object_id: "adder",
      digest: "BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8",
      version_index: 0,
      created_at: "2026-01-01T00:00:00Z",
      name: "adder",
      description: null,
      source_code: "class Adder: ...",
      attributes: {},
    },
    type: "application/json",
  },
  listEvaluationObjects: {
    answer:
      '{"object_id":"nightly","digest":"biI8gaj6koxi5CbRHPoeDO69xPkbIDX9pnvIwx1fDgs","version_index":0,"created_at":"2026-01-01T00:00:00Z","name":"nightly","description":null,"dataset":"weave:///acme/demo/object/sums-data:HOHvL9NO2ztePeOT2o2sG3IRkcSHNUPO4v8CRZPWS7Q","scorers":["weave:///acme/demo/object/exact:iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI"],"trials":1,"evaluation_name":null,"evaluate_op":null,"predict_and_score_op":null,"summarize_op":null}\n',
    type: "application/jsonl",
  },
  readEvaluationObject: {
    parameters: {
      object_id: "nightly",
      digest: "biI8gaj6koxi5CbRHPoeDO69xPkbIDX9pnvIwx1fDgs",
    },
    answer: {
      object_id: "nightly",
      digest: "biI8gaj6koxi5CbRHPoeDO69xPkbIDX9pnvIwx1fDgs",
      version_index: 0,
      created_at: "2026-01-01T00:00:00Z",
      name: "nightly",
      description: null,
      dataset: "weave:///acme/demo/object/sums-data:HOHvL9NO2ztePeOT2o2sG3IRkcSHNUPO4v8CRZPWS7Q",
      scorers: ["weave:///acme/demo/object/exact:iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI"],
      trials: 1,
      evaluation_name: null,
      evaluate_op: null,
      predict_and_score_op: null,
      summarize_op: null,
    },
    type: "application/json",
  },
  createEvaluationRun: {
    body: {
      evaluation: "weave:///acme/demo/object/nightly:biI8gaj6koxi5CbRHPoeDO69xPkbIDX9pnvIwx1fDgs",
      model: "weave:///acme/demo/object/adder:BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8",
    },
    answer: {
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
    },
    type: "application/json",
  },
  createPrediction: {
    body: {
      model: "weave:///acme/demo/object/adder:BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8",
      inputs: {
        question: "2 + 2?",
      },
      output: "4",
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
    },
    answer: {
      prediction_id: "00000000-0000-4000-8000-000000000015",
    },
    type: "application/json",
  },
  createScore: {
    body: {
      prediction_id: "00000000-0000-4000-8000-000000000015",
      scorer: "weave:///acme/demo/object/exact:iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI",
      value: true,
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
    },
    answer: {
      score_id: "00000000-0000-4000-8000-000000000016",
    },
    type: "application/json",
  },
  listPredictions: {
    parameters: {
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
    },
    answer:
      '{"prediction_id":"00000000-0000-4000-8000-000000000015","model":"weave:///acme/demo/object/adder:BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8","inputs":{"question":"2 + 2?"},"output":"4","evaluation_run_id":"00000000-0000-4000-8000-000000000014","wb_user_id":"local"}\n',
    type: "application/jsonl",
  },
  readPrediction: {
    parameters: {
      prediction_id: "00000000-0000-4000-8000-000000000015",
    },
    answer: {
      prediction_id: "00000000-0000-4000-8000-000000000015",
      model: "weave:///acme/demo/object/adder:BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8",
      inputs: {
        question: "2 + 2?",
      },
      output: "4",
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
      wb_user_id: "local",
    },
    type: "application/json",
  },
  listScores: {
    parameters: {
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
    },
    answer:
      '{"score_id":"00000000-0000-4000-8000-000000000016","scorer":"weave:///acme/demo/object/exact:iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI","value":true,"evaluation_run_id":"00000000-0000-4000-8000-000000000014","wb_user_id":"local"}\n',
    type: "application/jsonl",
  },
  readScore: {
    parameters: {
      score_id: "00000000-0000-4000-8000-000000000016",
    },
    answer: {
      score_id: "00000000-0000-4000-8000-000000000016",
      scorer: "weave:///acme/demo/object/exact:iliYqoBlZ3bMZTzXuQFgTvzRwtRb2lQPu4saiK40WEI",
      value: true,
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
      wb_user_id: "local",
    },
    type: "application/json",
  },
  finishPrediction: {
    parameters: {
      prediction_id: "00000000-0000-4000-8000-000000000015",
    },
    body: {},
    answer: {
      success: true,
    },
    type: "application/json",
  },
  finishEvaluationRun: {
    parameters: {
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
    },
    body: {},
    answer: {
      success: true,
    },
    type: "application/json",
  },
  listEvaluationRuns: {
    answer:
      '{"evaluation_run_id":"large","evaluation":"weave:///acme/demo/object/units:v0","model":"weave:///acme/demo/object/large-model:v0","status":"completed","started_at":"2026-01-01T00:00:00.000Z","finished_at":"2026-01-01T00:01:40.000Z","summary":{},"source_evaluation_run_id":null}\n{"evaluation_run_id":"small","evaluation":"weave:///acme/demo/object/units:v0","model":"weave:///acme/demo/object/small-model:v0","status":"completed","started_at":"2026-01-01T00:00:00.000Z","finished_at":"2026-01-01T00:01:40.000Z","summary":{},"source_evaluation_run_id":null}\n{"evaluation_run_id":"00000000-0000-4000-8000-000000000014","evaluation":"weave:///acme/demo/object/nightly:biI8gaj6koxi5CbRHPoeDO69xPkbIDX9pnvIwx1fDgs","model":"weave:///acme/demo/object/adder:BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8","status":"completed","started_at":"2026-01-01T00:00:00Z","finished_at":"2026-01-01T00:00:00Z","summary":{},"source_evaluation_run_id":null}\n',
    type: "application/jsonl",
  },
  readEvaluationRun: {
    parameters: {
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
    },
    answer: {
      evaluation_run_id: "00000000-0000-4000-8000-000000000014",
      evaluation: "weave:///acme/demo/object/nightly:biI8gaj6koxi5CbRHPoeDO69xPkbIDX9pnvIwx1fDgs",
      model: "weave:///acme/demo/object/adder:BA0JBZy7X2iPL5vp6efYLPtrZi5OGy2P3FQneGXpde8",
      status: "completed",
      started_at: "2026-01-01T00:00:00Z",
      finished_at: "2026-01-01T00:00:00Z",
      summary: {},
      source_evaluation_run_id: null,
    },
    type: "application/json",
  },
  deleteScore: {
    parameters: {
      score_ids: "00000000-0000-4000-8000-000000000016",
    },
    answer: {
      num_deleted: 1,
    },
    type: "application/json",
  },
  deletePrediction: {
    parameters: {
      prediction_ids: "00000000-0000-4000-8000-000000000015",
    },
    answer: {
      num_deleted: 1,
    },
    type: "application/json",
  },
  deleteEvaluationRun: {
    parameters: {
      evaluation_run_ids: "00000000-0000-4000-8000-000000000014",
    },
    answer: {
      num_deleted: 1,
    },
    type: "application/json",
  },
  deleteDataset: {
    parameters: {
      object_id: "sums-data",
    },
    answer: {
      num_deleted: 1,
    },
    type: "application/json",
  },
  deleteScorer: {
    parameters: {
      object_id: "exact",
    },
    answer: {
      num_deleted: 1,
    },
    type: "application/json",
  },
  deleteModelObject: {
    parameters: {
      object_id: "adder",
    },
    answer: {
      num_deleted: 1,
    },
    type: "application/json",
  },
  deleteEvaluationObject: {
    parameters: {
      object_id: "nightly",
    },
    answer: {
      num_deleted: 1,
    },
    type: "application/json",
  },
  exportTraces: {
    body: {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: "0af7651916cd43dd8448eb211c80319c",
                  spanId: "b7ad6b7169203331",
                  name: "chat adder",
                  kind: 3,
                  startTimeUnixNano: "1767225600000000000",
                  endTimeUnixNano: "1767225601000000000",
                  attributes: [
                    {
                      key: "gen_ai.operation.name",
                      value: {
                        stringValue: "chat",
                      },
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    answer: {},
    type: "application/json",
  },
  exportLogs: {
    body: {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  traceId: "0af7651916cd43dd8448eb211c80319c",
                  spanId: "b7ad6b7169203331",
                  timeUnixNano: "1767225602000000000",
                  eventName: "gen_ai.evaluation.result",
                  attributes: [
                    {
                      key: "gen_ai.evaluation.name",
                      value: {
                        stringValue: "exact",
                      },
                    },
                    {
                      key: "gen_ai.evaluation.score.value",
                      value: {
                        doubleValue: 1,
                      },
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    answer: {},
    type: "application/json",
  },
  system_check: {
    answer: {
      api: true,
      database: true,
      cpu_queue: {
        success: true,
        duration: 0.001,
        errors: [],
      },
      gpu_queue: {
        success: true,
        duration: 0.001,
        errors: [],
      },
    },
    type: "application/json",
  },
  create_model: {
    body: {
      entity: "acme",
      project: "demo",
      name: "sums",
      base_model: "assay/tiny",
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000019",
      entity: "acme",
      project: "demo",
      name: "sums",
      base_model: "assay/tiny",
      run_id: "sums",
    },
    type: "application/json",
  },
  list_models: {
    parameters: {
      limit: 1,
    },
    answer: {
      object: "list",
      data: [
        {
          id: "00000000-0000-4000-8000-000000000019",
          entity: "acme",
          project: "demo",
          name: "sums",
          base_model: "assay/tiny",
          run_id: "sums",
          object: "training.model",
          created_at: "2026-01-01T00:00:00Z",
          step: 0,
          active_job_id: null,
          metrics: {},
        },
      ],
      first_id: "00000000-0000-4000-8000-000000000019",
      last_id: "00000000-0000-4000-8000-000000000019",
      has_more: false,
    },
    type: "application/json",
  },
  get_model: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000019",
      entity: "acme",
      project: "demo",
      name: "sums",
      base_model: "assay/tiny",
      run_id: "sums",
      object: "training.model",
      created_at: "2026-01-01T00:00:00Z",
      step: 0,
      active_job_id: null,
      metrics: {},
    },
    type: "application/json",
  },
  upload_training_data: {
    body: '{"messages":[{"role":"user","content":"What is 1 + 1?"},{"role":"assistant","content":"2"}]}\n{"messages":[{"role":"user","content":"What is 1 + 2?"},{"role":"assistant","content":"3"}]}',
    answer: {
      training_data_url: "upload:cd3507fb5587482e56c5207196aad2c8ad306521140cf6c1c2f28e5fc47c5b7f",
      sha256: "cd3507fb5587482e56c5207196aad2c8ad306521140cf6c1c2f28e5fc47c5b7f",
      bytes: 185,
      rows: 2,
    },
    type: "application/json",
  },
  create_sft_training_job: {
    body: {
      model_id: "00000000-0000-4000-8000-000000000019",
      training_data_url: "upload:cd3507fb5587482e56c5207196aad2c8ad306521140cf6c1c2f28e5fc47c5b7f",
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000021",
      object: "training.job",
      type: "sft",
      status: "queued",
      model_id: "00000000-0000-4000-8000-000000000019",
      created_at: "2026-01-01T00:00:00Z",
      started_at: null,
      finished_at: null,
      attempt: 0,
      max_attempts: 3,
      progress: {
        step: 0,
        total: null,
      },
      num_submitted: 2,
      num_trainable: 2,
      skipped: [],
      warnings: [],
      checkpoint_step: null,
      error: null,
    },
    type: "application/json",
  },
  create_rl_training_job: {
    body: {
      model_id: "00000000-0000-4000-8000-000000000019",
      trajectory_groups: [
        {
          trajectories: [
            {
              reward: 1,
              messages_and_choices: [
                {
                  role: "user",
                  content: "What is 1 + 1?",
                },
                {
                  index: 0,
                  finish_reason: "stop",
                  message: {
                    role: "assistant",
                    content: "2",
                  },
                  logprobs: {
                    content: [
                      {
                        token: "token_id:50",
                        logprob: -0.5,
                        top_logprobs: [],
                      },
                    ],
                  },
                },
              ],
            },
            {
              reward: 0,
              messages_and_choices: [
                {
                  role: "user",
                  content: "What is 1 + 1?",
                },
                {
                  index: 0,
                  finish_reason: "stop",
                  message: {
                    role: "assistant",
                    content: "3",
                  },
                  logprobs: {
                    content: [
                      {
                        token: "token_id:51",
                        logprob: -0.5,
                        top_logprobs: [],
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000023",
      object: "training.job",
      type: "rl",
      status: "queued",
      model_id: "00000000-0000-4000-8000-000000000019",
      created_at: "2026-01-01T00:00:00Z",
      started_at: null,
      finished_at: null,
      attempt: 0,
      max_attempts: 3,
      progress: {
        step: 0,
        total: null,
      },
      num_submitted: 2,
      num_trainable: 2,
      skipped: [],
      warnings: [],
      checkpoint_step: null,
      error: null,
    },
    type: "application/json",
  },
  list_training_jobs: {
    parameters: {
      limit: 1,
    },
    answer: {
      object: "list",
      data: [
        {
          id: "00000000-0000-4000-8000-000000000023",
          object: "training.job",
          type: "rl",
          status: "succeeded",
          model_id: "00000000-0000-4000-8000-000000000019",
          created_at: "2026-01-01T00:00:00Z",
          started_at: "2026-01-01T00:00:00Z",
          finished_at: "2026-01-01T00:00:00Z",
          attempt: 1,
          max_attempts: 3,
          progress: {
            step: 1,
            total: 1,
          },
          num_submitted: 2,
          num_trainable: 2,
          skipped: [],
          warnings: [],
          checkpoint_step: 2,
          error: null,
        },
      ],
      first_id: "00000000-0000-4000-8000-000000000023",
      last_id: "00000000-0000-4000-8000-000000000023",
      has_more: true,
    },
    type: "application/json",
  },
  get_training_job: {
    parameters: {
      training_job_id: "00000000-0000-4000-8000-000000000023",
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000023",
      object: "training.job",
      type: "rl",
      status: "succeeded",
      model_id: "00000000-0000-4000-8000-000000000019",
      created_at: "2026-01-01T00:00:00Z",
      started_at: "2026-01-01T00:00:00Z",
      finished_at: "2026-01-01T00:00:00Z",
      attempt: 1,
      max_attempts: 3,
      progress: {
        step: 1,
        total: 1,
      },
      num_submitted: 2,
      num_trainable: 2,
      skipped: [],
      warnings: [],
      checkpoint_step: 2,
      error: null,
    },
    type: "application/json",
  },
  list_training_job_events: {
    parameters: {
      training_job_id: "00000000-0000-4000-8000-000000000023",
      limit: 2,
    },
    answer: {
      object: "list",
      data: [
        {
          id: "00000000-0000-4000-8000-000000000027",
          type: "training_started",
          created_at: "2026-01-01T00:00:00Z",
          data: {
            num_sequences: 1,
          },
        },
        {
          id: "00000000-0000-4000-8000-000000000029",
          type: "gradient_step",
          created_at: "2026-01-01T00:00:00Z",
          data: {
            reward: 0.5,
            reward_std_dev: 0.5,
            num_trajectories: 2,
            num_groups_submitted: 1,
            num_groups_trainable: 1,
            loss: -0.0006967824214710299,
            policy_loss: -0.0006967824214710299,
            entropy: 0.0486372737786394,
            kl_div: 5.619210926108577,
            grad_norm: 0.022466512291160184,
            learning_rate: 0.005,
            num_trainable_tokens: 2,
            train_tokens: 38,
          },
        },
      ],
      first_id: "00000000-0000-4000-8000-000000000027",
      last_id: "00000000-0000-4000-8000-000000000029",
      has_more: true,
    },
    type: "application/json",
  },
  cancel_training_job: {
    parameters: {
      training_job_id: "00000000-0000-4000-8000-000000000031",
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000031",
      object: "training.job",
      type: "rl",
      status: "cancelling",
      model_id: "00000000-0000-4000-8000-000000000019",
      created_at: "2026-01-01T00:00:00Z",
      started_at: "2026-01-01T00:00:00Z",
      finished_at: null,
      attempt: 1,
      max_attempts: 3,
      progress: {
        step: 0,
        total: null,
      },
      num_submitted: 2,
      num_trainable: 2,
      skipped: [],
      warnings: [],
      checkpoint_step: null,
      error: null,
    },
    type: "application/json",
  },
  log: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
    },
    body: {
      split: "val",
      trajectory_groups: [
        {
          trajectories: [
            {
              reward: 1,
              messages_and_choices: [
                {
                  role: "user",
                  content: "What is 1 + 1?",
                },
                {
                  index: 0,
                  finish_reason: "stop",
                  message: {
                    role: "assistant",
                    content: "2",
                  },
                  logprobs: {
                    content: [
                      {
                        token: "token_id:50",
                        logprob: -0.5,
                        top_logprobs: [],
                      },
                    ],
                  },
                },
              ],
            },
            {
              reward: 0,
              messages_and_choices: [
                {
                  role: "user",
                  content: "What is 1 + 1?",
                },
                {
                  index: 0,
                  finish_reason: "stop",
                  message: {
                    role: "assistant",
                    content: "3",
                  },
                  logprobs: {
                    content: [
                      {
                        token: "token_id:51",
                        logprob: -0.5,
                        top_logprobs: [],
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    },
    answer: {
      metrics: {
        "val/reward": 0.5,
        "val/exception_rate": 0,
        "val/reward_std_dev": 0.5,
      },
    },
    type: "application/json",
  },
  list_checkpoints: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
      limit: 1,
    },
    answer: {
      object: "list",
      data: [
        {
          id: "00000000-0000-4000-8000-000000000034",
          step: 1,
          metrics: {
            "train/loss": 23.39897533209669,
            "train/entropy": 0.00013100406961668326,
            "train/grad_norm": 26.53783056826078,
            "train/learning_rate": 0.01,
            "train/num_trajectories": 2,
            "train/num_trainable_tokens": 4,
            "train/train_tokens": 38,
          },
        },
      ],
      first_id: "00000000-0000-4000-8000-000000000034",
      last_id: "00000000-0000-4000-8000-000000000034",
      has_more: true,
    },
    type: "application/json",
  },
  get_checkpoint: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
      step: 1,
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000034",
      step: 1,
      metrics: {
        "train/loss": 23.39897533209669,
        "train/entropy": 0.00013100406961668326,
        "train/grad_norm": 26.53783056826078,
        "train/learning_rate": 0.01,
        "train/num_trajectories": 2,
        "train/num_trainable_tokens": 4,
        "train/train_tokens": 38,
      },
      model_id: "00000000-0000-4000-8000-000000000019",
      base_model: "assay/tiny",
      parent_step: 0,
      copy_of: null,
      training_data: {
        url: "upload:cd3507fb5587482e56c5207196aad2c8ad306521140cf6c1c2f28e5fc47c5b7f",
        sha256: "cd3507fb5587482e56c5207196aad2c8ad306521140cf6c1c2f28e5fc47c5b7f",
      },
      training_job_id: "00000000-0000-4000-8000-000000000021",
      created_at: "2026-01-01T00:00:00Z",
      files: [
        {
          name: "tiny-model.bin",
          sha256: "83bb79c3015c603471bb84a024604025aabdd4de17c512d267138f0790e8673b",
          size: 7811488,
          path: "/v1/preview/models/00000000-0000-4000-8000-000000000019/checkpoints/1/files/tiny-model.bin",
        },
      ],
    },
    type: "application/json",
  },
  download_checkpoint_file: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
      step: 1,
      name: "tiny-model.bin",
    },
  },
  set_alias: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
      alias: "live",
    },
    body: {
      step: 1,
    },
    answer: {
      alias: "live",
      step: 1,
      metric: null,
      goal: null,
    },
    type: "application/json",
  },
  list_aliases: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
    },
    answer: {
      object: "list",
      data: [
        {
          alias: "latest",
          step: 2,
          metric: null,
          goal: null,
        },
        {
          alias: "live",
          step: 1,
          metric: null,
          goal: null,
        },
      ],
    },
    type: "application/json",
  },
  list_model_evaluations: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
    },
    answer: {
      object: "list",
      data: [],
      first_id: "",
      last_id: "",
      has_more: false,
    },
    type: "application/json",
  },
  get_inference_model: {
    parameters: {
      model: "assay/tiny",
    },
    answer: {
      id: "assay/tiny",
      object: "model",
      created: 1767225600,
      owned_by: "system",
      root: "assay/tiny",
    },
    type: "application/json",
  },
  delete_alias: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
      alias: "live",
    },
    answer: {
      alias: "live",
      deleted: true,
    },
    type: "application/json",
  },
  delete_checkpoints: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
    },
    body: {
      steps: [1],
    },
    answer: {
      deleted_count: 1,
      not_found_steps: [],
    },
    type: "application/json",
  },
  delete_model: {
    parameters: {
      model_id: "00000000-0000-4000-8000-000000000019",
    },
    answer: {
      model_id: "00000000-0000-4000-8000-000000000019",
      deleted_checkpoints: 1,
      deleted_run: true,
    },
    type: "application/json",
  },
  create_file: {
    answer: {
      id: "file-00000000-0000-4000-8000-000000000036",
      object: "file",
      bytes: 930,
      created_at: 1767225600,
      filename: "sums.jsonl",
      purpose: "fine-tune",
      status: "processed",
      status_details: null,
    },
    type: "application/json",
  },
  list_files: {
    answer: {
      object: "list",
      data: [
        {
          id: "file-00000000-0000-4000-8000-000000000036",
          object: "file",
          bytes: 930,
          created_at: 1767225600,
          filename: "sums.jsonl",
          purpose: "fine-tune",
          status: "processed",
          status_details: null,
        },
      ],
      first_id: "file-00000000-0000-4000-8000-000000000036",
      last_id: "file-00000000-0000-4000-8000-000000000036",
      has_more: false,
    },
    type: "application/json",
  },
  retrieve_file: {
    parameters: {
      file_id: "file-00000000-0000-4000-8000-000000000036",
    },
    answer: {
      id: "file-00000000-0000-4000-8000-000000000036",
      object: "file",
      bytes: 930,
      created_at: 1767225600,
      filename: "sums.jsonl",
      purpose: "fine-tune",
      status: "processed",
      status_details: null,
    },
    type: "application/json",
  },
  download_file: {
    parameters: {
      file_id: "file-00000000-0000-4000-8000-000000000036",
    },
  },
  create_fine_tuning_job: {
    body: {
      model: "assay/tiny",
      training_file: "file-00000000-0000-4000-8000-000000000036",
      seed: 1,
      hyperparameters: {
        n_epochs: 1,
      },
      suffix: "sums",
    },
    answer: {
      id: "ftjob-00000000-0000-4000-8000-000000000037",
      object: "fine_tuning.job",
      model: "assay/tiny",
      created_at: 1767225600,
      finished_at: null,
      fine_tuned_model: null,
      organization_id: "default",
      result_files: [],
      status: "queued",
      training_file: "file-00000000-0000-4000-8000-000000000036",
      validation_file: null,
      hyperparameters: {
        n_epochs: 1,
        batch_size: "auto",
        learning_rate_multiplier: "auto",
      },
      method: {
        type: "supervised",
        supervised: {
          hyperparameters: {
            n_epochs: 1,
            batch_size: "auto",
            learning_rate_multiplier: "auto",
          },
        },
      },
      trained_tokens: null,
      error: null,
      user_provided_suffix: "sums",
      seed: 1,
      estimated_finish: null,
      integrations: [],
      metadata: null,
    },
    type: "application/json",
  },
  retrieve_fine_tuning_job: {
    parameters: {
      job_id: "ftjob-00000000-0000-4000-8000-000000000037",
    },
    answer: {
      id: "ftjob-00000000-0000-4000-8000-000000000037",
      object: "fine_tuning.job",
      model: "assay/tiny",
      created_at: 1767225600,
      finished_at: 1767225600,
      fine_tuned_model: "ft:assay/tiny:default/fine-tuning:sums:00000038",
      organization_id: "default",
      result_files: [],
      status: "succeeded",
      training_file: "file-00000000-0000-4000-8000-000000000036",
      validation_file: null,
      hyperparameters: {
        n_epochs: 1,
        batch_size: "auto",
        learning_rate_multiplier: "auto",
      },
      method: {
        type: "supervised",
        supervised: {
          hyperparameters: {
            n_epochs: 1,
            batch_size: "auto",
            learning_rate_multiplier: "auto",
          },
        },
      },
      trained_tokens: null,
      error: null,
      user_provided_suffix: "sums",
      seed: 1,
      estimated_finish: null,
      integrations: [],
      metadata: null,
    },
    type: "application/json",
  },
  list_fine_tuning_jobs: {
    parameters: {
      limit: 1,
    },
    answer: {
      object: "list",
      data: [
        {
          id: "ftjob-00000000-0000-4000-8000-000000000037",
          object: "fine_tuning.job",
          model: "assay/tiny",
          created_at: 1767225600,
          finished_at: 1767225600,
          fine_tuned_model: "ft:assay/tiny:default/fine-tuning:sums:00000038",
          organization_id: "default",
          result_files: [],
          status: "succeeded",
          training_file: "file-00000000-0000-4000-8000-000000000036",
          validation_file: null,
          hyperparameters: {
            n_epochs: 1,
            batch_size: "auto",
            learning_rate_multiplier: "auto",
          },
          method: {
            type: "supervised",
            supervised: {
              hyperparameters: {
                n_epochs: 1,
                batch_size: "auto",
                learning_rate_multiplier: "auto",
              },
            },
          },
          trained_tokens: null,
          error: null,
          user_provided_suffix: "sums",
          seed: 1,
          estimated_finish: null,
          integrations: [],
          metadata: null,
        },
      ],
      first_id: "ftjob-00000000-0000-4000-8000-000000000037",
      last_id: "ftjob-00000000-0000-4000-8000-000000000037",
      has_more: false,
    },
    type: "application/json",
  },
  list_fine_tuning_events: {
    parameters: {
      job_id: "ftjob-00000000-0000-4000-8000-000000000037",
      limit: 2,
    },
    answer: {
      object: "list",
      data: [
        {
          id: "ftevent-00000000-0000-4000-8000-000000000039",
          object: "fine_tuning.job.event",
          created_at: 1767225600,
          level: "info",
          message: "New fine-tuned model created: ft:assay/tiny:default/fine-tuning:sums:00000038",
          type: "message",
          data: {},
        },
        {
          id: "ftevent-00000000-0000-4000-8000-000000000040",
          object: "fine_tuning.job.event",
          created_at: 1767225600,
          level: "info",
          message: "Training has ended; its checkpoint is being written",
          type: "message",
          data: {},
        },
      ],
      first_id: "ftevent-00000000-0000-4000-8000-000000000039",
      last_id: "ftevent-00000000-0000-4000-8000-000000000040",
      has_more: true,
    },
    type: "application/json",
  },
  list_fine_tuning_checkpoints: {
    parameters: {
      job_id: "ftjob-00000000-0000-4000-8000-000000000037",
    },
    answer: {
      object: "list",
      data: [
        {
          id: "ftckpt-00000000-0000-4000-8000-000000000041",
          object: "fine_tuning.job.checkpoint",
          created_at: 1767225600,
          fine_tuned_model_checkpoint: "ft:assay/tiny:default/fine-tuning:sums:00000038:ckpt-step-1",
          fine_tuning_job_id: "ftjob-00000000-0000-4000-8000-000000000037",
          step_number: 5,
          metrics: {
            step: 5,
            train_loss: 0.00004712692592079293,
          },
        },
      ],
      first_id: "ftckpt-00000000-0000-4000-8000-000000000041",
      last_id: "ftckpt-00000000-0000-4000-8000-000000000041",
      has_more: false,
    },
    type: "application/json",
  },
  cancel_fine_tuning_job: {
    parameters: {
      job_id: "ftjob-00000000-0000-4000-8000-000000000042",
    },
    answer: {
      id: "ftjob-00000000-0000-4000-8000-000000000042",
      object: "fine_tuning.job",
      model: "assay/tiny",
      created_at: 1767225600,
      finished_at: null,
      fine_tuned_model: null,
      organization_id: "default",
      result_files: [],
      status: "cancelled",
      training_file: "file-00000000-0000-4000-8000-000000000036",
      validation_file: null,
      hyperparameters: {
        n_epochs: 50,
        batch_size: "auto",
        learning_rate_multiplier: "auto",
      },
      method: {
        type: "supervised",
        supervised: {
          hyperparameters: {
            n_epochs: 50,
            batch_size: "auto",
            learning_rate_multiplier: "auto",
          },
        },
      },
      trained_tokens: null,
      error: null,
      user_provided_suffix: "long",
      seed: 1,
      estimated_finish: null,
      integrations: [],
      metadata: null,
    },
    type: "application/json",
  },
  delete_inference_model: {
    parameters: {
      model: "ft:assay/tiny:default/fine-tuning:sums:00000038",
    },
    answer: {
      id: "ft:assay/tiny:default/fine-tuning:sums:00000038",
      object: "model",
      deleted: true,
    },
    type: "application/json",
  },
  delete_file: {
    parameters: {
      file_id: "file-00000000-0000-4000-8000-000000000036",
    },
    answer: {
      id: "file-00000000-0000-4000-8000-000000000036",
      object: "file",
      deleted: true,
    },
    type: "application/json",
  },
  wandbGraphql: {
    body: {
      query: "mutation M($input: JSON!) { result: upsertBucket(input: $input) { inserted } }",
      variables: {
        input: {
          name: "run-1",
          entityName: "acme",
          modelName: "demo",
        },
      },
    },
    answer: {
      data: {
        result: {
          inserted: true,
        },
      },
    },
    type: "application/json",
  },
  wandbFileStream: {
    parameters: {
      run: "run-1",
    },
    body: {
      files: {
        "wandb-history.jsonl": {
          offset: 0,
          content: ['{"_step":0,"loss":0.5}'],
        },
      },
    },
    answer: {},
    type: "application/json",
  },
  listRuns: {
    answer: {
      runs: [
        {
          id: "00000000-0000-4000-8000-000000000043",
          name: "run-1",
          display_name: "run-1",
          state: "running",
          created_at: "2026-01-01T00:00:00Z",
          heartbeat_at: "2026-01-01T00:00:00Z",
          exit_code: null,
          group: null,
          job_type: null,
          tags: [],
          notes: null,
          last_step: 0,
          history_lines: 1,
          summary: {},
          model_id: null,
        },
      ],
      next: null,
    },
    type: "application/json",
  },
  getRun: {
    parameters: {
      run: "run-1",
    },
    answer: {
      id: "00000000-0000-4000-8000-000000000043",
      name: "run-1",
      display_name: "run-1",
      state: "running",
      created_at: "2026-01-01T00:00:00Z",
      heartbeat_at: "2026-01-01T00:00:00Z",
      exit_code: null,
      group: null,
      job_type: null,
      tags: [],
      notes: null,
      last_step: 0,
      history_lines: 1,
      summary: {},
      model_id: null,
      config: {},
      history_keys: ["_step", "loss"],
    },
    type: "application/json",
  },
  getRunHistory: {
    parameters: {
      run: "run-1",
    },
    answer: {
      history: [
        {
          _step: 0,
          loss: 0.5,
        },
      ],
      next_step: null,
    },
    type: "application/json",
  },
  wandbUpload: {
    parameters: {
      address: "signed-0046/0c1410da6636525dfbb07871aa041bbf",
    },
    body: "What is 2 + 2?",
    answer: {},
    type: "application/json",
  },
  wandbDownload: {
    parameters: {
      address: "signed-0047/question.txt",
    },
  },
  wandbArtifactFile: {
    parameters: {
      region: "default",
      collection: "questions",
      artifact: "x",
      md5: "0c1410da6636525dfbb07871aa041bbf",
      file: "question.txt",
    },
  },
  deleteArtifact: {
    parameters: {
      name: "questions:v0",
    },
    answer: {
      name: "questions:v0",
      deleted: true,
    },
    type: "application/json",
  },
  deleteRun: {
    parameters: {
      run: "run-1",
    },
    answer: {
      name: "run-1",
      deleted: true,
    },
    type: "application/json",
  },
  create_chat_completion: {
    body: {
      model: "assay/tiny",
      max_tokens: 8,
      temperature: 0,
      seed: 1,
      messages: [
        {
          role: "user",
          content: "What is 2 + 2?",
        },
      ],
    },
    answer: {
      id: "chatcmpl-00000000-0000-4000-8000-000000000048",
      object: "chat.completion",
      created: 1767225600,
      model: "assay/tiny",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "2 plus 2",
            refusal: null,
          },
          finish_reason: "length",
          logprobs: null,
        },
      ],
      usage: {
        prompt_tokens: 17,
        completion_tokens: 8,
        total_tokens: 25,
      },
    },
    type: "application/json",
  },
  create_chat_completion_slash: {
    body: {
      model: "assay/tiny",
      max_tokens: 8,
      temperature: 0,
      seed: 1,
      messages: [
        {
          role: "user",
          content: "What is 2 + 2?",
        },
      ],
    },
    answer: {
      id: "chatcmpl-00000000-0000-4000-8000-000000000049",
      object: "chat.completion",
      created: 1767225600,
      model: "assay/tiny",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "2 plus 2",
            refusal: null,
          },
          finish_reason: "length",
          logprobs: null,
        },
      ],
      usage: {
        prompt_tokens: 17,
        completion_tokens: 8,
        total_tokens: 25,
      },
    },
    type: "application/json",
  },
  create_response: {
    body: {
      model: "assay/tiny",
      input: "What is 2 + 2?",
      max_output_tokens: 16,
      temperature: 0,
    },
    answer: {
      background: false,
      error: null,
      instructions: null,
      max_output_tokens: 16,
      metadata: {},
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: {
        effort: null,
        summary: null,
      },
      store: true,
      temperature: 0,
      text: {
        format: {
          type: "text",
        },
      },
      tool_choice: "auto",
      tools: [],
      top_p: 1,
      truncation: "disabled",
      user: null,
      id: "resp_00000000-0000-4000-8000-000000000050",
      created_at: 1767225600,
      model: "assay/tiny",
      object: "response",
      status: "completed",
      incomplete_details: null,
      output: [
        {
          id: "msg_00000000-0000-4000-8000-000000000050",
          type: "message",
          status: "completed",
          role: "assistant",
          content: [
            {
              type: "output_text",
              text: "2 plus 2 is 4.",
              annotations: [],
              logprobs: [],
            },
          ],
        },
      ],
      usage: {
        input_tokens: 17,
        input_tokens_details: {
          cached_tokens: 0,
        },
        output_tokens: 15,
        output_tokens_details: {
          reasoning_tokens: 0,
        },
        total_tokens: 32,
      },
    },
    type: "application/json",
  },
  get_response: {
    parameters: {
      response_id: "resp_00000000-0000-4000-8000-000000000050",
    },
    answer: {
      background: false,
      error: null,
      instructions: null,
      max_output_tokens: 16,
      metadata: {},
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: {
        effort: null,
        summary: null,
      },
      store: true,
      temperature: 0,
      text: {
        format: {
          type: "text",
        },
      },
      tool_choice: "auto",
      tools: [],
      top_p: 1,
      truncation: "disabled",
      user: null,
      id: "resp_00000000-0000-4000-8000-000000000050",
      created_at: 1767225600,
      model: "assay/tiny",
      object: "response",
      status: "completed",
      incomplete_details: null,
      output: [
        {
          id: "msg_00000000-0000-4000-8000-000000000050",
          type: "message",
          status: "completed",
          role: "assistant",
          content: [
            {
              type: "output_text",
              text: "2 plus 2 is 4.",
              annotations: [],
              logprobs: [],
            },
          ],
        },
      ],
      usage: {
        input_tokens: 17,
        input_tokens_details: {
          cached_tokens: 0,
        },
        output_tokens: 15,
        output_tokens_details: {
          reasoning_tokens: 0,
        },
        total_tokens: 32,
      },
    },
    type: "application/json",
  },
  delete_response: {
    parameters: {
      response_id: "resp_00000000-0000-4000-8000-000000000050",
    },
    answer: {
      id: "resp_00000000-0000-4000-8000-000000000050",
      object: "response",
      deleted: true,
    },
    type: "application/json",
  },
  create_completion: {
    body: {
      model: "org/texts",
      prompt: "2 + 2 =",
      max_tokens: 1,
    },
    answer: {
      id: "cmpl-00000000-0000-4000-8000-000000000051",
      object: "text_completion",
      created: 1767225600,
      model: "org/texts",
      choices: [
        {
          index: 0,
          text: " 4",
          finish_reason: "length",
          logprobs: null,
        },
      ],
      usage: {
        prompt_tokens: 4,
        completion_tokens: 1,
        total_tokens: 5,
      },
    },
    type: "application/json",
  },
  create_embedding: {
    body: {
      model: "org/texts",
      input: ["2 + 2"],
      encoding_format: "float",
    },
    answer: {
      object: "list",
      model: "org/texts",
      data: [
        {
          object: "embedding",
          index: 0,
          embedding: [0.5, -0.5],
        },
      ],
      usage: {
        prompt_tokens: 4,
        total_tokens: 4,
      },
    },
    type: "application/json",
  },
  list_inference_models: {
    answer: {
      object: "list",
      data: [
        {
          id: "org/texts",
          object: "model",
          created: 1767225600,
          owned_by: "system",
          root: "org/texts",
        },
        {
          id: "assay/tiny",
          object: "model",
          created: 1767225600,
          owned_by: "system",
          root: "assay/tiny",
        },
      ],
    },
    type: "application/json",
  },
  get_usage: {
    parameters: {
      group_by: "model",
    },
    answer: {
      object: "list",
      data: [
        {
          entity: "default",
          project: "default",
          model: "assay/tiny",
          requests: 3,
          aborted: 0,
          failed: 0,
          estimated: 0,
          cost_usd: null,
          unpriced_requests: 3,
          prompt_tokens: 51,
          cached_tokens: 0,
          generated_tokens: 31,
          delivered_tokens: 31,
        },
        {
          entity: "default",
          project: "default",
          model: "org/texts",
          requests: 2,
          aborted: 0,
          failed: 0,
          estimated: 0,
          cost_usd: null,
          unpriced_requests: 2,
          prompt_tokens: 8,
          cached_tokens: 0,
          generated_tokens: 1,
          delivered_tokens: 1,
        },
      ],
      lost_records: 0,
    },
    type: "application/json",
  },
  deleteEvaluation: {
    parameters: {
      id: "small",
    },
    answer: {
      calls: 4,
      rows: 0,
      runs: 0,
      artifacts: 0,
    },
    type: "application/json",
  },
  deleteEvaluations: {
    parameters: {
      evaluation: "large",
    },
    answer: {
      calls: 4,
      rows: 0,
      runs: 0,
      artifacts: 0,
    },
    type: "application/json",
  },
  deleteProject: {
    answer: {
      calls: 7,
      rows: 4,
      runs: 0,
      artifacts: 0,
    },
    type: "application/json",
  },
  health: {
    answer: {
      status: "ok",
    },
    type: "application/json",
  },
  ready: {
    answer: {
      status: "ok",
    },
    type: "application/json",
  },
  session: {
    answer: {
      principal: "local",
      everything: true,
      areas: ["results", "training", "inference", "keys"],
      version: "0.1.0",
    },
    type: "application/json",
  },
  backup: {},
  create_key: {
    body: {
      name: "team",
      scopes: ["*"],
    },
    answer: {
      id: "key00001",
      object: "key",
      name: "team",
      scopes: ["*"],
      can: ["read", "write", "train", "chat"],
      created_at: 1767225600,
      expires_at: null,
      revoked_at: null,
      key: "assay_key00001secret",
    },
    type: "application/json",
  },
  list_keys: {
    answer: {
      object: "list",
      data: [
        {
          id: "key00001",
          object: "key",
          name: "team",
          scopes: ["*"],
          can: ["read", "write", "train", "chat"],
          created_at: 1767225600,
          expires_at: null,
          revoked_at: null,
        },
      ],
      has_more: false,
    },
    type: "application/json",
  },
  revoke_key: {
    parameters: {
      id: "key00001",
    },
    answer: {
      id: "key00001",
      object: "key",
      name: "team",
      scopes: ["*"],
      can: ["read", "write", "train", "chat"],
      created_at: 1767225600,
      expires_at: null,
      revoked_at: 1767225600,
    },
    type: "application/json",
  },
};
