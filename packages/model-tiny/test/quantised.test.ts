import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printQuantised, readQuantised } from "../src/model/quantised.ts";

const values = fc.array(fc.oneof(fc.constant(0), fc.float({ min: -8, max: 8, noNaN: true })), {
  maxLength: 200,
});

describe("weights as text", () => {
  test("are restored within a sixtieth of the largest of their block, and exactly the second time", () => {
    fc.assert(
      fc.property(values, (list) => {
        const weights = Float32Array.from(list);
        const text = printQuantised(weights);
        const read = readQuantised(text, weights.length);
        for (const [i, value] of read.entries()) {
          const block = weights.subarray(i - (i % 64), i - (i % 64) + 64);
          const largest = block.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-15);
          expect(Math.abs(value - weights[i]!)).toBeLessThanOrEqual(largest / 60);
        }
      }),
    );
  });

  test("with too few or too many characters are an error", () => {
    const text = printQuantised(new Float32Array(64).fill(1));
    expect(() => readQuantised(text, 63)).toThrow(/do not hold 63 weights/);
    expect(() => readQuantised(`${text}A`, 64)).toThrow(/do not hold 64 weights/);
  });
});
