// Importing records that a program has serialised: only if all are new, or exactly these exist, and all or none.

import type { CallLines, RecordLines } from "@assay/calls";
import { callOf, textOf } from "@assay/calls/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { idHash, idHashAfter } from "../src/records/id-hash.ts";
import { freshDirectory, openHere, treesOf } from "./support.ts";

const P = "acme/demo";

/** Lines of records with a common name prefix, by the rest of their names. */
function linesOf(names: string, records: readonly (readonly [rest: string, text: string])[]): RecordLines {
  const spans: number[] = [];
  let text = "";
  for (const [rest, record] of records) {
    const at = text.length + record.indexOf(`${names}${rest}`) + names.length;
    text += `${record}\n`;
    spans.push(at, at + rest.length, text.length - 1);
  }
  return { bytes: new Uint8Array(Buffer.from(text)), names, spans: Uint32Array.from(spans) };
}

function callsOf(root: string, numbers: readonly number[]): CallLines {
  const op_name = "Evaluation.predict_and_score";
  const records = numbers.map(
    (i) => [String(i), String(textOf(callOf(`${root}-${i}`, root, { op_name })).text)] as const,
  );
  const started = Float64Array.from(numbers, () => Number.NaN);
  return { ...linesOf(`${root}-`, records), root, opName: op_name, started };
}

test("a name has the same hash in one part and in two", () => {
  const ascii = fc.string({
    unit: fc.integer({ min: 0, max: 127 }).map((unit) => String.fromCharCode(unit)),
  });
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      ascii,
      fc.nat(),
      fc.integer(),
      (start, rest, project, seed) => {
        const hash = idHashAfter(start, project, seed)(Buffer.from(`_${rest}_`), 1, rest.length + 1);
        expect(hash).toBe(idHash(start + rest, project, seed));
      },
    ),
  );
});

test("calls are put if all are new, and none if only some exist or one occurs twice", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  expect(await store.records.putCalls(P, [callsOf("e", [1, 2]), callsOf("f", [1])])).toBe(3);
  expect(await store.records.putCalls(P, [callsOf("e", [3, 2])])).toBeUndefined();
  expect(await store.records.putCalls(P, [callsOf("e", [4, 4])])).toBeUndefined();
  expect(await treesOf(store.calls, P, "e")).toEqual(["e-1:", "e-2:"]);
  await store.close();
  // A reopened store has not cached the index.
  const again = await openHere(directory);
  expect(await again.records.putCalls(P, [callsOf("e", [2])])).toBe(0);
  expect(await again.records.putCalls(P, [callsOf("e", [1, 2]), callsOf("f", [1])])).toBe(0);
  expect(await again.records.putCalls(P, [callsOf("e", [1, 2, 6])])).toBeUndefined();
  expect(await again.records.putCalls(P, [callsOf("e", [5, 5])])).toBeUndefined();
  expect(await again.records.putCalls(P, [callsOf("e", [5])])).toBe(1);
  expect(await treesOf(again.calls, P, "e")).toEqual(["e-1:", "e-2:", "e-5:"]);
  const { bytes, ...other } = callsOf("e", [1]);
  const changed = new Uint8Array(Buffer.from(Buffer.from(bytes).toString().replace('"e-1"', '"e-1" ')));
  expect(await again.records.putCalls(P, [{ ...other, bytes: changed }])).toBeUndefined();
  await again.calls.delete(P, ["e-1"], "2026-01-02T00:00:00Z");
  expect(await again.records.putCalls(P, [callsOf("e", [1])])).toBeUndefined();
  expect(await treesOf(again.calls, P, "f")).toEqual(["f-1:"]);
});

test("rows are put if all are new, and none if only some exist or one occurs twice", async () => {
  const rowsOf = (...digests: string[]) => [
    linesOf(
      "weave:///r/",
      digests.map((d) => [d, JSON.stringify({ digest: d, ref: `weave:///r/${d}`, val: { d } })] as const),
    ),
  ];
  const { records, rows } = await openHere(freshDirectory());
  expect(await records.putRows(P, rowsOf("a", "a"))).toBeUndefined();
  expect(await records.putRows(P, rowsOf("a", "b"))).toBe(2);
  expect(await records.putRows(P, rowsOf("c", "a"))).toBeUndefined();
  expect(await records.putRows(P, rowsOf("c"))).toBe(1);
  expect(await records.putRows(P, rowsOf("a", "b"))).toBe(0);
  const refs = ["a", "b", "c"].map((d) => `weave:///r/${d}`);
  expect(await rows.rows(P, refs)).toEqual([{ d: "a" }, { d: "b" }, { d: "c" }]);
});
