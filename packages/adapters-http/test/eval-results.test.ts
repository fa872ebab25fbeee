// The evaluation results query over HTTP: docs/reference/semantics.md, "Answers and refusals".

import { Fault } from "@assay/base";
import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { REFUSALS } from "@assay/testing/refusals";
import { describe, expect, test } from "vitest";
import { keyAuthentication, loopbackAuthentication } from "../src/auth/auth.ts";
import {
  type EvalResultsEngine,
  type EvalResultsRoutesOptions,
  evalResultsRoutes,
} from "../src/eval-results/eval-results-routes.ts";
import { createHandler, type Handler } from "../src/handler.ts";

const calls = [
  ...evaluationCalls("good", [true, true, false]),
  ...evaluationCalls("bad", [false, true, false]),
];
const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() });

function handlerOf(options: Partial<EvalResultsRoutesOptions> = {}): Handler {
  return createHandler({
    routes: [evalResultsRoutes({ engine, authenticate: loopbackAuthentication(), ...options })],
  });
}
const handler = handlerOf();

function ask(body: unknown, { path = "/v2/acme/demo/eval_results/query", to = handler, ...init }: Ask = {}) {
  return to(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body:
        typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
      ...init,
    }),
  );
}
type Ask = RequestInit & { path?: string; to?: Handler };

/** The faults of a 422, as `loc` and `type`. */
async function faults(body: unknown, path?: string): Promise<unknown> {
  const response = await ask(body, path === undefined ? {} : { path });
  expect(response.status).toBe(422);
  const { detail } = (await response.json()) as { detail: { loc: unknown[]; msg: unknown; type: string }[] };
  for (const { msg } of detail) expect(msg).toEqual(expect.stringMatching(/./));
  return detail.map(({ loc, type }) => [loc.join("."), type]);
}

