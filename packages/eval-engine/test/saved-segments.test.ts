// Saved segments are read lazily. These tests cover damage that a query discovers midway, stores that keep nothing, and
// files that stay open exactly as long as they are needed.

import { Fault } from "@assay/base";
import type { CallSource } from "@assay/calls";
import { CASES, check } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createEvalEngine,
  type EvalEngineParts,
  type EvalResultsQueryBody,
  memoryCalls,
  memoryRows,
  type SavedSegment,
  type SegmentStore,
} from "../src/index.ts";
import { memorySegments } from "../src/segment/memory-segments.ts";
import { call } from "../src/testing/index.ts";
import { expectSame } from "./expect-same.ts";

const PROJECT = "acme/demo";

// Enough text for a dozen blocks.
const trialOf = (evaluation: string, i: number, of = `${evaluation} on ${i}`) =>
  call({
    id: `${evaluation}-${i}`,
    parent_id: evaluation,
    op_name: "Evaluation.predict_and_score",
    started_at: "2026-01-01T00:00:00Z",
    inputs: { example: i % 3 === 0 ? `rows/attr/rows/id/r${i}` : { question: "?".repeat(i), i } },
    output: { output: `${of} ${"and on ".repeat(i * 9)}`, scores: { exam: { right: i % 2 === 0 } } },
  });

/** `count` trials on rows of their own; adding `MANY` makes a segment rearrange itself. */
const lateTrials = (evaluation: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...trialOf(evaluation, 1),
    id: `late-${i}`,
    inputs: { example: { late: i } },
  }));
const MANY = 2000;

const trials = ["a", "b"].flatMap((evaluation) =>
  Array.from({ length: 40 }, (_, i) => trialOf(evaluation, i)),
);

const both = ["a", "b"];
const page: EvalResultsQueryBody = {
  evaluation_call_ids: both,
  include_raw_data_rows: true,
  include_summary: true,
  limit: 100,
};
const search: EvalResultsQueryBody = {
  ...page,
  filters: [
    { query: { $expr: { $contains: { input: { $getField: "outputs" }, substr: { $literal: "on 7 " } } } } },
  ],
};

function partsWith(segments: SegmentStore, more: Pick<EvalEngineParts, "pause" | "keepBytes"> = {}) {
  const calls = memoryCalls();
  const put = calls.put(PROJECT, trials);
  expect(put.ok).toBe(true);
  return { calls, rows: memoryRows(), segments, ...more };
}

/** A store that passes each saved segment through `through` when it opens it. */
function storeOf(inner: SegmentStore, through: (saved: SavedSegment) => SavedSegment): SegmentStore {
  const passed = (saved: SavedSegment | undefined) => saved && through(saved);
  return {
    open: async (project, evaluation) => passed(await inner.open(project, evaluation)),
    save: async (project, evaluation, pieces) => passed(await inner.save(project, evaluation, pieces)),
  };
}

/** The same segment, read and loaded by `read`. */
function readBy(saved: SavedSegment, read: SavedSegment["read"]): SavedSegment {
  return {
    ...saved,
    read,
    async load(offset, into) {
      // A busy disk may answer after the segment was closed or its reader moved on.
      await new Promise((resume) => setImmediate(resume));
      return read(offset, into);
    },
  };
}

/** The segment with one byte changed, wherever it is read from. */
function withByte(saved: SavedSegment, at: number, change: number): SavedSegment {
  return readBy(saved, (offset, into) => {
    const read = saved.read(offset, into);
    if (at >= offset && at < offset + into.length) into[at - offset]! ^= change;
    return read;
  });
}

