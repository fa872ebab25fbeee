import fc from "fast-check";
import { expect, test } from "vitest";
import { isPathName, PATH_NAME_LENGTH, PATH_NAME_PATTERN, pathNameFault } from "../src/text/path-name.ts";

test("a fault explains what is wrong", () => {
  expect(pathNameFault("")).toEqual({ kind: "empty" });
  expect(pathNameFault("a".repeat(129))).toEqual({ kind: "long" });
  expect(pathNameFault("a/b")).toEqual({ kind: "character", character: "/" });
  expect([".", ".."].map(pathNameFault)).toEqual([{ kind: "dots" }, { kind: "dots" }]);
  expect(["...", ".a", "a."].map(pathNameFault)).toEqual([undefined, undefined, undefined]);
  expect(pathNameFault("näme v2.0")).toBeUndefined();
});

test("the published pattern and length match the rule", () => {
  const unit = fc.constantFrom(
    "a",
    ".",
    " ",
    "é",
    "\u{1f600}",
    ..."/\\#?%:*",
    "\n",
    "\u007f",
    "\u0085",
    "\u009f",
    "\u00a0",
  );
  const name = fc.oneof(fc.string({ unit, maxLength: 6 }), fc.constantFrom("a".repeat(128), "a".repeat(129)));
  fc.assert(
    fc.property(name, (name) => {
      expect(isPathName(name)).toBe(
        name.length <= PATH_NAME_LENGTH && new RegExp(PATH_NAME_PATTERN).test(name),
      );
    }),
  );
});
