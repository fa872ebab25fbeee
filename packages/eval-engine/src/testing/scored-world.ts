// Random evaluations for statistics: shared rows, several trials each, scores of every kind, missing values and
// duplicate trials. Small pools, so that values coincide.

import type { Call, DatasetRow } from "@assay/calls";
import fc from "fast-check";
import { call, type World } from "./arbitrary.ts";

const EVALUATIONS = ["e1", "e2", "e3", "e4"];

type Value = DatasetRow["val"];

/** The distribution of a score in one project. */
const KINDS: readonly fc.Arbitrary<Value>[] = [
  fc.boolean(),
  fc.constantFrom<Value>(true, false, null),
  fc.constantFrom<Value>(true, true, true, true, false),
  fc.constant(true),
  fc.constantFrom<Value>(0, 0.25, 0.5, 1),
  fc.constantFrom<Value>(1, 2, 3, 4, 5, null, "n/a"),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom<Value>(0.1, 0.7, 1e16, -3, 1 / 3),
  fc.constant(0.5),
  fc.constantFrom<Value>(true, 0.5, "0.5", null),
  fc.constantFrom<Value>("good", "bad", true),
];

const row = fc.record(
  {
    cat: fc.constantFrom<Value>("math", "law", "art"),
    hard: fc.boolean(),
    size: fc.constantFrom<Value>(1, 2, 2, 3.5, 8, 100),
    mixed: fc.constantFrom<Value>("1", 1, true, null, [1]),
    doc: fc.record({ id: fc.constantFrom<Value>("a", "b", "c", "d") }),
  },
  { requiredKeys: ["cat", "size"] },
);

interface Draw {
  readonly s: Value;
  readonly t: Value;
  readonly u: Value;
  readonly there: boolean;
  readonly twin: boolean;
  readonly latency: Value;
}

function trialCalls(evaluation: string, n: number, example: Value, draw: Draw, version: string): Call[] {
  const id = `${evaluation}-p${n}`;
  return [
    call({
      id,
      parent_id: evaluation,
      op_name: "Evaluation.predict_and_score",
      started_at: draw.twin ? "2026-01-01T00:00:00Z" : `2026-01-01T00:00:00.${String(n).padStart(6, "0")}Z`,
      ended_at: "2026-01-01T00:00:09Z",
      inputs: { model: `model-${evaluation}`, example },
      output: {
        output: draw.twin ? "same" : `answer ${n}`,
        scores: { s: draw.s, t: { a: draw.t }, u: draw.u },
        model_latency: draw.latency,
      } as Value,
    }),
    call({
      id: `${id}-score`,
      parent_id: id,
      op_name: `weave:///acme/demo/op/s.score:${version}`,
      started_at: "2026-01-01T00:00:08Z",
      attributes: { weave: { score: "true" } },
    }),
  ];
}

/** Up to four evaluations over up to 40 rows. */
export const scoredWorld: fc.Arbitrary<World> = fc
  .record({
    rows: fc.array(row, { minLength: 1, maxLength: 40, size: "max" }),
    kinds: fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom(...KINDS), fc.constantFrom(...KINDS)),
    trials: fc.tuple(...EVALUATIONS.map(() => fc.constantFrom(1, 1, 1, 2, 3))),
    models: fc.tuple(...EVALUATIONS.map(() => fc.constantFrom("m1", "m2"))),
    versions: fc.tuple(...EVALUATIONS.map(() => fc.constantFrom("v1", "v1", "v2"))),
    ended: fc.tuple(
      ...EVALUATIONS.map(() => fc.constantFrom("2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z", null)),
    ),
    datasets: fc.constantFrom(["d1", "d1"], ["d1", "d2"], [null, null]),
    share: fc.constantFrom(0.2, 0.9, 0.97, 1, 1, 1),
  })
  .chain(({ rows, kinds, trials, models, versions, ended, datasets, share }) => {
    const draw = fc.record({
      s: kinds[0],
      t: kinds[1],
      u: kinds[2],
      there: fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x <= share),
      twin: fc.constantFrom(false, false, false, true),
      latency: fc.constantFrom<Value>(0.5, 1, 2.25, null),
    });
    const draws = fc.array(draw, { minLength: 8, maxLength: 60, size: "max" });
    return fc.tuple(...EVALUATIONS.map(() => draws)).map((drawn): World => {
      const calls = EVALUATIONS.flatMap((evaluation, e) => {
        const root = call({
          id: evaluation,
          op_name: "weave:///acme/demo/op/Evaluation.evaluate:v1",
          started_at: "2026-01-01T00:00:00Z",
          ended_at: ended[e]!,
          inputs: { self: "weave:///acme/demo/object/eval:v1", model: models[e]! },
        });
        const of = drawn[e]!;
        const made = rows.flatMap((value, r) =>
          Array.from({ length: trials[e]! }, (_, k) => {
            const one = of[(r * 3 + k * 7) % of.length]!;
            const dataset = datasets[e % 2]!;
            const example: Value =
              dataset === null
                ? { ...value, n: r }
                : `weave:///acme/demo/object/${dataset}:v1/attr/rows/id/r${r}`;
            return one.there ? trialCalls(evaluation, r * 3 + k, example, one, versions[e]!) : [];
          }).flat(),
        );
        return [root, ...made];
      });
      return { calls, rows: rows.map((val, r) => ({ digest: `r${r}`, val: val as Value })) };
    });
  });
