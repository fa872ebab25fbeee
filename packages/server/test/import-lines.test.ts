// The report of an import about the calls that it has written, and its cost.

import { openStore } from "@assay/adapters-duckdb";
import { evaluationCalls } from "@assay/calls/testing";
import { expect, test } from "vitest";
import { importLines } from "../src/lines/import-lines.ts";
import { folder } from "./folder.ts";

const P = "acme/demo";

async function* lines(calls: readonly object[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
}

test("roots that arrive after their trials, and calls below trials, are assigned to evaluations without reading trials", async () => {
  const store = await openStore({ directory: folder() });
  try {
    let scanned = 0;
    const calls = {
      ...store.calls,
      async *scan(...asked: Parameters<typeof store.calls.scan>) {
        for await (const some of store.calls.scan(...asked)) {
          scanned += some.length;
          yield some;
        }
      },
    };
    const inEvaluations = async (given: readonly object[]) =>
      (await importLines({ ...store, calls }, P, "calls", lines(given))).in_evaluations;
    const run = evaluationCalls("run", [true, false, true]);
    const [roots, trials] = [true, false].map((isRoot) => run.filter(({ id }) => (id === "run") === isRoot));

    expect(await inEvaluations(trials!)).toBe(true);
    expect(await inEvaluations(roots!)).toBe(true);
    expect(scanned).toBe(0);

    const below = { ...run[0]!, id: "below", op_name: "model", trace_id: "run" };
    expect(await inEvaluations([{ ...below, parent_id: trials![0]!.id }])).toBe(true);
    expect(await inEvaluations([{ ...below, id: "other", parent_id: null }])).toBe(false);
  } finally {
    await store.close();
  }
});
