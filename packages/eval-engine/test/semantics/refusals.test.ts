// docs/reference/semantics.md, "Answers and refusals": which bodies are rejected, with which error type and location.
// Each row is a body and its faults, written as `type at loc`. An invalid body is rejected before any call is read.

import { describe, expect, test } from "vitest";
import { createEvalEngine, type EvalResultsQueryBody, memoryCalls, memoryRows } from "../../src/index.ts";

const untouched = () => {
  throw new Error("the source was queried");
};
const engine = createEvalEngine({
  calls: { ...memoryCalls(), version: untouched, calls: untouched, trees: untouched, changes: untouched },
  rows: { ...memoryRows(), version: untouched, rows: untouched },
});

async function faults(body: unknown): Promise<string[]> {
  const answer = await engine.answer("acme/demo", body);
  expect(await engine.answer("acme/demo", body, { plan: "naive" })).toEqual(answer);
  if (answer.ok) throw new Error("the body was accepted");
  for (const { message } of answer.issues) expect(message).not.toBe("");
  return answer.issues.map(({ code, path }) => `${code} at ${path.join(".")}`);
}

const expr = ($expr: unknown) => ({ filters: [{ query: { $expr } }] });
const sort = (...keys: unknown[]) => ({ sort_by: keys });
const field = (name: unknown) => ({ $getField: name });
const literal = ($literal: unknown) => ({ $literal });
const EXPR = "body.filters.0.query.$expr";

