import { expect, test } from "vitest";
import { pythonToJson } from "../src/json/python-literal.ts";

test("a string without an end stays as it is, and so does what follows it", () => {
  for (const text of ["'", "'a", "'a\\", "'a\\'", '["None', "{'a': 1, 'b\\': None, True"])
    expect(() => JSON.parse(pythonToJson(text)), text).toThrow();
  expect(pythonToJson("[None, 'None")).toBe("[null, 'None");
  expect(pythonToJson("{'it\\'s': (1, True)}")).toBe('{"it\'s": [1, true]}');
});

test("many quotes without an end take no longer than as many letters", () => {
  const text = "'\\".repeat(200_000);
  expect(pythonToJson(text)).toBe(text);
});
