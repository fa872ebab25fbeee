import { expect, test } from "vitest";
import { choose } from "../../src/page/data/choose.ts";
import type { CompareRoute } from "../../src/page/state/page-route.ts";

/** What is compared at a place of these evaluations, without a pair that was chosen: the baseline and the candidate. */
function chosen(place: Partial<CompareRoute>): readonly (string | undefined)[] {
  const whole = {
    view: "compare",
    project: "acme/demo",
    evaluations: ["a", "b", "c"],
    ...place,
  } as CompareRoute;
  const found = choose(whole, [], undefined);
  return [found?.baseline, found?.candidate];
}

test.each<[string, Partial<CompareRoute>, readonly (string | undefined)[]]>([
  ["the last, with the one before it", {}, ["b", "c"]],
  ["the last other than the baseline", { baseline: "c" }, ["c", "b"]],
  ["the last, with the baseline that is named", { baseline: "a" }, ["a", "c"]],
  ["the candidate that is named, with the last other one", { candidate: "a" }, ["c", "a"]],
  ["both, as they are named", { baseline: "c", candidate: "a" }, ["c", "a"]],
  ["the candidate, where both names are of one evaluation", { baseline: "b", candidate: "b" }, ["c", "b"]],
  ["names of others are left out", { baseline: "x", candidate: "y" }, ["b", "c"]],
  ["one evaluation, with no baseline", { evaluations: ["a"] }, [undefined, "a"]],
])("compares %s", (_, place, pair) => {
  expect(chosen(place)).toEqual(pair);
});

test("shows nothing without evaluations, and the newest if no pair was chosen", () => {
  const place = { view: "compare", project: "acme/demo", evaluations: [] } as unknown as CompareRoute;
  expect(choose(place, [], undefined)).toBeUndefined();
  const listed = [{ id: "old" }, { id: "new" }] as unknown as Parameters<typeof choose>[1];
  expect(choose(place, listed, undefined)).toMatchObject({ candidate: "new", baseline: undefined });
});
