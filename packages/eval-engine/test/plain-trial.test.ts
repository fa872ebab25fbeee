// Compares the reader of the call tree, which the whole engine builds on, with its plain specification. Tests of the
// columns compare responses, which show only part of a trial.

import { memoryCalls } from "@assay/calls";
import { callOf, textOf } from "@assay/calls/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Call } from "../src/index.ts";
import { readTrialPlainly } from "../src/reference/naive-trial.ts";
import { readTrial, type Trial } from "../src/trials/trials.ts";

const REF = "weave:///acme/demo/op/judge.score:v3";
const MODEL = "weave:///acme/demo/object/model:v1";
const TRIAL = ["Evaluation.predict_and_score", "weave:///acme/demo/op/Evaluation.predictAndScore:v1"];

const start = fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000001+01:00", "soon", null);
const weave = fc.record(
  {
    score: fc.constantFrom(true, "true", "yes", 1),
    genai_span_ref: fc.oneof(
      fc.constant("none"),
      fc.array(fc.record({ trace_id: fc.constantFrom("t", 1), span_id: fc.constantFrom("a", "b") }), {
        maxLength: 3,
      }),
      fc.constant({ trace_id: "t", span_id: "c" }),
    ),
  },
  { requiredKeys: [] },
);
const usage = fc.dictionary(
  fc.constantFrom("m", "n"),
  fc.record({ total_tokens: fc.constantFrom(0, 7, 1.9, "3", null) }, { requiredKeys: [] }),
  { noNullPrototype: true },
);

const child = fc
  .record({
    op_name: fc.constantFrom(
      "predict",
      "Model.Invoke",
      REF,
      "judge",
      "Scorer",
      "exact_match",
      MODEL,
      "weave:///a/b/op/f",
    ),
    self: fc.constantFrom(MODEL, null, { name: "m" }, undefined),
    attributes: fc.record(
      { weave, _weave_eval_meta: fc.constantFrom({ score: 1 }, {}, null) },
      { requiredKeys: [] },
    ),
    summary: fc.record({ usage: fc.oneof(usage, fc.constant(null)), weave }, { requiredKeys: [] }),
    started_at: start,
    ended_at: start,
    deleted_at: fc.constantFrom(null, null, null, "2026-01-02T00:00:00Z"),
  })
  .map(({ self, ...fields }): Partial<Call> => ({ ...fields, inputs: self === undefined ? {} : { self } }));

const trial = fc
  .record({
    op_name: fc.constantFrom(...TRIAL, ...TRIAL, ...TRIAL, "predict"),
    example: fc.constantFrom("rows/attr/rows/id/r1", { q: 1 }, 1.5, null),
    model: fc.constantFrom(MODEL, { name: "m" }, "weave:///a/b/op/f", null),
    scores: fc.constantFrom({ judge: 1 }, { JUDGE: 1, exact: true, "judge.score": 2 }, [1], null, "text"),
    model_latency: fc.constantFrom(2, { mean: 0.5 }, { mean: "1" }, null),
    attributes: fc.record({ weave }, { requiredKeys: [] }),
    summary: fc.record({ usage, weave }, { requiredKeys: [] }),
    started_at: start,
    deleted_at: fc.constantFrom(null, null, null, "2026-01-02T00:00:00Z"),
  })
  .map(
    ({ example, model, scores, model_latency, ...fields }): Partial<Call> => ({
      ...fields,
      inputs: { example, model },
      output: { output: "o", scores, model_latency },
    }),
  );

/** A trial as plain data, independent of the class that holds it. */
function plain(trial: Trial | undefined) {
  if (trial === undefined) return undefined;
  const { id, startedAt, digest, example, output, facts, ownFacts } = trial;
  return { id, startedAt, digest, example, output, facts, ownFacts };
}

test("a trial is read as its specification says, from calls and from lines", async () => {
  await fc.assert(
    fc.asyncProperty(trial, fc.array(child, { maxLength: 4 }), async (fields, children) => {
      const call = callOf("t", "e", fields as Partial<Call>);
      const below = children.map((one, i) => callOf(`c${i}`, "t", one));
      const expected = plain(readTrialPlainly({ call, children: below }));
      expect(plain(readTrial({ call, children: below }))).toEqual(expected);

      const lines = memoryCalls();
      lines.putLines(
        "acme/demo",
        [call, ...below].map((one) => textOf(one).text),
      );
      for await (const trees of (await lines.changes("acme/demo", "e", 0)) ?? [])
        for (const tree of trees) expect(plain(readTrial(tree))).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});
