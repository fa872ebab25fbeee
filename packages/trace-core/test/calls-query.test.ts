import { atOnce, type Json, type JsonObject } from "@assay/base";
import { memoryTraceStores, queryCalls, readBatch, readCallsQuery } from "@assay/trace-core";
import { countCalls, deleteCalls, readComplete, readUpdate } from "@assay/trace-core/internal";
import { describe, expect, test } from "vitest";

const P = "acme/demo";

async function store() {
  const stores = memoryTraceStores();
  const at = (s: number) => `2026-01-01T00:00:0${s}Z`;
  const call = (id: string, s: number, more: object) => ({
    mode: "complete",
    req: {
      project_id: P,
      id,
      trace_id: "t1",
      op_name: `weave:///${P}/op/f:v1`,
      started_at: at(s),
      ended_at: at(s + 1),
      attributes: {},
      inputs: { x: s, ref: `weave:///${P}/object/o:d` },
      output: { y: s * 2 },
      summary: {},
      ...more,
    },
  });
  const pieces = atOnce(
    readBatch(
      {
        batch: [
          call("root", 0, { op_name: `weave:///${P}/op/g:v1`, display_name: "Röot" }),
          call("a", 1, { parent_id: "root", output: { y: "10" }, wb_user_id: "ann" }),
          call("b", 2, { parent_id: "root", exception: "broke", op_name: `weave:///${P}/op/f:v2` }),
          call("c", 3, { parent_id: "a", trace_id: "t2", summary: { status_counts: { error: 1 } } }),
          {
            mode: "start",
            req: {
              start: {
                project_id: P,
                id: "d",
                trace_id: "t2",
                op_name: "bare",
                started_at: at(4),
                attributes: {},
                inputs: {},
              },
            },
          },
          { mode: "end", req: { end: { project_id: P, id: "unstarted", ended_at: at(9), summary: {} } } },
        ],
      },
      () => "new",
    ),
  );
  if (!pieces.ok) throw new Error(JSON.stringify(pieces.issues));
  await stores.calls.put(pieces.value);
  return stores;
}

async function ask(body: object): Promise<readonly JsonObject[]> {
  const query = readCallsQuery({ project_id: P, ...body });
  if (!query.ok) throw new Error(JSON.stringify(query.issues));
  const found: JsonObject[] = [];
  for await (const batch of queryCalls(await store(), query.value)) found.push(...batch);
  return found;
}

const ids = async (body: object) => (await ask(body)).map(({ id }) => id);
const field = (name: string) => ({ $getField: name });
const literal = (value: unknown) => ({ $literal: value });

