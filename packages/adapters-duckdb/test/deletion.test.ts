// Permanent deletion: deleted data is in no file any more, other data is unchanged, and a process killed midway leaves
// the state before or after.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { callOf, textOf } from "@assay/calls/testing";
import { createEvalEngine } from "@assay/eval-engine";
import { bundled } from "@assay/testing/bundled";
import { some } from "@assay/testing/cases";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../src/database/database.ts";
import { prepareDeletion } from "../src/deletion/delete-records.ts";
import { deleteRecords, type Store } from "../src/index.ts";
import { markReady } from "../src/recovery/atomic-replace.ts";
import { copies, faultOf, openHere } from "./support.ts";

const P = "acme/demo";
const OTHER = "acme/other";
// No process has this id, because Linux ids end at 2^22.
const DEAD = 2 ** 22 + 1;

const refOf = (row: string) => `weave:///${P}/object/rows:v1/attr/rows/id/${row}`;

/** The calls of an evaluation over two rows, one of them unshared, with a distinct text in every field. */
function evaluation(name: string, rows: readonly string[]) {
  const root = callOf(name, null, {
    op_name: "Evaluation.evaluate",
    display_name: `run-${name}-secret`,
    inputs: { self: `set-${name}-secret` },
  });
  const trials = rows.map((row, i) =>
    callOf(`${name}-${i}`, name, {
      op_name: "Evaluation.predict_and_score",
      inputs: { example: refOf(row), model: null },
      output: { output: `answer-${name}-secret`, scores: { ok: true } },
    }),
  );
  const children = trials.map(({ id }) => callOf(`${id}-predict`, id, { output: `below-${name}-secret` }));
  return [root, ...trials, ...children].map(textOf);
}

async function fill(store: Store): Promise<void> {
  await store.rows.put(P, [
    { digest: "own", ref: refOf("own"), val: { q: "row-a-secret" } },
    { digest: "both", ref: refOf("both"), val: { q: "row-shared" } },
    { digest: "alone", val: { q: "row-nobody" } },
  ]);
  await store.calls.put(P, [textOf(callOf("a-0", "a", { output: "before-a-secret" }))]);
  await store.calls.put(P, evaluation("a", ["own", "both"]));
  await store.calls.put(P, evaluation("b", ["both"]));
  await store.calls.put(P, [textOf(callOf("gone", "b", { output: "gone-a-secret" }))]);
  await store.calls.delete(P, ["gone"], "2026-02-02T00:00:00Z");
  await store.calls.put(OTHER, evaluation("o", ["both"]));
  const refs = { annotation_ref: null, runnable_ref: null, call_ref: null, trigger_ref: null, creator: null };
  const note = {
    ...refs,
    project_id: P,
    feedback_type: "note",
    wb_user_id: null,
    created_at: "2026-01-01T00:00:00Z",
  };
  await store.traces.feedback.put([
    { ...note, id: "f1", weave_ref: `weave:///${P}/call/a-0`, payload: { note: "note-a-secret" } },
    { ...note, id: "f2", weave_ref: `weave:///${P}/call/b-0`, payload: { note: "note-b" } },
  ]);
}

const filledFrom = (packedFrom?: number) =>
  copies(async (directory) => {
    const store = await openHere(directory, { packedFrom });
    await fill(store);
    await answers(store);
    for (const project of [P, OTHER]) await store.countedEvaluations(project);
    await store.close();
  });
const [filled, filledAndPacked] = [filledFrom(), filledFrom(1)];

/** The answers to queries of the evaluations. Querying creates segments. */
async function answers(store: Store) {
  const engine = createEvalEngine(store);
  const of = async (project: string, id: string) =>
    JSON.stringify(await engine.query(project, { evaluation_call_ids: [id], include_summary: true }));
  return { a: await of(P, "a"), b: await of(P, "b"), o: await of(OTHER, "o") };
}

async function answersIn(directory: string) {
  const store = await openHere(directory);
  const found = await answers(store);
  await store.close();
  return found;
}

/** The files that contain a text. */
function holding(directory: string, text: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => bytesOf(path).includes(text));
}