describe("a query", () => {
  test("is answered with every field of the response", async () => {
    const response = await ask({
      evaluation_call_ids: ["good", "bad"],
      sort_by: [{ field: "scores.match.correct", direction: "desc", mode: "difference" }],
      include_summary: true,
      include_raw_data_rows: true,
      limit: 1,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.json()).toMatchObject({
      total_rows: 3,
      warnings: [],
      rows: [
        {
          raw_data_row: { question: "question 0" },
          evaluations: [
            {
              evaluation_call_id: "good",
              trials: [{ scores: { match: { correct: true } }, total_tokens: null }],
            },
            { evaluation_call_id: "bad", trials: [{ scores: { match: { correct: false } } }] },
          ],
        },
      ],
      summary: {
        row_count: 3,
        evaluations: [
          {
            scorer_stats: [{ scorer_key: "match", path: "correct", pass_true_count: 2, pass_known_count: 3 }],
          },
          { scorer_stats: [{ pass_true_count: 1 }] },
        ],
      },
    });
  });

  test("with many rows is written in chunks, the same bytes, and can be abandoned early", async () => {
    const many = evaluationCalls(
      "many",
      Array.from({ length: 1200 }, (_, i) => i % 2 === 0),
    );
    const engine = createEvalEngine({ calls: memoryCalls(many), rows: memoryRows() });
    const to = handlerOf({ engine });
    const body = { evaluation_call_ids: ["many"], include_summary: true };
    const response = await ask(body, { to });
    expect(await response.text()).toBe(JSON.stringify(await engine.query("acme/demo", body)));
    expect(response.headers.get("content-type")).toContain("application/json");

    const reader = (await ask(body, { to })).body!.getReader();
    expect((await reader.read()).value!.length).toBeGreaterThan(1000);
    await reader.cancel();
    expect((await ask({}, { to })).status).toBe(200);
  });

  test("an empty one requests nothing", async () => {
    expect(await (await ask({})).json()).toEqual({ rows: [], total_rows: 0, summary: null, warnings: [] });
  });

  test("with unknown ids is not an error", async () => {
    const response = await ask({ evaluation_call_ids: ["nobody"] });
    expect(await response.json()).toMatchObject({ rows: [], total_rows: 0 });
  });
});

describe("an invalid request is a 422 with the location of each fault", () => {
  const expr = (operation: unknown) => ({ filters: [{ query: { $expr: operation } }] });

  test.each(REFUSALS)("%s", async (_, body, fault) => {
    expect(await faults(body)).toContainEqual(fault);
  });

  test("an invalid operation", async () => {
    for (const operation of [{ $regex: [] }, { $eq: [], $gt: [] }, {}, 1, []]) {
      const [fault] = (await faults(expr(operation))) as [string, string][];
      expect(fault?.[0]).toMatch(/^body\.filters\.0\.query\.\$expr/);
    }
  });

  test("with every fault at once, including those of the path", async () => {
    const body = {
      limit: -1,
      offset: "x",
      bogus: 1,
      sort_by: [{ field: "nothing" }],
      resolve_row_refs: true,
    };
    const long = "x".repeat(129);
    expect(await faults(body, `/v2/${long}/a%3Ab/eval_results/query`)).toEqual(
      expect.arrayContaining([
        ["path.entity", "too_long"],
        ["path.project", "value_error"],
        ["body.limit", "greater_than_equal"],
        ["body.offset", "int_type"],
        ["body.bogus", "extra_forbidden"],
        ["body.sort_by.0.direction", "missing"],
        ["body.sort_by.0.field", "value_error"],
        ["body.resolve_row_refs", "value_error"],
      ]),
    );
  });

  test("names in the path that are invalid for projects", async () => {
    expect(await faults({}, "/v2/acme/de%2Fmo/eval_results/query")).toEqual([
      ["path.project", "value_error"],
    ]);
    expect(await faults({}, "/v2/acme/de%00mo/eval_results/query")).toEqual([
      ["path.project", "value_error"],
    ]);
    expect(await faults("[", "/v2/a%25me/demo/eval_results/query")).toEqual([
      ["path.entity", "value_error"],
      ["body.1", "json_invalid"],
    ]);
  });
});

describe("a hostile body", () => {
  const nested = (depth: number, of: (inner: string) => string, core: string): string => {
    let text = core;
    for (let i = 0; i < depth; i++) text = of(text);
    return `{"filters": [{"query": {"$expr": ${text}}}]}`;
  };

  test.each([
    ["deep lists", "[".repeat(1_000_000)],
    ["deep objects", '{"a":'.repeat(100_000)],
    ["a deep $not", nested(100, (inner) => `{"$not": [${inner}]}`, '{"$literal": true}')],
    ["a very deep $not", nested(20_000, (inner) => `{"$not": [${inner}]}`, '{"$literal": true}')],
    ["a deep literal", nested(100, (inner) => `{"$eq": [{"$literal": ${inner}}, {"$literal": 1}]}`, "1")],
    ["numbers that are too large", '{"limit": 1e400, "offset": 1e400}'],
    ["prototypes", '{"constructor": {"prototype": {}}, "__proto__": {"limit": 1}, "toString": 1}'],
    ["bytes that are not text", new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ["control characters", '{"evaluation_call_ids": ["\u0000\n"]}'],
    ["a list of a million numbers", `{"filters": [${"1,".repeat(1_000_000)}1]}`],
    [
      "a huge $in",
      JSON.stringify({
        filters: [{ query: { $expr: { $in: [{ $getField: "scores" }, Array(200_000).fill(1)] } } }],
      }),
    ],
    [
      "a path of dots",
      JSON.stringify({ sort_by: [{ field: `scores${".a".repeat(50_000)}`, direction: "asc" }] }),
    ],
  ])("of %s is a 422", async (_, body) => {
    const response = await ask(body);
    const text = await response.text();
    expect([response.status, text.slice(0, 300)]).toEqual([422, expect.stringContaining('"loc":["body"')]);
    expect(text.length).toBeLessThan(100_000);
  });

  test("of an unpaired surrogate is answered", async () => {
    expect((await ask('{"evaluation_call_ids": ["\\ud800"]}')).status).toBe(200);
  });
});

describe("an invalid HTTP request for a query", () => {
  test("is a 415, 413, 404 or 405 with a detail", async () => {
    const form = await ask("{}", { headers: { "Content-Type": "text/plain" } });
    expect([form.status, await form.json()]).toEqual([
      415,
      { detail: expect.stringContaining("application/json") },
    ]);
    const large = await ask(JSON.stringify({ evaluation_call_ids: ["x".repeat(5_000_000)] }));
    expect([large.status, await large.json()]).toEqual([
      413,
      { detail: expect.stringContaining("4194304 bytes") },
    ]);
    const nowhere = await ask({}, { path: "/v2/acme/eval_results/query" });
    expect([nowhere.status, await nowhere.json()]).toMatchObject([
      404,
      { detail: expect.stringContaining("/v2/acme") },
    ]);
    const get = await ask(undefined, { method: "GET", body: null });
    expect([get.status, get.headers.get("allow"), await get.json()]).toMatchObject([
      405,
      "POST",
      { detail: expect.stringContaining("POST"), error: { type: "invalid_request_error" } },
    ]);
  });
});

describe("with a key", () => {
  const guarded = handlerOf({ authenticate: keyAuthentication("K3Y") });
  const withKey = (authorization: string | undefined) =>
    ask(
      {},
      {
        to: guarded,
        headers: {
          "Content-Type": "application/json",
          ...(authorization !== undefined && { Authorization: authorization }),
        },
      },
    );

  test("a request without it learns only how to send it", async () => {
    for (const authorization of [undefined, "Bearer nope", "Basic bm9wZQ=="]) {
      const response = await withKey(authorization);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/Bearer.*Basic/);
      expect(await response.json()).toEqual({ detail: expect.stringContaining("Bearer KEY") });
    }
  });

  test("a request with it is answered", async () => {
    expect((await withKey("Bearer K3Y")).status).toBe(200);
    expect((await withKey(`Basic ${btoa("api:K3Y")}`)).status).toBe(200);
  });

  test("a project of others looks as if it did not exist", async () => {
    const one = handlerOf({
      authenticate: async () => ({ id: "acme", allows: (entity) => entity === "acme" }),
    });
    expect((await ask({ evaluation_call_ids: ["good"] }, { to: one })).status).toBe(200);
    const other = await ask(
      { evaluation_call_ids: ["good"] },
      { to: one, path: "/v2/rival/demo/eval_results/query" },
    );
    expect([other.status, await other.json()]).toEqual([404, { detail: "no such project" }]);
  });
});

describe("an engine that fails", () => {
  const failing = (answer: EvalResultsEngine["answer"], options: Partial<EvalResultsRoutesOptions> = {}) => {
    const errors: unknown[] = [];
    const to = handlerOf({ engine: { answer }, onError: (error) => errors.push(error), ...options });
    return { to, errors };
  };

  test("with a bug is a 500 without details, and is reported", async () => {
    const { to, errors } = failing(async () => {
      throw new Error("password in /etc/secret");
    });
    const response = await ask({}, { to });
    expect([response.status, await response.json()]).toEqual([500, { detail: "Internal Server Error" }]);
    expect(errors).toMatchObject([{ message: "password in /etc/secret" }]);
  });

  test("because of its storage reveals the kind of failure, not its cause", async () => {
    const { to } = failing(async () => {
      throw new Fault("unavailable", "the store is down", { cause: new Error("EIO on /dev/sda") });
    });
    const response = await ask({}, { to });
    expect(response.headers.get("retry-after")).toBe("1");
    expect([response.status, await response.json()]).toEqual([503, { detail: "the store is down" }]);
  });

  test("to answer in time leads to a 504", async () => {
    const { to } = failing(
      (_project, _body, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Fault("cancelled", "the query was cancelled")));
        }),
      { timeout: 1 },
    );
    const response = await ask({}, { to });
    expect([response.status, await response.json()]).toEqual([
      504,
      { detail: expect.stringContaining("longer than") },
    ]);
  });

  test("learns that the client has disconnected", async () => {
    const client = new AbortController();
    const { to } = failing(
      (_project, _body, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Fault("cancelled", "the query was cancelled")));
          client.abort();
        }),
    );
    expect((await ask({}, { to, signal: client.signal })).status).toBe(499);
  });
});
