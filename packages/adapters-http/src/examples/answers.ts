// What is answered in the examples of the OpenAPI document: written by the test that asks.

import type { Json } from "@assay/base";

/** Answers by `operationId`. */
export const EXAMPLE_ANSWERS: { readonly [operationId: string]: Json } = {
  evalResultsQuery: {
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
                total_cost: null,
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
                total_cost: null,
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
          predict_total_cost: null,
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
          predict_total_cost: null,
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
  evalResultsCompare: {
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
            reason: "the interval reaches to both sides of 0",
            minimum_detectable: 1.787770967176428,
            rows_needed: 87,
            noise: null,
          },
        ],
      },
    ],
    warnings: [],
  },
  evalResultsSlices: {
    looked_at: 3,
    tested: 0,
    whole: {
      field: "scores.match.correct",
      kind: "boolean",
      direction: "higher",
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
      reason: "the interval reaches to both sides of 0",
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
        outside: {
          rows: 2,
          difference: 0.5,
        },
        difference_to_outside: -0.5,
      },
    ],
    warnings: [],
  },
  evalResultsRanking: {
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
  evalResultsPage: {
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
  evalResultsGroups: {
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
  },
  evalResultsFields: {
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
  listEvaluations: {
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
  listProjects: {
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
  health: {
    status: "ok",
  },
  ready: {
    status: "ok",
  },
};
