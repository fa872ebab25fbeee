// The OpenAPI document: it is complete, and describes requests and answers correctly.

import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine, memoryCalls, memoryDirections, memoryRows } from "@assay/eval-engine";
import { STATISTICS_REFUSALS } from "@assay/testing/statistics-refusals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { loopbackAuthentication } from "../src/auth/auth.ts";
import { evalResultsRoutes } from "../src/eval-results/eval-results-routes.ts";
import { createHandler } from "../src/handler.ts";
import { openApiDocument } from "../src/openapi/open-api.ts";
import { projectDataRoutes } from "../src/project-data/project-data-routes.ts";

const engine = createEvalEngine({
  calls: memoryCalls([
    ...evaluationCalls("good", [true, true, false]),
    ...evaluationCalls("bad", [false, true]),
  ]),
  rows: memoryRows(),
});
const authenticate = loopbackAuthentication();
const data = {
  evaluations: async () => [],
  importLines: async () => ({ lines: 0, changed: 0, bad_lines: 0, bad: [], in_evaluations: false }),
  async *exportLines() {},
  directions: memoryDirections(),
};
const handler = createHandler({
  routes: [
    evalResultsRoutes({ engine, authenticate }),
    projectDataRoutes({ data, remove: async () => ({ calls: 0, rows: 0 }), authenticate }),
  ],
});

interface Document {
  openapi: string;
  paths: { [path: string]: { [method: string]: { responses: object } } };
  components: { schemas: { [name: string]: object } };
}
const document = (await (await handler(new Request("http://localhost/openapi.json"))).json()) as Document;

const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: "https://assay.test/openapi.json", ...document });
const conforms = (name: string, value: unknown): string => {
  const validate = ajv.getSchema(`https://assay.test/openapi.json#/components/schemas/${name}`)!;
  return validate(value) ? "conforms" : ajv.errorsText(validate.errors);
};

const ask = (body: unknown, question = "query") =>
  handler(
    new Request(`http://localhost/v2/acme/demo/eval_results/${question}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

test("it is OpenAPI 3.1, and every reference in it resolves", () => {
  expect(document.openapi).toBe("3.1.0");
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!);
});

test("every path in it is answered, and every answer is documented", async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const address = `http://localhost${path.replaceAll(/\{\w+\}/g, "x")}`;
      // The only operation with a required query parameter.
      const query = path.endsWith("/evaluations") && method === "delete" ? "?evaluation=x" : "";
      const answer = await handler(new Request(address + query, { method: method.toUpperCase() }));
      expect([path, String(answer.status)]).toEqual([path, expect.stringMatching(/200|415/)]);
      expect(Object.keys(responses)).toContain(String(answer.status));
    }
  }
});

test("a stream that counts for its key is documented with the refusal of too many", () => {
  const routes = projectDataRoutes({
    data,
    remove: async () => ({ calls: 0, rows: 0 }),
    authenticate,
  }).routes;
  const streams = routes.filter(({ stream }) => stream === "large");
  expect(streams.length).toBeGreaterThan(0);
  for (const { method, path } of streams)
    expect(document.paths[path]![method.toLowerCase()]!.responses).toHaveProperty("429");
});

test("a request is answered exactly if it conforms", async () => {
  const filter = (expr: object) => ({ filters: [{ query: { $expr: expr } }] });
  const score = { $getField: "scores.match.correct" };
  const bodies = [
    {},
    {
      evaluation_call_ids: ["good", "bad"],
      evaluation_run_ids: null,
      limit: 0,
      offset: 3,
      include_summary: true,
    },
    {
      sort_by: [
        { field: "scores.match.correct", direction: "desc", mode: "difference", evaluation_call_id: null },
      ],
    },
    filter({
      $and: [{ $eq: [score, { $literal: true }] }, { $not: [{ $in: [score, [{ $literal: null }]] }] }],
    }),
    filter({ $contains: { input: { $convert: { input: score, to: "string" } }, substr: { $literal: "t" } } }),
    { limit: "10" },
    { offset: null },
    { bogus: 1 },
    { evaluation_call_ids: [1] },
    { sort_by: [{ field: "scores.a" }] },
    { filter_logic_operator: "xor" },
    filter({ $not: [score, score] }),
    filter({ $in: [score, score] }),
    filter({ $regex: [score] }),
    { filters: [{ query: {} }] },
  ];
  for (const body of bodies) {
    const { status } = await ask(body);
    const expected = status === 200 ? "conforms" : expect.not.stringMatching(/^conforms$/);
    expect([body, conforms("EvalResultsQueryBody", body)]).toEqual([body, expected]);
  }
});

test("answers conform to it", async () => {
  const full = await ask({
    evaluation_call_ids: ["good", "bad"],
    include_summary: true,
    include_raw_data_rows: true,
  });
  expect(conforms("EvalResultsQueryRes", await full.json())).toBe("conforms");
  expect(conforms("EvalResultsQueryRes", await (await ask({})).json())).toBe("conforms");
  expect(conforms("HTTPValidationError", await (await ask({ limit: -1 })).json())).toBe("conforms");
});

