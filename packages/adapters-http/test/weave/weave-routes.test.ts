import { Readable } from "node:stream";
import { createHandler, type Principal, weaveRoutes } from "@assay/adapters-http";
import { Fault } from "@assay/base";
import { memoryTraceStores } from "@assay/trace-core";
import { type MemoryTraceStores, unknownCall } from "@assay/trace-core/internal";
import { describe, expect, test } from "vitest";

const P = "acme/demo";
const T0 = "2026-01-01T00:00:00Z";
const T1 = "2026-01-01T00:00:01Z";
const ANN: Principal = { id: "ann", allows: (entity) => entity === "acme" };

function open(more: Partial<Parameters<typeof weaveRoutes>[0]> = {}) {
  const stores = more.stores ?? memoryTraceStores();
  const errors: unknown[] = [];
  let ids = 0;
  const group = weaveRoutes({
    stores,
    authenticate: async (request) => (request.headers.get("authorization") === "ann" ? ANN : undefined),
    now: () => T1,
    newId: () => `new-${++ids}`,
    onError: (error) => errors.push(error),
    ...more,
  });
  const handler = createHandler({ routes: [group] });
  const send = async (path: string, init: RequestInit): Promise<Response> =>
    handler(new Request(`http://x${path}`, init));
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const text = JSON.stringify(body);
    const sent = { authorization: "ann", "content-type": "application/json", ...headers };
    return send(path, {
      method: "POST",
      body: text,
      headers: { "content-length": String(text.length), ...sent },
    });
  };
  const json = async (path: string, body: unknown) => (await post(path, body)).json() as Promise<never>;
  return { stores, errors, send, post, json };
}

/** A promise, and the function that resolves it. */
function deferred() {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, resolve: () => open() };
}

const started = (id: string, more: object = {}) => ({
  mode: "start",
  req: {
    start: {
      project_id: P,
      id,
      trace_id: "t",
      op_name: "f",
      started_at: T0,
      attributes: {},
      inputs: {},
      ...more,
    },
  },
});
const ended = (id: string) => ({
  mode: "end",
  req: { end: { project_id: P, id, ended_at: T1, output: 1, summary: {} } },
});

describe("calls over HTTP", () => {
  test("can be written in a batch, updated, read and deleted", async () => {
    const { json, post } = open();
    expect(
      await json("/call/upsert_batch", {
        batch: [ended("a"), started("a"), started("b", { parent_id: "a" })],
      }),
    ).toEqual({
      res: [{}, { id: "a", trace_id: "t" }, { id: "b", trace_id: "t" }],
    });
    expect(await json("/call/update", { project_id: P, call_id: "a", display_name: "näme" })).toEqual({});
    expect(await json("/call/read", { project_id: P, id: "a" })).toMatchObject({
      call: {
        id: "a",
        output: 1,
        display_name: "näme",
        summary: { weave: { status: "success", latency_ms: 1000 } },
      },
    });
    await json("/call/update", { project_id: P, call_id: "a", display_name: "" });
    expect(await json("/call/read", { project_id: P, id: "a" })).toMatchObject({
      call: { display_name: null },
    });
    const lines = await (await post("/calls/stream_query", { project_id: P })).text();
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual(["a", "b"]);
    expect(await json("/calls/query_stats", { project_id: P, filter: { trace_roots_only: true } })).toEqual({
      count: 1,
    });
    expect(await json("/calls/delete", { project_id: P, call_ids: ["a"] })).toEqual({ num_deleted: 2 });
    expect(await json("/call/read", { project_id: P, id: "b" })).toEqual({ call: null });
  });

  test("a call without an id gets one, and an end with a wrong start is refused", async () => {
    const { json, post } = open();
    const { start } = started("x", { id: null, trace_id: null }).req;
    expect(await json("/call/start", { start })).toEqual({ id: "new-1", trace_id: "new-2" });
    const { end } = ended("new-1").req;
    expect((await post("/call/end", { end: { ...end, started_at: "soon" } })).status).toBe(422);
    expect(await json("/call/end", { end })).toEqual({});
    expect(await json("/call/read", { project_id: P, id: "new-1" })).toMatchObject({ call: { output: 1 } });
  });

  test("can be sent whole with the project in the path, as newer clients do", async () => {
    const { json, post } = open();
    const call = { ...started("a").req.start, ...ended("a").req.end };
    expect(await json(`/v2/${P}/calls/complete`, { batch: [call] })).toEqual({});
    expect(await json(`/v2/${P}/call/start`, started("b").req)).toEqual({ id: "b", trace_id: "t" });
    expect(await json(`/v2/${P}/call/end`, ended("b").req)).toEqual({});
    expect(await json("/calls/query_stats", { project_id: P })).toEqual({ count: 2 });
    const other = await post("/v2/acme/other/calls/complete", { batch: [call] });
    expect([other.status, await other.json()]).toMatchObject([
      422,
      { detail: [{ loc: ["body", "project_id"] }] },
    ]);
  });

  test("are not stored if any call of their batch is invalid", async () => {
    const { json, post } = open();
    const response = await post("/call/upsert_batch", {
      batch: [started("a"), started("b", { started_at: 5 })],
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [{ loc: ["body", "batch", 1, "req", "start", "started_at"], type: "string_type" }],
    });
    expect(await json("/calls/query_stats", { project_id: P })).toEqual({ count: 0 });
  });

  test("are acknowledged when the store has written them, not before", async () => {
    const memory = memoryTraceStores();
    const kept = deferred();
    const order: string[] = [];
    const stores: MemoryTraceStores = {
      ...memory,
      calls: {
        ...memory.calls,
        put: async (pieces) => {
          await kept.promise;
          await memory.calls.put(pieces);
          order.push("kept");
        },
      },
    };
    const answered = open({ stores })
      .post("/call/upsert_batch", { batch: [started("a")] })
      .then(() => order.push("answered"));
    kept.resolve();
    await answered;
    expect(order).toEqual(["kept", "answered"]);
  });
});

