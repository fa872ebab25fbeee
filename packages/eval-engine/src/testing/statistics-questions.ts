// Random statistics questions, from small pools.

import fc from "fast-check";
import type { StatisticsQuestion } from "../statistics/statistics.ts";
import { request } from "./arbitrary.ts";

/** A statistics question, with its body. */
export type Questions = fc.Arbitrary<readonly [StatisticsQuestion, object]>;

const reduce = fc.constantFrom(
  "mean",
  "mean",
  "mean",
  "any",
  "all",
  "majority",
  "max",
  "min",
  "median",
  "pass@2",
  "pass^1",
);
const level = fc.constantFrom(0.5, 0.9, 0.95);
const missing = fc.constantFrom("exclude", "fail");
const margin = fc.constantFrom(0, 0.1, 2);

const withPair = (ids: readonly string[]): string[] => [...new Set(["e1", "e2", ...ids])];

const anyQuery = request.map((body) => ({
  ...body,
  evaluation_call_ids: withPair(body.evaluation_call_ids!),
}));

// Mostly all rows or many of them: few rows show little.
const filter = fc.constantFrom<object>(
  { query: { $expr: { $eq: [{ $getField: "inputs.cat" }, { $literal: "math" }] } } },
  { query: { $expr: { $gte: [{ $getField: "inputs.size" }, { $literal: 2 }] } } },
  { evaluation_call_id: "e1", query: { $expr: { $gt: [{ $getField: "scores.s" }, { $literal: 0.3 }] } } },
  { query: { $expr: { $not: [{ $eq: [{ $getField: "scores.t.a" }, { $literal: true }] }] } } },
);
const usualQuery = fc
  .record({
    others: fc.subarray(["e3", "e4"]),
    filters: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(filter, { maxLength: 2 }) },
    ),
    filter_logic_operator: fc.constantFrom("and", "or"),
    require_intersection: fc.integer({ min: 0, max: 4 }).map((k) => k === 0),
  })
  .map(({ others, ...body }) => ({ ...body, evaluation_call_ids: withPair(others) }));

/** The subject of questions. */
export interface Pools {
  /** The `query` of a question's body. */
  readonly query: fc.Arbitrary<object>;
  /** Paths of the possible measures. */
  readonly scores: readonly string[];
  /** Paths of the row's fields for slices and clusters. */
  readonly fields: readonly string[];
}

/** Questions over some queries, measures and fields of the row. */
export function questions({ query, scores, fields }: Pools): Questions {
  const measureField = fc.constantFrom(...scores);
  const measure = fc.oneof(
    measureField,
    fc.record(
      { field: measureField, direction: fc.constantFrom("higher", "lower"), margin, reduce },
      { requiredKeys: ["field"] },
    ),
  );
  const rowField = fc.constantFrom(...fields);
  const cluster_by = fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, rowField);
  const asked = <T extends object>(kind: StatisticsQuestion, body: fc.Arbitrary<T>) =>
    body.map((one) => [kind, one] as const);
  return fc.oneof(
    {
      weight: 3,
      arbitrary: asked(
        "compare",
        fc.record(
          {
            ...{ query, level, missing, reduce, margin, cluster_by },
            baseline: fc.constantFrom("e1", "e2"),
            measures: fc.oneof(fc.constant(null), fc.array(measure, { minLength: 1, maxLength: 3 })),
            adjustment: fc.constantFrom("holm", "bh", "none"),
            anytime: fc.constantFrom("auto", true, false),
            anytime_rows: fc.constantFrom(20, 500),
            // Ten thousand resamples would take long.
            interval: fc.integer({ min: 0, max: 79 }).map((k) => (k === 0 ? "bootstrap" : "auto")),
            seed: fc.integer({ min: 0, max: 3 }),
          },
          { requiredKeys: ["query", "baseline"] },
        ),
      ),
    },
    {
      weight: 2,
      arbitrary: asked(
        "slices",
        fc.record(
          {
            ...{ query, measure, level, missing, margin },
            baseline: fc.constant("e1"),
            candidate: fc.constant("e2"),
            fields: fc.oneof(fc.constant(null), fc.array(rowField, { maxLength: 3 })),
            depth: fc.constantFrom(1, 2),
            min_rows: fc.constantFrom(1, 2, 10),
          },
          { requiredKeys: ["query", "baseline", "candidate", "measure"] },
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: asked(
        "ranking",
        fc.record({ query, measure, level, cluster_by, missing }, { requiredKeys: ["query", "measure"] }),
      ),
    },
  );
}

/** A project of arbitrary calls. */
export const ANY_CALLS: Pools = {
  query: anyQuery,
  scores: [
    "scores.s",
    "scores.t",
    "scores.s.a",
    "scores.s\\.a",
    "scores.judge",
    "model_latency_seconds",
    "total_tokens",
  ],
  fields: ["inputs.x", "inputs.cat", "inputs.k\\.k", "inputs.none"],
};

/** Evaluations that share rows. */
export const SHARED_ROWS: Pools = {
  query: fc.oneof({ weight: 1, arbitrary: anyQuery }, { weight: 9, arbitrary: usualQuery }),
  scores: ["scores.s", "scores.t.a", "scores.u", "model_latency_seconds"],
  fields: ["inputs.cat", "inputs.size", "inputs.mixed", "inputs.doc.id", "inputs.n"],
};

/**
 * Whether a database answers a question. Slices without named fields, and latency, are answered in process: fields are
 * found in whole rows, and latency is derived from calls.
 */
export function isPushed([kind, body]: readonly [StatisticsQuestion, object]): boolean {
  const namesNone = ((body as { readonly fields?: unknown }).fields ?? null) === null;
  return !(kind === "slices" && namesNone) && !JSON.stringify(body).includes("model_latency_seconds");
}
