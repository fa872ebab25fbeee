// Checks the built server against the published description of the hosted service, claim by claim. `COUNTS` has the
// number of claims in each part. The meaning of operations and rules is checked by the vectors of
// testing/data/eval-results.jsonl and query-lang/test/conformance; docs/explanation/differences.md lists intended
// differences.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines, rowLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

type JsonObject = Readonly<Record<string, unknown>>;

const home = mkdtempSync(join(tmpdir(), "assay-published-"));
const QUERY = "/v2/acme/demo/eval_results/query";
const BASE = { evaluation_call_ids: ["one", "two"] };
let server: AssayServer;
let described: { readonly paths: JsonObject };

beforeAll(async () => {
  const data = join(home, "data");
  const [calls, rows] = [join(home, "calls.jsonl"), join(home, "rows.jsonl")];
  const lines = [
    ...evaluationLines("one", [true, false, true]),
    ...evaluationLines("two", [true, true], 200),
  ];
  writeFileSync(calls, lines.join("\n"));
  writeFileSync(rows, rowLines(3).join("\n"));
  const imported = await assay(["import", "acme/demo", calls, "--rows", rows, "--data", data]);
  expect(imported).toMatchObject({ exitCode: 0 });
  server = await startAssay(data);
  described = (await (await fetch(`${server.url}/openapi.json`)).json()) as typeof described;
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

async function post(path: string, body: unknown): Promise<{ status: number; json: JsonObject }> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, json: (await response.json()) as JsonObject };
}
const query = (more: JsonObject) => post(QUERY, { ...BASE, ...more });

/** A claim, and its check. */
type Claim = readonly [claim: string, holds: () => Promise<void>];

/** A property of a body: values to accept, a value to refuse, and the meaning of its absence. */
interface Taken {
  readonly takes: readonly unknown[];
  readonly refuses: unknown;
  readonly orNull?: true;
  readonly required?: true;
  readonly byDefault?: unknown;
}

const FILTER = { query: { $expr: { $eq: [{ $getField: "scores.match.correct" }, { $literal: true }] } } };
const SORT = { field: "scores.match.correct", direction: "asc" };
const FLAG = { takes: [true, false], refuses: "yes" } as const;
const BODY: Readonly<Record<string, Taken>> = {
  evaluation_call_ids: { takes: [["one"]], refuses: "one", orNull: true },
  evaluation_run_ids: { takes: [["one"]], refuses: "one", orNull: true },
  require_intersection: { ...FLAG, byDefault: false },
  include_raw_data_rows: { ...FLAG, byDefault: false },
  resolve_row_refs: { takes: [false], refuses: "yes", byDefault: false },
  include_rows: { ...FLAG, byDefault: true },
  include_summary: { ...FLAG, byDefault: false },
  summary_require_intersection: { ...FLAG, orNull: true, byDefault: null },
  include_predict_and_score_children: { ...FLAG, byDefault: true },
  sort_by: { takes: [[], [SORT]], refuses: SORT, orNull: true, byDefault: null },
  filters: { takes: [[], [FILTER]], refuses: FILTER, orNull: true, byDefault: null },
  filter_logic_operator: { takes: ["and", "or"], refuses: "xor", byDefault: "or" },
  limit: { takes: [1], refuses: "x", orNull: true, byDefault: null },
  offset: { takes: [0, 1], refuses: "x", byDefault: 0 },
};
const SORT_BY: Readonly<Record<string, Taken>> = {
  field: { takes: ["scores.match.correct", "inputs.question", "outputs.x"], refuses: 1, required: true },
  direction: { takes: ["asc", "desc"], refuses: "up", required: true },
  evaluation_call_id: { takes: ["one"], refuses: 1, orNull: true, byDefault: null },
  mode: { takes: ["value", "difference"], refuses: "spread", byDefault: "value" },
};
const FILTERS: Readonly<Record<string, Taken>> = {
  evaluation_call_id: { takes: ["one"], refuses: 1, orNull: true, byDefault: null },
  query: { takes: [FILTER.query], refuses: { $expr: {}, more: 1 }, required: true },
};

