// The list of evaluation objects, in the format of the hosted service.

import { createHandler, weaveRoutes } from "@assay/adapters-http";
import { memoryTraceStores } from "@assay/trace-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { EVALUATION_OBJECT } from "../../src/weave/evaluations.ts";

const P = "acme/demo";

/** A handler, and a function that publishes an object in its project. */
function open() {
  let seconds = 0;
  const handler = createHandler({
    routes: [
      weaveRoutes({
        stores: memoryTraceStores(),
        authenticate: async ({ headers }) =>
          headers.has("authorization") ? { id: "ann", allows: (entity) => entity === "acme" } : undefined,
        now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString(),
        newId: () => "new",
      }),
    ],
  });
  const headers = { Authorization: "ann", "Content-Type": "application/json" };
  const list = (query = "", path = `/v2/${P}/evaluations`) =>
    handler(new Request(`http://x${path}${query}`, { headers }));
  return {
    list,
    lines: async (query?: string) => {
      const text = await (await list(query)).text();
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    },
    anonymous: () => handler(new Request(`http://x/v2/${P}/evaluations`)),
    publish: async (object_id: string, val: object) => {
      const body = JSON.stringify({ obj: { project_id: P, object_id, val } });
      const answer = await handler(new Request("http://x/obj/create", { method: "POST", body, headers }));
      return ((await answer.json()) as { readonly digest: string }).digest;
    },
  };
}

const evaluation = (more: object = {}) => ({
  _type: "Evaluation",
  _class_name: "Evaluation",
  _bases: ["Object", "BaseModel"],
  ...more,
});
const FULL = evaluation({
  name: "Capitals",
  description: "of countries",
  dataset: "weave:///acme/demo/object/capitals:d1",
  scorers: ["weave:///acme/demo/op/exact:d2"],
  trials: 2,
  evaluation_name: "nightly",
  evaluate: "weave:///acme/demo/op/Evaluation.evaluate:d3",
  predict_and_score: "weave:///acme/demo/op/Evaluation.predict_and_score:d4",
  summarize: "weave:///acme/demo/op/Evaluation.summarize:d5",
});

describe("the evaluation objects of a project", () => {
  test("are returned one per line, with every field", async () => {
    const { list, lines, publish } = open();
    const digest = await publish("capitals-evaluation", FULL);
    await publish("capitals", { ...evaluation(), _type: "Dataset", _class_name: "Dataset", rows: [] });
    expect((await list()).headers.get("content-type")).toBe("application/jsonl");
    expect(await lines()).toEqual([
      {
        object_id: "capitals-evaluation",
        digest,
        version_index: 0,
        created_at: "2026-01-01T00:00:00.000Z",
        name: "Capitals",
        description: "of countries",
        dataset: "weave:///acme/demo/object/capitals:d1",
        scorers: ["weave:///acme/demo/op/exact:d2"],
        trials: 2,
        evaluation_name: "nightly",
        evaluate_op: "weave:///acme/demo/op/Evaluation.evaluate:d3",
        predict_and_score_op: "weave:///acme/demo/op/Evaluation.predict_and_score:d4",
        summarize_op: "weave:///acme/demo/op/Evaluation.summarize:d5",
      },
    ]);
  });

  test("have defaults for absent or malformed members, and conform to their description", async () => {
    const { lines, publish } = open();
    await publish("bare", evaluation());
    await publish("odd", evaluation({ name: 1, dataset: { rows: [] }, scorers: [null, "s"], trials: "2" }));
    const found = await lines();
    expect(found).toMatchObject([
      { object_id: "bare", name: "bare", dataset: "", scorers: [], trials: 1, evaluate_op: null },
      { object_id: "odd", name: "odd", dataset: "", scorers: ["s"], trials: 1, description: null },
    ]);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      EVALUATION_OBJECT as object,
    );
    for (const each of found) expect([each.object_id, validate(each)]).toEqual([each.object_id, true]);
  });

  test("are paged: every version, by object id", async () => {
    const { lines, publish } = open();
    for (const [name, trials] of [
      ["b", 1],
      ["a", 1],
      ["b", 2],
    ] as const)
      await publish(name, evaluation({ trials }));
    const page = async (query: string) =>
      (await lines(query)).map(({ object_id, version_index }) => `${object_id}:${version_index}`);
    expect(await page("")).toEqual(["a:0", "b:0", "b:1"]);
    expect(await page("?limit=1&offset=1")).toEqual(["b:0"]);
    expect(await page("?limit=0")).toEqual([]);
    expect(await page("?offset=9")).toEqual([]);
  });

  test("need a key, a visible project, and whole numbers for paging", async () => {
    const { list, anonymous } = open();
    expect((await anonymous()).status).toBe(401);
    expect((await list("", "/v2/eve/own/evaluations")).status).toBe(404);
    for (const query of ["?limit=-1", "?limit=x", "?offset=1.5", "?offset=", "?after=a"]) {
      const answer = await list(query);
      expect([query, answer.status, await answer.json()]).toMatchObject([
        query,
        422,
        { detail: [{ loc: ["query", query.slice(1).split("=")[0]] }] },
      ]);
    }
  });
});
