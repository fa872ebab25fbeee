// Every body field of Weave's client is known here, and unknown fields are refused by name. Each known query option
// changes the answer or is refused, and stored content comes back. The fields are those of weave 0.54.0, as
// test/weave/client_fields.py reads them; the test of the real client compares the two.

import { readFileSync } from "node:fs";
import { createHandler, weaveRoutes } from "@assay/adapters-http";
import { memoryTraceStores } from "@assay/trace-core";
import { BODY_SCHEMAS } from "@assay/trace-core/internal";
import { expect, test } from "vitest";

const FIELDS = JSON.parse(
  readFileSync(new URL("../../../../testing/data/client-fields.json", import.meta.url), "utf8"),
) as {
  readonly [path: string]: readonly string[];
};

interface Schema {
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The paths of a schema's fields, as the client names them, and of its objects that accept other fields. */
function fieldsOf(
  schema: Schema,
  at = "",
): { readonly names: readonly string[]; readonly open: readonly string[] } {
  const { properties = {}, additionalProperties: others, items, anyOf = [] } = schema;
  const inside = [
    ...anyOf.map((one) => fieldsOf(one, at)),
    ...[items, others || undefined].flatMap((one) => (one === undefined ? [] : [fieldsOf(one, at)])),
    ...Object.entries(properties).map(([name, one]) => fieldsOf(one, at === "" ? name : `${at}.${name}`)),
  ];
  const isOpen = schema.properties !== undefined && others !== false;
  return {
    names: [...(at === "" ? [] : [at]), ...inside.flatMap(({ names }) => names)],
    open: [...(isOpen ? [at] : []), ...inside.flatMap(({ open }) => open)],
  };
}

test("every field of the client's bodies is known, and every object of a body refuses others", () => {
  for (const [path, schema] of Object.entries(BODY_SCHEMAS)) {
    const { names, open } = fieldsOf(schema() as Schema);
    const unknown = (FIELDS[path] ?? []).filter((name) => !names.includes(name));
    expect([path, unknown, open]).toEqual([path, [], []]);
  }
});

const P = "acme/demo";
const T0 = "2026-01-01T00:00:00Z";
const T1 = "2026-01-01T00:00:01Z";

function open() {
  let ids = 0;
  const handler = createHandler({
    routes: [
      weaveRoutes({
        stores: memoryTraceStores(),
        authenticate: async () => ({ id: "ann", allows: () => true }),
        now: () => T1,
        newId: () => `new-${++ids}`,
        pricesIn: async () => () => ({ price: { input: 1n, output: 1n, cachedInput: 1n }, said: undefined }),
      }),
    ],
  });
  return async (path: string, body: object): Promise<{ readonly status: number; readonly text: string }> => {
    const headers = { "content-type": "application/json" };
    const response = await handler(
      new Request(`http://x${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
    );
    return { status: response.status, text: await response.text() };
  };
}
type Post = ReturnType<typeof open>;

/** Creates two calls, the first of which refers to an object, with feedback and costs, and also objects and tables. */
async function fill(post: Post): Promise<{ readonly table: string; readonly rows: readonly string[] }> {
  const json = async <T>(path: string, body: object): Promise<T> => {
    const { status, text } = await post(path, body);
    expect([path, status, text]).toEqual([path, 200, text]);
    return JSON.parse(text) as T;
  };
  const { digest: table, row_digests: rows } = await json<{ digest: string; row_digests: string[] }>(
    "/table/create",
    { table: { project_id: P, rows: [{ n: 1 }, { n: 2 }] } },
  );
  for (const [object_id, val] of [
    ["o", { kind: "easy" }],
    ["o", { kind: "hard" }],
    ["p", { _class_name: "M", _bases: ["Object", "BaseModel"] }],
    ["op", { _type: "CustomWeaveType", weave_type: { type: "Op" } }],
  ] as const)
    await json("/obj/create", { obj: { project_id: P, object_id, val } });
  const ref = `weave:///${P}/object/o:v0`;
  const call = (id: string, more: object) => ({
    project_id: P,
    id,
    trace_id: id,
    op_name: "f",
    started_at: T0,
    ended_at: T1,
    attributes: {},
    inputs: { x: id },
    output: 1,
    summary: { usage: { m: { prompt_tokens: 10, completion_tokens: 2 } } },
    ...more,
  });
  const user = { thread_id: "th", turn_id: "tu", wb_user_id: "u", wb_run_id: "r" };
  await json(`/v2/${P}/calls/complete`, {
    batch: [
      call("a", { inputs: { ref }, output: ref, ...user }),
      call("b", { op_name: "g", parent_id: "a", started_at: T1 }),
    ],
  });
  const about = `weave:///${P}/call/a`;
  for (const feedback_type of ["m", "n"])
    await json("/feedback/create", { project_id: P, weave_ref: about, feedback_type, payload: {} });
  const cost = { prompt_token_cost: 0.1, completion_token_cost: 0.2 };
  await json("/cost/create", { project_id: P, costs: { m: cost, n: { ...cost, effective_date: T0 } } });
  return { table, rows };
}

const by = (field: string, direction: string) => [{ field, direction }];
const equal = (field: string, value: unknown) => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
});
const none = ["none"];

test("each option of a query changes its answer, or is refused by name", async () => {
  const post = open();
  const { table, rows } = await fill(post);
  const ref = `weave:///${P}/object/o:v0`;
  const filter = {
    ...{ call_ids: ["a"], trace_ids: ["a"], parent_ids: ["a"], trace_roots_only: true, op_names: ["g"] },
    ...{ thread_ids: ["th"], turn_ids: ["tu"], wb_user_ids: ["u"], wb_run_ids: ["r"] },
    ...{ input_refs: [ref], output_refs: [ref] },
  };
  const through = { query: equal("inputs.ref.kind", "easy") };
  const calls = {
    ...{ project_id: "acme/other", filter, query: equal("op_name", "f"), limit: 1 },
    ...{ expand_columns: { also: through, value: ["inputs.ref"] }, include_total_storage_size: true },
  };
  const objects = {
    ...{ object_ids: ["o"], base_object_classes: none, exclude_base_object_classes: ["M"] },
    ...{ leaf_object_classes: none, is_op: true, latest_only: true, tags: none, aliases: none },
  };
  const records = (field: string, value: string, direction: string) => ({
    ...{ project_id: "acme/other", fields: ["id"], query: equal(field, value), limit: 1, offset: 1 },
    sort_by: by(field, direction),
  });
  // For each route: a body, and a value for each field. `also` adds the fields without which it has no effect.
  const questions: { readonly [path: string]: readonly [body: object, fields: Fields] } = {
    "/calls/stream_query": [
      { project_id: P },
      {
        ...calls,
        ...{ columns: ["id"], offset: 1, sort_by: by("started_at", "desc") },
        ...{
          include_costs: true,
          include_feedback: true,
          include_storage_size: true,
          include_usernames: true,
        },
        return_expanded_column_values: { also: { expand_columns: ["inputs.ref"] }, value: false },
      },
    ],
    "/calls/query_stats": [{ project_id: P }, calls],
    "/call/read": [
      { project_id: P, id: "a" },
      {
        ...{ project_id: "acme/other", id: "b", include_costs: true },
        ...{ include_storage_size: true, include_total_storage_size: true },
      },
    ],
    "/obj/read": [
      { project_id: P, object_id: "o", digest: "latest" },
      {
        ...{ project_id: "acme/other", object_id: "p", digest: "v0" },
        ...{ metadata_only: true, include_tags_and_aliases: true },
      },
    ],
    "/objs/query": [
      { project_id: P },
      {
        ...{
          project_id: "acme/other",
          filter: objects,
          limit: 1,
          offset: 1,
          sort_by: by("object_id", "desc"),
        },
        ...{ metadata_only: true, include_tags_and_aliases: true, include_storage_size: true },
      },
    ],
    "/table/query": [
      { project_id: P, digest: table },
      {
        ...{
          project_id: "acme/other",
          digest: "none",
          filter: { row_digests: [rows[1]] },
          limit: 1,
          offset: 1,
        },
        sort_by: by("n", "desc"),
      },
    ],
    "/table/query_stats": [
      { project_id: P, digest: table },
      { project_id: "acme/other", digest: "none" },
    ],
    "/table/query_stats_batch": [
      { project_id: P, digests: [table] },
      { project_id: "acme/other", digests: none, include_storage_size: true },
    ],
    "/refs/read_batch": [{ refs: [ref] }, { refs: none }],
    "/feedback/query": [{ project_id: P }, records("feedback_type", "n", "asc")],
    "/cost/query": [{ project_id: P }, records("llm_id", "n", "desc")],
    "/file/content": [{ project_id: P, digest: "none" }, {}],
  };
  for (const [path, [body, fields]] of Object.entries(questions)) {
    const options = optionsOf(fields);
    // A file has only its name.
    if (path !== "/file/content")
      expect([path, options.map(({ name }) => name).sort()]).toEqual([path, topOf(FIELDS[path]!)]);
    for (const { name, value, inside, more } of options) {
      const [without, withIt] = [
        await post(path, { ...body, ...more }),
        await post(path, { ...body, ...more, [name]: value }),
      ];
      const told = withIt.status === 422 ? withIt.text.includes(inside) : withIt.text !== without.text;
      expect([path, inside, told]).toEqual([path, inside, true]);
    }
  }
});

interface Fields {
  readonly [name: string]: unknown;
}

/**
 * One option per field, and one per member of a filter. `also` is sent in both requests, with and without the option.
 */
function optionsOf(fields: Fields) {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (name === "filter")
      return Object.entries(value as object).map(([inside, one]) => {
        return { name, value: { [inside]: one }, inside, more: {} };
      });
    const isWith = typeof value === "object" && value !== null && "also" in value;
    const given = (isWith ? value : { also: {}, value }) as {
      readonly also: object;
      readonly value: unknown;
    };
    return [{ name, value: given.value, inside: name, more: given.also }];
  });
}

