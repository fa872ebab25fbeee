import type { DefaultPair } from "@assay/eval-engine/words";
import { describe, expect, test } from "vitest";
import type { ListedEvaluation } from "../../src/page/data/answers.ts";
import { choose, pairText, without } from "../../src/page/data/choose.ts";
import type { CompareRoute } from "../../src/page/state/page-route.ts";

/** The pair compared at a place with three evaluations and no default pair: the baseline and the candidate. */
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
  ["the last, with the named baseline", { baseline: "a" }, ["a", "c"]],
  ["the named candidate, with the last other one", { candidate: "a" }, ["c", "a"]],
  ["both named ones", { baseline: "c", candidate: "a" }, ["c", "a"]],
  ["the candidate, if both names are of one evaluation", { baseline: "b", candidate: "b" }, ["c", "b"]],
  ["the default pair if the names are of other evaluations", { baseline: "x", candidate: "y" }, ["b", "c"]],
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

test("removing an evaluation removes all filters on it", () => {
  const chips: CompareRoute["chips"] = [
    { kind: "condition", field: "inputs.kind", op: "eq", value: "x" },
    ...["a", "b"].flatMap((evaluation): CompareRoute["chips"] => [
      { kind: "condition", field: "scores.ok", op: "eq", value: true, evaluation },
      { kind: "row", label: "of one", filter: { field: "scores.ok", evaluation_call_id: evaluation } },
      { kind: "filter", label: "a slice", filter: { evaluation_call_id: evaluation, query: {} } },
    ]),
    {
      kind: "row",
      label: "of a pair",
      filter: { field: "scores.ok", evaluation_call_id: "b", baseline: "a" },
    },
  ];
  const left = without({ evaluations: ["a", "b"], chips }, "a");
  expect(left).toEqual({ evaluations: ["b"], chips: [chips[0], ...chips.slice(4, 7)] });
});

describe("the explanation of the pair", () => {
  const one = (id: string, started_at: string | null) =>
    ({ id, name: `the ${id}`, model: null, started_at, dataset: started_at ?? id }) as ListedEvaluation;
  const [old, fresh] = [one("old", "2026-01-01T00:00:00Z"), one("new", "2026-01-02T00:00:00Z")];

  test.each<[string, DefaultPair, string | undefined]>([
    [
      "is shown if there was a choice",
      { baseline: old, candidate: fresh, among: 3, elsewhere: 0 },
      "Compares the new, the newest of 3 evaluations, with the old, the latest earlier one that shares rows with it; “+ add” compares others",
    ],
    ["is not shown for two", { baseline: old, candidate: fresh, among: 2, elsewhere: 0 }, undefined],
    [
      "names no order if it is unknown",
      { baseline: one("old", null), candidate: one("new", null), among: 2, elsewhere: 0 },
      "It is unknown whether the old or the new came first; the key b swaps them",
    ],
    [
      "tells why there is no comparison",
      { baseline: undefined, candidate: fresh, among: 2, elsewhere: 0 },
      "No earlier evaluation shares rows with the new; “+ add” compares one anyway",
    ],
    [
      "is not shown for a single evaluation",
      { baseline: undefined, candidate: fresh, among: 1, elsewhere: 0 },
      undefined,
    ],
  ])("%s", (_, pair, text) => {
    expect(pairText(pair)).toBe(text);
  });
});