function bytesOf(path: string): Buffer {
  const bytes = readFileSync(path);
  return path.endsWith(".gz") && bytes.length > 0 ? gunzipSync(bytes) : bytes;
}

test.each(some([1, undefined]))(
  "an evaluation is gone from every file, with its rows, and everything else answers as before: records packed from %s bytes on",
  async (packedFrom) => {
    const directory = await (packedFrom === undefined ? filled() : filledAndPacked());
    const before = await answersIn(directory);
    expect(holding(directory, "a-secret").length).toBeGreaterThan(1);
    expect(await deleteRecords(directory, { project: P, evaluations: ["a"] })).toEqual({
      ...{ calls: 5, rows: 1, runs: 0, artifacts: 0 },
    });
    expect(holding(directory, "a-secret")).toEqual([]);
    expect(readdirSync(directory).filter((name) => /compact|aside|torn|segments/.test(name))).toEqual([]);
    // Cached lists of the project are deleted too, those of other projects are not.
    const kept = await openDatabase(join(directory, "assay.duckdb"), {
      readOnly: true,
      memory: "64MB",
      threads: 1,
    });
    expect((await kept.columns("SELECT count(*) FROM evaluations"))[0]).toEqual([1]);
    await kept.close();
    const after = await answersIn(directory);
    expect([after.b, after.o]).toEqual([before.b, before.o]);
    expect(JSON.parse(after.a).total_rows).toBe(0);

    const store = await openHere(directory);
    expect((await store.evaluations(P)).map(({ id }) => id)).toEqual(["b"]);
    const rows: string[] = [];
    for await (const some of store.rows.scan(P)) rows.push(...some);
    expect(rows.sort().map((row) => JSON.parse(row).digest)).toEqual(["alone", "both"]);
    const feedback: string[] = [];
    for await (const some of store.traces.feedback.scan(P, undefined))
      feedback.push(...some.map(({ id }) => id));
    expect(feedback).toEqual(["f2"]);
    // Data logged later is kept, even if the database must be rebuilt.
    await store.calls.put(P, evaluation("c", ["both"]));
    await store.close();
    renameSync(join(directory, "assay.duckdb"), join(directory, "elsewhere"));
    const again = await openHere(directory);
    expect((await again.evaluations(P)).map(({ id }) => id)).toEqual(["b", "c"]);
    expect(await again.calls.put(P, evaluation("b", ["both"]))).toBe(0);
  },
);

test("several evaluations are deleted together, or none of them", async () => {
  const directory = await filled();
  const before = readFileSync(join(directory, "calls.jsonl"));
  const some = deleteRecords(directory, { project: P, evaluations: ["a", "none"] });
  expect(await faultOf(some)).toMatchObject({ code: "missing", message: "there is no evaluation none" });
  expect(readFileSync(join(directory, "calls.jsonl"))).toEqual(before);
  // The row that only these two share is deleted too.
  const both = await deleteRecords(directory, { project: P, evaluations: ["a", "b", "a"] });
  expect(both).toMatchObject({ calls: 8, rows: 2 });
  for (const text of ["-a-secret", "-b-secret", "row-shared"]) expect(holding(directory, text)).toEqual([]);
  const store = await openHere(directory);
  expect(await store.evaluations(P)).toEqual([]);
});

test("an evaluation is deleted beside a table of any number of rows, which keep their values", async () => {
  const directory = await filled();
  const store = await openHere(directory);
  const digests = Array.from({ length: 200_000 }, (_, i) => `row-${i}`);
  await store.traces.tables.put(P, "large", [...digests, "own"], []);
  await store.close();
  await deleteRecords(directory, { project: P, evaluations: ["a"] });
  expect(holding(directory, "answer-a-secret")).toEqual([]);
  expect(holding(directory, "row-a-secret")).not.toEqual([]);
});