/** The claims about the properties of an object in the body; `inBody` builds a body that contains the object. */
function bodyClaims(
  name: string,
  table: Readonly<Record<string, Taken>>,
  whole: JsonObject,
  inBody: (object: JsonObject) => JsonObject,
): readonly Claim[] {
  const answers = async (object: JsonObject, status: number) => {
    const answer = await query(inBody(object));
    expect(answer, JSON.stringify(object)).toMatchObject({ status });
    return answer.json;
  };
  const claims: Claim[] = [
    [`${name} accepts no other property`, async () => void (await answers({ ...whole, other: 1 }, 422))],
  ];
  for (const [field, { takes, refuses, orNull, required, ...more }] of Object.entries(table)) {
    const { [field]: _, ...without } = whole;
    const of = `${name}.${field}`;
    for (const value of takes)
      claims.push([
        `${of} accepts ${JSON.stringify(value)}`,
        async () => void (await answers({ ...whole, [field]: value }, 200)),
      ]);
    claims.push(
      [`${of} refuses another type`, async () => void (await answers({ ...whole, [field]: refuses }, 422))],
      [
        `${of} ${orNull ? "may" : "must not"} be null`,
        async () => void (await answers({ ...whole, [field]: null }, orNull ? 200 : 422)),
      ],
      [
        `${of} is ${required ? "required" : "optional"}`,
        async () => void (await answers(without, required ? 422 : 200)),
      ],
    );
    if ("byDefault" in more)
      claims.push([
        `${of} is ${JSON.stringify(more.byDefault)} by default`,
        async () =>
          expect(await answers(without, 200)).toEqual(
            await answers({ ...without, [field]: more.byDefault }, 200),
          ),
      ]);
  }
  return claims;
}

const requests = [
  ...bodyClaims("EvalResultsQueryBody", BODY, {}, (body) => body),
  ...bodyClaims("EvalResultsSortBy", SORT_BY, SORT, (sort) => ({ sort_by: [sort] })),
  ...bodyClaims("EvalResultsFilter", FILTERS, FILTER, (filter) => ({ filters: [filter] })),
];

const [A, B] = [{ $getField: "scores.match.correct" }, { $literal: true }];
const TEXT = { $getField: "inputs.question" };
/** Operations, with expressions to accept and to refuse. */
const OPERATIONS: readonly (readonly [
  name: string,
  takes: readonly unknown[],
  refuses: readonly unknown[],
])[] = [
  [
    "$literal",
    ["a", 1, 1.5, true, null, { a: { $literal: 1 } }, [{ $literal: 1 }]].map((value) => ({
      $eq: [A, { $literal: value }],
    })),
    [],
  ],
  ["$getField", [{ $eq: [TEXT, B] }], [{ $eq: [{ $getField: 1 }, B] }]],
  [
    "$convert",
    ["double", "string", "int", "bool", "exists"].map((to) => ({ $eq: [{ $convert: { input: A, to } }, B] })),
    [{ to: "int" }, { input: A }, { input: A, to: "date" }].map((given) => ({
      $eq: [{ $convert: given }, B],
    })),
  ],
  ["$and", [{ $and: [{ $eq: [A, B] }, { $eq: [A, B] }] }], [{ $and: { $eq: [A, B] } }]],
  ["$or", [{ $or: [{ $eq: [A, B] }, { $eq: [A, B] }] }], [{ $or: { $eq: [A, B] } }]],
  ["$not", [{ $not: [{ $eq: [A, B] }] }], [{ $not: [] }, { $not: [{ $eq: [A, B] }, { $eq: [A, B] }] }]],
  ...["$eq", "$gt", "$lt", "$gte", "$lte"].map(
    (name) => [name, [{ [name]: [A, B] }], [{ [name]: [A] }, { [name]: [A, B, B] }]] as const,
  ),
  ["$in", [{ $in: [A, [B, { $literal: 1 }]] }], [{ $in: [A] }, { $in: [A, [B], [B]] }]],
  [
    "$contains",
    [{}, { case_insensitive: true }, { case_insensitive: null }].map((more) => ({
      $contains: { input: TEXT, substr: { $literal: "q" }, ...more },
    })),
    [{ $contains: { input: TEXT } }, { $contains: { substr: B } }],
  ],
];
const operations = OPERATIONS.flatMap(([name, takes, refuses]): Claim[] =>
  [...takes.map((expr) => [expr, 200] as const), ...refuses.map((expr) => [expr, 422] as const)].map(
    ([expr, status]) => [
      `${name} ${status === 200 ? "accepts" : "refuses"} ${JSON.stringify(expr)}`,
      async () =>
        void expect(await query({ filters: [{ query: { $expr: expr } }] })).toMatchObject({ status }),
    ],
  ),
).concat([
  [
    "$expr has exactly one operation",
    async () =>
      void expect(await query({ filters: [{ query: { $expr: { $eq: [A, B], $not: [B] } } }] })).toMatchObject(
        { status: 422 },
      ),
  ],
]);