test("a damaged byte, at any place and time, changes no answer", async () => {
  const inner = memorySegments();
  await createEvalEngine(partsWith(inner)).open(PROJECT, both);
  const { size } = (await inner.open(PROJECT, "a"))!;
  expect(size).toBeGreaterThan(60_000);
  let shown = 0;
  await check(
    fc.record({
      // Covers what opening the segment reads as often as the rest of the file.
      at: fc.oneof(fc.nat({ max: 15 }), fc.nat({ max: 8000 }), fc.nat({ max: size - 1 })),
      change: fc.integer({ min: 1, max: 255 }),
      later: fc.boolean(),
      keepBytes: fc.constantFrom(0, 2 ** 30),
    }),
    async ({ at, change, later, keepBytes }) => {
      let damaged = !later;
      const segments = storeOf(inner, (saved) => {
        const bad = withByte(saved, at, change);
        return readBy(saved, (offset, into) => (damaged ? bad : saved).read(offset, into));
      });
      const engine = createEvalEngine(partsWith(segments, { keepBytes }));
      await engine.open(PROJECT, both);
      damaged = true;
      await expectSame(engine, search);
      await expectSame(engine, page);
      const { evaluations } = await engine.explain(PROJECT, page);
      if (later && evaluations.some(({ opened }) => opened === "built")) shown++;
    },
    { numRuns: CASES / 100 },
  );
  expect(shown).toBeGreaterThan(0);
});

test("a damaged segment is rebuilt in the middle of a query, and replaces the saved one", async () => {
  const inner = memorySegments();
  await createEvalEngine(partsWith(inner)).open(PROJECT, both);
  const { size } = (await inner.open(PROJECT, "a"))!;
  // The contents before the repair: the saved replacement is undamaged.
  const bad = new Set([await contents(inner, "a"), await contents(inner, "b")]);
  let saves = 0;
  const segments: SegmentStore = {
    async open(project, evaluation) {
      const saved = (await inner.open(project, evaluation))!;
      return saves === 0 && bad.has(await contents(inner, evaluation)) ? withByte(saved, size / 2, 1) : saved;
    },
    save(...entry) {
      saves++;
      return inner.save(...entry);
    },
  };
  const parts = partsWith(segments);
  const engine = createEvalEngine(parts);
  await expectSame(engine, page);
  expect(saves).toBe(2);
  const opened = async (one: typeof engine) =>
    (await one.explain(PROJECT, page)).evaluations.map((evaluation) => evaluation.opened);
  expect(await opened(engine)).toEqual(["kept", "kept"]);
  expect(await opened(createEvalEngine(parts))).toEqual(["loaded", "loaded"]);
});

async function contents(store: SegmentStore, evaluation: string): Promise<string> {
  const saved = (await store.open(PROJECT, evaluation))!;
  const bytes = new Uint8Array(saved.size);
  saved.read(0, bytes);
  return Buffer.from(bytes).toString("latin1");
}

test("damage found while trials are added or rearranged is not a fault either", async () => {
  for (const added of [1, MANY]) {
    let damaged = false;
    const segments = storeOf(memorySegments(), (saved) =>
      readBy(saved, (offset, into) => saved.read(offset, into) && !damaged),
    );
    const parts = partsWith(segments);
    const engine = createEvalEngine(parts);
    await engine.open(PROJECT, both);
    parts.calls.put(PROJECT, [trialOf("a", 5, "changed"), ...lateTrials("b", added)]);
    damaged = true;
    await expectSame(engine, page);
    await expectSame(engine, search);
  }
});

test("a store that returns only damaged data, or keeps nothing, is slower but answers correctly", async () => {
  const unreadable = storeOf(memorySegments(), (saved) => readBy(saved, () => false));
  const forgetful: SegmentStore = { open: async () => undefined, save: async () => undefined };
  for (const segments of [unreadable, forgetful]) {
    for (const keepBytes of [0, 2 ** 30]) {
      const engine = createEvalEngine(partsWith(segments, { keepBytes }));
      for (const body of [page, search]) await expectSame(engine, body);
    }
  }
});

