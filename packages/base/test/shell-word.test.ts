// Words of commands that messages suggest.

import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWord } from "../src/text/shell-word.ts";

test("a shell reads the same text, and never as an option", () => {
  const text = fc.oneof(
    fc.constantFrom("score", "Unnamed: 0", "it's", "-x", "$HOME", "a*b", "", "gpt-4o/2024@v1"),
    fc.string().map((one) => one.replaceAll("\0", "")),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 20, maxLength: 40 }), (words) => {
      const line = `printf '%s\\0' x ${words.map(shellWord).join(" ")}`;
      expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" }).split("\0").slice(1, -1)).toEqual(
        words,
      );
    }),
    { numRuns: 10 },
  );
  expect(["score", "Unnamed: 0", "it's"].map(shellWord)).toEqual(["score", "'Unnamed: 0'", "'it'\\''s'"]);
});