/** The options of a route: its top-level fields, with `filter` repeated for each of its members. */
function topOf(names: readonly string[]): readonly string[] {
  return names
    .flatMap((name) => {
      if (name.startsWith("filter.")) return ["filter"];
      return name.includes(".") || name === "filter" || name === "latest_only" ? [] : [name];
    })
    .sort();
}

test("each field of stored content comes back, or is refused by name", async () => {
  const post = open();
  const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `<${name}>`]));
  const start = {
    ...texts([
      "id",
      "op_name",
      "display_name",
      "trace_id",
      "parent_id",
      "thread_id",
      "turn_id",
      "wb_user_id",
      "wb_run_id",
    ]),
    ...{
      project_id: P,
      started_at: T0,
      attributes: texts(["attributes"]),
      inputs: texts(["inputs"]),
      wb_run_step: 71,
    },
  };
  const end = {
    ...{ project_id: P, id: "<id>", ended_at: T1, output: "<output>", summary: texts(["summary"]) },
    ...{ exception: "<exception>", wb_run_step_end: 72 },
  };
  await post("/call/start", { start });
  await post("/call/end", { end });
  const call = (await post("/call/read", { project_id: P, id: "<id>" })).text;
  for (const value of [...valuesOf(start), ...valuesOf(end)]) expect(call).toContain(value);

  const scorer = { quality: 0.5 };
  const feedback = {
    ...texts(["id", "weave_ref", "feedback_type", "creator", "wb_user_id", "annotation_ref", "runnable_ref"]),
    ...texts([
      "call_ref",
      "trigger_ref",
      "queue_id",
      "scorer_trace_id",
      "span_agent_name",
      "span_agent_version",
    ]),
    ...texts(["span_conversation_id", "span_status_code", "span_trace_id"]),
    ...{ project_id: P, payload: texts(["payload"]), scorer_tags: ["<scorer_tags>"] },
    ...{ scorer_tag_reasons: texts(["tag"]), scorer_tag_confidences: { tag: 0.25 } },
    ...{
      scorer_ratings: scorer,
      scorer_rating_reasons: texts(["rating"]),
      scorer_rating_confidences: { quality: 0.75 },
    },
  };
  expect(Object.keys(feedback).sort()).toEqual(FIELDS["/feedback/create"]);
  await post("/feedback/create", feedback);
  const given = (await post("/feedback/query", { project_id: P })).text;
  for (const value of valuesOf(feedback)) expect(given).toContain(value);

  const cost = {
    ...{ prompt_token_cost: 0.11, completion_token_cost: 0.12, cache_read_input_token_cost: 0.13 },
    ...{
      cache_creation_input_token_cost: 0.14,
      prompt_token_cost_unit: "USD",
      completion_token_cost_unit: "USD",
    },
    ...{ effective_date: "2025-05-05T00:00:00Z", provider_id: "<provider>" },
  };
  await post("/cost/create", { project_id: P, costs: { "<model>": cost } });
  const costs = (await post("/cost/query", { project_id: P })).text;
  for (const value of ["<model>", ...valuesOf(cost)]) expect(costs).toContain(value);

  const refused: readonly [path: string, body: object, name: string][] = [
    ["/call/start", { start: { ...start, otel_dump: {} } }, "otel_dump"],
    ["/call/start", { start, other: 1 }, "other"],
    ["/call/upsert_batch", { batch: [{ mode: "start", req: { start, other: 1 } }] }, "other"],
    ["/call/upsert_batch", { batch: [], other: 1 }, "other"],
    ["/call/update", { project_id: P, call_id: "<id>", wb_user_id: "eve" }, "wb_user_id"],
    ["/calls/delete", { project_id: P, call_ids: [], wb_user_id: "eve" }, "wb_user_id"],
    ["/cost/create", { project_id: P, costs: {}, wb_user_id: "eve" }, "wb_user_id"],
    [
      "/cost/create",
      { project_id: P, costs: { m: { ...cost, prompt_token_cost_unit: "EUR" } } },
      "prompt_token_cost_unit",
    ],
    [
      "/cost/create",
      { project_id: P, costs: { m: { ...cost, prompt_token_cost: -1 } } },
      "prompt_token_cost",
    ],
  ];
  for (const [path, body, name] of refused) {
    const { status, text } = await post(path, body);
    expect([path, status, text.includes(name)]).toEqual([path, 422, true]);
  }
});

/** Every text and number in a value, as JSON. */
function valuesOf(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(valuesOf);
  return [JSON.stringify(value)];
}
