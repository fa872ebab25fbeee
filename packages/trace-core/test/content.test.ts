import { atOnce, type JsonObject } from "@assay/base";
import { rowDigest } from "@assay/calls";
import { memoryTraceStores } from "@assay/trace-core";
import {
  createTable,
  purgeFeedback,
  queryFeedback,
  queryObjects,
  queryTable,
  readFeedback,
  readFeedbackQuery,
  readObject,
  readObjectCreate,
  readObjectsQuery,
  readRefs,
  readTableCreate,
  readTableQuery,
  readTableUpdate,
  readWeaveRef,
  removeVersions,
  resolveRefs,
  tableDigest,
  updateTable,
} from "@assay/trace-core/internal";
import { describe, expect, test } from "vitest";

const P = "acme/demo";
const NOW = "2026-01-01T00:00:00Z";
const ROWS = [
  { b: 1, a: "é" },
  { a: "x", b: [1e-7, null] },
  { b: 2, a: "a" },
];

function must<T>(result: { ok: true; value: T } | { ok: false; issues: readonly unknown[] }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

async function withDataset() {
  const stores = memoryTraceStores();
  const table = must(atOnce(readTableCreate({ table: { project_id: P, rows: ROWS } })));
  await createTable(stores.tables, table);
  const put = async (object_id: string, val: unknown) => {
    const version = must(readObjectCreate({ obj: { project_id: P, object_id, val } }, NOW));
    await stores.objects.put(version);
    return version.digest;
  };
  const digest = await put("data", {
    _type: "Dataset",
    _class_name: "Dataset",
    _bases: ["Object", "BaseModel"],
    rows: `weave:///${P}/table/${table.digest}`,
  });
  return { stores, table, digest, put };
}

describe("tables", () => {
  test("a row's digest equals the engine's", async () => {
    const { table } = await withDataset();
    expect(table.rowDigests).toEqual(ROWS.map((row) => rowDigest(row)));
    expect(table.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(table.digest).toBe(tableDigest(table.rowDigests));
  });

  test("a client's expected digest is checked", () => {
    const wrong = atOnce(readTableCreate({ table: { project_id: P, rows: [], expected_digest: "x" } }));
    expect(wrong).toMatchObject({ ok: false, issues: [{ code: "digest_mismatch" }] });
  });

  test("a request creates or changes at most a quarter of a million rows", () => {
    const many = Array.from({ length: 250_001 }, () => ({}));
    const created = atOnce(readTableCreate({ table: { project_id: P, rows: many } }));
    expect(created).toMatchObject({
      ok: false,
      issues: [{ code: "too_long", path: ["body", "table", "rows"] }],
    });
    const updated = atOnce(readTableUpdate({ project_id: P, base_digest: "d", updates: many }));
    expect(updated).toMatchObject({ ok: false, issues: [{ code: "too_long", path: ["body", "updates"] }] });
  });

  test("updates are applied in order", async () => {
    const { stores, table } = await withDataset();
    const update = must(
      atOnce(
        readTableUpdate({
          project_id: P,
          base_digest: table.digest,
          updates: [
            { append: { row: { n: 1 } } },
            { pop: { index: 0 } },
            { insert: { index: 0, row: { n: 2 } } },
          ],
        }),
      ),
    );
    const updated = await updateTable(stores.tables, update);
    const [one, two] = [rowDigest({ n: 1 }), rowDigest({ n: 2 })];
    const [first, second, third] = table.rowDigests;
    expect(updated).toMatchObject({ ok: true, value: { changed: [one, first, two] } });
    const digest = updated?.ok ? updated.value.digest : "";
    expect(await stores.tables.table(P, digest)).toEqual([two, second, third, one]);
    const beyond = { ...update, updates: [{ pop: { index: 3 } }] };
    expect(await updateTable(stores.tables, beyond)).toMatchObject({
      ok: false,
      issues: [{ path: ["body", "updates", 0, "pop", "index"] }],
    });
    expect(await updateTable(stores.tables, { ...update, base_digest: "none" })).toBeUndefined();
  });

  test("rows are filtered, sorted and paged", async () => {
    const { stores, table } = await withDataset();
    const values = async (more: object) => {
      const query = must(readTableQuery({ project_id: P, digest: table.digest, ...more }));
      return (await queryTable(stores.tables, query))?.map(({ original_index }) => original_index);
    };
    expect(await values({})).toEqual([0, 1, 2]);
    expect(await values({ offset: 1, limit: 1 })).toEqual([1]);
    expect(await values({ sort_by: [{ field: "a", direction: "asc" }], limit: 2 })).toEqual([2, 1]);
    expect(await values({ filter: { row_digests: [table.rowDigests[2]] } })).toEqual([2]);
    const none = must(readTableQuery({ project_id: P, digest: "none" }));
    expect(await queryTable(stores.tables, none)).toBeUndefined();
  });
});

describe("objects", () => {
  test("are versioned by content, and read by digest, index or `latest`", async () => {
    const { stores, digest, put } = await withDataset();
    await put("data", { other: 1 });
    await put("op", { _type: "CustomWeaveType", weave_type: { type: "Op" } });
    const read = (wanted: string) =>
      readObject(stores.objects, { project_id: P, object_id: "data", digest: wanted });
    expect(await read(digest)).toMatchObject({
      version_index: 0,
      is_latest: 0,
      base_object_class: "Dataset",
    });
    expect(await read("v0")).toEqual(await read(digest));
    expect(await read("latest")).toMatchObject({ version_index: 1, is_latest: 1, val: { other: 1 } });
    expect(await read("none")).toBeUndefined();
    const list = async (filter: object) =>
      (await queryObjects(stores.objects, must(readObjectsQuery({ project_id: P, filter })))).map(
        ({ object_id, version_index }) => `${object_id} ${version_index}`,
      );
    expect(await list({})).toEqual(["data 0", "data 1", "op 0"]);
    expect(await list({ latest_only: true, is_op: false })).toEqual(["data 1"]);
    expect(await list({ base_object_classes: ["Dataset"] })).toEqual(["data 0"]);
    expect(await list({ is_op: true })).toEqual(["op 0"]);
    expect(await list({ exclude_base_object_classes: ["Dataset"] })).toEqual(["data 1", "op 0"]);
  });

  test("are sorted by each key in turn, and paged", async () => {
    const stores = memoryTraceStores();
    for (const [object_id, day] of [
      ["b", 1],
      ["a", 2],
      ["c", 1],
    ] as const) {
      const now = `2026-01-0${day}T00:00:00Z`;
      const version = must(readObjectCreate({ obj: { project_id: P, object_id, val: object_id } }, now));
      await stores.objects.put(version);
    }
    const list = async (more: object) =>
      (await queryObjects(stores.objects, must(readObjectsQuery({ project_id: P, ...more })))).map(
        ({ object_id }) => object_id,
      );
    const by = (field: string, direction: string) => ({ field, direction });
    const sort_by = [by("created_at", "desc"), by("object_id", "desc")];
    expect(await list({ sort_by })).toEqual(["a", "c", "b"]);
    expect(await list({ sort_by, offset: 1, limit: 1 })).toEqual(["c"]);
    expect(await list({ sort_by: [by("created_at", "asc")] })).toEqual(["b", "c", "a"]);
  });

  test("a deleted version is not listed, and reads as deleted", async () => {
    const { stores, digest, put } = await withDataset();
    await put("data", { other: 1 });
    expect(
      await removeVersions(stores.objects, { project_id: P, object_id: "data", digests: ["v0"] }, NOW),
    ).toEqual([digest]);
    expect(await queryObjects(stores.objects, { project_id: P })).toHaveLength(1);
    expect(await readObject(stores.objects, { project_id: P, object_id: "data", digest })).toMatchObject({
      deleted_at: NOW,
    });
  });

  test("a monitor is stored while it is not active: nothing would run it", () => {
    const monitor = (active: boolean) => {
      const val = { _class_name: "Monitor", _bases: ["Object", "BaseModel"], active };
      return readObjectCreate({ obj: { project_id: P, object_id: "m", val } }, NOW);
    };
    expect(monitor(false).ok).toBe(true);
    expect(monitor(true)).toMatchObject({ issues: [{ path: ["body", "obj", "val", "active"] }] });
  });

  test("the digest of an object does not depend on the order of its keys", () => {
    const digestOf = (val: unknown) =>
      must(readObjectCreate({ obj: { project_id: P, object_id: "o", val } }, NOW)).digest;
    expect(digestOf({ a: 1, b: { c: 1, d: 2 } })).toBe(digestOf({ b: { d: 2, c: 1 }, a: 1 }));
  });
});

describe("references", () => {
  test("lead into objects, through their tables, to a row and inside it", async () => {
    const { stores, table, digest } = await withDataset();
    const base = `weave:///${P}/object/data:${digest}`;
    const row = `${base}/attr/rows/id/${table.rowDigests[1]}`;
    const refs = [
      row,
      `${row}/key/b/index/0`,
      `${base}/attr/_type`,
      `${base}/attr/nothing`,
      `${base}/attr/rows/id/x`,
    ];
    const latest = `weave:///${P}/object/data:latest/attr/rows/index/2/key/a`;
    const read = must(readRefs({ refs: [...refs, latest, `weave:///${P}/object/none:x`] }));
    expect(await resolveRefs(stores, read, { allowed: () => true })).toEqual([
      ROWS[1],
      1e-7,
      "Dataset",
      null,
      null,
      "a",
      null,
    ]);
  });

  test("never resolve into a hidden project, not even through another reference", async () => {
    const { stores, digest } = await withDataset();
    const val = { secret: `weave:///${P}/object/data:${digest}` };
    const own = must(readObjectCreate({ obj: { project_id: "eve/own", object_id: "o", val } }, NOW));
    await stores.objects.put(own);
    const refs = must(
      readRefs({
        refs: [
          `weave:///eve/own/object/o:${own.digest}/attr/secret/attr/_type`,
          `weave:///${P}/object/data:${digest}`,
        ],
      }),
    );
    expect(await resolveRefs(stores, refs, { allowed: (project) => project === "eve/own" })).toEqual([
      null,
      null,
    ]);
    expect(await resolveRefs(stores, refs, { allowed: () => true })).toMatchObject([
      "Dataset",
      { _type: "Dataset" },
    ]);
  });

  test("in a circle resolve to null", async () => {
    const { stores, put } = await withDataset();
    await put("a", { next: `weave:///${P}/object/b:latest/attr/next` });
    await put("b", { next: `weave:///${P}/object/a:latest/attr/next` });
    const refs = must(readRefs({ refs: [`weave:///${P}/object/a:latest/attr/next/attr/x`] }));
    expect(await resolveRefs(stores, refs, { allowed: () => true })).toEqual([null]);
  });

  test("are read strictly", () => {
    expect(readWeaveRef("weave:///e/p/object/n:d/key/a%2Fb")).toEqual({
      project: "e/p",
      kind: "object",
      name: "n",
      digest: "d",
      steps: [{ by: "key", name: "a/b" }],
    });
    for (const text of [
      "",
      "x",
      "weave:///e/p/object/n",
      "weave:///e/p/what/n:d",
      "weave:///e/p/op/n:d/key",
      "weave:///e/p/op/n:d/key/%",
    ])
      expect(readWeaveRef(text)).toBeUndefined();
  });
});

describe("feedback", () => {
  const context = { now: NOW, user: "ann", newId: () => "new" };

  test("can be queried by subject and content, and purged", async () => {
    const { feedback } = memoryTraceStores();
    const give = async (id: string | undefined, about: string, payload: JsonObject) => {
      const given = { project_id: P, weave_ref: about, feedback_type: "note", payload, ...(id && { id }) };
      await feedback.put([must(readFeedback(given, ["body"], context))]);
    };
    await give("1", "x", { note: "good" });
    await give(undefined, "x", { note: "bad" });
    await give("3", "y", { note: "good" });
    const about = { $expr: { $eq: [{ $getField: "weave_ref" }, { $literal: "x" }] } };
    const good = { $expr: { $eq: [{ $getField: "payload.note" }, { $literal: "good" }] } };
    const ask = async (more: object) =>
      queryFeedback(feedback, must(readFeedbackQuery({ project_id: P, ...more })));
    expect((await ask({ query: about, sort_by: [{ field: "id", direction: "asc" }] })).result).toMatchObject([
      { id: "1", wb_user_id: "ann" },
      { id: "new" },
    ]);
    expect(await ask({ query: good, fields: ["id"], limit: 1 })).toEqual({
      result: [{ id: "3" }],
      total_count: 2,
    });
    await purgeFeedback(feedback, must(readFeedbackQuery({ project_id: P, query: good })));
    expect((await ask({})).total_count).toBe(1);
  });
});
