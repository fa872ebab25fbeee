// Pages of rows and groups, by example: which rows are worse, how they are ordered, and how numbers form ranges.

import { describe, expect, test } from "vitest";
import { createEvalEngine, memoryCalls, memoryRows } from "../../src/index.ts";
import { previewOf } from "../../src/view/preview.ts";
import { rangesOf } from "../../src/view/ranges.ts";
import type { ViewQuestion } from "../../src/view/wire/body.ts";
import type { RowGroupsResults, RowPageResults } from "../../src/view/wire/response.ts";

type Score = boolean | number | null;

/** Rows `a`, `b`, … of kind `even` or `odd`, with the scores of each evaluation's trials. A missing row has none. */
function engineOf(evaluations: { readonly [id: string]: readonly (readonly Score[])[] }) {
  const calls = Object.entries(evaluations).flatMap(([id, rows]) => [
    { id, op_name: "Evaluation.evaluate" },
    ...rows.flatMap((trials, row) =>
      trials.map((s, trial) => ({
        id: `${id}-${row}-${trial}`,
        parent_id: id,
        op_name: "Evaluation.predict_and_score",
        started_at: `2026-01-01T00:00:0${trial}Z`,
        inputs: { example: `weave:///acme/demo/object/d:v1/attr/rows/id/${"abcdef"[row]}` },
        output: { output: `answer ${row}`, scores: { s } },
      })),
    ),
  ]);
  const rows = [..."abcdef"].map((digest, i) => ({
    digest,
    val: { kind: i % 2 === 0 ? "even" : "odd", i, ...(i === 0 && { first: true }) },
  }));
  const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
  return async <T>(question: ViewQuestion, body: object): Promise<T> => {
    const query = { evaluation_call_ids: Object.keys(evaluations) };
    const answer = await engine.answerView(
      question,
      "acme/demo",
      question === "fields" ? query : { query, ...body },
    );
    if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
    return answer.value as unknown as T;
  };
}

const ask = engineOf({
  old: [[true, true], [true, false], [false, false], [true], [true, null], []],
  new: [[true, true], [false, false], [true, true], [false], [null], [true]],
});
const digests = ({ rows }: RowPageResults) => rows.map(({ row_digest }) => row_digest).join("");
const changed = { measure: "scores.s", baseline: "old", candidate: "new" };

describe("a page of rows", () => {
  test("tells which rows changed, and how", async () => {
    const of = async (change: string) => digests(await ask("page", { ...changed, change }));
    expect(await of("worse")).toBe("bd");
    expect(await of("better")).toBe("c");
    expect(await of("changed")).toBe("bcd");
    expect(await of("equal")).toBe("a");
    expect(await of("flaky")).toBe("b");
    expect(await of("missing")).toBe("ef");
    const { counts } = await ask<RowPageResults>("page", changed);
    expect(counts).toEqual({ all: 6, worse: 2, better: 1, changed: 3, equal: 1, flaky: 1, missing: 2 });
  });

  test("is reversed if lower is better", async () => {
    const measure = { field: "scores.s", direction: "lower" };
    expect(digests(await ask("page", { ...changed, measure, change: "worse" }))).toBe("c");
    expect(digests(await ask("page", { ...changed, measure, order: "worst_first" }))).toBe("cabdef");
  });

  test("can put the worst, the best or the largest change first, with rows without one last", async () => {
    const by = async (order: string) => digests(await ask("page", { ...changed, order }));
    expect(await by("worst_first")).toBe("dbacef");
    expect(await by("best_first")).toBe("cabdef");
    expect(await by("largest_first")).toBe("cdbaef");
  });

  test.each([
    ["higher", "cbade", "adebc"],
    ["lower", "adebc", "cbade"],
  ])("orders by value without a baseline, if %s is better", async (direction, worst, best) => {
    const by = async (order: string) => {
      const query = { evaluation_call_ids: ["old"] };
      return digests(await ask("page", { query, measure: { field: "scores.s", direction }, order }));
    };
    expect(await by("worst_first")).toBe(worst);
    expect(await by("best_first")).toBe(best);
  });

  test("only offers flaky and missing rows without a baseline", async () => {
    const { counts } = await ask<RowPageResults>("page", { measure: "scores.s" });
    expect(counts).toEqual({
      ...{ all: 6, flaky: 1, missing: 2 },
      ...{ worse: null, better: null, changed: null, equal: null },
    });
  });

  test("shows rows, outputs, the values of each trial, and differences", async () => {
    const { rows, measures } = await ask<RowPageResults>("page", { ...changed, change: "flaky" });
    // No trial logged latency or tokens, so they are not shown, and comparing them would be rejected.
    expect(measures).toEqual(["scores.s"]);
    const output = { value: "answer 1", length: 8, cut: false };
    const trial = (id: string, s: boolean) => ({
      ...{ predict_and_score_call_id: id, output, values: [s] },
    });
    expect(rows).toEqual([
      {
        row_digest: "b",
        row: { value: { kind: "odd", i: 1 }, length: 20, cut: false },
        evaluations: [
          {
            evaluation_call_id: "old",
            trials: [trial("old-1-0", true), trial("old-1-1", false)],
            means: [0.5],
            differences: null,
          },
          {
            evaluation_call_id: "new",
            trials: [trial("new-1-0", false), trial("new-1-1", false)],
            means: [0],
            differences: [-0.5],
          },
        ],
      },
    ]);
  });
});

