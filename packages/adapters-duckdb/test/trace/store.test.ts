// Calls of Weave clients in a data directory: beside imported ones, after reopening it, and after damage.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atOnce, jsonText } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import { type CallText, readCall } from "@assay/calls";
import { createEvalEngine } from "@assay/eval-engine";
import type { TraceCall } from "@assay/trace-core";
import { createTable, readTableCreate, unknownCall } from "@assay/trace-core/internal";
import { describe, expect, test } from "vitest";
import { freshDirectory, openFresh, openHere } from "../support.ts";

const P = "acme/demo";
const T0 = "2026-01-01T00:00:00Z";
const T1 = "2026-01-01T00:00:01Z";

function start(
  id: string,
  parent_id: string | null,
  op_name: string,
  inputs: TraceCall["inputs"],
): TraceCall {
  return { ...unknownCall(P, id), trace_id: "t", parent_id, op_name, started_at: T0, inputs, attributes: {} };
}

function end(id: string, output: TraceCall["output"]): TraceCall {
  return { ...unknownCall(P, id), ended_at: T1, output, summary: {} };
}

function line(fields: object): CallText {
  const call = readCall(fields);
  if (!call.ok) throw new Error(call.issues[0]!.message);
  return { call: call.value, text: Buffer.from(JSON.stringify(fields)) };
}

test("an evaluation query answers calls while they run and after, with rows of tables", async () => {
  const { traces, ...store } = await openFresh();
  const engine = createEvalEngine(store);
  const table = atOnce(readTableCreate({ table: { project_id: P, rows: [{ q: "1+1" }] } }));
  if (!table.ok) throw new Error("the table is invalid");
  await createTable(traces.tables, table.value);
  const [digest] = table.value.rowDigests;
  const example = `weave:///acme/demo/object/sums:v0/attr/rows/id/${digest}`;
  await traces.calls.put([
    start("root", null, "Evaluation.evaluate", {}),
    start("trial", "root", "Evaluation.predict_and_score", { example }),
  ]);
  const ask = () =>
    engine.query(P, {
      evaluation_call_ids: ["root"],
      include_raw_data_rows: true,
      resolve_row_refs: true,
    });
  const running = { row_digest: digest, raw_data_row: { q: "1+1" } };
  expect((await ask()).rows).toMatchObject([
    { ...running, evaluations: [{ trials: [{ model_output: null, scores: {} }] }] },
  ]);
  await traces.calls.put([end("trial", { output: "2", scores: { right: true } })]);
  expect((await ask()).rows).toMatchObject([
    { ...running, evaluations: [{ trials: [{ model_output: "2", scores: { right: true } }] }] },
  ]);
});

test("everything survives reopening the directory", async () => {
  const directory = freshDirectory();
  const { traces, close } = await openHere(directory);
  const version = {
    project_id: "acme/new",
    object_id: "m",
    digest: "d",
    kind: "object" as const,
    base_object_class: null,
    leaf_object_class: null,
    created_at: T0,
    deleted_at: null,
    wb_user_id: null,
    val: { a: "é" },
  };
  const feedback = {
    id: "f",
    project_id: P,
    weave_ref: "r",
    feedback_type: "note",
    payload: {},
    creator: null,
    created_at: T0,
    wb_user_id: null,
    annotation_ref: null,
    runnable_ref: null,
    call_ref: null,
    trigger_ref: null,
  };
  await traces.calls.put([start("a", null, "op", {})]);
  await traces.objects.put(version);
  await traces.tables.put("acme/tables", "t", ["r"], [{ digest: "r", val: 1 }]);
  await traces.tables.put("acme/empty", "t", [], []);
  await traces.files.put("acme/files", "f", [Uint8Array.of(10, 0, 255)]);
  await traces.feedback.put([feedback, { ...feedback, project_id: "acme/feedback" }]);
  await close();

  const again = (await openHere(directory)).traces;
  expect(await again.calls.get(P, ["a"])).toMatchObject([{ id: "a" }]);
  const { val, ...head } = version;
  const heads = await again.objects.versions("acme/new", undefined);
  expect(heads).toEqual([{ ...head, version_index: 0 }]);
  expect(await again.objects.values("acme/new", heads)).toEqual([val]);
  expect(await again.tables.table("acme/tables", "t")).toEqual(["r"]);
  expect(await again.tables.rowValues("acme/tables", ["r"])).toEqual([1]);
  expect(await again.tables.table("acme/empty", "t")).toEqual([]);
  expect([...Buffer.concat((await again.files.get("acme/files", "f")) ?? [])]).toEqual([10, 0, 255]);
  for (const project of [P, "acme/feedback"]) {
    const found = [];
    for await (const some of again.feedback.scan(project, ["r"])) found.push(...some);
    expect(found).toEqual([{ ...feedback, project_id: project }]);
  }
});

