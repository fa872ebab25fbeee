// Statistics answers for tests of reports.

import type { CompareResults, MeasureComparison, RankingResults, SlicesResults } from "@assay/eval-engine";
import type { MeasureSide, Slice } from "@assay/eval-engine/internal";

/** The display names of evaluations. */
export const LABELS: ReadonlyMap<string, string> = new Map([
  ["id-a", "gpt-a"],
  ["id-b", "gpt-b"],
]);

const side = (mean: number, low: number, high: number): MeasureSide => ({
  rows: 240,
  trials: 720,
  missing: 0,
  mean,
  sd: 0.48,
  se: 0.03,
  interval: { low, high, method: "wilson" },
});

/** An improvement of 18.3 points, with these overrides. */
export function measure(different: Partial<MeasureComparison> = {}): MeasureComparison {
  return {
    field: "scores.correct",
    kind: "boolean",
    direction: "higher",
    direction_source: "values",
    reduce: "mean",
    margin: 0,
    baseline: side(0.367, 0.308, 0.429),
    candidate: side(0.55, 0.487, 0.612),
    paired: true,
    pairs: 240,
    baseline_mean: 0.367,
    candidate_mean: 0.55,
    only_baseline: 0,
    only_candidate: 0,
    difference: 0.183,
    se: 0.028,
    interval: { low: 0.129, high: 0.237, method: "bonett_price" },
    p_value: 0.000012,
    p_method: "mcnemar_mid_p",
    adjusted_p: 0.00024,
    wins: 52,
    losses: 8,
    ties: 180,
    correlation: 0.6,
    effect: 0.4,
    odds: 6.5,
    verdict: "improved",
    reason: null,
    minimum_detectable: 0.078,
    rows_needed: 44,
    noise: null,
    ...different,
  };
}

/** The overrides that make a difference inconclusive. */
export const UNSETTLED: Partial<MeasureComparison> = {
  difference: 0.012,
  interval: { low: -0.03, high: 0.054, method: "bonett_price" },
  adjusted_p: 0.58,
  wins: 30,
  losses: 27,
  ties: 183,
  verdict: "inconclusive",
  reason: "the interval includes 0",
  rows_needed: 2940,
};

/** A comparison of gpt-b with gpt-a. */
export function comparison(
  measures: readonly MeasureComparison[],
  different: Partial<CompareResults> = {},
): CompareResults {
  return {
    row_count: 240,
    baseline: "id-a",
    level: 0.95,
    adjustment: "holm",
    comparisons: [{ candidate: "id-b", measures }],
    warnings: [],
    ...different,
  };
}

/** A warning about one side. */
export const UNEVEN: CompareResults["warnings"][number] = {
  code: "missing_uneven",
  text: "scores.correct: missing in 154 of 240 rows of id-a and 0 of 240 of the other, so failed rows may have been excluded",
  evaluations: ["id-a"],
  count: 154,
};

const slice = (different: Partial<Slice>): Slice => ({
  fields: [{ field: "inputs.category", value: "law", low: null, high: null }],
  filter: { evaluation_call_id: null, query: { $expr: {} } },
  rows: 60,
  pairs: 60,
  baseline_mean: 0.5,
  candidate_mean: 0.4,
  difference: -0.1,
  interval: { low: -0.17, high: -0.03, method: "bonett_price" },
  p_value: 0.001,
  q_value: 0.004,
  verdict: "regressed",
  reason: null,
  outside: { rows: 180, difference: 0.277 },
  difference_to_outside: -0.377,
  ...different,
});

/** Three slices: one worse, one inconclusive, one too small. */
export function slicesAnswer(different: Partial<SlicesResults> = {}): SlicesResults {
  return {
    looked_at: 3,
    tested: 2,
    whole: measure(),
    slices: [
      slice({}),
      slice({
        fields: [{ field: "inputs.tokens", value: null, low: 12, high: 40.5 }],
        difference: 0.02,
        interval: { low: -0.05, high: 0.09, method: "bonett_price" },
        q_value: 0.6,
        verdict: "inconclusive",
      }),
      slice({
        fields: [
          { field: "inputs.category", value: "math", low: null, high: null },
          { field: "inputs.hard", value: true, low: null, high: null },
        ],
        rows: 4,
        interval: null,
        p_value: null,
        q_value: null,
        verdict: "inconclusive",
        reason: "fewer than 10 rows have a value in both",
      }),
    ],
    warnings: [],
    ...different,
  };
}

/** A ranking of three evaluations, the first two tied. */
export function rankingAnswer(): RankingResults {
  const ranked = (id: string, mean: number, rank: { low: number; high: number }, group: number) => ({
    evaluation_call_id: id,
    rows: 240,
    mean,
    interval: { low: mean - 0.05, high: mean + 0.05, method: "wilson" as const },
    shrunken: null,
    rank,
    group,
    ahead_of: null,
  });
  return {
    row_count: 240,
    evaluations: [
      ranked("id-b", 0.55, { low: 1, high: 2 }, 1),
      ranked("id-c", 0.53, { low: 1, high: 2 }, 1),
      ranked("id-a", 0.367, { low: 3, high: 3 }, 2),
    ],
    pairs: [],
    warnings: [],
  };
}
