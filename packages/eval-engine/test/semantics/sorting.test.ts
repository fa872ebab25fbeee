// docs/reference/semantics.md, "Sorting": the order of rows.

import { describe, expect, test } from "vitest";
import type { DatasetRow, EvalResultsSortBy } from "../../src/index.ts";
import { ask, digests, evaluation, row, scored, type Tree, trial } from "./project.ts";

type Json = DatasetRow["val"];

const sorted = async (calls: readonly Tree[], ...sort_by: EvalResultsSortBy[]): Promise<string> =>
  digests(await ask(calls, { evaluation_call_ids: calls.map(({ call }) => call.id), sort_by })).join("");

const by = (field: string, direction: "asc" | "desc" = "asc", more: Partial<EvalResultsSortBy> = {}) => ({
  field,
  direction,
  ...more,
});

/** Rows `a`, `b`, … with these values of one score, or of the model's output. */
const withScores = (...values: Json[]): Tree[] => [
  scored("e1", Object.fromEntries(values.map((s, i) => ["abcdefgh"[i], { s }]))),
];
const withOutputs = (...values: Json[]): Tree[] => [
  evaluation("e1", ...values.map((output, i) => trial(`t${i}`, { of: row("abcdefgh"[i]!), output }))),
];

describe("keys", () => {
  const calls = [
    scored("e1", { b: { s: 1, t: 1 }, a: { s: 1, t: 2 }, d: { s: 0, t: 3 }, c: { s: 0, t: 3 } }),
  ];

  test("are by default only the digest", async () => {
    expect(await sorted(calls)).toBe("abcd");
    expect(digests(await ask(calls, { evaluation_call_ids: ["e1"], sort_by: null })).join("")).toBe("abcd");
  });

  test("apply in order, with the ascending digest always last", async () => {
    expect(await sorted(calls, by("scores.s"))).toBe("cdab");
    expect(await sorted(calls, by("scores.s", "desc"))).toBe("abcd");
    expect(await sorted(calls, by("scores.s", "desc"), by("scores.t"))).toBe("bacd");
    expect(await sorted(calls, by("scores.t", "desc"), by("scores.s"))).toBe("cdab");
  });
});

describe("a score, by value", () => {
  test("is ordered as a number", async () => {
    expect(await sorted(withScores(10, 9, -1), by("scores.s"))).toBe("cba");
    expect(await sorted(withScores(10, 9, -1), by("scores.s", "desc"))).toBe("abc");
  });

  test("missing comes last in both directions", async () => {
    expect(await sorted(withScores(null, 1, 2, []), by("scores.s"))).toBe("bcad");
    expect(await sorted(withScores(null, 1, 2, []), by("scores.s", "desc"))).toBe("cbad");
  });

  test("booleans are 1 and 0, numeric strings their number, and other values missing", async () => {
    expect(await sorted(withScores(true, "0.5", false, "good", 0.7), by("scores.s"))).toBe("cbead");
  });

  test("several trials count by their mean", async () => {
    const calls = [
      evaluation(
        "e1",
        trial("1", { of: row("a"), scores: { s: 0 } }),
        trial("2", { of: row("a"), scores: { s: 1 } }),
        trial("3", { of: row("a"), scores: { s: "unclear" } }),
        trial("4", { of: row("b"), scores: { s: 0.4 } }),
      ),
    ];
    expect(await sorted(calls, by("scores.s"))).toBe("ba");
  });

  test("over all requested evaluations, or the one it is scoped to", async () => {
    const calls = [
      scored("e1", { a: { s: 0 }, b: { s: 1 } }),
      scored("e2", { a: { s: 9 }, b: { s: 2 }, c: { s: 5 } }),
    ];
    // The means are 4.5, 1.5 and 5.
    expect(await sorted(calls, by("scores.s"))).toBe("bac");
    expect(await sorted(calls, by("scores.s", "asc", { evaluation_call_id: "e1" }))).toBe("abc");
    expect(await sorted(calls, by("scores.s", "asc", { evaluation_call_id: "e2" }))).toBe("bca");
    expect(await sorted(calls, by("scores.s", "asc", { evaluation_call_id: "unknown" }))).toBe("abc");
  });

  test("is ordered by the text of the first trial if no trial has a number", async () => {
    expect(await sorted(withScores("b", "a", null, "\u{1f600}", "\uffee"), by("scores.s"))).toBe("baedc");
    expect(await sorted(withScores("b", "a", null, "B"), by("scores.s", "desc"))).toBe("abdc");
    const calls = [
      evaluation(
        "e1",
        trial("1", { of: row("a"), scores: { s: "z" }, at: 1 }),
        trial("2", { of: row("a"), scores: { s: "a" }, at: 2 }),
        trial("3", { of: row("b"), scores: { s: "m" } }),
      ),
    ];
    expect(await sorted(calls, by("scores.s"))).toBe("ba");
  });

  test("one number anywhere in those evaluations makes it numeric, even on a row that a filter leaves out", async () => {
    const calls = [
      scored("e1", { a: { s: "y" }, b: { s: "x" }, c: { s: 1 } }),
      scored("e2", { a: { s: "y" }, b: { s: "x" } }),
    ];
    const filters = [
      { query: { $expr: { $not: [{ $eq: [{ $getField: "row_digest" }, { $literal: "c" }] }] } } },
    ];
    const order = async (scope: string) =>
      digests(
        await ask(calls, {
          evaluation_call_ids: ["e1", "e2"],
          filters,
          sort_by: [by("scores.s", "asc", { evaluation_call_id: scope })],
        }),
      ).join("");
    expect(await order("e1")).toBe("ab");
    expect(await order("e2")).toBe("ba");
  });
});