describe("groups of rows", () => {
  const brief = ({ groups }: RowGroupsResults) => groups.map(({ label, kind, rows }) => [label, kind, rows]);

  test("are the values of a field, most frequent first, and rows without one", async () => {
    const kinds = await ask<RowGroupsResults>("groups", {
      by: { field: "inputs.kind" },
      measures: ["scores.s"],
    });
    expect(brief(kinds)).toEqual([
      ["even", "value", 3],
      ["odd", "value", 3],
    ]);
    expect(kinds.groups[0]).toMatchObject({
      row_filter: { field: "inputs.kind", equals: "even" },
      filter: { query: { $expr: { $eq: [{ $getField: "inputs.kind" }, { $literal: "even" }] } } },
      evaluations: [
        { evaluation_call_id: "old", measures: [{ rows: 3, mean: 2 / 3 }] },
        { evaluation_call_id: "new", measures: [{ rows: 2, mean: 1 }] },
      ],
      differences: null,
    });
    expect(brief(await ask("groups", { by: { field: "inputs.first" } }))).toEqual([
      ["true", "value", 1],
      ["missing", "missing", 5],
    ]);
  });

  test("of a difference are its values from low to high", async () => {
    const by = { field: "scores.s", evaluation_call_id: "new", baseline: "old" };
    const found = await ask<RowGroupsResults>("groups", { by });
    expect(brief(found)).toEqual([
      ["-1", "value", 1],
      ["-0.5", "value", 1],
      ["0", "value", 1],
      ["1", "value", 1],
      ["missing", "missing", 2],
    ]);
    expect(found.groups[1]!.row_filter).toEqual({ ...by, equals: -0.5 });
    expect(found.groups[1]!.filter).toBeNull();
  });

  test("of many numbers are ranges with round bounds, the last one and those of whole numbers inclusive", async () => {
    const found = await ask<RowGroupsResults>("groups", { by: { field: "inputs.i", bins: 2 } });
    expect(found.groups.map(({ low, high, rows }) => [low, high, rows])).toEqual([[0, 5, 6]]);
    const five = await ask<RowGroupsResults>("groups", { by: { field: "inputs.i", bins: 5 } });
    expect(five.groups.map(({ low, high, rows }) => [low, high, rows])).toEqual([
      [0, 0, 1],
      [1, 1, 1],
      [2, 2, 1],
      [3, 3, 1],
      [4, 5, 2],
    ]);
    expect(five.groups.slice(-2).map(({ label, row_filter }) => [label, row_filter])).toEqual([
      ["3", { field: "inputs.i", at_least: 3, at_most: 3 }],
      ["4 to 5", { field: "inputs.i", at_least: 4, at_most: 5 }],
    ]);
    const halves = engineOf({ one: [[0], [0.5], [1], [1.5], [2], [2.5]] });
    const by = { field: "scores.s", evaluation_call_id: "one", bins: 3 };
    const three = await halves<RowGroupsResults>("groups", { by });
    expect(three.groups.map(({ label, rows, row_filter }) => [label, rows, row_filter])).toEqual([
      ["0 to 1", 2, { field: "scores.s", evaluation_call_id: "one", at_least: 0, below: 1 }],
      ["1 to 2", 2, { field: "scores.s", evaluation_call_id: "one", at_least: 1, below: 2 }],
      ["2 to 3", 2, { field: "scores.s", evaluation_call_id: "one", at_least: 2, at_most: 3 }],
    ]);
  });
});

