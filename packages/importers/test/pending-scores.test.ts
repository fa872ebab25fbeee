// Scores that wait for their trial come back unchanged and in order, with the latest of each name.

import { expect, test } from "vitest";
import { PendingScores } from "../src/scores/pending-scores.ts";

test("scores of any type come back by key and name, in insertion order", () => {
  const pending = new PendingScores();
  for (let n = 0; n < 10_000; n++) {
    pending.put(`trial ${n}`, "exact", n % 2 === 0);
    pending.put(`trial ${n}`, "f1", n / 7);
    pending.put(`trial ${n}`, "label", n % 3 === 0 ? "short" : null);
  }
  pending.put("trial 5", "object", { a: { b: 1 } });
  pending.put("trial 5", "list", [1, 0]);
  expect(Object.entries(pending.of("trial 9999"))).toEqual([
    ["exact", false],
    ["f1", 9999 / 7],
    ["label", "short"],
  ]);
  // The content of a list among scores is never used.
  expect(pending.of("trial 5")).toEqual({
    exact: false,
    f1: 5 / 7,
    label: null,
    object: { a: { b: 1 } },
    list: [null],
  });
  expect(pending.of("another")).toEqual({});
});

test("of several scores with one name the latest counts, and of equally late ones the last", () => {
  const pending = new PendingScores();
  pending.put("t", "exact", 1, 20);
  pending.put("t", "exact", 2, 10);
  expect(pending.of("t")).toEqual({ exact: 1 });
  pending.put("t", "exact", 3, 20);
  expect(pending.of("t")).toEqual({ exact: 3 });
});

test("names that every object has are ordinary names", () => {
  const pending = new PendingScores();
  pending.put("__proto__", "constructor", 1);
  pending.put("__proto__", "__proto__", 2);
  expect(Object.entries(pending.of("__proto__"))).toEqual([
    ["constructor", 1],
    ["__proto__", 2],
  ]);
});
