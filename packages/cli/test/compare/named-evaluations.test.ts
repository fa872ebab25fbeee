import type { CountedEvaluation } from "@assay/eval-engine";
import type { DataAccess } from "@assay/server/internal";
import { expect, test } from "vitest";
import { latestOnOneDataset, latestPair } from "../../src/query/named-evaluations.ts";

/** Evaluations with these numbers of rows; those with rows share them. */
function listing(rows: Readonly<Record<string, number>>): DataAccess {
  const listed = Object.entries(rows).map(([id, count]) => ({
    ...{ id, name: null, model: null, dataset: null, started_at: null },
    rows: count,
  }));
  const query = async (_: string, { evaluation_call_ids: ids }: { evaluation_call_ids: string[] }) => ({
    ok: true,
    value: { total_rows: Math.min(...ids.map((id) => rows[id]!)) },
  });
  return {
    evaluations: async () => listed as unknown as readonly CountedEvaluation[],
    query,
  } as unknown as DataAccess;
}

// A server counts the rows of each evaluation after listing it, so trials may be deleted in between.
test("an evaluation without rows is neither compared nor ranked by default", async () => {
  const data = listing({ first: 3, second: 3, emptied: 0 });
  expect((await latestPair(data, "acme/demo")).ids).toEqual(["first", "second"]);
  expect((await latestOnOneDataset(data, "acme/demo")).ids).toEqual(["first", "second"]);
});