test("fields are listed with their types, bounds and values", async () => {
  expect(await ask("fields", {})).toEqual({
    rows: 6,
    inputs: [
      {
        field: "inputs.first",
        types: ["boolean"],
        count: 1,
        min: null,
        max: null,
        values: [{ value: true, count: 1 }],
      },
      {
        ...{ field: "inputs.i", types: ["number"], count: 6, min: 0, max: 5 },
        values: [0, 1, 2, 3, 4, 5].map((value) => ({ value, count: 1 })),
      },
      {
        ...{ field: "inputs.kind", types: ["string"], count: 6, min: null, max: null },
        values: ["even", "odd"].map((value) => ({ value, count: 3 })),
      },
    ],
    scores: [{ field: "scores.s", types: ["boolean"], count: 10, min: 0, max: 1, values: [] }],
    outputs: [
      {
        ...{ field: "outputs", types: ["string"], count: 11, min: null, max: null },
        values: expect.arrayContaining([{ value: "answer 0", count: 2 }]),
      },
    ],
    looked_at: 11,
  });
});

describe("ranges", () => {
  test("cover every number, and have round bounds", () => {
    expect(rangesOf(0, 1, 10).bounds).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
    expect(rangesOf(-3, 17, 4).bounds).toEqual([-5, 0, 5, 10, 15, 20]);
    expect(rangesOf(1e-300, 2e-300, 3).bounds).toEqual([1e-300, 2e-300]);
    expect(rangesOf(-Number.MAX_VALUE, Number.MAX_VALUE, 3).bounds).toHaveLength(2);
    for (const [least, greatest] of [
      [0.1, 0.7],
      [1e15, 1e15 + 64],
      [-1e-9, 3],
    ] as const) {
      const { bounds, rangeOf } = rangesOf(least, greatest, 7);
      for (let i = 0; i <= 1000; i++) {
        const number = least + ((greatest - least) * i) / 1000;
        const range = rangeOf(number);
        expect(number >= bounds[range]! && number <= bounds[range + 1]!).toBe(true);
        if (range < bounds.length - 2) expect(number).toBeLessThan(bounds[range + 1]!);
      }
    }
  });
});

describe("a preview", () => {
  test("contains as much as allowed, and never splits a character", () => {
    expect(previewOf("🦉🦉", 3)).toEqual({ value: "🦉", length: 4, cut: true });
    expect(previewOf({ a: "x".repeat(50), b: 1 }, 20)).toEqual({
      value: { a: "x".repeat(19) },
      length: 64,
      cut: true,
    });
    expect(previewOf([1, 2, 3], 100)).toEqual({ value: [1, 2, 3], length: 7, cut: false });
    expect(previewOf(null, 0)).toEqual({ value: null, length: 4, cut: false });
  });

  test("cuts long texts, and keeps short ones behind them", () => {
    const asked = { role: "user", content: "Where is my order?" };
    const messages = [{ role: "system", content: "Be brief. ".repeat(100) }, asked];
    const { value } = previewOf({ messages, context: "c".repeat(900), kind: "orders" }, 300);
    const {
      messages: shown,
      context,
      kind,
    } = value as unknown as {
      readonly messages: readonly { readonly content: string }[];
      readonly context: string;
      readonly kind: string;
    };
    expect([shown[1], kind]).toEqual([asked, "orders"]);
    expect(shown[0]!.content.length).toBe(context.length);
    expect(context.length).toBeGreaterThan(100);
  });
});
