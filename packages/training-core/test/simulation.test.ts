import { cases } from "@assay/testing/cases";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Happening, LONGEST_JUMP, type Script, simulate } from "./simulation.ts";

const few = fc.nat({ max: 5 });
const script: fc.Arbitrary<Script> = fc.record({
  sequences: fc.constantFrom(1, 2, 0, 3),
  resumable: fc.boolean(),
  end: fc.constantFrom("done", "failed", "retry", "no files", "files missing", "silence"),
});
const submit: fc.Arbitrary<Happening> = fc.record({
  do: fc.constant("submit"),
  model: few,
  empty: fc.constantFrom(false, false, false, true),
  key: fc.constantFrom(undefined, undefined, 1, 2),
});
const claiming: fc.Arbitrary<Happening> = fc.record({
  do: fc.constant("claim"),
  racing: fc.constantFrom(1, 1, 2),
  script,
});
const next: fc.Arbitrary<Happening> = fc.record({ do: fc.constant("say next"), worker: few });
const single: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("create"), name: fc.nat({ max: 1 }), twice: fc.boolean() }),
  },
  { weight: 3, arbitrary: submit },
  { weight: 4, arbitrary: claiming },
  { weight: 12, arbitrary: next },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("say any"), worker: few, message: few }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stop"), worker: few }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel"), job: few }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete model"), model: few }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("delete steps"),
      model: few,
      steps: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("advance"), ms: fc.constantFrom(1, 9_999, 31_000, 90_000_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("set clock"),
      by: fc.constantFrom(-LONGEST_JUMP, -1, LONGEST_JUMP),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("reap") }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("read"), job: few, limit: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash"), recover: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("fault"),
      when: fc.constantFrom("before", "after"),
      write: fc.nat({ max: 2 }),
    }),
  },
) as fc.Arbitrary<Happening>;
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 20, arbitrary: single },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("together"),
      what: fc.array(single, { minLength: 2, maxLength: 3 }),
    }),
  },
) as fc.Arbitrary<Happening>;

// Most random histories reach few states. Starting from a useful state makes the rest matter.
const beginning = fc.constantFrom<readonly Happening[]>(
  [],
  [{ do: "create", name: 0, twice: true }],
  [
    { do: "create", name: 0, twice: false },
    { do: "submit", model: 0, empty: false, key: undefined },
    { do: "submit", model: 0, empty: false, key: 1 },
    { do: "claim", racing: 2, script: { sequences: 2, resumable: true, end: "done" } },
  ],
  [
    { do: "create", name: 0, twice: false },
    { do: "submit", model: 0, empty: false, key: 1 },
    { do: "claim", racing: 1, script: { sequences: 1, resumable: false, end: "done" } },
    ...Array.from({ length: 4 }, () => ({ do: "say next", worker: 0 }) as const),
    { do: "submit", model: 0, empty: true, key: undefined },
    { do: "reap" },
  ],
);

test("a waiting job ends although the clock is set back repeatedly", async () => {
  await simulate([
    { do: "create", name: 0, twice: false },
    { do: "submit", model: 0, empty: false, key: undefined },
    ...Array.from({ length: 3 }, () => ({ do: "set clock", by: -LONGEST_JUMP }) as const),
  ]);
});

test("late actions of an ended process are not written next to those of its successor", async () => {
  await simulate([
    { do: "create", name: 0, twice: false },
    { do: "submit", model: 0, empty: false, key: undefined },
    { do: "claim", racing: 1, script: { sequences: 2, resumable: true, end: "done" } },
    {
      do: "together",
      what: [
        { do: "delete model", model: 0 },
        { do: "say next", worker: 0 },
        { do: "crash", recover: false },
      ],
    },
  ]);
});

const runs = cases(10_000);

test("whatever happens, every invariant of a training job holds, and every job ends", async () => {
  await fc.assert(
    fc.asyncProperty(beginning, fc.array(happening, { maxLength: 24, size: "max" }), (first, rest) =>
      simulate([...first, ...rest]),
    ),
    { numRuns: runs },
  );
  expect(runs).toBeGreaterThan(0);
});