describe("an imported call", () => {
  test("is joined with what clients log, and keeps the keys that exist only in its text", async () => {
    const { calls, traces } = await openFresh();
    const imported = line({
      id: "a",
      project_id: "other/place",
      op_name: "op",
      started_at: T0,
      cost: { usd: 1 },
    });
    await calls.put(P, [imported]);
    await traces.calls.put([end("a", 7)]);
    expect(await traces.calls.get(P, ["a"])).toMatchObject([{ project_id: P, started_at: T0, output: 7 }]);
    const texts: string[] = [];
    for await (const some of calls.scan(P)) texts.push(...some.map(({ text }) => text.toString()));
    expect(texts.map((text) => JSON.parse(text))).toMatchObject([{ cost: { usd: 1 }, output: 7 }]);
  });

  test("replaces the logged call, and clients can delete it like any other", async () => {
    const { calls, traces } = await openFresh();
    await traces.calls.put([start("a", null, "op", {}), end("a", "logged")]);
    const imported = line({ id: "a", op_name: "op", started_at: T0, output: "imported" });
    await calls.put(P, [imported]);
    expect(await traces.calls.get(P, ["a"])).toMatchObject([{ output: "imported", ended_at: null }]);
    await traces.calls.put([{ ...unknownCall(P, "a"), deleted_at: T1 }]);
    expect(await traces.calls.get(P, ["a"])).toEqual([undefined]);
  });
});

test("a deleted call stays deleted when a late piece of it arrives", async () => {
  const { calls, traces } = await openFresh();
  await traces.calls.put([start("a", null, "op", {})]);
  await calls.delete(P, ["a"], T1);
  await traces.calls.put([end("a", 1)]);
  expect(await traces.calls.get(P, ["a"])).toEqual([undefined]);
});

test("a batch of calls of two projects is kept in both or in neither", async () => {
  const { traces, close } = await openFresh();
  const both = [start("a", null, "op", {}), { ...start("a", null, "op", {}), project_id: "acme/other" }];
  await traces.calls.put(both);
  for (const { project_id } of both)
    expect(await traces.calls.get(project_id, ["a"])).toMatchObject([{ project_id }]);
  await close();
  await expect(traces.calls.put(both)).rejects.toMatchObject({ code: "unavailable" });
});

test("a damaged record is a fault that names its file, and others can be read", async () => {
  const directory = freshDirectory();
  const { traces, close } = await openHere(directory);
  await traces.files.put(P, "good", [Buffer.from("good bytes")]);
  await traces.files.put(P, "bad", [Buffer.from("bad bytes")]);
  await close();
  const path = join(directory, "files.bin");
  writeFileSync(path, readFileSync(path, "latin1").replace("bad bytes", "bed bytes"), "latin1");
  const { files } = (await openHere(directory)).traces;
  expect(Buffer.concat((await files.get(P, "good")) ?? []).toString()).toBe("good bytes");
  await expect(files.get(P, "bad")).rejects.toMatchObject({ code: "corrupt" });
});

test("a long call is joined and reads as it was logged, and is a fault if damaged", {
  tags: ["long"],
}, async () => {
  const directory = freshDirectory();
  const list = (item: string) => `[${Array(60_000).fill(item)}]`;
  const first = await openHere(directory);
  await first.traces.calls.put([
    start("long", null, "op", parseJson(list("1.0"))),
    start("short", null, "op", 1),
  ]);
  await first.traces.calls.put([end("long", parseJson(list("[2.50]")))]);
  await first.close();
  // After reopening, none of it is cached.
  const { traces, close } = await openHere(directory);
  // With the same time, so that the order depends on the texts.
  await traces.calls.put([end("long", parseJson(list("[2.40]"))), end("short", 3)]);
  const found = await traces.calls.get(P, ["short", "long"]);
  expect(found).toMatchObject([{ id: "short", inputs: 1, output: 3 }, { id: "long" }]);
  expect(jsonText(found[1]!.inputs) === list("1.0")).toBe(true);
  expect(jsonText(found[1]!.output) === list("[2.50]")).toBe(true);
  await close();
  const path = join(directory, "calls.jsonl");
  writeFileSync(path, readFileSync(path, "latin1").replaceAll("1.0,1.0", "1.0,1.1"), "latin1");
  const again = (await openHere(directory)).traces;
  await expect(again.calls.get(P, ["long"])).rejects.toMatchObject({ code: "corrupt" });
  expect(await again.calls.get(P, ["short"])).toMatchObject([{ output: 3 }]);
});
