// Random call trees and requests from small pools, so that IDs, rows, scores and fields coincide.

import { parseJson } from "@assay/base/internal";
import { type Call, type DatasetRow, rowDigest } from "@assay/calls";
import { callOf } from "@assay/calls/testing";
import fc from "fast-check";
import type { EvalResultsQueryBody } from "../query/request.ts";

/** A project: its calls in order of arrival, and its dataset rows. */
export interface World {
  /** In order of arrival. */
  readonly calls: readonly Call[];
  /** The dataset's rows, to which calls may refer by their digest. */
  readonly rows: readonly DatasetRow[];
}

const EVALUATIONS = ["e1", "e2", "e3", "e1-p0"];

/** Possible values of a score, an output or a row's field. */
export const LEAVES: readonly DatasetRow["val"][] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.1,
  0.2,
  0.7,
  10,
  2,
  1e16,
  1e308,
  "",
  "1",
  "0.5",
  "10",
  "true",
  "abc",
  "ABC",
  "äÖ",
  "\u{1f600}",
  "\uffee",
  "1e3",
  " 1",
];

const leaf = fc.constantFrom(...LEAVES);

// Numbers that JavaScript would print differently. Generated data contains them as texts, which `logged` replaces.
const SPELLED = ["1.0", "0.50", "1e5", "1E+2", "-0", "-0.0", "1e-7", "9007199254740992", "9007199254740993"];

const loggedLeaf = fc.oneof(
  { weight: 4, arbitrary: leaf },
  { weight: 1, arbitrary: fc.constantFrom(...SPELLED).map((number) => `#${number}#`) },
);

/** Data as a client logs it: parsed from JSON text with numbers in all notations. */
function logged<Data>(data: Data): Data {
  return parseJson(JSON.stringify(data).replaceAll(/"#([^"]*)#"/g, "$1")) as Data;
}

const valueWith = (leaf: fc.Arbitrary<DatasetRow["val"]>): fc.Arbitrary<DatasetRow["val"]> =>
  fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(leaf, { maxLength: 2 }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(fc.constantFrom("a", "b", "a.b", "0"), leaf, {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    },
  );

const value = valueWith(leaf);
const loggedValue = valueWith(loggedLeaf);

const scores = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(fc.constantFrom("s", "t", "s.a", "é", "judge"), loggedValue, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<DatasetRow["val"]>(null, "weave:///scores", []) },
);

const row = fc.oneof(
  fc.record({ x: loggedLeaf, cat: fc.constantFrom("math", "law") }),
  fc.record({ cat: fc.constantFrom("math", "law"), "k.k": loggedLeaf }),
);

const datasetRow = fc
  .oneof({ weight: 9, arbitrary: row }, { weight: 1, arbitrary: fc.constant(null) })
  .map((made): DatasetRow => {
    const val = logged<DatasetRow["val"]>(made);
    return { digest: rowDigest(val), val };
  });

const example = (rows: readonly DatasetRow[]): fc.Arbitrary<DatasetRow["val"]> =>
  fc.oneof(
    { weight: 4, arbitrary: row },
    { weight: 1, arbitrary: fc.constantFrom<DatasetRow["val"]>(null, "text", 3, [1]) },
    {
      weight: 4,
      arbitrary: fc
        .constantFrom("missing", ...rows.map(({ digest }) => digest))
        .map((digest) => `weave:///acme/demo/object/rows:v1/attr/rows/id/${digest}`),
    },
  );

const time = fc
  .integer({ min: 0, max: 3 })
  .map((second) => `2026-01-01T00:00:0${second}${second % 2 === 0 ? "Z" : ".5+00:00"}`);

const usage = fc.constantFrom<DatasetRow["val"]>(
  {},
  { usage: { m: { total_tokens: 5 } } },
  { usage: { m: { total_tokens: 0 }, n: { total_tokens: 2 } } },
  { usage: { m: {} } },
  { usage: { m: { total_tokens: 1.5 }, n: { total_tokens: 2.5 } } },
  { weave: { genai_span_ref: [{ trace_id: "t", span_id: "s" }] } },
  { weave: { genai_span_ref: { trace_id: "t", span_id: "other" } } },
);