describe("when the write queue is full", () => {
  test("a client is told to retry, and reads still get through", async () => {
    const memory = memoryTraceStores();
    const gate = deferred();
    const stores = { ...memory, calls: { ...memory.calls, put: () => gate.promise } };
    const { post } = open({ stores, maxQueuedBytes: 300 });
    const first = post("/call/upsert_batch", { batch: [started("a")] });
    const second = await post("/call/upsert_batch", { batch: [started("b")] });
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await post("/calls/query_stats", { project_id: P })).status).toBe(200);
    gate.resolve();
    expect((await first).status).toBe(200);
    expect((await post("/call/upsert_batch", { batch: [started("b")] })).status).toBe(200);
  });

  test("a full store has the same effect", async () => {
    const memory = memoryTraceStores();
    const put = async () => {
      throw new Fault("overloaded", "the write queue is full");
    };
    const { post, errors } = open({ stores: { ...memory, calls: { ...memory.calls, put } } });
    const response = await post("/call/upsert_batch", { batch: [started("a")] });
    expect([response.status, response.headers.get("retry-after"), errors]).toEqual([429, "1", []]);
  });
});

describe("content over HTTP", () => {
  test("a data set is created, read back and resolved row by row", async () => {
    const { json, post } = open();
    const table = await json("/table/create", { table: { project_id: P, rows: [{ a: 1 }, { a: 2 }] } });
    const { digest, row_digests } = table as { digest: string; row_digests: string[] };
    const val = { _type: "Dataset", rows: `weave:///${P}/table/${digest}` };
    const created = (await json("/obj/create", { obj: { project_id: P, object_id: "d", val } })) as {
      digest: string;
    };
    const ref = `weave:///${P}/object/d:${created.digest}/attr/rows/id/${row_digests[1]}`;
    expect(await json("/refs/read_batch", { refs: [ref] })).toEqual({ vals: [{ a: 2 }] });
    expect(await json("/table/query", { project_id: P, digest })).toMatchObject({
      rows: [{ val: { a: 1 } }, { val: { a: 2 } }],
    });
    expect(await json("/table/query_stats", { project_id: P, digest })).toEqual({ count: 2 });
    expect(await json("/table/query_stats_batch", { project_id: P, digests: [digest, "none"] })).toEqual({
      tables: [{ digest, count: 2 }],
    });
    const again = await json("/table/create_from_digests", { project_id: P, row_digests });
    expect(again).toEqual({ digest, row_digests });
    const updates = [{ append: { row: { a: 3 } } }];
    expect(await json("/table/update", { project_id: P, base_digest: digest, updates })).toMatchObject({
      updated_row_digests: [expect.any(String)],
    });
    expect(await json("/objs/query", { project_id: P })).toMatchObject({
      objs: [{ object_id: "d", is_latest: 1 }],
    });
    expect(await json("/obj/delete", { project_id: P, object_id: "d" })).toMatchObject({ num_deleted: 1 });
    const gone = await post("/obj/read", { project_id: P, object_id: "d", digest: created.digest });
    expect([gone.status, await gone.json()]).toMatchObject([404, { deleted_at: T1 }]);
    expect((await post("/table/query", { project_id: P, digest: "none" })).status).toBe(404);
  });

  test("a file comes back unchanged", async () => {
    const { send, post } = open();
    const form = new FormData();
    form.set("project_id", P);
    form.set("file", new Blob([Uint8Array.of(0, 13, 10, 255)]), "obj.py");
    const created = await send("/file/create", {
      method: "POST",
      body: form,
      headers: { authorization: "ann" },
    });
    const { digest } = (await created.json()) as { digest: string };
    const content = await post("/file/content", { project_id: P, digest });
    expect([...new Uint8Array(await content.arrayBuffer())]).toEqual([0, 13, 10, 255]);
    expect((await post("/file/content", { project_id: P, digest: "none" })).status).toBe(404);
    form.set("expected_digest", "other");
    const refused = await send("/file/create", {
      method: "POST",
      body: form,
      headers: { authorization: "ann" },
    });
    expect(refused.status).toBe(409);
  });

  test("a form is read in any order, in chunks of any length, and refused if invalid", async () => {
    const { send, post } = open();
    const part = (name: string, value: string, more = "") =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
    const create = async (parts: readonly string[], end = "--b--\r\n", each = 1000) => {
      const bytes = Buffer.from(parts.join("") + end);
      const pieces = Array.from({ length: Math.ceil(bytes.length / each) }, (_, i) =>
        bytes.subarray(i * each, (i + 1) * each),
      );
      const headers = { authorization: "ann", "content-type": "multipart/form-data; boundary=b" };
      const answer = await send("/file/create", {
        ...{
          method: "POST",
          headers,
          body: Readable.toWeb(Readable.from(pieces)) as BodyInit,
          duplex: "half",
        },
      } as RequestInit);
      return { status: answer.status, ...((await answer.json()) as { digest?: string; detail?: unknown }) };
    };
    const project = part("project_id", P);
    const text = "\r\n--c\r\né".repeat(250_000);
    for (const each of [700, 2 ** 20]) {
      const { digest } = await create([part("file", text, '; filename="f"'), project], undefined, each);
      const content = await post("/file/content", { project_id: P, digest });
      expect((await content.text()) === text).toBe(true);
    }
    const { digest } = await create([project, part("file", "no name")], undefined, 1);
    expect(await (await post("/file/content", { project_id: P, digest })).text()).toBe("no name");
    const file = part("file", "x", '; filename="f"');
    const { digest: empty } = await create([project, part("file", "")]);
    expect((await post("/file/content", { project_id: P, digest: empty })).status).toBe(200);

    const missing = (name: string) => [{ loc: ["body", name], type: "missing" }];
    expect(await create([file])).toMatchObject({ status: 422, detail: missing("project_id") });
    expect(await create([project])).toMatchObject({ status: 422, detail: missing("file") });
    const wrong = { status: 422, detail: [{ loc: ["body"], type: "value_error" }] };
    expect(await create([project, file], "")).toMatchObject(wrong);
    expect(await create([project, ...Array(1000).fill(part("x", "y")), file])).toMatchObject(wrong);
    expect(await create([file, ...Array(1000).fill(part("x", "y")), project])).toMatchObject(wrong);
    expect(await create([part("project_id", P + "x".repeat(5000)), file])).toMatchObject(wrong);
  });

  test("feedback is given one by one or in batches, replaced and purged", async () => {
    const { json } = open();
    const given = { project_id: P, weave_ref: "x", feedback_type: "note", payload: { note: "a" } };
    expect(await json("/feedback/create", given)).toEqual({
      id: "new-1",
      created_at: T1,
      wb_user_id: "ann",
      payload: { note: "a" },
    });
    expect(await json("/feedback/batch/create", { batch: [{ ...given, id: "b" }] })).toMatchObject({
      res: [{ id: "b" }],
    });
    await json("/feedback/replace", { ...given, id: "c", feedback_id: "b" });
    const byId = { $expr: { $eq: [{ $getField: "id" }, { $literal: "new-1" }] } };
    await json("/feedback/purge", { project_id: P, query: byId });
    expect(await json("/feedback/query", { project_id: P })).toMatchObject({
      result: [{ id: "c" }],
      total_count: 1,
    });
  });
});

