import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareText } from "../src/text/compare-text.ts";

// Texts whose order by code points differs from that by UTF-16 units, including lone surrogates.
const text = fc.string({
  unit: fc.constantFrom("a", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\ud800", "\udc00"),
});

describe("compareText", () => {
  test("is the order of code points", () => {
    const points = (value: string) => [...value].map((character) => character.codePointAt(0)!);
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [x, y] = [points(a), points(b)];
        const first = x.findIndex((point, i) => point !== y[i]);
        const wanted = first === -1 ? x.length - y.length : x[first]! - (y[first] ?? -1);
        expect(Math.sign(compareText(a, b))).toBe(Math.sign(wanted));
      }),
    );
  });

  test("is a total order", () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        expect(Math.sign(compareText(a, b))).toBe(0 - Math.sign(compareText(b, a)));
        expect(compareText(a, b) === 0).toBe(a === b);
        const [low, middle, high] = [a, b, c].sort(compareText) as [string, string, string];
        expect(
          Math.max(compareText(low, middle), compareText(middle, high), compareText(low, high)),
        ).toBeLessThanOrEqual(0);
      }),
    );
  });
});
