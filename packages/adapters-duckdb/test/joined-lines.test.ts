// Records are written as the same bytes, whether they are adjacent in memory or separate.

import fc from "fast-check";
import { expect, test } from "vitest";
import { joinedLines } from "../src/records/joined-lines.ts";

const LARGE = 70_000;

/** A block of lines, and views of some of its lines. */
const block = fc
  .array(
    fc.record({ size: fc.constantFrom(0, 1, 5, LARGE), taken: fc.boolean(), end: fc.constantFrom(10, 32) }),
    {
      maxLength: 6,
    },
  )
  .map((lines) => {
    const bytes = Buffer.concat(
      lines.map(({ size, end }, i) => Buffer.concat([Buffer.alloc(size, 97 + i), Buffer.of(end)])),
    );
    let at = 0;
    return lines.flatMap(({ size, taken }) => {
      const line = bytes.subarray(at, at + size);
      at += size + 1;
      return taken ? [line] : [];
    });
  });
const apart = fc.constantFrom("", "a", "bc").map((text) => [Buffer.from(text)]);

test("each record is followed by a line break, whatever follows it in memory", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(block, apart), { maxLength: 5 }), (blocks) => {
      const records = blocks.flat();
      const expected = records.map((record) => `${record}\n`).join("");
      expect(Buffer.concat(joinedLines(records)).toString()).toBe(expected);
    }),
  );
});

test("lines of one block are not copied", () => {
  const bytes = Buffer.alloc(2 * LARGE + 2, 97);
  bytes[LARGE] = 10;
  const [piece] = joinedLines([bytes.subarray(0, LARGE), bytes.subarray(LARGE + 1, 2 * LARGE + 1)]);
  expect([piece!.buffer, piece!.length]).toEqual([bytes.buffer, 2 * LARGE + 1]);
});
