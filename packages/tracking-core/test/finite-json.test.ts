import { expect, test } from "vitest";
import { finiteObject } from "../src/run/finite-json.ts";

test("numbers that JSON cannot express become strings, outside of strings", () => {
  expect(finiteObject('{"a": NaN, "b": [-Infinity, "NaN", "\\"NaN"]}')?.value).toEqual({
    a: "NaN",
    b: ["-Infinity", "NaN", '"NaN'],
  });
  for (const text of ['{"a": NaN, "b', '{"a": NaN, "b\\', "NaN"]) expect(finiteObject(text)).toBeUndefined();
});

test("many quotes without an end take no longer than as many letters", () => {
  expect(finiteObject(`{"a": ${'"\\'.repeat(500_000)}`)).toBeUndefined();
});

test("a long string next to a number that JSON cannot express is read", () => {
  expect(finiteObject(`{"a": NaN, "b": "${"x".repeat(20_000_000)}"}`)?.value["a"]).toBe("NaN");
});

test("an object has at most 200 levels", () => {
  const nested = (levels: number) => `{"a": ${"[".repeat(levels - 1)}NaN${"]".repeat(levels - 1)}}`;
  expect(finiteObject(nested(200))).toBeDefined();
  for (const levels of [202, 1_000_000]) expect(finiteObject(nested(levels))).toBeUndefined();
});

test("an object has at most 400,000 values, and texts in it may be long", () => {
  const listed = (items: number) => `{"a": [${"{},".repeat(items)}"${",".repeat(1_000_000)}"]}`;
  expect(finiteObject(listed(100_000))).toBeDefined();
  expect(finiteObject(listed(5_000_000))).toBeUndefined();
});
