// The page's questions over HTTP: answers conform to the OpenAPI document, and refusals name every fault and its
// location.

import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import type { ViewQuestion } from "@assay/eval-engine/internal";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createHandler, evalResultsRoutes, keyAuthentication, loopbackAuthentication } from "../src/index.ts";

const right = (every: number) => Array.from({ length: 40 }, (_, row) => row % every !== 0);
const engine = createEvalEngine({
  calls: memoryCalls([
    ...evaluationCalls("good", right(20)),
    ...evaluationCalls("bad", right(2)),
    { id: "large", op_name: "Evaluation.evaluate" },
    {
      id: "large-0",
      parent_id: "large",
      op_name: "Evaluation.predict_and_score",
      inputs: { example: { n: 1 } },
      output: { output: "x".repeat(1000), scores: {} },
    },
  ]),
  rows: memoryRows(),
});
const authenticate = loopbackAuthentication();
const handler = createHandler({ routes: [evalResultsRoutes({ engine, authenticate })] });

const ask = (question: string, body: unknown, to = handler) =>
  to(
    new Request(`http://localhost/v2/acme/demo/eval_results/${question}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

const document = (await (await handler(new Request("http://localhost/openapi.json"))).json()) as {
  readonly components: {
    readonly schemas: { readonly [name: string]: { readonly examples?: readonly object[] } };
  };
};
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: "https://assay.test/openapi.json", ...document });
const conforms = (name: string, value: unknown): string => {
  const validate = ajv.getSchema(`https://assay.test/openapi.json#/components/schemas/${name}`)!;
  return validate(value) ? "conforms" : ajv.errorsText(validate.errors);
};

const NAMES = { page: "Page", groups: "Groups", fields: "Fields" } as const;
const query = { evaluation_call_ids: ["bad", "good"] };
const measure = "scores.match.correct";
const BODIES: readonly (readonly [ViewQuestion, object])[] = [
  ["page", { query }],
  [
    "page",
    { query: { ...query, limit: 2 }, measure, baseline: "bad", change: "better", order: "largest_first" },
  ],
  ["page", { query, row_filters: [{ field: "inputs.question", known: true }], measure, preview_chars: 3 }],
  ["groups", { query, by: { field: "inputs.question" } }],
  ["groups", { query, by: { field: measure, evaluation_call_id: "good", baseline: "bad" }, baseline: "bad" }],
  [
    "groups",
    { query, by: { field: "inputs.none", bins: 3 }, measures: [measure], baseline: "bad", level: 0.9 },
  ],
  ["fields", query],
];

test.each(BODIES)(
  "a valid body of %s conforms to the document, and so does the answer: %j",
  async (question, body) => {
    const answer = await ask(question, body);
    expect([answer.status, conforms(`EvalResults${NAMES[question]}Body`, body)]).toEqual([200, "conforms"]);
    expect(conforms(`EvalResults${NAMES[question]}Res`, await answer.json())).toBe("conforms");
  },
);

test("the examples in the document are answered", async () => {
  for (const question of ["page", "groups", "fields"] as const) {
    const { examples = [] } = document.components.schemas[`EvalResults${NAMES[question]}Body`]!;
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const body = JSON.parse(
        JSON.stringify(example).replaceAll("OLD-ID", "none").replaceAll("NEW-ID", "nothing"),
      );
      expect([example, (await ask(question, body)).status]).toEqual([example, 200]);
    }
  }
});

test("an output is shown as a prefix and its full length", async () => {
  const answer = await ask("page", { query: { evaluation_call_ids: ["large"] }, preview_chars: 10 });
  const { rows } = (await answer.json()) as { rows: { evaluations: { trials: { output: object }[] }[] }[] };
  const { output } = rows[0]!.evaluations[0]!.trials[0]!;
  expect(output).toEqual({ value: "x".repeat(10), length: 1000, cut: true });
});

describe("an invalid request is a 422 that names each fault", () => {
  const by = { field: "inputs.question" };
  test.each<readonly [ViewQuestion, object, readonly string[]]>([
    ["page", {}, ["body.query"]],
    [
      "page",
      { query: { limit: -1 }, change: "odd", preview_chars: -1 },
      ["body.query.limit", "body.change", "body.preview_chars"],
    ],
    ["page", { query, change: "worse" }, ["body.measure", "body.baseline"]],
    ["page", { query, order: "largest_first", measure }, ["body.baseline"]],
    ["page", { query, measure, baseline: "nobody", candidate: "other" }, ["body.baseline", "body.candidate"]],
    ["page", { query, measure, baseline: "bad", candidate: "bad" }, ["body.candidate"]],
    ["page", { query, measure: "scores.nothing" }, ["body.measure"]],
    [
      "page",
      { query, measure: "inputs.question", measures: ["outputs.a"] },
      ["body.measure", "body.measures.0"],
    ],
    ["page", { query: { ...query, limit: 1001 } }, ["body.query.limit"]],
    [
      "page",
      {
        query: { ...query, sort_by: [{ field: measure, direction: "asc" }] },
        measure,
        baseline: "bad",
        order: "largest_first",
      },
      ["body.order"],
    ],
    [
      "page",
      { query, row_filters: [{ field: measure, at_least: 1 }] },
      ["body.row_filters.0.evaluation_call_id"],
    ],
    ["page", { query, row_filters: [{ field: "inputs.question" }] }, ["body.row_filters.0"]],
    [
      "page",
      { query, row_filters: [{ field: "inputs.question", evaluation_call_id: "bad", known: true }] },
      ["body.row_filters.0"],
    ],
    ["page", { query, row_filters: [{ field: "outputs.x", known: true }] }, ["body.row_filters.0.field"]],
    [
      "page",
      { query, row_filters: [{ field: measure, evaluation_call_id: "bad", equals: "x" }] },
      ["body.row_filters.0"],
    ],
    ["groups", { query }, ["body.by"]],
    ["groups", { query, by: { ...by, bins: 0 }, level: 1 }, ["body.by.bins", "body.level"]],
    ["groups", { query, by, measures: [{ field: measure, margin: 1 }] }, ["body.measures.0.margin"]],
    ["fields", {}, ["body.evaluation_call_ids"]],
    ["fields", { evaluation_call_ids: [] }, ["body.evaluation_call_ids"]],
  ])("%s %j", async (question, body, places) => {
    const answer = await ask(question, body);
    const { detail } = (await answer.json()) as { detail: { loc: string[] }[] };
    expect([answer.status, detail.map(({ loc }) => loc.join(".")).sort()]).toEqual([422, [...places].sort()]);
  });
});

test("without a key the answer is a 401, and from an engine that only answers queries a 501", async () => {
  const keyed = createHandler({
    routes: [evalResultsRoutes({ engine, authenticate: keyAuthentication("K") })],
  });
  const queries = { answer: engine.answer };
  const plain = createHandler({ routes: [evalResultsRoutes({ engine: queries, authenticate })] });
  for (const [question, body] of BODIES) {
    expect((await ask(question, body, keyed)).status).toBe(401);
    expect((await ask(question, body, plain)).status).toBe(501);
  }
});