test("a segment opened in advance is saved again once much of it has changed, and equals a new one", async () => {
  const [inner, fresh] = [memorySegments(), memorySegments()];
  const parts = partsWith(inner);
  const engine = createEvalEngine(parts);
  await engine.open(PROJECT, ["a"]);
  const small = await contents(inner, "a");
  for (const [added, isSavedAgain] of [
    [1, false],
    [MANY, true],
  ] as const) {
    parts.calls.put(
      PROJECT,
      lateTrials("a", added).map((one, i) => ({ ...one, inputs: { example: { late: i % 100 } } })),
    );
    // A query first brings the segment in memory up to date.
    await engine.query(PROJECT, { ...page, evaluation_call_ids: ["a"] });
    await engine.open(PROJECT, ["a"]);
    expect((await contents(inner, "a")) !== small).toBe(isSavedAgain);
  }
  await createEvalEngine({ ...parts, segments: fresh }).open(PROJECT, ["a"]);
  expect(await contents(inner, "a")).toBe(await contents(fresh, "a"));
});

test("evaluations with the same rows save the list of rows once; if it is lost or damaged, they are rebuilt", async () => {
  const inner = memorySegments();
  const lists: string[] = [];
  let lose = false;
  let change = 0;
  const segments: SegmentStore = {
    async open(project, evaluation) {
      const saved = await inner.open(project, evaluation);
      if (project === PROJECT || saved === undefined) return saved;
      return lose ? undefined : withByte(saved, saved.size / 2, change);
    },
    save(project, evaluation, pieces) {
      if (project !== PROJECT) lists.push(evaluation);
      return inner.save(project, evaluation, pieces);
    },
  };
  const parts = partsWith(segments);
  const putLate = (evaluation: string, count: number) =>
    parts.calls.put(
      PROJECT,
      lateTrials(evaluation, count).map((one) => ({ ...one, id: `${evaluation}-${one.id}` })),
    );
  for (const evaluation of both) putLate(evaluation, MANY);
  const opened = async () => {
    const engine = createEvalEngine(parts);
    await expectSame(engine, page);
    await engine.open(PROJECT, both);
    const { evaluations } = await createEvalEngine(parts).explain(PROJECT, page);
    return evaluations.map((evaluation) => evaluation.opened);
  };
  expect(await opened()).toEqual(["loaded", "loaded"]);
  expect(lists).toHaveLength(1);

  change = 1;
  expect((await createEvalEngine(parts).explain(PROJECT, page)).evaluations[0]!.opened).toBe("built");
  change = 0;
  lose = true;
  expect((await createEvalEngine(parts).explain(PROJECT, page)).evaluations[0]!.opened).toBe("built");
  lose = false;
  expect(await opened()).toEqual(["loaded", "loaded"]);
  expect(new Set(lists).size).toBe(1);

  // An evaluation that has grown saves its own rows, and leaves no list behind.
  const growing = createEvalEngine(parts);
  await growing.open(PROJECT, both);
  putLate("a", MANY * 2);
  await growing.open(PROJECT, both);
  expect(await opened()).toEqual(["loaded", "loaded"]);
  expect(new Set(lists).size).toBe(1);
});

/** A store that counts its open segments. */
function counting(): { readonly segments: SegmentStore; open: () => number } {
  let open = 0;
  const segments = storeOf(memorySegments(), (saved) => {
    let closed = false;
    open++;
    return {
      ...saved,
      close() {
        if (!closed) open--;
        closed = true;
        saved.close();
      },
    };
  });
  return { segments, open: () => open };
}

test("a segment's file is open as long as the segment is kept", async () => {
  const { segments, open } = counting();
  const parts = partsWith(segments);
  const engine = createEvalEngine(parts);
  await engine.query(PROJECT, page);
  expect(open()).toBe(2);
  // A segment that grows keeps its file; one that is rearranged is entirely in memory.
  parts.calls.put(PROJECT, [trialOf("a", 50)]);
  await expectSame(engine, page);
  expect(open()).toBe(2);
  parts.calls.put(PROJECT, lateTrials("a", MANY));
  await expectSame(engine, page);
  expect(open()).toBe(1);

  const small = counting();
  const forgets = createEvalEngine(partsWith(small.segments, { keepBytes: 0 }));
  for (const body of [page, search]) {
    await expectSame(forgets, body);
    expect(small.open()).toBe(0);
  }
});

