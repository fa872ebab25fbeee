import { expect, test } from "vitest";
import { checkMembers, type Members } from "../src/internal.ts";

interface Options {
  readonly name: string;
  readonly limit?: number;
  readonly tell?: () => void;
}

const OPTIONS: Members<Options> = { name: "text", limit: "number?", tell: "function?" };
const check = (given: unknown) => () => checkMembers("options", given as Options, OPTIONS);

test("a misspelt, missing or wrongly typed member is reported by name", () => {
  expect(check({ name: "a", limit: 3, tell: undefined })).not.toThrow();
  expect(check({ name: "a", limt: 3 })).toThrow('options: unknown "limt"; did you mean limit?');
  expect(check({ name: "a", prot: 3 })).toThrow('options: unknown "prot"; available: name, limit, tell');
  expect(check({ limit: 3 })).toThrow("options: name is missing");
  expect(check({ name: "a", limit: "3" })).toThrow("options: limit must be a number");
  expect(check({ name: "a", tell: null })).toThrow("options: tell must be a function");
  for (const none of [undefined, null, "a"]) expect(check(none)).toThrow("options must be an object");
});

test("names that every object has are unknown too", () => {
  expect(check(JSON.parse('{"name": "a", "__proto__": 1}'))).toThrow('unknown "__proto__"');
  expect(check({ name: "a", constructor: 1 })).toThrow('unknown "constructor"');
});