describe("long answers", () => {
  const rows = [...Array.from({ length: 300 }, (_, i) => ({ i, text: 'é"'.repeat(500) })), { i: 1.5 }];

  test("equal short ones as JSON, and yield to other requests while they are written", async () => {
    let pauses = 0;
    const pause = async () => void pauses++;
    const { json } = open({ pause });
    const { digest } = (await json("/table/create", { table: { project_id: P, rows } })) as {
      digest: string;
    };
    pauses = 0;
    const answer = (await json("/table/query", { project_id: P, digest })) as {
      rows: readonly { val: unknown }[];
    };
    expect(answer.rows.map(({ val }) => val)).toEqual(rows);
    // 300 kB, in pieces of 64 KiB.
    expect(pauses).toBeGreaterThan(3);
    const short = { project_id: P, digest, limit: 2 };
    expect(await json("/table/query", short)).toEqual({ rows: answer.rows.slice(0, 2) });
  });

  test("have numbers in their logged notation", async () => {
    const { send, post } = open();
    const body = `{"table": {"project_id": "${P}", "rows": [${"{},".repeat(99)} {"x": 1.0, "y": 9007199254740993}]}}`;
    const headers = { authorization: "ann", "content-type": "application/json" };
    const created = await send("/table/create", { method: "POST", body, headers });
    const { digest } = (await created.json()) as { digest: string };
    const text = await (await post("/table/query", { project_id: P, digest })).text();
    expect(text).toContain('{"x":1.0,"y":9007199254740993}');
    const refs = Array<string>(100).fill(`weave:///${P}/table/${digest}/index/99/key/y`);
    expect(await (await post("/refs/read_batch", { refs })).json()).toHaveProperty("vals.length", 100);
  });
});

