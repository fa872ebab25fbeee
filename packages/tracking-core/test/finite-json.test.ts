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
