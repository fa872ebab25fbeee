// What a data directory promises beyond the laws: it keeps everything, admits one process, and reports damage.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callOf, changesSince, textOf } from "@assay/calls/testing";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../src/database/database.ts";
import { lockHolder } from "../src/index.ts";
import { bytesOf, faultOf, freshDirectory, openFresh, openHere, treesOf } from "./support.ts";

const P = "acme/demo";

describe("opening", () => {
  test("data survives a restart: calls, versions, rows, segments, evaluations", async () => {
    const directory = freshDirectory();
    const first = await openHere(directory);
    await first.calls.put(P, [
      textOf(callOf("e", null, { display_name: "first try", inputs: { model: "m:v1" } })),
      textOf(callOf("p", "e", { op_name: "weave:///acme/demo/op/Evaluation.predict_and_score:v3" })),
      textOf(callOf("s", "p")),
    ]);
    await first.rows.put(P, [{ digest: "d", val: { question: "?" } }]);
    await first.segments.save(P, "e", bytesOf(Uint8Array.of(1, 2)));
    const [version, rowsVersion] = [await first.calls.version(P), await first.rows.version(P)];
    await first.close();

    const second = await openHere(directory);
    expect(await second.calls.version(P)).toBe(version);
    expect(await second.rows.version(P)).toBe(rowsVersion);
    expect(await treesOf(second.calls, P, "e")).toEqual(["p: s"]);
    expect(await second.rows.rows(P, ["weave:///acme/demo/object/d:v1/attr/rows/id/d"])).toEqual([
      { question: "?" },
    ]);
    expect((await second.segments.open(P, "e"))?.size).toBe(2);
    expect(await second.evaluations(P)).toEqual([
      {
        id: "e",
        name: "first try",
        model: "m:v1",
        started_at: "2026-01-01T00:00:00Z",
        ended_at: null,
        evaluation_ref: null,
        trials: 1,
      },
    ]);
  });

  test("the list of evaluations is stored, and survives a restart even if no call can be read any more", async () => {
    const directory = freshDirectory();
    const first = await openHere(directory);
    const ref = "weave:///acme/demo/object/exam:v1";
    const trial = (id: string, root: string, row: string) =>
      textOf(
        callOf(id, root, {
          op_name: "Evaluation.predict_and_score",
          inputs: { example: `${ref}/attr/rows/id/${row}` },
        }),
      );
    await first.calls.put(P, [
      textOf(callOf("e", null, { display_name: "first try" })),
      textOf(callOf("f", null, { display_name: "second try" })),
      ...[trial("p", "e", "1"), trial("q", "e", "2"), trial("r", "e", "1"), trial("s", "f", "1")],
    ]);
    const wanted = [
      { id: "e", name: "first try", trials: 3, rows: 2, dataset: ref },
      { id: "f", name: "second try", trials: 1, rows: 1, dataset: ref },
    ];
    expect(await first.countedEvaluations(P)).toMatchObject(wanted);
    await first.close();
    const file = join(directory, "calls.jsonl");
    const texts = readFileSync(file, "utf8");
    writeFileSync(file, texts.replaceAll("Evaluation", "evaluation"));

    const readOnly = await openHere(directory, { readOnly: true });
    expect(await readOnly.countedEvaluations(P, { named: ["second try"] })).toMatchObject([wanted[1]!]);
    await readOnly.close();
    const second = await openHere(directory);
    expect(await second.countedEvaluations(P)).toMatchObject(wanted);
    // After a change, the calls of the evaluation are read again.
    await second.calls.put(P, [trial("t", "f", "2")]);
    expect((await faultOf(second.countedEvaluations(P))).code).toBe("corrupt");
    await second.close();
    writeFileSync(file, texts + readFileSync(file, "utf8").slice(texts.length));
    expect(await (await openHere(directory)).countedEvaluations(P)).toMatchObject([
      wanted[0]!,
      { ...wanted[1]!, trials: 2, rows: 2 },
    ]);
  });

  test("no payload is read on opening: a store whose texts are all damaged opens, and names the first one requested", async () => {
    const directory = freshDirectory();
    const first = await openHere(directory);
    await first.calls.put(P, [textOf(callOf("a", "root")), textOf(callOf("b", "root"))]);
    await first.close();
    const file = join(directory, "calls.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"root"', '"rust"'));

    const second = await openHere(directory);
    expect(await second.calls.version(P)).toBe(1);
    const fault = await faultOf(Promise.resolve(second.calls.calls(P, ["a"])));
    expect(fault.code).toBe("corrupt");
    expect(fault.message).toContain("calls.jsonl is damaged at byte 0");
  });

  test("a damaged call affects no other, and putting it again repairs it", async () => {
    const directory = freshDirectory();
    const first = await openHere(directory);
    await first.calls.put(P, [textOf(callOf("good", "root")), textOf(callOf("bad", "other"))]);
    await first.close();
    const file = join(directory, "calls.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace('"bad"', '"???"'));

    const second = await openHere(directory);
    expect(await treesOf(second.calls, P, "root")).toEqual(["good:"]);
    expect((await faultOf(treesOf(second.calls, P, "other"))).code).toBe("corrupt");
    await second.calls.put(P, [textOf(callOf("bad", "other"))]);
    expect(await treesOf(second.calls, P, "other")).toEqual(["bad:"]);
  });

  test("a journal that lost its end is reported", async () => {
    const directory = freshDirectory();
    const first = await openHere(directory);
    await first.calls.put(P, [textOf(callOf("a", "root"))]);
    await first.close();
    writeFileSync(join(directory, "calls.jsonl"), "");
    expect((await faultOf(openHere(directory))).message).toContain("calls.jsonl ends at byte 0");
  });

  test("a store of a newer version is refused by name", async () => {
    const directory = freshDirectory();
    await (await openHere(directory)).close();
    const database = await openDatabase(join(directory, "assay.duckdb"), {
      readOnly: false,
      memory: "64MB",
      threads: 1,
    });
    await database.write((transaction) => transaction.run("UPDATE schema_version SET version = 999"));
    await database.close();
    const fault = await faultOf(openHere(directory));
    expect([fault.code, fault.message]).toEqual([
      "corrupt",
      expect.stringMatching(/^the store was written by a newer version \(schema 999; this one knows \d+\)$/),
    ]);
  });

  test("a file that is not a database is reported as such", async () => {
    const directory = freshDirectory();
    writeFileSync(join(directory, "assay.duckdb"), "not a database at all".repeat(1000));
    expect((await faultOf(openHere(directory))).code).toBe("corrupt");
  });

  test("only one process opens a directory at a time, and the lock file is gone afterwards", async () => {
    const directory = freshDirectory();
    const store = await openHere(directory);
    expect(lockHolder(directory)).toEqual({ pid: process.pid });
    store.announce("http://127.0.0.1:7777");
    expect(lockHolder(directory)).toEqual({ pid: process.pid, address: "http://127.0.0.1:7777" });
    expect((await faultOf(openHere(directory))).code).toBe("conflict");
    await store.close();
    expect(lockHolder(directory)).toBeUndefined();
    await (await openHere(directory)).close();
  });

  test("a lock file that cannot be written, as on a full disk, is written later, and reported once", async () => {
    const directory = freshDirectory();
    const obstacle = join(directory, "assay.lock", "any");
    mkdirSync(obstacle, { recursive: true });
    const told: string[] = [];
    const store = await openHere(directory, { tell: (message) => told.push(message) });
    store.announce("http://127.0.0.1:7777");
    expect(lockHolder(directory)).toBeUndefined();
    rmSync(join(directory, "assay.lock"), { recursive: true });
    await expect
      .poll(() => lockHolder(directory), { timeout: 5000 })
      .toEqual({ pid: process.pid, address: "http://127.0.0.1:7777" });
    expect(told).toEqual([
      expect.stringContaining("cannot find who has the directory open until it is written"),
    ]);
    await store.close();
    // A lock file that cannot be removed does not prevent closing.
    const other = await openHere(directory);
    rmSync(join(directory, "assay.lock"));
    mkdirSync(obstacle, { recursive: true });
    await other.close();
  });

  test.skipIf(process.platform === "win32")(
    "nothing is acknowledged in a directory that was removed",
    async () => {
      const directory = freshDirectory();
      const broken: string[] = [];
      const store = await openHere(directory, { onBroken: (fault) => broken.push(fault.message) });
      await store.calls.put(P, [textOf(callOf("before", "root"))]);
      rmSync(directory, { recursive: true });
      const fault = await faultOf(store.calls.put(P, [textOf(callOf("after", "root"))]));
      expect([fault.code, fault.message]).toEqual(["unavailable", "redo.log was removed while it was open"]);
      expect(broken).toEqual([fault.message]);
      await store.close();
      const again = await openHere(directory);
      await again.calls.put(P, [textOf(callOf("after", "root"))]);
      await again.close();
      expect(await treesOf((await openHere(directory)).calls, P, "root")).toEqual(["after:"]);
    },
  );

  test("closing waits for pending writes, and refuses later ones", async () => {
    const directory = freshDirectory();
    const store = await openHere(directory);
    const puts = [1, 2, 3].map((i) => store.calls.put(P, [textOf(callOf(`c${i}`, "root"))]));
    await store.close();
    expect(await Promise.all(puts)).toEqual([1, 1, 1]);
    expect((await faultOf(store.calls.put(P, [textOf(callOf("late", "root"))]))).code).toBe("unavailable");
    expect(await treesOf((await openHere(directory)).calls, P, "root")).toHaveLength(3);
  });

  test("reading only: existing data is read, and nothing is written or created", async () => {
    const directory = freshDirectory();
    expect((await faultOf(openHere(directory, { readOnly: true }))).code).toBe("missing");
    const first = await openHere(directory);
    await first.calls.put(P, [textOf(callOf("a", "root"))]);
    await first.close();
    const second = await openHere(directory, { readOnly: true });
    expect(await treesOf(second.calls, P, "root")).toEqual(["a:"]);
    expect((await faultOf(second.calls.put(P, [textOf(callOf("b", "root"))]))).code).toBe("denied");
    expect((await faultOf(second.rows.put(P, [{ digest: "d", val: 1 }]))).code).toBe("denied");
  });
});

describe("putting calls", () => {
  test("concurrent puts do not wait for each other", async () => {
    const { calls } = await openFresh();
    const puts = Array.from({ length: 100 }, (_, i) => calls.put(P, [textOf(callOf(`c${i}`, "root"))]));
    await Promise.all(puts);
    // The first put is written on its own; the others wait for it and are written together.
    expect(await calls.version(P)).toBeLessThan(10);
  });

  test("a deleted call stays deleted after a restart, and its descendants come back when it is put again", async () => {
    const directory = freshDirectory();
    const first = await openHere(directory);
    await first.calls.put(P, [
      textOf(callOf("a", "root")),
      textOf(callOf("a1", "a")),
      textOf(callOf("b", "root")),
    ]);
    const before = await first.calls.version(P);
    await first.calls.delete(P, ["a"], "2026-02-02T00:00:00Z");
    await first.close();

    const { calls } = await openHere(directory);
    expect(await treesOf(calls, P, "root")).toEqual(["b:"]);
    const changes = await changesSince(calls, P, "root", before);
    expect(changes!.map((tree) => tree.call)).toEqual([
      callOf("a", "root", { deleted_at: "2026-02-02T00:00:00Z" }),
    ]);
    await calls.put(P, [textOf(callOf("a", "root"))]);
    expect(await treesOf(calls, P, "root")).toEqual(["a: a1", "b:"]);
  });

  test("the text is kept unchanged except for line breaks", async () => {
    const directory = freshDirectory();
    const store = await openHere(directory);
    const text = '{"id": "a",\n "unknown": [1.0, 1e2, "\\u00e9é"], "parent_id": null}';
    await store.calls.put(P, [{ call: callOf("a", null), text: Buffer.from(text.replace("\n", "")) }]);
    await store.calls.put(P, [{ call: callOf("b", null), text: text.replace('"a"', '"b"') }]);
    expect(readFileSync(join(directory, "calls.jsonl"), "utf8")).toBe(
      `${text.replace("\n", "")}\n${text.replace('"a"', '"b"').replace("\n", " ")}\n`,
    );
  });

  test("ids and projects of any text are never run as SQL", async () => {
    const directory = freshDirectory();
    const first = await openHere(directory);
    const hostile = [
      "'; DROP TABLE calls; --",
      '"\\\u0000\u{1f600}',
      "x".repeat(100_000),
      "../..",
      "%",
      "\ud800",
    ];
    for (const project of hostile) {
      await first.calls.put(
        project,
        hostile.map((id) => textOf(callOf(id, project, { op_name: id, trace_id: id }))),
      );
    }
    await first.close();
    const { calls } = await openHere(directory);
    for (const project of hostile) {
      expect((await calls.calls(project, hostile)).map((one) => one?.id)).toEqual(hostile);
      expect(await treesOf(calls, project, project)).toHaveLength(hostile.length);
    }
  });
});
