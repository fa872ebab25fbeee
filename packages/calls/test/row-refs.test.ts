import fc from "fast-check";
import { expect, test } from "vitest";
import { rowRefsIn } from "../src/row/row-refs.ts";

/** The meaning, which takes quadratic time. */
const ROW_REF = /weave:\/\/\/[^"\\\s]*\/attr\/rows\/id\/[^"\\\s/]+/g;

test("finds the references that the expression finds", () => {
  const parts = ["weave:///", "/attr/rows/id/", "/attr/rows/id", "attr/rows/id/", "/", "a", '"', "\\", "\n"];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((some) => some.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      expect([...rowRefsIn(text)]).toEqual([...text.matchAll(ROW_REF)].map(([ref]) => ref));
    }),
    { numRuns: 2000 },
  );
});

test("takes no longer for a text that consists of starts of references", () => {
  for (const part of ["weave:///", "weave:////attr/rows/id//", 'weave:///a"'])
    expect([...rowRefsIn(part.repeat(200_000))].length).toBeLessThan(2);
});