const TABLE: { readonly [section: string]: readonly (readonly [body: unknown, ...faults: string[]])[] } = {
  "the body": [
    [null, "dict_type at body"],
    [[], "dict_type at body"],
    ["{}", "dict_type at body"],
    [{ evaluations: [] }, "extra_forbidden at body.evaluations"],
    [JSON.parse('{ "__proto__": { "limit": 1 } }'), "extra_forbidden at body.__proto__"],
    [
      { constructor: 1, toString: 2 },
      "extra_forbidden at body.constructor",
      "extra_forbidden at body.toString",
    ],
  ],
  ids: [
    [{ evaluation_call_ids: "e1" }, "list_type at body.evaluation_call_ids"],
    [{ evaluation_run_ids: { 0: "e1" } }, "list_type at body.evaluation_run_ids"],
    [
      { evaluation_call_ids: ["e1", 2, null] },
      "string_type at body.evaluation_call_ids.1",
      "string_type at body.evaluation_call_ids.2",
    ],
    [
      { evaluation_call_ids: Array.from({ length: 257 }, (_, i) => `e${i}`) },
      "too_long at body.evaluation_call_ids",
    ],
  ],
  flags: [
    [{ require_intersection: null }, "bool_type at body.require_intersection"],
    [{ include_raw_data_rows: "true" }, "bool_type at body.include_raw_data_rows"],
    [{ include_rows: 1 }, "bool_type at body.include_rows"],
    [{ include_costs: "yes" }, "bool_type at body.include_costs"],
    [{ include_summary: [] }, "bool_type at body.include_summary"],
    [{ summary_require_intersection: "no" }, "bool_type at body.summary_require_intersection"],
    [{ include_predict_and_score_children: {} }, "bool_type at body.include_predict_and_score_children"],
    [{ resolve_row_refs: true }, "value_error at body.resolve_row_refs"],
    [{ resolve_row_refs: true, include_raw_data_rows: false }, "value_error at body.resolve_row_refs"],
  ],
  "the page": [
    [{ limit: -1 }, "greater_than_equal at body.limit"],
    [{ offset: -1 }, "greater_than_equal at body.offset"],
    [{ limit: 1.5 }, "int_type at body.limit"],
    [{ limit: "5" }, "int_type at body.limit"],
    [{ limit: true }, "int_type at body.limit"],
    [{ offset: null }, "int_type at body.offset"],
    [{ limit: Number.POSITIVE_INFINITY }, "int_type at body.limit"],
  ],
  "sort keys": [
    [{ sort_by: {} }, "list_type at body.sort_by"],
    [sort(5, null), "dict_type at body.sort_by.0", "dict_type at body.sort_by.1"],
    [sort({}), "missing at body.sort_by.0.direction", "missing at body.sort_by.0.field"],
    [sort({ field: "scores.s", direction: "up" }), "literal_error at body.sort_by.0.direction"],
    [sort({ field: "scores.s", direction: "asc", mode: "mean" }), "literal_error at body.sort_by.0.mode"],
    [sort({ field: 5, direction: "asc" }), "string_type at body.sort_by.0.field"],
    [
      sort({ field: "scores.s", direction: "asc", evaluation_call_id: 1 }),
      "string_type at body.sort_by.0.evaluation_call_id",
    ],
    [
      sort({ field: "scores.s", direction: "asc", nulls: "first" }),
      "extra_forbidden at body.sort_by.0.nulls",
    ],
    ...[
      "bogus.field",
      "score.s",
      "scores",
      "output",
      "row_digest",
      "",
      "scores.",
      "scores..s",
      ".scores.s",
    ].map(
      (name) => [sort({ field: name, direction: "asc" }), "value_error at body.sort_by.0.field"] as const,
    ),
    [
      sort({ field: "outputs.a", direction: "asc", mode: "difference" }),
      "value_error at body.sort_by.0.field",
    ],
    [sort({ field: "inputs", direction: "asc", mode: "difference" }), "value_error at body.sort_by.0.field"],
    [
      sort(...Array.from({ length: 17 }, () => ({ field: "scores.s", direction: "asc" }))),
      "too_long at body.sort_by",
    ],
  ],
  filters: [
    [{ filter_logic_operator: "xor" }, "literal_error at body.filter_logic_operator"],
    [{ filter_logic_operator: null }, "literal_error at body.filter_logic_operator"],
    [{ filters: "scores.s > 1" }, "list_type at body.filters"],
    [{ filters: [7] }, "dict_type at body.filters.0"],
    [{ filters: [{}] }, "missing at body.filters.0.query"],
    [{ filters: [{ query: null }] }, "dict_type at body.filters.0.query"],
    [{ filters: [{ query: {} }] }, "missing at body.filters.0.query.$expr"],
    [
      {
        filters: [
          { query: { $expr: { $not: [literal(true)] }, $match: {} }, scope: "e1", evaluation_call_id: 1 },
        ],
      },
      "string_type at body.filters.0.evaluation_call_id",
      "extra_forbidden at body.filters.0.scope",
      "extra_forbidden at body.filters.0.query.$match",
    ],
    [
      { filters: Array.from({ length: 101 }, () => ({ query: { $expr: { $not: [literal(true)] } } })) },
      "too_long at body.filters",
    ],
  ],
  operations: [
    [expr({}), `missing at ${EXPR}`],
    [expr([]), `dict_type at ${EXPR}`],
    [expr({ $ne: [1, 2] }), `extra_forbidden at ${EXPR}.$ne`],
    [expr(literal(true)), `extra_forbidden at ${EXPR}.$literal`],
    [expr(field("scores.s")), `extra_forbidden at ${EXPR}.$getField`],
    [expr({ $eq: [literal(1), literal(1)], $not: [literal(true)] }), `extra_forbidden at ${EXPR}.$not`],
    [expr({ $and: [] }), `too_short at ${EXPR}.$and`],
    [expr({ $or: [] }), `too_short at ${EXPR}.$or`],
    [expr({ $and: literal(true) }), `list_type at ${EXPR}.$and`],
    [expr({ $not: [] }), `too_short at ${EXPR}.$not`],
    [expr({ $not: [literal(1), literal(2)] }), `too_long at ${EXPR}.$not`],
    ...["$eq", "$gt", "$lt", "$gte", "$lte"].flatMap((op) => [
      [expr({ [op]: [literal(1)] }), `too_short at ${EXPR}.${op}`] as const,
      [expr({ [op]: [literal(1), literal(1), literal(1)] }), `too_long at ${EXPR}.${op}`] as const,
      [expr({ [op]: [literal(1), 1] }), `dict_type at ${EXPR}.${op}.1`] as const,
    ]),
    [expr({ $in: [field("scores.s"), literal([1])] }), `list_type at ${EXPR}.$in.1`],
    [expr({ $in: [field("scores.s"), [1]] }), `dict_type at ${EXPR}.$in.1.0`],
    [expr({ $contains: {} }), `missing at ${EXPR}.$contains.input`, `missing at ${EXPR}.$contains.substr`],
    [
      expr({ $contains: { input: literal("a"), substr: literal("a"), case_insensitive: "yes" } }),
      `bool_type at ${EXPR}.$contains.case_insensitive`,
    ],
    [
      expr({ $eq: [{ $convert: { input: literal(1), to: "float" } }, literal(1)] }),
      `literal_error at ${EXPR}.$eq.0.$convert.to`,
    ],
    [
      expr({ $eq: [{ $convert: {} }, literal(1)] }),
      `missing at ${EXPR}.$eq.0.$convert.input`,
      `missing at ${EXPR}.$eq.0.$convert.to`,
    ],
    [expr({ $eq: [field(3), literal(1)] }), `string_type at ${EXPR}.$eq.0.$getField`],
  ],
  fields: ["bogus", "scores", "output", "row_digest.x", "outputs.", "", "input.x", "trial.id"].map((name) => [
    expr({ $eq: [field(name), literal(1)] }),
    `value_error at ${EXPR}.$eq.0.$getField`,
  ]),
  "all faults at once": [
    [
      {
        evaluation_call_ids: [1],
        limit: -1,
        typo: true,
        resolve_row_refs: true,
        sort_by: [{ field: "x" }],
        filters: [{ query: { $expr: { $gt: [field("nope")] } } }, {}],
      },
      "string_type at body.evaluation_call_ids.0",
      "greater_than_equal at body.limit",
      "missing at body.filters.1.query",
      "missing at body.sort_by.0.direction",
      "extra_forbidden at body.typo",
      `too_short at ${EXPR}.$gt`,
      `value_error at ${EXPR}.$gt.0.$getField`,
      "value_error at body.sort_by.0.field",
      "value_error at body.resolve_row_refs",
    ],
  ],
};

describe.each(Object.entries(TABLE))("%s", (_, bodies) => {
  test.each(bodies.map(([body, ...wanted]) => [JSON.stringify(body).slice(0, 90), body, wanted] as const))(
    "%s",
    async (_, body, wanted) => {
      expect((await faults(body)).toSorted()).toEqual(wanted.toSorted());
    },
  );
});

test("nesting that could exhaust the stack is a fault, not a crash", async () => {
  let deep: unknown = literal(true);
  for (let i = 0; i < 100_000; i++) deep = { $not: [deep] };
  expect((await faults(expr(deep)))[0]).toMatch(/^value_error at body\.filters\.0\.query\.\$expr\.\$not/);
  let list: unknown = 1;
  for (let i = 0; i < 100_000; i++) list = [list];
  expect((await faults(expr({ $eq: [field("outputs"), literal(list)] })))[0]).toMatch(/^value_error at/);
});

test("query throws the issues that answer returns", async () => {
  const body = { limit: -1, offset: "x" } as unknown as EvalResultsQueryBody;
  await expect(engine.query("acme/demo", body)).rejects.toThrow(
    new TypeError("body.limit: limit must be 0 or more; body.offset: offset must be an integer"),
  );
});