/** The op of a model that is a plain function. */
const FUNCTION = "weave:///acme/demo/op/answer:v1";

/** A call with only the given members. */
export function call(fields: Partial<Call> & { readonly id: string }): Call {
  return callOf(fields.id, null, { op_name: "", started_at: null, ...fields });
}

const root = (id: string): fc.Arbitrary<Call> =>
  fc.record({ display: fc.constantFrom(null, "run"), started_at: time }).map(({ display, started_at }) =>
    call({
      id,
      op_name: "weave:///acme/demo/op/Evaluation.evaluate:v1",
      display_name: display,
      started_at,
      inputs: { self: "weave:///acme/demo/object/eval:v1", model: `model-${id}` },
    }),
  );

const trial = (evaluation: string, n: number, rows: readonly DatasetRow[]): fc.Arbitrary<Call[]> => {
  const id = `${evaluation}-p${n}`;
  return fc
    .record({
      example: example(rows),
      output: fc.record(
        {
          output: loggedValue,
          scores,
          model_latency: fc.constantFrom<DatasetRow["val"]>(1, { mean: 0.5 }, "slow"),
        },
        { requiredKeys: [] },
      ),
      finished: fc.boolean(),
      deleted: fc.integer({ min: 0, max: 9 }).map((k) => k === 0),
      op: fc.constantFrom(
        "weave:///acme/demo/op/Evaluation.predict_and_score:v1",
        "Evaluation.predictAndScore",
        "Evaluation.predict_and_score",
        "Evaluation.other",
      ),
      started_at: time,
      summary: usage,
      // A model is an object, or a plain function: its call is then identified by its op.
      model: fc.constantFrom(`model-${evaluation}`, FUNCTION),
      predict: fc.constantFrom(undefined, "method", "function"),
      predictSummary: usage,
      scorer: fc.constantFrom(undefined, "s.score", "judge", "MyScorer", "t"),
      marked: fc.constantFrom<DatasetRow["val"]>(
        {},
        { weave: { score: "true" } },
        { _weave_eval_meta: { score: 1 } },
      ),
    })
    .map((t) => {
      const calls = [
        call({
          id,
          parent_id: evaluation,
          op_name: t.op,
          started_at: t.started_at,
          ended_at: "2026-01-01T00:00:09Z",
          inputs: { model: t.model, example: t.example },
          output: t.finished ? (t.output as DatasetRow["val"]) : null,
          summary: t.summary,
          deleted_at: t.deleted ? "2026-01-02T00:00:00Z" : null,
        }),
      ];
      if (t.predict !== undefined)
        calls.push(
          call({
            id: `${id}-predict`,
            parent_id: id,
            op_name: t.predict === "function" ? FUNCTION : "weave:///acme/demo/op/run:v1",
            started_at: t.started_at,
            ended_at: "2026-01-01T00:00:08Z",
            inputs: t.predict === "function" ? {} : { self: `model-${evaluation}` },
            summary: t.predictSummary,
          }),
        );
      if (t.scorer !== undefined)
        calls.push(
          call({
            id: `${id}-${t.scorer}`,
            parent_id: id,
            op_name: t.scorer,
            started_at: t.started_at,
            attributes: t.marked,
          }),
        );
      return calls;
    });
};

/** A project with up to three evaluations over a few shared rows, arriving in any order. */
export const world: fc.Arbitrary<World> = fc.array(datasetRow, { maxLength: 4 }).chain((rows) =>
  fc
    .tuple(
      ...["e1", "e2", "e3"].map((id) =>
        fc
          .integer({ min: 0, max: 6 })
          .chain((n) =>
            fc
              .tuple(root(id), ...Array.from({ length: n }, (_, k) => trial(id, k, rows)))
              .map(([r, ...trials]) => [r, ...trials.flat()]),
          ),
      ),
    )
    .chain((evaluations) => {
      const calls = evaluations.flat();
      return fc.shuffledSubarray(calls, { minLength: Math.max(0, calls.length - 1) });
    })
    .map((calls) => ({ calls: calls.map(logged), rows })),
);