/** The contents of responses: the properties of each object with their types; `!` marks required ones. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "": { rows: "array!", total_rows: "integer!", summary: "object|null", warnings: "array" },
  rows: { row_digest: "string!", raw_data_row: "any", evaluations: "array" },
  "rows.evaluations": { evaluation_call_id: "string!", trials: "array" },
  "rows.evaluations.trials": {
    predict_and_score_call_id: "string!",
    predict_call_id: "string|null",
    model_output: "any",
    scores: "object",
    model_latency_seconds: "number|null",
    total_tokens: "integer|null",
    scorer_call_ids: "object",
    genai_span_ref: "array|null",
  },
  summary: { row_count: "integer", evaluations: "array" },
  "summary.evaluations": {
    evaluation_call_id: "string!",
    trial_count: "integer",
    scorer_stats: "array",
    predict_total_tokens: "integer|null",
    evaluation_ref: "string|null",
    model_ref: "string|null",
    display_name: "string|null",
    trace_id: "string|null",
    started_at: "string|null",
  },
  "summary.evaluations.scorer_stats": {
    scorer_key: "string!",
    path: "string|null",
    value_type: "binary|continuous|text|null",
    trial_count: "integer",
    numeric_count: "integer",
    numeric_mean: "number|null",
    pass_true_count: "integer",
    pass_known_count: "integer",
    pass_rate: "number|null",
    pass_signal_coverage: "number|null",
  },
};
const ERRORS = { "": { detail: "array!" }, detail: { loc: "array!", msg: "string!", type: "string!" } };
const CHAT = {
  "": {
    id: "string",
    object: "chat.completion",
    created: "integer",
    model: "string",
    choices: "array",
    usage: "object",
  },
  choices: { index: "integer", message: "object", finish_reason: "string" },
  "choices.message": { role: "assistant", content: "string" },
  usage: { prompt_tokens: "integer", completion_tokens: "integer", total_tokens: "integer" },
};
const MODELS = {
  "": { object: "list", data: "array" },
  data: { id: "string", object: "model", created: "integer", owned_by: "string", root: "string" },
};

/** The objects at a path of a response, through lists. */
function objectsAt(answer: unknown, path: string): readonly JsonObject[] {
  const keys = path === "" ? [] : path.split(".");
  return keys.reduce<unknown[]>(
    (some, key) => some.flatMap((one) => (one as JsonObject)[key]),
    [answer],
  ) as JsonObject[];
}

function isOf(value: unknown, types: string): boolean {
  return types.split("|").some((type) => {
    if (type === "any") return true;
    if (type === "null") return value === null;
    if (type === "array") return Array.isArray(value);
    if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
    if (type === "integer") return Number.isInteger(value);
    return typeof value === type || value === type;
  });
}

/** The claims about a response: every property exists with its type, and, if `isWhole`, no other exists. */
function answerClaims(
  name: string,
  table: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ask: () => Promise<JsonObject>,
  isWhole = true,
): readonly Claim[] {
  let asked: Promise<JsonObject> | undefined;
  const answer = () => {
    asked ??= ask();
    return asked;
  };
  return Object.entries(table).flatMap(([path, fields]) => {
    const of = [name, path].filter(Boolean).join(".");
    const claims = Object.entries(fields).map(
      ([field, type]): Claim => [
        `${of}.${field}: ${type}`,
        async () => {
          const objects = objectsAt(await answer(), path);
          expect(objects.length).toBeGreaterThan(0);
          for (const object of objects) {
            expect(Object.keys(object)).toContain(field);
            expect(isOf(object[field], type.replace("!", "")), `${JSON.stringify(object[field])}`).toBe(true);
          }
        },
      ],
    );
    if (!isWhole) return claims;
    const whole: Claim = [
      `${of} has no other property`,
      async () => {
        for (const object of objectsAt(await answer(), path))
          expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(object)));
      },
    ];
    return [...claims, whole];
  });
}

const results = async () => (await query({ include_summary: true, include_raw_data_rows: true })).json;
const chat = {
  messages: [
    { role: "system", content: "be brief" },
    { role: "user", content: "hello" },
  ],
};
const models = async () => (await (await fetch(`${server.url}/v1/models`)).json()) as JsonObject;
const completion = async () => {
  const [{ id }] = (await models())["data"] as [JsonObject];
  return (await post("/v1/chat/completions", { ...chat, model: id })).json;
};
const answers = [
  ...answerClaims("EvalResultsQueryRes", ANSWERS, results),
  ...answerClaims("HTTPValidationError", ERRORS, async () => (await query({ limit: "x" })).json),
  ...answerClaims("chat completion", CHAT, completion, false),
  ...answerClaims("model list", MODELS, models, false),
];

