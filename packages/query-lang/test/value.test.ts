import type { Json } from "@assay/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asNumber, readingOf } from "../src/index.ts";
import { compactJson } from "../src/meaning/compact-json.ts";
import { deepEqual } from "../src/meaning/deep-equal.ts";
import { foldCase } from "../src/meaning/fold-case.ts";
import { asText, convert } from "../src/meaning/value.ts";
import { json, runs } from "./arbitrary.ts";

/** `core` nested in `depth` arrays. */
function nested(depth: number, core: Json): Json {
  let value = core;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: 1, b: value };
  return value;
}

describe("foldCase", () => {
  test("a text contains its parts after case folding too", () => {
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
  test("values are equal if they are equal as JSON, in any order of keys", () => {
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

  test("both handle data of any depth", () => {
    const [a, b] = [nested(100_000, 1), nested(100_000, 2)];
    expect(deepEqual(a, nested(100_000, 1))).toBe(true);
    expect(deepEqual(a, b)).toBe(false);
    expect(asText(a)).toBe(`${'{"a":1,"b":['.repeat(50_000)}1${"]}".repeat(50_000)}`);
  });

  test("deep data is printed like any other", () => {
    fc.assert(
      fc.property(json, (core) => {
        const written = compactJson(nested(20_000, core));
        expect(written.slice(12 * 10_000, -2 * 10_000)).toBe(JSON.stringify(core));
      }),
      { numRuns: 5 },
    );
  });
});

describe("conversions", () => {
  test("converting a value twice is converting it once", () => {
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

  test("a literal determines how the other side is converted", () => {
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