describe("after a client disconnects", () => {
  const routes: readonly [string, object][] = [
    [
      "/calls/query_stats",
      { project_id: P, query: { $expr: { $eq: [{ $getField: "id" }, { $literal: "a" }] } } },
    ],
    ["/calls/stream_query", { project_id: P, sort_by: [{ field: "id", direction: "asc" }] }],
    ["/table/query_stats_batch", { project_id: P, digests: ["a", "b", "c", "d"] }],
  ];
  for (const [path, body] of routes) {
    test(`nothing more is read for it: ${path}`, async () => {
      const memory = memoryTraceStores();
      const leaving = new AbortController();
      let reads = 0;
      const readOnce = () => {
        if (++reads === 2) leaving.abort();
      };
      const call = { ...unknownCall(P, "a"), started_at: T0, op_name: "f" };
      const stores: MemoryTraceStores = {
        ...memory,
        calls: {
          ...memory.calls,
          async *scan() {
            for (let i = 0; i < 10; i++) {
              readOnce();
              yield [call];
            }
          },
        },
        tables: {
          ...memory.tables,
          table: async () => {
            readOnce();
            return [];
          },
        },
      };
      const { send, errors } = open({ stores });
      const headers = { authorization: "ann", "content-type": "application/json" };
      const { signal } = leaving;
      const answer = await send(path, { method: "POST", body: JSON.stringify(body), headers, signal });
      expect([answer.status, reads, errors]).toEqual([499, 2, []]);
    });
  }
});

describe("permissions", () => {
  test("without a key, only health and server info are available", async () => {
    const { send } = open();
    for (const path of ["/call/read", "/calls/stream_query", "/call/upsert_batch", "/file/create"]) {
      const response = await send(path, {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json" },
      });
      expect([path, response.status, response.headers.has("www-authenticate")]).toEqual([path, 401, true]);
    }
    expect((await send("/health", {})).status).toBe(200);
    expect(await (await send("/server_info", {})).json()).toHaveProperty("min_required_weave_python_version");
  });

  test("another owner's project looks like one that does not exist, on every route", async () => {
    const { post } = open();
    const project_id = "eve/own";
    const other = { ...started("a").req.start, project_id };
    const bodies: Record<string, object> = {
      "/call/start": { start: other },
      "/call/upsert_batch": { batch: [started("ok"), { mode: "start", req: { start: other } }] },
      "/v2/eve/own/call/start": { start: other },
      "/v2/eve/own/calls/complete": { batch: [] },
      "/call/read": { project_id, id: "a" },
      "/calls/stream_query": { project_id },
      "/calls/query_stats": { project_id },
      "/calls/delete": { project_id, call_ids: [] },
      "/call/update": { project_id, call_id: "a" },
      "/obj/create": { obj: { project_id, object_id: "o", val: 1 } },
      "/obj/read": { project_id, object_id: "o", digest: "latest" },
      "/obj/delete": { project_id, object_id: "o" },
      "/objs/query": { project_id },
      "/table/create": { table: { project_id, rows: [] } },
      "/table/query": { project_id, digest: "x" },
      "/table/update": { project_id, base_digest: "x", updates: [] },
      "/file/content": { project_id, digest: "x" },
      "/feedback/create": { project_id, weave_ref: "x", feedback_type: "n", payload: {} },
      "/feedback/query": { project_id },
    };
    for (const [path, body] of Object.entries(bodies))
      expect([path, (await post(path, body)).status]).toEqual([path, 404]);
    expect(await (await post("/calls/query_stats", { project_id: P })).json()).toEqual({ count: 0 });
  });

  test("an invalid project is refused", async () => {
    const { post } = open();
    for (const project_id of ["", "acme", "acme/", "acme/a/b", "acme/a?b"]) {
      expect((await post("/calls/query_stats", { project_id })).status).toBe(422);
    }
  });
});