describe("inputs, outputs and output", () => {
  test("are ordered as numbers first, then texts, then missing, in both directions", async () => {
    const values = ["b", 2, null, "10", "a", true];
    expect(await sorted(withOutputs(...values), by("outputs"))).toBe("fbdeac");
    expect(await sorted(withOutputs(...values), by("outputs", "desc"))).toBe("dbfaec");
  });

  test("lists and objects are ordered as compact JSON", async () => {
    expect(await sorted(withOutputs({ a: 1 }, [2], "a", [10]), by("outputs"))).toBe("dbca");
  });

  test("use the first trial, even if only a later one has a value", async () => {
    const calls = [
      evaluation(
        "e1",
        trial("1", { of: row("a"), output: null, at: 0 }),
        trial("2", { of: row("a"), output: 1, at: 1 }),
        trial("3", { of: row("b"), output: 5 }),
      ),
    ];
    expect(await sorted(calls, by("outputs"))).toBe("ba");
  });

  test("use the first evaluation that has the row, or the one in the scope", async () => {
    const of = (id: string, outputs: { [row: string]: Json }): Tree =>
      evaluation(
        id,
        ...Object.entries(outputs).map(([r, output]) => trial(`${id}${r}`, { of: row(r), output })),
      );
    const calls = [of("e1", { a: 1, b: 2 }), of("e2", { a: 9, b: 8, c: 0 })];
    expect(await sorted(calls, by("outputs"))).toBe("cab");
    expect(await sorted(calls.toReversed(), by("outputs"))).toBe("cba");
    expect(await sorted(calls, by("outputs", "asc", { evaluation_call_id: "e2" }))).toBe("cba");
    expect(await sorted(calls, by("outputs", "asc", { evaluation_call_id: "e1" }))).toBe("abc");
  });

  test("read inputs from the dataset row, and output from the call's whole output", async () => {
    const calls = [scored("e1", { a: { s: 2 }, b: { s: 1 } })];
    const rows = [
      { digest: "a", val: { x: 5 } },
      { digest: "b", val: { x: 7 } },
    ];
    const order = async (field: string) =>
      digests(await ask(calls, { evaluation_call_ids: ["e1"], sort_by: [by(field)] }, rows)).join("");
    expect(await order("inputs.x")).toBe("ab");
    expect(await order("output.scores.s")).toBe("ba");
  });
});

describe("difference", () => {
  const difference = (direction: "asc" | "desc", more: Partial<EvalResultsSortBy> = {}) =>
    by("scores.s", direction, { mode: "difference", ...more });
  const calls = [
    scored("e1", { a: { s: 0 }, b: { s: 1 }, c: { s: 5 }, d: { s: 3 }, e: { s: 1 } }),
    scored("e2", { a: { s: 1 }, b: { s: 1 }, d: { s: "none" }, e: { s: 2 } }),
    scored("e3", { a: { s: 9 }, b: { s: true }, e: { s: "0" } }),
  ];

  test("is the spread of the evaluations' means; fewer than two with a value is missing", async () => {
    // The differences are a: 9, e: 2, b: 0; c and d have a value in only one evaluation.
    expect(await sorted(calls, difference("desc"))).toBe("aebcd");
    expect(await sorted(calls, difference("asc"))).toBe("beacd");
  });

  test("takes the mean of an evaluation's trials first", async () => {
    const twice = [
      evaluation(
        "e1",
        trial("1", { of: row("a"), scores: { s: 0 } }),
        trial("2", { of: row("a"), scores: { s: 10 } }),
        trial("3", { of: row("b"), scores: { s: 0 } }),
      ),
      scored("e2", { a: { s: 5 }, b: { s: 1 } }),
    ];
    expect(await sorted(twice, difference("desc"))).toBe("ba");
  });

  test("ignores the scope, and the order of the evaluations", async () => {
    expect(await sorted(calls, difference("desc", { evaluation_call_id: "e2" }))).toBe("aebcd");
    expect(await sorted(calls.toReversed(), difference("desc"))).toBe("aebcd");
  });

  test("of one evaluation is its value", async () => {
    expect(await sorted(calls.slice(0, 1), difference("desc"))).toBe("cdbea");
    expect(await sorted(calls.slice(0, 1), difference("asc"))).toBe("abedc");
    const scoped = difference("desc", { evaluation_call_id: "e2" });
    expect(await sorted(calls.slice(0, 1), scoped)).toBe("cdbea");
  });
});
