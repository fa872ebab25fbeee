import fc from "fast-check";
import { expect, test } from "vitest";
import { textPattern } from "../../src/tracking/runs/text-pattern.ts";

const atom = fc.constantFrom("a", "b", ".", "\\.", "[ab]", "[^a]", "\\d", "-");
const part = fc.tuple(atom, fc.constantFrom("", "", "*", "+", "?")).map((both) => both.join(""));
const alternative = fc
  .tuple(fc.constantFrom("", "^"), fc.array(part, { maxLength: 5 }), fc.constantFrom("", "$"))
  .map(([start, parts, end]) => `${start}${parts.join("")}${end}`);
const pattern = fc.array(alternative, { minLength: 1, maxLength: 3 }).map((all) => all.join("|"));

test("a pattern matches the same texts as JavaScript's regular expression", () => {
  fc.assert(
    fc.property(pattern, fc.string({ unit: fc.constantFrom("a", "b", ".", "1", "\n") }), (source, text) => {
      expect(textPattern(source)?.(text)).toBe(new RegExp(source, "u").test(text));
    }),
  );
});

test("a pattern that takes JavaScript exponential or cubic time takes linear time", () => {
  const text = "a".repeat(20_000);
  expect(textPattern("a*a*a*a*b")?.(text)).toBe(false);
});

test.each(["(a+)+$", "a{2}", "a(?=b)", "[z-a]", "a**", "*a", "a\\", "a$b", "\\bword", "a".repeat(501)])(
  "%s is not a valid pattern",
  (source) => {
    expect(textPattern(source)).toBeUndefined();
  },
);
