import type { Json } from "@assay/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asNumber,
  asText,
  compactJson,
  compareText,
  convert,
  deepEqual,
  foldCase,
  readingOf,
} from "../src/index.ts";
import { json, runs } from "./arbitrary.ts";

/** An array in an array in an array. */
function nested(depth: number, core: Json): Json {
  let value = core;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: 1, b: value };
  return value;
}

// Text where the order of code points and that of UTF-16 units differ, and halves of pairs.
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
      runs,
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
      runs,
    );
  });
});

describe("foldCase", () => {
  test("what a text contains, it contains when folded", () => {
    const letters = fc.string({ unit: fc.constantFrom("Σ", "σ", "ς", "İ", "A", "ß", " ", "\u{10400}") });
    fc.assert(
      fc.property(letters, letters, letters, (before, part, after) => {
        expect(foldCase(before + part + after)).toContain(foldCase(part));
      }),
      runs,
    );
  });
});

describe("deepEqual and compactJson", () => {
  test("equal is equal as JSON, whatever the order of keys", () => {
    const sorted = (value: Json): Json => {
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.map(sorted);
      const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
      return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
    };
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(deepEqual(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
        expect(deepEqual(a, sorted(structuredClone(a)))).toBe(true);
      }),
      runs,
    );
  });

  test("neither minds how deep the data is", () => {
    const [a, b] = [nested(100_000, 1), nested(100_000, 2)];
    expect(deepEqual(a, nested(100_000, 1))).toBe(true);
    expect(deepEqual(a, b)).toBe(false);
    expect(asText(a)).toBe(`${'{"a":1,"b":['.repeat(50_000)}1${"]}".repeat(50_000)}`);
  });

  test("deep data is written like any other", () => {
    fc.assert(
      fc.property(json, (core) => {
        const written = compactJson(nested(20_000, core));
        expect(written.slice(12 * 10_000, -2 * 10_000)).toBe(JSON.stringify(core));
      }),
      { numRuns: 5 },
    );
  });
});

describe("readings", () => {
  test("a reading of a reading is the same reading", () => {
    fc.assert(
      fc.property(json, fc.constantFrom("double", "int", "bool", "string"), (value, cast) => {
        const once = convert(cast, value);
        expect(convert(cast, once)).toBe(once);
      }),
      runs,
    );
  });

  test("a number read from its own text is that number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(asNumber(asText(number))).toBe(number + 0);
      }),
      runs,
    );
  });

  test("int is never -0", () => expect(Object.is(convert("int", -0.5), 0)).toBe(true));

  test("a literal says how the other side is read", () => {
    expect([1, true, "a", null, [], {}].map(readingOf)).toEqual([
      "number",
      "boolean",
      "text",
      "null",
      "deep",
      "deep",
    ]);
  });
});
