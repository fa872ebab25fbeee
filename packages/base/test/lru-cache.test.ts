import fc from "fast-check";
import { expect, test } from "vitest";
import { lruCache } from "../src/collections/lru-cache.ts";

type Step = readonly ["get" | "set" | "delete", key: string, weight: number];

/** The plain form of the cache: a list of the cached entries, the most recently used last. */
function plainCache(capacity: number, steps: readonly Step[]): readonly (number | undefined)[] {
  let kept: { key: string; weight: number }[] = [];
  return steps.map(([kind, key, weight]) => {
    const found = kept.find((one) => one.key === key);
    if (kind === "get" && found !== undefined) kept = [...kept.filter((one) => one !== found), found];
    if (kind === "set") kept = [...kept.filter((one) => one !== found), { key, weight }];
    if (kind === "delete") kept = kept.filter((one) => one !== found);
    while (kept.reduce((sum, one) => sum + one.weight, 0) > capacity) kept.shift();
    return kind === "get" ? found?.weight : undefined;
  });
}

test("the least recently used value is evicted first", () => {
  const step = fc.tuple(
    fc.constantFrom("get" as const, "set" as const, "delete" as const),
    fc.constantFrom("a", "b", "c", "d", "e"),
    fc.nat({ max: 4 }),
  );
  fc.assert(
    fc.property(fc.nat({ max: 8 }), fc.array(step, { maxLength: 40 }), (capacity, steps) => {
      const cache = lruCache<string, number>(capacity, (weight) => weight);
      const found = steps.map(([kind, key, weight]) => {
        if (kind === "get") return cache.get(key);
        if (kind === "set") cache.set(key, weight);
        else cache.delete(key);
        return undefined;
      });
      expect(found).toEqual(plainCache(capacity, steps));
    }),
  );
});

test("values weigh one unless a weight is given", () => {
  const cache = lruCache<number, string>(2);
  for (const key of [1, 2, 3]) cache.set(key, "x");
  expect([cache.size, cache.get(1), cache.get(2), cache.get(3)]).toEqual([2, undefined, "x", "x"]);
});
