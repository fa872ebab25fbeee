import { expect, test } from "vitest";
import { recordCache } from "../src/records/record-cache.ts";

/** Looks up records by their names, and notes each lookup. */
function lookups() {
  const asked: string[][] = [];
  const load = async (names: readonly string[]) => {
    asked.push([...names]);
    return names.map((name) => ({
      value: name.startsWith("no ") ? undefined : `${name} ${asked.length}`,
      size: 8,
    }));
  };
  return { asked, load };
}

test("a record is looked up once for each version of its project, even a missing one", async () => {
  const { asked, load } = lookups();
  const recent = recordCache<string>();
  expect(await recent(1, 1, ["a", "no b", "a"], load)).toEqual(["a 1", undefined, "a 1"]);
  expect(await recent(1, 1, ["no b", "c", "a"], load)).toEqual([undefined, "c 2", "a 1"]);
  expect(await recent(1, 2, ["a", "no b"], load)).toEqual(["a 3", undefined]);
  expect(await recent(2, 1, ["a"], load)).toEqual(["a 4"]);
  expect(asked).toEqual([["a", "no b"], ["c"], ["a", "no b"], ["a"]]);
});

test("reading more records than a page holds leaves the cached ones in place", async () => {
  const { asked, load } = lookups();
  const recent = recordCache<string>();
  await recent(1, 1, ["a"], load);
  const all = Array.from({ length: 20_000 }, (_, i) => `row ${i}`);
  expect(await recent(1, 1, all, load)).toHaveLength(20_000);
  await recent(1, 1, ["a"], load);
  expect(asked).toHaveLength(2);
});