const NAMES = { compare: "Compare", slices: "Slices", ranking: "Ranking" } as const;
const pair = { query: { evaluation_call_ids: ["good", "bad"] }, baseline: "bad" };
const measure = "scores.match.correct";

/** Valid bodies, with each property at its bounds and at null. */
const ANSWERED: readonly (readonly [keyof typeof NAMES, object])[] = [
  ["compare", pair],
  ["compare", { ...pair, measures: null, direction: null, margin: null, reduce: null, cluster_by: null }],
  ["compare", { ...pair, level: null, missing: null, interval: null, adjustment: null, anytime: null }],
  ["compare", { ...pair, measures: [measure, "model_latency_seconds"], anytime_rows: null }],
  ["compare", { ...pair, level: 0.001, margin: 0, anytime: true, anytime_rows: 1, seed: -(2 ** 31) }],
  ["compare", { ...pair, level: 0.999, missing: "fail", interval: "bootstrap", adjustment: "none", seed: 7 }],
  [
    "compare",
    {
      ...pair,
      measures: [{ field: measure, direction: "lower", margin: 0.5, reduce: "pass@10000" }],
      ...{ cluster_by: "inputs.question", reduce: "pass^1", seed: 2 ** 31 - 1, anytime: "auto" },
    },
  ],
  ["slices", { ...pair, candidate: "good", measure, fields: ["inputs.question"], depth: 2, min_rows: 1 }],
  ["slices", { ...pair, candidate: "good", measure: { field: measure }, fields: null, depth: null }],
  ["slices", { ...pair, candidate: "good", measure, fields: [], min_rows: null, margin: 0.1 }],
  ["ranking", { query: pair.query, measure }],
  ["ranking", { query: pair.query, measure: { field: measure }, cluster_by: "inputs.question", level: 0.5 }],
];

test.each(ANSWERED)(
  "a valid body of %s conforms to it, and so does the answer: %j",
  async (question, body) => {
    const answer = await ask(body, question);
    const json = await answer.json();
    expect([answer.status, conforms(`EvalResults${NAMES[question]}Body`, body)]).toEqual([200, "conforms"]);
    expect(conforms(`EvalResults${NAMES[question]}Res`, json)).toBe("conforms");
  },
);

// A schema cannot check what depends on the evaluations of the query, or on the meaning of a field's name.
const NO_MATTER_OF_THE_SCHEMA =
  /^an unknown baseline$|^a candidate that is the baseline$|is not a |by something|not JSON/;

test.each(STATISTICS_REFUSALS.filter(([name]) => !NO_MATTER_OF_THE_SCHEMA.test(name)))(
  "%s is refused by the schema of %s as well",
  (_, question, body) => {
    expect(conforms(`EvalResults${NAMES[question]}Body`, body)).not.toBe("conforms");
  },
);

test("every property of a question and of its answer is described", () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!/^EvalResults(Compare|Slices|Ranking|Measure|Slice|Ranked|Interval|StatisticsWarning)/.test(name))
      continue;
    const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
    const silent = Object.entries(properties).filter(([, { description }]) => !description);
    expect([name, silent.map(([key]) => key)]).toEqual([name, []]);
  }
});

test("a property without a description gets that of its name, and examples stay unchanged", () => {
  const schema = {
    type: "object",
    properties: { limit: { type: "integer" }, own: { description: "Its own." } },
  };
  const part = {
    paths: { "/x": { get: { parameters: [{ name: "offset", in: "query" }] } } },
    schemas: { Page: { ...schema, examples: [{ properties: { limit: {} } }] } },
  };
  const { paths, components } = openApiDocument([part]) as unknown as {
    paths: { "/x": { get: { parameters: { description?: string }[] } } };
    components: {
      schemas: { Page: { properties: Record<string, { description?: string }>; examples: unknown } };
    };
  };
  expect(paths["/x"].get.parameters[0]!.description).toMatch(/items to skip/);
  expect(components.schemas.Page.properties["limit"]!.description).toMatch(/maximum number/);
  expect(components.schemas.Page.properties["own"]!.description).toBe("Its own.");
  expect(components.schemas.Page.examples).toEqual([{ properties: { limit: {} } }]);
});

test("arrays have items and an enum has one type, for client generators", () => {
  const properties = {
    any: { type: "array" },
    pair: { type: "array", prefixItems: [{}, {}] },
    mixed: { enum: ["auto", true, false, null] },
    never: { enum: [false, null] },
    one: { enum: ["a", "b", null] },
  };
  const { components } = openApiDocument([
    { paths: {}, schemas: { Page: { type: "object", properties } } },
  ]) as {
    components: { schemas: { Page: { properties: unknown } } };
  };
  expect(components.schemas.Page.properties).toEqual({
    any: { type: "array", items: {} },
    pair: properties.pair,
    mixed: { anyOf: [{ enum: ["auto"] }, { type: "boolean" }, { type: "null" }] },
    never: { anyOf: [{ type: "boolean", const: false }, { type: "null" }] },
    one: properties.one,
  });
});