test("outputs are searched in parts, including an output larger than a part", async () => {
  let begun = false;
  const segments = storeOf(memorySegments(), (saved) =>
    readBy(saved, (offset, into) => {
      // The search reads large parts, few of which are as small as a block.
      if (begun) sizes.push(into.length);
      return saved.read(offset, into);
    }),
  );
  const sizes: number[] = [];
  const parts = partsWith(segments);
  const long = [90_000, 5_000_000, 1, 70_000, ...Array.from({ length: 60 }, (_, i) => 20_000 + i * 997)];
  parts.calls.put(
    PROJECT,
    long.map((length, i) => ({
      ...trialOf("a", 7, `${"x".repeat(length)} on 7`),
      id: `long-${i}`,
      inputs: { example: { i } },
    })),
  );
  const engine = createEvalEngine(parts);
  await engine.open(PROJECT, both);
  begun = true;
  const { total_rows } = await engine.query(PROJECT, { ...search, include_raw_data_rows: false, limit: 0 });
  expect(total_rows).toBe(long.length + 1);
  expect(Math.max(...sizes)).toBeGreaterThan(5_000_000);
  expect(sizes.length).toBeLessThan(20);
  await expectSame(engine, search);
});

test("a segment that changes while it is read stays readable to the end, and is then closed", async () => {
  const { segments, open } = counting();
  const pauses: (() => void)[] = [];
  const pause = () => new Promise<void>((resume) => void pauses.push(resume));
  const running = partsWith(segments, { pause });
  // Many rows, so that the search pauses.
  running.calls.put(PROJECT, lateTrials("a", MANY));
  const engine = createEvalEngine(running);
  const finish = async <T>(answer: Promise<T>): Promise<T> => {
    let done = false;
    void answer.finally(() => {
      done = true;
    });
    while (!done) {
      for (const resume of pauses.splice(0)) resume();
      await new Promise((resume) => setImmediate(resume));
    }
    return answer;
  };
  await finish(engine.open(PROJECT, both));
  const held: (() => void)[] = [];
  const reading = engine.query(PROJECT, search);
  for (let turn = 0; pauses.length === 0 && turn < 1000; turn++)
    await new Promise((resume) => setImmediate(resume));
  expect(pauses).not.toEqual([]);
  held.push(...pauses.splice(0));

  running.calls.put(PROJECT, [trialOf("a", 7, "changed")]);
  expect((await finish(engine.query(PROJECT, search))).total_rows).toBe(1);
  // The old segment and its copy share one file.
  expect(open()).toBe(2);

  for (const resume of held) resume();
  const { rows } = await finish(reading);
  expect(rows.map(({ evaluations }) => evaluations.map(({ trials }) => trials[0]!.model_output))).toEqual([
    both.map((evaluation) => `${evaluation} on 7 ${"and on ".repeat(63)}`),
  ]);
  expect(open()).toBe(2);
});

test("an update that fails midway is completed by the next one", async () => {
  const parts = partsWith(memorySegments());
  let left = Number.POSITIVE_INFINITY;
  const calls: CallSource = {
    ...parts.calls,
    async *changes(project, root, since) {
      for await (const trees of (await parts.calls.changes(project, root, since)) ?? [])
        for (const tree of trees) {
          if (left-- === 0) throw new Fault("unavailable", "the disk is gone");
          yield [tree];
        }
    },
  };
  const engine = createEvalEngine({ ...parts, calls });
  await engine.open(PROJECT, both);
  for (const [round, at] of [1, 3, 5].entries()) {
    parts.calls.put(
      PROJECT,
      [4, 5, 6, 40 + round].map((i) => trialOf("a", i, `changed ${round}`)),
    );
    parts.calls.put(PROJECT, lateTrials("a", round * MANY));
    parts.calls.delete(PROJECT, [`a-${10 + round}`], "2026-01-02T00:00:00Z");
    left = at;
    await expect(engine.query(PROJECT, page)).rejects.toMatchObject({ code: "unavailable" });
    left = Number.POSITIVE_INFINITY;
    for (const body of [page, search]) await expectSame(engine, body);
  }
});