test("a project is deleted with all its data, and its name can be used again", async () => {
  const directory = await filled();
  const before = await answersIn(directory);
  await deleteRecords(directory, { project: P });
  for (const text of ["-a-secret", "-b-secret", "row-shared", "note-b"])
    expect(holding(directory, text)).toEqual([]);
  expect((await answersIn(directory)).o).toBe(before.o);
  const store = await openHere(directory);
  expect(store.projects()).toEqual([OTHER]);
  await store.calls.put(P, evaluation("b", ["both"]));
  expect((await store.evaluations(P)).map(({ id }) => id)).toEqual(["b"]);
});

test("a missing or open directory is a fault, and nothing changes", async () => {
  const directory = await filled();
  const before = readFileSync(join(directory, "calls.jsonl"));
  expect((await faultOf(deleteRecords(directory, { project: "acme/none" }))).code).toBe("missing");
  expect((await faultOf(deleteRecords(directory, { project: P, evaluations: ["none"] }))).code).toBe(
    "missing",
  );
  const store = await openHere(directory);
  expect((await faultOf(deleteRecords(directory, { project: P }))).code).toBe("conflict");
  await store.close();
  expect(readFileSync(join(directory, "calls.jsonl"))).toEqual(before);
});

test("no other process can open the directory before the new files are marked as ready", async () => {
  const directory = await filled();
  const script = await bundled(fileURLToPath(new URL("./crash-writer.ts", import.meta.url)));
  let said = "";
  await prepareDeletion(directory, { project: P }, undefined, () => {
    said = spawnSync(process.execPath, [script, directory], { encoding: "utf8", timeout: 60_000 }).stderr;
  });
  expect(said).toMatch(/the data directory is open in another process/);
});

describe("a process killed while deleting", () => {
  test("before the new files are ready leaves everything unchanged", async () => {
    const directory = await filled();
    const before = await answersIn(directory);
    await prepareDeletion(directory, { project: P, evaluations: ["a"] });
    expect(existsSync(join(directory, "redo.log.compacted"))).toBe(true);
    expect(await answersIn(directory)).toEqual(before);
    expect(readdirSync(directory).filter((name) => name.includes("compacted"))).toEqual([]);
  });

  test.each(some([1, 0, 2, 5], 2))(
    "with %i of the new files in place has its deletion completed by the next opening",
    async (count) => {
      const directory = await filled();
      const before = await answersIn(directory);
      await prepareDeletion(directory, { project: P, evaluations: ["a"] });
      const unused = "ab".repeat(32);
      const artifact = join(directory, "artifacts", "ab", unused);
      mkdirSync(join(directory, "artifacts", "ab"), { recursive: true });
      writeFileSync(artifact, "bytes-a-secret");
      markReady(directory, { unused: [unused], pid: DEAD });
      const files = ["calls.jsonl", "rows.jsonl", "objects.jsonl", "files.bin", "redo.log"];
      for (const name of files.slice(0, count))
        renameSync(join(directory, `${name}.compacted`), join(directory, name));
      expect((await faultOf(openHere(directory, { readOnly: true }))).code).toBe("conflict");
      const after = await answersIn(directory);
      expect([after.b, after.o]).toEqual([before.b, before.o]);
      expect(holding(directory, "a-secret")).toEqual([]);
      expect(readdirSync(directory).filter((name) => /compact/.test(name))).toEqual([]);
    },
  );

  test("blocks the directory while it lives", async () => {
    const directory = await filled();
    await prepareDeletion(directory, { project: P, evaluations: ["a"] });
    markReady(directory, { pid: process.ppid });
    const fault = await faultOf(openHere(directory));
    expect([fault.code, fault.message]).toEqual(["conflict", expect.stringContaining(`${process.ppid}`)]);
  });

  test.runIf(process.platform === "linux")(
    "is not mistaken for a later process with the same id",
    async () => {
      const directory = await filled();
      await prepareDeletion(directory, { project: P, evaluations: ["a"] });
      markReady(directory, { pid: process.ppid });
      const mark = join(directory, `compaction-${process.ppid}.ready`);
      writeFileSync(
        mark,
        readFileSync(mark, "utf8").replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
      );
      await openHere(directory);
      expect(holding(directory, "a-secret")).toEqual([]);
    },
  );
});
