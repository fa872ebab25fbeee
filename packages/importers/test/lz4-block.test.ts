import { cases } from "@assay/testing/cases";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Unreadable } from "../src/files/errors.ts";
import { decompressedLz4Block } from "../src/files/lz4-block.ts";

/** Literal bytes, then a match of the given length at a distance back in the output. */
const sequence = fc.record({
  literals: fc.uint8Array({ maxLength: 40 }),
  back: fc.integer({ min: 1, max: 400 }),
  match: fc.oneof(fc.integer({ min: 4, max: 40 }), fc.integer({ min: 250, max: 800 })),
});

/** The length bytes after a token for a length of 15 or more. */
function more(length: number): readonly number[] {
  if (length < 15) return [];
  return [...new Array<number>(Math.floor((length - 15) / 255)).fill(255), (length - 15) % 255];
}

const start = (literals: Uint8Array, match: number) => [
  (Math.min(15, literals.length) << 4) | Math.min(15, match),
  ...more(literals.length),
  ...literals,
];

const block = fc
  .tuple(fc.array(sequence, { maxLength: 6 }), fc.uint8Array({ maxLength: 20 }))
  .map(([all, last]) => {
    const [bytes, made]: [number[], number[]] = [[], []];
    for (const { literals, back, match } of all) {
      made.push(...literals);
      if (made.length === 0) continue;
      const from = Math.min(back, made.length);
      bytes.push(...start(literals, match - 4), from & 0xff, from >> 8, ...more(match - 4));
      for (let i = 0; i < match; i++) made.push(made[made.length - from]!);
    }
    made.push(...last);
    return { bytes: Uint8Array.from([...bytes, ...start(last, 0)]), made: Uint8Array.from(made) };
  });

test("a block of literals and matches decompresses correctly", () => {
  fc.assert(
    fc.property(block, ({ bytes, made }) => {
      expect(decompressedLz4Block(bytes, made.length)).toEqual(made);
      for (const length of [made.length + 1, made.length - 1])
        if (length >= 0) expect(() => decompressedLz4Block(bytes, length)).toThrow(Unreadable);
    }),
    { numRuns: cases(1000) },
  );
});

test("any bytes decompress to the stated length, or are refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: 300 }), (bytes, length) => {
      try {
        expect(decompressedLz4Block(bytes, length)).toHaveLength(length);
      } catch (error) {
        expect(error).toBeInstanceOf(Unreadable);
      }
    }),
    { numRuns: cases(1000) },
  );
});
