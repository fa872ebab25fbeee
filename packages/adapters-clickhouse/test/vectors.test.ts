// The shared test vectors, pushed down.

import { pushedExecution } from "@assay/eval-engine/pushed";
import { expectVector, rowsOf, vectors } from "@assay/testing/vectors";
import { test } from "vitest";
import { freshStore, whole } from "./support.ts";

const store = freshStore();

test.each(vectors.map((vector, i) => ({ ...vector, project: `acme/vector-${i}` })))(
  "$name",
  async (vector) => {
    const { calls, rows, trials } = await store;
    const given = vector.calls as readonly { readonly id: string }[];
    await calls.put(vector.project, given.map(whole));
    await rows.put(vector.project, rowsOf(vector));
    const execution = pushedExecution({ trials, calls, rows });
    await expectVector(vector, (body) => execution.answer(vector.project, body));
  },
);