describe("a query for calls", () => {
  test("returns every started call, by start", async () => {
    expect(await ids({})).toEqual(["root", "a", "b", "c", "d"]);
  });

  test.each([
    [{ trace_roots_only: true }, ["root", "d"]],
    [{ trace_ids: ["t2"] }, ["c", "d"]],
    [{ parent_ids: ["root", "a"] }, ["a", "b", "c"]],
    [{ call_ids: ["c", "a", "nothing"] }, ["a", "c"]],
    [{ call_ids: [] }, []],
    [{ op_names: [`weave:///${P}/op/f:*`] }, ["a", "b", "c"]],
    [{ op_names: [`weave:///${P}/op/f:v2`, "bare"] }, ["b", "d"]],
    [{ wb_user_ids: ["ann"] }, ["a"]],
    [{ input_refs: [`weave:///${P}/object/o:d`], trace_ids: ["t2"] }, ["c"]],
    [{ output_refs: ["none"] }, []],
  ])("filters by %j", async (filter, expected) => {
    expect(await ids({ filter })).toEqual(expected);
  });

  test.each([
    [{ $gt: [field("output.y"), literal(4)] }, ["a", "c"]],
    [{ $eq: [field("display_name"), literal("Röot")] }, ["root"]],
    [{ $not: [{ $eq: [field("exception"), literal(null)] }] }, ["b"]],
    [{ $eq: [field("summary.weave.status"), literal("descendant_error")] }, ["c"]],
    [{ $in: [field("summary.weave.status"), [literal("error"), literal("running")]] }, ["b", "d"]],
    [{ $eq: [field("summary.weave.trace_name"), literal("g")] }, ["root"]],
    [{ $gte: [field("started_at"), literal(1767225603)] }, ["c", "d"]],
    [{ $lt: [field("started_at"), literal("2026-01-01T01:00:01+01:00")] }, ["root"]],
    [{ $eq: [literal("2026-01-01T00:00:01.000Z"), field("started_at")] }, ["a"]],
  ])("reads the query %j", async (expr, expected) => {
    expect(await ids({ query: { $expr: expr } })).toEqual(expected);
  });

  test("sorts by fields, missing values last, and pages", async () => {
    const by = (name: string, direction: string) => ({ sort_by: [{ field: name, direction }] });
    expect(await ids(by("inputs.x", "desc"))).toEqual(["c", "b", "a", "root", "d"]);
    // Numbers sort before texts, and "10" is a text.
    expect(await ids(by("output.y", "asc"))).toEqual(["root", "b", "c", "a", "d"]);
    expect(await ids({ ...by("started_at", "desc"), offset: 1, limit: 2 })).toEqual(["c", "b"]);
    expect(await ids({ offset: 3 })).toEqual(["c", "d"]);
    expect(await ids({ offset: 1, limit: 2 })).toEqual(["a", "b"]);
    expect(await ids({ limit: 0 })).toEqual([]);
  });

  test("finds and sorts calls by the newest feedback of a type", async () => {
    const stores = await store();
    const about = (
      id: string,
      s: number,
      feedback_type: string,
      output: Json,
      runnable_ref: string | null = null,
    ) => ({
      ...{
        id: `${id}${s}`,
        project_id: P,
        weave_ref: `weave:///${P}/call/${id}`,
        feedback_type,
        runnable_ref,
      },
      ...{ payload: { output }, created_at: `2026-01-02T00:00:0${s}Z`, creator: null, wb_user_id: null },
      ...{ annotation_ref: null, call_ref: null, trigger_ref: null },
    });
    await stores.feedback.put([
      about("a", 1, "wandb.runnable.exact", false, "weave:///acme/demo/object/exact:v1"),
      about("a", 2, "wandb.runnable.exact", 0.5, "weave:///acme/demo/object/exact:v2"),
      about("b", 3, "wandb.runnable.exact", 0.75),
      about("c", 4, "wandb.runnable.other", 1),
    ]);
    const found = async (body: object) => {
      const query = readCallsQuery({ project_id: P, ...body });
      if (!query.ok) return query.issues[0]?.message;
      const all: unknown[] = [];
      for await (const batch of queryCalls(stores, query.value)) all.push(...batch.map(({ id }) => id));
      return all;
    };
    const exact = (inside: string) => field(`feedback.[wandb.runnable.exact].${inside}`);
    const where = (condition: object) => ({ query: { $expr: condition } });
    // Weave's client sends "" for a missing value.
    for (const nothing of ["", null])
      expect(await found(where({ $not: [{ $eq: [exact("payload.output"), literal(nothing)] }] }))).toEqual([
        "a",
        "b",
      ]);
    expect(await found(where({ $gt: [exact("payload.output"), literal(0.6)] }))).toEqual(["b"]);
    const ref = (version: string) => literal(`weave:///acme/demo/object/exact:${version}`);
    expect(await found(where({ $eq: [exact("runnable_ref"), ref("v2")] }))).toEqual(["a"]);
    expect(await found(where({ $eq: [exact("runnable_ref"), ref("v1")] }))).toEqual([]);
    const sort_by = [{ field: "feedback.[wandb.runnable.exact].payload.output", direction: "desc" }];
    expect(await found({ sort_by, limit: 2 })).toEqual(["b", "a"]);
    expect(await found(where({ $eq: [field("feedback.x"), literal(1)] }))).toContain("addressed by its type");
    expect(await found(where({ $eq: [exact("created_at"), literal(1)] }))).toContain("no such field");
  });

  test("returns the requested columns, and those that every call has", async () => {
    const [call] = await ask({ columns: ["output.y"], limit: 1 });
    expect(Object.keys(call!).sort()).toEqual(
      [
        "attributes",
        "id",
        "inputs",
        "op_name",
        "output",
        "parent_id",
        "project_id",
        "started_at",
        "trace_id",
      ].sort(),
    );
    expect(call).toMatchObject({ inputs: {}, output: { y: 0 } });
  });

  test("counts without the page", async () => {
    const query = readCallsQuery({ project_id: P, filter: { trace_ids: ["t1"] } });
    expect(query.ok && (await countCalls(await store(), query.value))).toBe(3);
  });

  test("reports every fault with its path", () => {
    const query = readCallsQuery({
      project_id: P,
      query: { $expr: { $eq: [field("nothing.x"), literal(1)] } },
      sort_by: [{ field: "id.inside", direction: "asc" }],
      columns: ["no_such"],
    });
    expect(query.ok ? [] : query.issues.map(({ code, path }) => [code, ...path])).toEqual([
      ["value_error", "body", "query", "$expr", "$eq", 0, "$getField"],
      ["value_error", "body", "sort_by", 0, "field"],
      ["value_error", "body", "columns", 0],
    ]);
    const many = { op_names: Array.from({ length: 10_001 }, () => "x") };
    expect(readCallsQuery({ project_id: P, filter: many })).toMatchObject({
      issues: [{ code: "too_long", path: ["body", "filter", "op_names"] }],
    });
    const types = readCallsQuery({ limit: -1, offset: "0" });
    expect(types.ok ? [] : types.issues.map(({ code, path }) => [code, ...path]).sort()).toEqual([
      ["greater_than_equal", "body", "limit"],
      ["int_type", "body", "offset"],
      ["missing", "body", "project_id"],
    ]);
  });
});

