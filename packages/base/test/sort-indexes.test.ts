import { sortIndexes } from "@assay/base/internal";
import { expect, test } from "vitest";

test("sorting many items in runs equals a single sort, and yields to other work", async () => {
  const numbers = Float64Array.from({ length: 50_000 }, (_, i) => (i * 7919) % 1021);
  const compare = (a: number, b: number) => numbers[a]! - numbers[b]! || a - b;
  const expected = Uint32Array.from(numbers.keys()).sort(compare);
  for (const length of [0, 1, 8192, 8193, 50_000]) {
    let comparisons = 0;
    const indexes = Uint32Array.from({ length }, (_, i) => length - 1 - i);
    await sortIndexes(indexes, compare, 8192, async (more) => {
      comparisons += more;
    });
    expect(indexes).toEqual(expected.filter((index) => index < length));
    expect(comparisons >= length).toBe(true);
  }
});
