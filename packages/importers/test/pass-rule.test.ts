import type { Json } from "@assay/base";
import { expect, test } from "vitest";
import { readPassRule } from "../src/pass-rule.ts";

/** Whether each of the values passes by a rule. */
function passing(text: string, values: readonly Json[]): readonly unknown[] {
  const rule = readPassRule(text);
  if (!rule.ok) throw new Error(JSON.stringify(rule.issues));
  return values.map((value) => rule.value.passes(value));
}

test.each<[string, readonly unknown[]]>([
  ["score >= 2", [false, true, true]],
  ["score > 2", [false, false, true]],
  ["score <= 2", [true, true, false]],
  ["score < 2", [true, false, false]],
  ["score == 2", [false, true, false]],
  ["score = 2", [false, true, false]],
  ["score != 2", [true, false, true]],
])("1, 2 and 3 pass by %s as its operator says", (rule, passes) => {
  expect(passing(rule, [1, 2, 3])).toEqual(passes);
});

test("a text passes by its words, and what cannot be compared neither passes nor fails", () => {
  expect(passing("label == good", ["good", " good ", "bad", 1, null])).toEqual([
    true,
    true,
    false,
    undefined,
    undefined,
  ]);
  expect(passing("score >= 1", [true, false, "1", null])).toEqual([true, false, undefined, undefined]);
});
