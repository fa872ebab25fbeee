// Exporting everything, or some evaluations: each call once, and every row they refer to.

import { expect, test } from "vitest";
import { memoryStore } from "../../src/index.ts";
import { exportCalls, exportRows, importCalls, importRows } from "../../src/lines/index.ts";
import type { MemoryStore } from "../../src/memory/memory-store.ts";
import { callOf, textOf } from "../../src/testing/index.ts";
import { bytesOf } from "./support.ts";

const P = "acme/demo";
const ref = (digest: string): string => `weave:///acme/demo/object/rows:v1/attr/rows/id/${digest}`;

/** Two evaluations. The first has a trial that started before it, and a call two levels below. */
async function filledStore(): Promise<MemoryStore> {
  const store = memoryStore();
  await store.calls.put(
    P,
    [
      callOf("one", null),
      callOf("t1", "one", { started_at: "2025-01-01T00:00:00Z", inputs: { example: ref("a") } }),
      callOf("t1-child", "t1"),
      callOf("two", null),
      callOf("t2", "two", { inputs: { example: ref("b") } }),
    ].map(textOf),
  );
  await store.rows.put(P, [
    { digest: "a", val: 1 },
    { digest: "b", ref: ref("b"), val: 2 },
    { digest: "unused", val: 3 },
  ]);
  return store;
}

async function linesOf<Item>(batches: AsyncIterable<readonly Item[]>, text: (item: Item) => string) {
  const lines: string[] = [];
  for await (const some of batches) lines.push(...some.map(text));
  return lines;
}

test("an evaluation is exported as its root, its descendants level by level, and the rows that they refer to", async () => {
  const { calls, rows } = await filledStore();
  const ids = (evaluations?: readonly string[]) =>
    linesOf(exportCalls(calls, P, evaluations), ({ call }) => call.id);
  expect(await ids(["one"])).toEqual(["one", "t1", "t1-child"]);
  expect(await ids(["t1", "one"])).toEqual(["t1", "one", "t1-child"]);
  expect(await ids()).toEqual(["t1", "one", "t1-child", "t2", "two"]);
  const digests = async (evaluations?: readonly string[]) =>
    (await linesOf(exportRows(calls, rows, P, evaluations), (line) => line))
      .map((line) => (JSON.parse(line) as { digest: string }).digest)
      .sort();
  expect(await digests(["one"])).toEqual(["a"]);
  expect(await digests(["two"])).toEqual(["b"]);
  expect(await digests()).toEqual(["a", "b", "unused"]);
});

test("exporting and importing elsewhere gives the same data", async () => {
  const { calls, rows } = await filledStore();
  const callLines = await linesOf(exportCalls(calls, P), ({ text }) => `${text}\n`);
  const rowLines = await linesOf(exportRows(calls, rows, P), (line) => `${line}\n`);
  const other = memoryStore();
  expect(await importCalls(other.calls, P, bytesOf(...callLines))).toEqual({
    lines: 5,
    badLines: 0,
    changed: 5,
  });
  expect(await importRows(other.rows, P, bytesOf(...rowLines))).toMatchObject({ changed: 3 });
  expect(await linesOf(exportCalls(other.calls, P), ({ text }) => `${text}\n`)).toEqual(callLines);
  expect((await linesOf(exportRows(other.calls, other.rows, P), (line) => `${line}\n`)).sort()).toEqual(
    rowLines.sort(),
  );
});

test("a missing evaluation is a fault before the first call", async () => {
  const { calls, rows } = await filledStore();
  for (const lines of [exportCalls(calls, P, ["one", "none"]), exportRows(calls, rows, P, ["none"])]) {
    await expect(lines.next()).rejects.toMatchObject({
      code: "missing",
      message: "acme/demo has no evaluation none",
    });
  }
});
