import fc from "fast-check";
import { expect, test } from "vitest";
import { lineSplitter } from "../src/text/line-splitter.ts";

const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "é", "\r", "\n"), maxLength: 6 }), {
  maxLength: 12,
});

test("lines equal those of the whole text, wherever its chunks end; lines that are too long are undefined", () => {
  fc.assert(
    fc.property(pieces, fc.constantFrom(0, 1, 3, Number.POSITIVE_INFINITY), (pieces, longest) => {
      const splitter = lineSplitter(longest);
      const lines = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
      const whole = pieces.join("").split("\n");
      expect(lines).toEqual(whole.map((line) => (line.length > longest ? undefined : line)));
    }),
  );
});

test("a line that is too long is reported before it ends", () => {
  const splitter = lineSplitter(3);
  expect([splitter.push("ab"), splitter.push("cd"), splitter.push("ef\ng")]).toEqual([[], [undefined], []]);
  expect(splitter.end()).toEqual(["g"]);
});
