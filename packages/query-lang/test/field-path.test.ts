import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printFieldPath, readFieldPath } from "../src/expression/field-path.ts";
import { fieldsOf } from "../src/expression/fields-of.ts";
import { getPath, printQuery } from "../src/index.ts";
import { condition, document, path, runs } from "./arbitrary.ts";

describe("field paths", () => {
  test("split at dots; an escaped dot or backslash is literal, and so is any other backslash", () => {
    expect(readFieldPath("scores.a\\.b.0")).toEqual({ ok: true, value: ["scores", "a.b", "0"] });
    expect(readFieldPath("a\\\\.b")).toEqual({ ok: true, value: ["a\\", "b"] });
    expect(readFieldPath("a\\b\\")).toEqual({ ok: true, value: ["a\\b\\"] });
    expect(readFieldPath("😀.é")).toEqual({ ok: true, value: ["😀", "é"] });
  });

  test("cannot have an empty segment", () => {
    for (const text of ["", ".", "a.", ".a", "a..b"]) {
      expect(readFieldPath(text)).toMatchObject({ ok: false, issues: [{ code: "value_error", path: [] }] });
    }
  });

  test("a printed path parses to the same path", () => {
    const segment = fc.string({ unit: fc.constantFrom("a", ".", "\\", "😀"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        expect(readFieldPath(printFieldPath(segments))).toEqual({ ok: true, value: segments });
      }),
      runs,
    );
  });

  test("getPath continues where another walk stopped", () => {
    fc.assert(
      fc.property(document, path, (doc, segments) => {
        expect(getPath(getPath(doc, segments.slice(0, 1)), segments, 1)).toEqual(getPath(doc, segments));
      }),
      runs,
    );
    expect(getPath(undefined, [])).toBe(null);
    expect(getPath({ a: 1 }, [])).toEqual({ a: 1 });
  });

  test("fieldsOf names each field once, in the order they are written", () => {
    fc.assert(
      fc.property(condition, (expr) => {
        const written = JSON.stringify(printQuery(expr)).matchAll(/"\$getField":("(?:[^"\\]|\\.)*")/g);
        const wanted = new Set([...written].map((match) => JSON.parse(match[1]!)));
        expect(fieldsOf(expr).map(printFieldPath)).toEqual([...wanted]);
      }),
      runs,
    );
  });
});
