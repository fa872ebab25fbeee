// The shared test vectors, on both plans of the engine.

import { rowDigest } from "@assay/calls";
import { canonicalJson } from "@assay/calls/internal";
import { digests, expectVector, rowsOf, vectors } from "@assay/testing/vectors";
import { describe, expect, test } from "vitest";
import { createEvalEngine, memoryCalls, memoryRows } from "../src/index.ts";

describe.each(["columns", "naive"] as const)("plan %s", (plan) => {
  test.each(vectors)("$name", async (vector) => {
    const parts = { calls: memoryCalls(vector.calls), rows: memoryRows(rowsOf(vector)) };
    const engine = createEvalEngine(parts);
    await expectVector(vector, (body) => engine.answer("test-project", body, { plan }));
  });
});

test.each(digests)("row digest of $canonical_text", ({ example, canonical_text, row_digest }) => {
  expect(canonicalJson(example)).toBe(canonical_text);
  expect(rowDigest(example)).toBe(row_digest);
});
