import type { Json } from "@assay/base";
import { expect, test } from "vitest";
import { bytesFile, planImport } from "../src/index.ts";
import { readPassRule } from "../src/scores/pass-rule.ts";

/** Whether each of the values passes a rule. */
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
])("1, 2 and 3 pass by %s according to its operator", (rule, passes) => {
  expect(passing(rule, [1, 2, 3])).toEqual(passes);
});

test("texts are compared by their words, and incomparable values neither pass nor fail", () => {
  expect(passing("label == good", ["good", " good ", "bad", 1, null])).toEqual([
    true,
    true,
    false,
    undefined,
    undefined,
  ]);
  expect(passing("score >= 1", [true, false, "1", null])).toEqual([true, false, undefined, undefined]);
});

test.each<[string, string, boolean]>([
  ["quality>=0.5", "quality<0.2", false],
  ["style.tone>=0.5", "style_tone>=0.5", false],
  ["quality>=0.5", "quality >= 0.5", true],
  ["quality>=0.5", "tone>=0.5", true],
])("%s and %s can be combined: %s", (first, second, isPossible) => {
  const before = readPassRule(first);
  if (!before.ok) throw new Error(first);
  const rule = readPassRule(second, [before.value]);
  expect(rule.ok).toBe(isPossible);
  if (!rule.ok)
    for (const text of [first, second]) expect(rule.issues[0]!.message.replaceAll(" ", "")).toContain(text);
});

test("a rule whose result would replace a score of the file is refused", async () => {
  const rule = readPassRule("quality>=0.5");
  if (!rule.ok) throw new Error();
  const planned = (head: string) =>
    planImport([bytesFile("t.csv", new TextEncoder().encode(`id,model,${head}\n1,m,0.5,0.2\n`))], {
      passes: [rule.value],
    });
  const { refused } = await planned("quality,quality_pass");
  expect(refused[0]).toMatchObject({
    reason: 'a score quality_pass, which "quality >= 0.5" would replace; leave out this rule',
    why: "asked",
  });
  expect((await planned("quality,tone_pass")).refused).toEqual([]);
});
