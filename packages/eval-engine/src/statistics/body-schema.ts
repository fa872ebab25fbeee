// The bodies of statistics questions as JSON Schema, for an OpenAPI document. A test checks it against the reader of
// bodies.

import { LATENCY, TOKENS } from "./measures/builtin-metrics.ts";
import type { StatisticsQuestion } from "./statistics.ts";
import { DEFAULTS, MAX_MEASURES, MAX_SLICE_FIELDS } from "./wire/limits.ts";

type Schema = { readonly [keyword: string]: unknown };

/** The body of a question as JSON Schema. Its `query` refers to `querySchema`, the schema of a query's own body. */
export function statisticsSchema(
  question: StatisticsQuestion,
  querySchema: { readonly $ref: string },
): object {
  const { required, properties } = BODIES[question];
  return {
    type: "object",
    properties: {
      query: {
        ...querySchema,
        description:
          "The query that selects the rows, and whose evaluations are compared. Its paging, sorting and parts of the response are ignored.",
      },
      ...properties,
      level: {
        type: ["number", "null"],
        exclusiveMinimum: 0,
        exclusiveMaximum: 1,
        default: DEFAULTS.level,
        description: "The confidence of intervals.",
      },
      missing: choice(
        "How a row without a known value counts: not at all, or (for measures of true and false) as failed.",
        ["exclude", "fail"],
      ),
    },
    required: ["query", ...required],
    additionalProperties: false,
  };
}

/** One of these texts, or null for the first, the default. */
function choice(description: string, values: readonly [string, ...string[]]): Schema {
  return { enum: [...values, null], default: values[0], description };
}

const direction: Schema = {
  enum: ["higher", "lower", null],
  description: `Which values are better. Default: the project's direction of the measure, else the one that its name implies (${LATENCY} and ${TOKENS}: \`lower\`), else \`higher\` for true and false. Other numbers have no direction, and no verdict.`,
};
const margin: Schema = {
  type: ["number", "null"],
  minimum: 0,
  default: 0,
  description: "The smallest difference that matters, in the measure's unit.",
};
const reduce: Schema = {
  type: ["string", "null"],
  pattern: "^(mean|any|all|majority|max|min|median|pass[@^]([1-9]\\d{0,3}|10000))$",
  default: "mean",
  description:
    "How a row's trials become one value. `mean`, `max`, `min` and `median` are of any numbers; `any`, `all`, `majority`, `pass@k` (the chance that some of k trials passes) and `pass^k` (that all do) are of true and false, k up to 10,000.",
};
const field: Schema = { type: "string", description: `\`scores.<path>\`, ${LATENCY} or ${TOKENS}.` };
const measure: Schema = {
  description: "A measure, or only its field.",
  anyOf: [
    field,
    {
      type: "object",
      properties: { field, direction, margin, reduce },
      required: ["field"],
      additionalProperties: false,
    },
  ],
};
const clusterBy: Schema = {
  type: ["string", "null"],
  default: null,
  description: "A field of the row (`inputs.…`): rows with the same value are one cluster.",
};
const evaluation = (description: string): Schema => ({ type: "string", description });
const positive = (description: string, byDefault: number): Schema => ({
  type: ["integer", "null"],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  default: byDefault,
  description,
});

interface Body {
  readonly required: readonly string[];
  readonly properties: { readonly [name: string]: Schema };
}

const BODIES: { readonly [Question in StatisticsQuestion]: Body } = {
  compare: {
    required: ["baseline"],
    properties: {
      baseline: evaluation("One of the query's evaluations; all others are candidates."),
      measures: {
        type: ["array", "null"],
        items: measure,
        minItems: 1,
        maxItems: MAX_MEASURES,
        default: null,
        description: "The measures; null for all score leaves.",
      },
      direction,
      margin: { ...margin, description: "The margin of measures that give none." },
      reduce: { ...reduce, description: "The reducer of measures that give none." },
      cluster_by: clusterBy,
      interval: choice("`bootstrap` resamples rows, or clusters; `auto` chooses by the kind of values.", [
        "auto",
        "bootstrap",
      ]),
      adjustment: {
        enum: ["holm", "bh", "none", null],
        description:
          "How p-values are adjusted for multiple testing. `holm` when not given, but `bh` when no measures are named.",
      },
      anytime: {
        enum: ["auto", true, false, null],
        default: "auto",
        description:
          "Whether intervals are valid at any time during a running evaluation. `auto`: when one has not ended.",
      },
      anytime_rows: positive(
        "The number of rows at which such an interval is tightest.",
        DEFAULTS.anytimeRows,
      ),
      seed: {
        type: ["integer", "null"],
        minimum: -(2 ** 31),
        maximum: 2 ** 31 - 1,
        default: 0,
        description: "Seed of the bootstrap.",
      },
    },
  },
  slices: {
    required: ["baseline", "candidate", "measure"],
    properties: {
      baseline: evaluation("One of the query's evaluations."),
      candidate: evaluation("Another of the query's evaluations."),
      measure,
      fields: {
        type: ["array", "null"],
        items: { type: "string", description: "`inputs.<path>`." },
        maxItems: MAX_SLICE_FIELDS,
        default: null,
        description:
          "Fields of the row. Null for every text and boolean field with 2 to 50 values and every number.",
      },
      depth: {
        enum: [1, 2, null],
        default: 1,
        description: "2 also slices by each pair of fields.",
      },
      min_rows: positive("Rows that a slice needs to be tested.", DEFAULTS.minRows),
      margin,
    },
  },
  ranking: { required: ["measure"], properties: { measure, cluster_by: clusterBy } },
};
