// Invalid statistics queries, each with the place and the code of the issue that the response must contain. Tests run
// them against the sources and against the built command.

import type { StatisticsQuestion } from "@assay/eval-engine/internal";

const query = { evaluation_call_ids: ["good", "bad"] };
const compare = { query, baseline: "bad" };
const slices = { ...compare, candidate: "good", measure: "scores.match.correct" };
const ranking = { query, measure: "scores.match.correct" };
const tooMany = Array.from({ length: 10_000 }, (_, i) => `scores.s${i}`);

type Refusal = readonly [
  name: string,
  question: StatisticsQuestion,
  body: unknown,
  fault: readonly [loc: string, type: string],
];

/**
 * The name, the question, the body (sent unchanged if it is a text), and the issue: its `loc` joined with dots, and its
 * `type`.
 */
export const STATISTICS_REFUSALS: readonly Refusal[] = [
  ["a body that is not an object", "compare", [], ["body", "dict_type"]],
  ["a body that is not JSON", "slices", "{", ["body.1", "json_invalid"]],
  ["no query", "ranking", { measure: "scores.match.correct" }, ["body.query", "missing"]],
  [
    "a fault in the query",
    "compare",
    { ...compare, query: { ...query, filters: [{}] } },
    ["body.query.filters.0.query", "missing"],
  ],
  ["an unknown baseline", "compare", { ...compare, baseline: "nobody" }, ["body.baseline", "value_error"]],
  [
    "a candidate that is the baseline",
    "slices",
    { ...slices, candidate: "bad" },
    ["body.candidate", "value_error"],
  ],
  [
    "a property of another question",
    "ranking",
    { ...ranking, baseline: "bad" },
    ["body.baseline", "extra_forbidden"],
  ],
  ["a margin below 0", "compare", { ...compare, margin: -0.1 }, ["body.margin", "greater_than_equal"]],
  ["a level of 1", "compare", { ...compare, level: 1 }, ["body.level", "less_than"]],
  ["a level that is text", "ranking", { ...ranking, level: "0.9" }, ["body.level", "float_type"]],
  ["10,000 measures", "compare", { ...compare, measures: tooMany }, ["body.measures", "too_long"]],
  [
    "a field that is not a measure",
    "compare",
    { ...compare, measures: [{ field: "inputs.question" }] },
    ["body.measures.0.field", "value_error"],
  ],
  ["an unknown reducer", "compare", { ...compare, reduce: "pass@0" }, ["body.reduce", "literal_error"]],
  ["a seed of 33 bits", "compare", { ...compare, seed: 2 ** 32 }, ["body.seed", "value_error"]],
  [
    "a cluster that is not a field of the row",
    "ranking",
    { ...ranking, cluster_by: "scores.a" },
    ["body.cluster_by", "value_error"],
  ],
  [
    "a slice by something other than a field of the row",
    "slices",
    { ...slices, fields: ["output"] },
    ["body.fields.0", "value_error"],
  ],
  ["a depth of 3", "slices", { ...slices, depth: 3 }, ["body.depth", "literal_error"]],
  [
    "a minimum of no rows in a slice",
    "slices",
    { ...slices, min_rows: 0 },
    ["body.min_rows", "greater_than_equal"],
  ],
];