describe("unreadable input", () => {
  test("is a 4xx with a reason, never a 500", async () => {
    const { send, errors } = open();
    const headers = { authorization: "ann", "content-type": "application/json" };
    const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
    const paths = [
      "/call/upsert_batch",
      "/calls/stream_query",
      "/obj/create",
      "/table/create",
      "/refs/read_batch",
      "/feedback/batch/create",
    ];
    for (const path of paths) {
      for (const body of [
        "",
        "{",
        "null",
        "[]",
        "1",
        '"x"',
        "{}",
        deep,
        '{"batch":[null]}',
        '{"__proto__":1,"refs":[1]}',
      ]) {
        const response = await send(path, { method: "POST", body, headers });
        expect([path, body.slice(0, 9), response.status]).toEqual([path, body.slice(0, 9), 422]);
        expect(await response.json()).toHaveProperty("detail");
      }
    }
    expect(errors).toEqual([]);
  });

  test("a body that is too large is refused before it is read", async () => {
    const { post } = open({ maxBytes: 100 });
    expect(
      (await post("/obj/create", { obj: { project_id: P, object_id: "o", val: "x".repeat(200) } })).status,
    ).toBe(413);
  });

  test("a failure of the store does not reveal its details", async () => {
    const memory = memoryTraceStores();
    const put = async () => {
      throw new Error("secret detail");
    };
    const { post, errors } = open({ stores: { ...memory, calls: { ...memory.calls, put } } });
    const response = await post("/call/upsert_batch", { batch: [started("a")] });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(errors).toHaveLength(1);
  });
});

test("every route also works for clients that only know the address of a W&B server", async () => {
  const { send, post, json } = open();
  expect(await (await send("/traces/server_info", {})).json()).toHaveProperty("trace_server_version");
  expect(await json(`/traces/v2/${P}/call/start`, started("a").req)).toEqual({ id: "a", trace_id: "t" });
  expect(await json("/calls/query_stats", { project_id: P })).toEqual({ count: 1 });
  expect((await post("/traces/call/read", { project_id: P, id: "a", other: 1 })).status).toBe(422);
});

test.each([
  ["/objs/o/versions/d/tags", { project_id: P, tags: ["t"] }],
  ["/traces/objs/o/aliases", { project_id: P, aliases: ["a"] }],
  [`/tags?project_id=${P}`, undefined],
  ["/agents/spans/query", { project_id: P }],
  ["/annotation_queues", { project_id: P }],
  ["/annotation_queues/q/items", { project_id: P }],
  ["/threads/stream_query", { project_id: P }],
  ["/completions/create_stream", { project_id: P }],
])("unsupported features are refused by name, not as a route that does not exist: %s", async (path, body) => {
  const { send, post } = open();
  const response =
    body === undefined ? await send(path, { headers: { authorization: "ann" } }) : await post(path, body);
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringMatching(
      /(tags and aliases of objects|agents|queues|threads|completions) are not supported/,
    ),
  ]);
});

test("every operation with a body has a schema for it", () => {
  const { routes } = weaveRoutes({
    stores: memoryTraceStores(),
    authenticate: async () => undefined,
    now: () => "",
    newId: () => "",
  });
  const taking = routes.filter(({ method }) => method === "POST");
  expect(taking.length).toBeGreaterThan(30);
  expect(taking.filter(({ body }) => body === undefined).map(({ path }) => path)).toEqual([]);
});
