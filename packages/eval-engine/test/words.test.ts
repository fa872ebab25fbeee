// Slices and warnings in words: which slices are shown, why one is inconclusive, and which evaluations a warning names.

import { CASES, check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { reasonOf } from "../src/statistics/comparison.ts";
import type { Slice } from "../src/statistics/wire/response.ts";
import {
  differenceBoundsText,
  dividingSlices,
  levelText,
  numberText,
  rowField,
  sliceText,
  warningText,
} from "../src/words/index.ts";

function slice(field: string, value: string, rows: number, q: number | null = null): Slice {
  return {
    fields: [{ field, value, low: null, high: null }],
    ...{ rows, pairs: rows, q_value: q, interval: null, filter: null, verdict: "inconclusive", reason: null },
    ...{ baseline_mean: 0, candidate_mean: 0, difference: 0, p_value: q, difference_to_outside: null },
    outside: { rows: 0, difference: null },
  };
}

test("fields with about one row for each value are named instead of shown, unless they were tested", () => {
  const ids = ["a", "b", "c"].map((id) => slice("inputs.id", id, 1));
  const kinds = [slice("inputs.kind", "x", 2), slice("inputs.kind", "y", 2)];
  const tested = slice("inputs.id", "d", 1, 0.5);
  const { dividing, apart } = dividingSlices([...ids, ...kinds, tested]);
  expect(apart).toEqual(["id"]);
  expect(dividing.map(sliceText)).toEqual(["kind is x", "kind is y", "id is d"]);
});

test("the bounds of a range are those of its rows", () => {
  const range = { field: "inputs.year", value: null, low: 9210.75, high: 12256 };
  expect(sliceText({ fields: [range] })).toBe("year is 9210.75 to 12256");
  expect(sliceText({ fields: [{ ...range, low: 7, high: 7 }] })).toBe("year is 7");
});

test("a p-value above a bound has enough digits to show it", () => {
  const interval = { low: 0.1, high: 0.2, method: "t" } as const;
  const reason = (p: number, adjustedP: number) =>
    reasonOf("inconclusive", { interval, unknown: undefined, p }, { adjustedP, tests: 2 }, 0.05);
  expect(reason(0.0502, 0.0502)).toBe("the test is less certain than the interval: p is 0.0502, above 0.05");
  expect(reason(0.03, 0.05004)).toBe("p is 0.03 by itself and 0.05004 adjusted for 2 tests, above 0.05");
  expect(reason(0.2, 0.2)).toBe("the test is less certain than the interval: p is 0.2, above 0.05");
});

test(
  "the bounds of a difference show whether it excludes 0",
  () =>
    check(
      fc.tuple(bound, bound),
      async ([one, other]) => {
        const bounds = { low: Math.min(one, other), high: Math.max(one, other) };
        const [low, high] = differenceBoundsText("boolean", bounds).split(" to ") as [string, string];
        expect(low.startsWith("+")).toBe(bounds.low > 0);
        expect(high.startsWith("−")).toBe(bounds.high < 0);
      },
      { numRuns: CASES },
    ),
  PATIENCE,
);

/** A difference of rates with at most four decimals in points. */
const bound = fc
  .oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -100, max: 100 }))
  .map((parts) => parts / 1e6);

test("a confidence near 1 is not 1", () => {
  expect([0.95, 0.999, 0.99999].map(levelText)).toEqual(["95% CI", "99.9% CI", "99.999% CI"]);
});

test("a warning has the names of evaluations, not their IDs", () => {
  const labels = new Map([
    ["id-1", "small"],
    ["id-2", "large"],
  ]);
  const running = { code: "still_running", evaluations: ["id-1"], count: null } as const;
  expect(warningText({ ...running, text: "id-1 is still running: its numbers will change" }, labels)).toBe(
    "small is still running: its numbers will change",
  );
  const apart = { code: "rows_not_shared", evaluations: ["id-1", "id-2"], count: 2, text: "2 rows" } as const;
  expect(warningText(apart, labels)).toBe("2 rows");
  expect(warningText(apart, new Map([...labels, ["id-3", "third"]]))).toBe("small and large: 2 rows");
});

test("numbers have four digits, and large ones an exponent", () => {
  const texts = [0, -17.5, 1e-9, 12_345, 999_960_000, 83_333_343_704_732, -1.7976e308].map(numberText);
  expect(texts).toEqual(["0", "-17.5", "1e-9", "12350", "1e+9", "8.333e+13", "-1.798e+308"]);
});

test("a row field may be written as in answers, or without `inputs.`", () => {
  const typed = ["kind", "inputs.kind", 'inputs["q.dot"]', "q\\.dot", "a b", "kind/é", "scores.ok"];
  const fields = ["inputs.kind", "inputs.kind", "inputs.q\\.dot", "inputs.q\\.dot", "inputs.a b"];
  expect(typed.map(rowField)).toEqual([...fields, "inputs.kind/é", "scores.ok"]);
});