const ROUTES = [
  "POST /v2/{entity}/{project}/eval_results/query",
  "POST /v1/chat/completions",
  "POST /v1/chat/completions/",
  "POST /v1/preview/models",
  "DELETE /v1/preview/models/{model_id}",
  "DELETE /v1/preview/models/{model_id}/checkpoints",
  "GET /v1/preview/models/{model_id}/checkpoints",
  "POST /v1/preview/models/{model_id}/log",
  "POST /v1/preview/sft-training-jobs",
  "POST /v1/preview/training-jobs",
  "GET /v1/preview/training-jobs/{training_job_id}",
  "GET /v1/preview/training-jobs/{training_job_id}/events",
  "GET /v1/health",
  "GET /v1/system-check",
  "GET /v1/models",
];
const routes = ROUTES.map(
  (route): Claim => [
    route,
    async () => {
      const [method, path] = route.split(" ") as [string, string];
      expect(Object.keys((described.paths[path] ?? {}) as JsonObject)).toContain(method.toLowerCase());
      const asked = await fetch(server.url + path.replaceAll(/\{\w+\}/g, "x"), { method });
      const text = await asked.text();
      const unknown = await fetch(`${server.url}/v1/nothing-of-this-name`, { method });
      expect(asked.status).not.toBe(405);
      expect(text).not.toBe(await unknown.text());
    },
  ],
);

const rowsOf = (json: JsonObject) => json["rows"] as readonly JsonObject[];
const count = async (more: JsonObject) => rowsOf((await query(more)).json).length;
const rules: readonly Claim[] = [
  [
    "only the named evaluations are read",
    async () =>
      expect(JSON.stringify((await post(QUERY, { evaluation_run_ids: ["two"] })).json)).not.toContain(
        '"one"',
      ),
  ],
  [
    "require_intersection keeps only rows that all evaluations have",
    async () => expect([await count({}), await count({ require_intersection: true })]).toEqual([3, 2]),
  ],
  [
    "limit and offset apply after intersection",
    async () => expect(await count({ require_intersection: true, limit: 5, offset: 1 })).toBe(1),
  ],
  [
    "rows are sorted by digest without sort_by",
    async () => {
      const digests = rowsOf((await query({})).json).map((row) => row["row_digest"] as string);
      expect(digests).toEqual([...digests].sort());
    },
  ],
  [
    "all filters must hold; filter_logic_operator decides whether they hold in all evaluations or in one",
    async () => {
      const counts = ["and", "or"].map((filter_logic_operator) =>
        count({ filters: [FILTER], filter_logic_operator }),
      );
      expect(await Promise.all(counts)).toEqual([1, 3]);
    },
  ],
  [
    "the summary uses its own intersection setting, or that of the rows",
    async () => {
      const rows = async (more: JsonObject) =>
        ((await query({ include_summary: true, ...more })).json["summary"] as JsonObject)["row_count"];
      const own = { summary_require_intersection: true };
      expect([await rows({}), await rows(own), await rows({ require_intersection: true })]).toEqual([
        3, 2, 2,
      ]);
    },
  ],
  ["include_rows: false returns no rows", async () => expect(await count({ include_rows: false })).toBe(0)],
  [
    "resolve_row_refs needs include_raw_data_rows",
    async () => expect(await query({ resolve_row_refs: true })).toMatchObject({ status: 422 }),
  ],
  [
    "resolve_row_refs returns the referenced rows",
    async () => {
      const [row] = rowsOf((await query({ include_raw_data_rows: true, resolve_row_refs: true })).json);
      expect(row!["raw_data_row"]).toMatchObject({
        question: expect.stringContaining("question") as unknown,
      });
    },
  ],
  [
    "a chat needs a model",
    async () =>
      expect((await post("/v1/chat/completions", { messages: chat.messages })).status).toBeGreaterThanOrEqual(
        400,
      ),
  ],
  [
    "a chat needs messages",
    async () =>
      expect((await post("/v1/chat/completions", { model: "assay/tiny" })).status).toBeGreaterThanOrEqual(
        400,
      ),
  ],
];

/** The number of claims in each part; each is a test below. */
const COUNTS = { requests: 112, operations: 48, answers: 72, routes: 15, rules: 11 };

describe.each(Object.entries({ requests, operations, answers, routes, rules }))("%s", (part, claims) => {
  test.each(claims as Claim[])("%s", async (_, holds) => holds());

  test(`has ${COUNTS[part as keyof typeof COUNTS]} claims`, () => {
    expect(new Set(claims.map(([claim]) => claim)).size).toBe(COUNTS[part as keyof typeof COUNTS]);
  });
});