describe("deleting calls", () => {
  test("deletes all descendants", async () => {
    const { calls } = await store();
    expect(await deleteCalls(calls, P, ["a", "nothing"], "2026-02-01T00:00:00Z")).toBe(2);
    expect((await calls.get(P, ["root", "a", "b", "c"])).map((call) => call?.id)).toEqual([
      "root",
      undefined,
      "b",
      undefined,
    ]);
  });

  test("ends even if calls are each other's parents", async () => {
    const { calls } = memoryTraceStores();
    const [first] = await (await store()).calls.get(P, ["a"]);
    await calls.put([
      { ...first!, id: "x", parent_id: "y" },
      { ...first!, id: "y", parent_id: "x" },
    ]);
    expect(await deleteCalls(calls, P, ["x"], "2026-02-01T00:00:00Z")).toBe(2);
  });
});

describe("reading pieces", () => {
  test("reports where a batch is invalid, and stores nothing of it", () => {
    const batch = atOnce(
      readBatch(
        {
          batch: [
            {
              mode: "start",
              req: { start: { project_id: P, op_name: 1, started_at: "yesterday", inputs: {} } },
            },
            { mode: "end", req: {} },
            { mode: "middle", req: {} },
            null,
          ],
        },
        () => "new",
      ),
    );
    const found = batch.ok ? [] : batch.issues.map(({ code, path }) => [code, ...path.slice(2)].join("."));
    expect(found.sort()).toEqual([
      "dict_type.1.req.end",
      "dict_type.3",
      "literal_error.2.mode",
      "missing.0.req.start.attributes",
      "string_type.0.req.start.op_name",
    ]);
  });

  test("refuses an invalid time", () => {
    const call = {
      id: "a",
      trace_id: "t",
      project_id: P,
      op_name: "f",
      attributes: {},
      inputs: {},
      summary: {},
    };
    const read = readComplete({ ...call, started_at: "2026-01-01T00:00:00Z", ended_at: "later" }, ["body"]);
    expect(read).toMatchObject({ ok: false, issues: [{ code: "value_error", path: ["body", "ended_at"] }] });
  });

  test("an update has a name and its time", () => {
    const read = readUpdate(
      { project_id: P, call_id: "a", display_name: "n" },
      ["body"],
      "2026-01-01T00:00:00Z",
    );
    expect(read).toMatchObject({
      ok: true,
      value: { id: "a", display_name: "n", renamed_at: "2026-01-01T00:00:00Z" },
    });
  });
});