const field = fc.constantFrom(
  "scores.s",
  "scores.t",
  "scores.s.a",
  "scores.s\\.a",
  "scores.s.0",
  "scores.s.a\\.b",
  "scores.é",
  "scores.none",
  "outputs",
  "outputs.a",
  "outputs.0",
  "output.output.a",
  "output.model_latency.mean",
  "inputs",
  "inputs.x",
  "inputs.cat",
  "inputs.k\\.k",
  "row_digest",
);

const literal = fc.oneof(
  { weight: 5, arbitrary: leaf.map((one) => ({ $literal: one })) },
  { weight: 1, arbitrary: value.map((one) => ({ $literal: one })) },
);

/** Random operations of the query language. */
export const operation: fc.Arbitrary<object> = fc.letrec<{ operation: object; operand: object }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 5, arbitrary: field.map((name) => ({ $getField: name })) },
    { weight: 3, arbitrary: literal },
    {
      weight: 2,
      arbitrary: fc
        .record({ input: tie("operand"), to: fc.constantFrom("double", "string", "int", "bool", "exists") })
        .map(($convert) => ({ $convert })),
    },
    { weight: 1, arbitrary: tie("operation") },
  ),
  operation: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom("$eq", "$gt", "$lt", "$gte", "$lte"), tie("operand"), tie("operand"))
        .map(([op, a, b]) => ({ [op]: [a, b] })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          tie("operand"),
          fc.array(
            fc.oneof(
              { weight: 4, arbitrary: literal },
              { weight: 1, arbitrary: field.map((name) => ({ $getField: name })) },
            ),
            { maxLength: 4 },
          ),
        )
        .map(([a, list]) => ({ $in: [a, list] })),
    },
    {
      weight: 2,
      arbitrary: fc
        .record(
          {
            input: tie("operand"),
            substr: tie("operand"),
            case_insensitive: fc.constantFrom(true, false, null),
          },
          { requiredKeys: ["input", "substr"] },
        )
        .map(($contains) => ({ $contains })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("$and", "$or"), fc.array(tie("operand"), { minLength: 1, maxLength: 3 }))
        .map(([op, operands]) => ({ [op]: operands })),
    },
    { weight: 1, arbitrary: tie("operand").map((operand) => ({ $not: [operand] })) },
  ),
})).operation;

const scope = fc.constantFrom(null, null, "e1", "e2", "e3", "unknown");

const filter = fc.record(
  { evaluation_call_id: scope, query: operation.map(($expr) => ({ $expr })) },
  { requiredKeys: ["query"] },
);

const sortBy = fc
  .record(
    {
      field,
      direction: fc.constantFrom("asc" as const, "desc" as const),
      evaluation_call_id: scope,
      mode: fc.constantFrom("value" as const, "difference" as const),
    },
    { requiredKeys: ["field", "direction"] },
  )
  .filter(
    ({ field, mode }) => field !== "row_digest" && (mode !== "difference" || field.startsWith("scores.")),
  );

/** Random valid requests. */
export const request: fc.Arbitrary<EvalResultsQueryBody> = fc.record(
  {
    evaluation_call_ids: fc.array(fc.constantFrom(...EVALUATIONS, "unknown"), { minLength: 1, maxLength: 4 }),
    evaluation_run_ids: fc.array(fc.constantFrom(...EVALUATIONS), { maxLength: 2 }),
    require_intersection: fc.boolean(),
    include_raw_data_rows: fc.constant(true),
    resolve_row_refs: fc.boolean(),
    include_rows: fc.integer({ min: 0, max: 7 }).map((k) => k > 0),
    include_summary: fc.integer({ min: 0, max: 3 }).map((k) => k > 0),
    summary_require_intersection: fc.constantFrom(true, false, null),
    include_predict_and_score_children: fc.boolean(),
    include_costs: fc.boolean(),
    sort_by: fc.array(sortBy, { maxLength: 3 }),
    filters: fc.array(filter, { maxLength: 3 }),
    filter_logic_operator: fc.constantFrom("and" as const, "or" as const),
    limit: fc.constantFrom(null, 0, 1, 2, 50),
    offset: fc.constantFrom(0, 0, 1, 3),
  },
  { requiredKeys: ["evaluation_call_ids", "include_raw_data_rows"] },
);
