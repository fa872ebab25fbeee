// docs/reference/semantics.md, "Filters": which rows a list of filters keeps.

import { describe, expect, test } from "vitest";
import { ask, digests, evaluation, filter, row, scored, trial, where } from "./project.ts";

const BOTH = ["e1", "e2"];

describe("a filter looks at one trial", () => {
  const twoTrials = [
    evaluation(
      "e1",
      trial("a", { scores: { s: 1, t: 0 }, at: 0 }),
      trial("b", { scores: { s: 0, t: 1 }, at: 1 }),
    ),
  ];
  const kept = async (...filters: object[]): Promise<boolean> =>
    (await ask(twoTrials, { evaluation_call_ids: ["e1"], filters: filters as never })).total_rows === 1;

  test("a row matches when any of its trials passes, not only the first", async () => {
    expect(await kept(where("scores.t", "$eq", 1))).toBe(true);
    expect(await kept(where("scores.s", "$eq", 1))).toBe(true);
  });

  test("filters of one evaluation are AND-ed on the same trial", async () => {
    expect(await kept(where("scores.s", "$eq", 1), where("scores.t", "$eq", 0))).toBe(true);
    // Each condition holds for one trial, both together for none.
    expect(await kept(where("scores.s", "$eq", 1), where("scores.t", "$eq", 1))).toBe(false);
    expect(await kept(where("scores.s", "$eq", 1, "e1"), where("scores.t", "$eq", 1))).toBe(false);
  });

  test("a selected row keeps all of its trials", async () => {
    const { rows } = await ask(twoTrials, {
      evaluation_call_ids: ["e1"],
      filters: [where("scores.s", "$eq", 1)],
    });
    expect(rows[0]!.evaluations[0]!.trials).toHaveLength(2);
  });
});

describe("only true passes", () => {
  const calls = [scored("e1", { yes: { s: 1 }, no: { s: 0 }, unknown: {}, text: { s: "one" } })];
  const kept = async ($expr: unknown): Promise<string[]> =>
    digests(await ask(calls, { evaluation_call_ids: ["e1"], filters: [filter($expr)] }));
  const s = { $getField: "scores.s" };

  test("a comparison with a missing or unreadable value is unknown, and so is its negation", async () => {
    expect(await kept({ $gt: [s, { $literal: 0.5 }] })).toEqual(["yes"]);
    expect(await kept({ $not: [{ $gt: [s, { $literal: 0.5 }] }] })).toEqual(["no"]);
  });

  test("$or of a condition and its negation still leaves out unknown", async () => {
    const claim = { $gt: [s, { $literal: 0.5 }] };
    expect(await kept({ $or: [claim, { $not: [claim] }] })).toEqual(["no", "yes"]);
  });

  test("$or is true when one side is, whatever the other", async () => {
    expect(await kept({ $or: [{ $gt: [s, { $literal: 0.5 }] }, { $eq: [s, { $literal: null }] }] })).toEqual([
      "unknown",
      "yes",
    ]);
  });

  test("equality and containment are never unknown: a missing value equals nothing and contains nothing", async () => {
    expect(await kept({ $not: [{ $eq: [s, { $literal: 1 }] }] })).toEqual(["no", "text", "unknown"]);
    expect(await kept({ $not: [{ $eq: [s, { $literal: "one" }] }] })).toEqual(["no", "unknown", "yes"]);
    expect(await kept({ $not: [{ $in: [s, [{ $literal: 1 }, { $literal: [] }]] }] })).toEqual([
      "no",
      "text",
      "unknown",
    ]);
    const contains = { $contains: { input: s, substr: { $literal: "n" } } };
    expect(await kept({ $not: [contains] })).toEqual(["no", "unknown", "yes"]);
    expect(await kept({ $eq: [s, { $getField: "scores.none" }] })).toEqual(["unknown"]);
  });

  test("an empty list matches nothing, and its negation everything", async () => {
    expect(await kept({ $in: [s, []] })).toEqual([]);
    expect(await kept({ $not: [{ $in: [s, []] }] })).toEqual(["no", "text", "unknown", "yes"]);
  });

  test("an operand that is not a condition is read as a boolean", async () => {
    expect(await kept({ $and: [s] })).toEqual(["yes"]);
    expect(await kept({ $not: [s] })).toEqual(["no"]);
    expect(await kept({ $or: [{ $literal: "true" }, s] })).toEqual(["no", "text", "unknown", "yes"]);
  });
});

describe("evaluations", () => {
  // r1 is good in both evaluations, r2 in the first, r3 in the second; r4 exists only in the first.
  const calls = [
    scored("e1", { r1: { s: 1 }, r2: { s: 1 }, r3: { s: 0 }, r4: { s: 1 } }),
    scored("e2", { r1: { s: 1 }, r2: { s: 0 }, r3: { s: 1 } }),
  ];
  const kept = async (body: object): Promise<string[]> =>
    digests(await ask(calls, { evaluation_call_ids: BOTH, ...body }));
  const good = (scope?: string) => where("scores.s", "$eq", 1, scope);
  const bad = (scope?: string) => where("scores.s", "$eq", 0, scope);

  test("an unscoped filter applies to every requested evaluation; by default any may match", async () => {
    expect(await kept({ filters: [good()] })).toEqual(["r1", "r2", "r3", "r4"]);
    expect(await kept({ filters: [good()], filter_logic_operator: "or" })).toEqual(["r1", "r2", "r3", "r4"]);
  });

  test("with `and` the row must match in all of them, and a row absent from one does not", async () => {
    expect(await kept({ filters: [good()], filter_logic_operator: "and" })).toEqual(["r1"]);
  });

  test("a scoped filter looks only at that evaluation", async () => {
    expect(await kept({ filters: [good("e2")] })).toEqual(["r1", "r3"]);
    expect(await kept({ filters: [good("e2")], filter_logic_operator: "and" })).toEqual(["r1", "r3"]);
  });

  test("with two scopes, any or all must match", async () => {
    const filters = [good("e1"), bad("e2")];
    expect(await kept({ filters })).toEqual(["r1", "r2", "r4"]);
    expect(await kept({ filters, filter_logic_operator: "and" })).toEqual(["r2"]);
  });

  test("an unscoped filter combines with the scoped ones on the same trial", async () => {
    expect(await kept({ filters: [good(), good("e2")], filter_logic_operator: "and" })).toEqual(["r1"]);
    // In e1 both conditions must hold for the same trial, which never happens; in e2 only the first must hold.
    expect(await kept({ filters: [good(), bad("e1")] })).toEqual(["r1", "r3"]);
  });

  test("a scope that was not requested matches nothing", async () => {
    expect(await kept({ filters: [good("e3")] })).toEqual([]);
    expect(await kept({ evaluation_call_ids: ["e1"], filters: [good("e2")] })).toEqual([]);
    expect(await kept({ filters: [good("e3"), good("e2")] })).toEqual(["r1", "r3"]);
    expect(await kept({ filters: [good("e3"), good("e2")], filter_logic_operator: "and" })).toEqual([]);
  });

  test("filters are AND-ed with the intersection", async () => {
    expect(await kept({ filters: [good()], require_intersection: true })).toEqual(["r1", "r2", "r3"]);
  });

  test("filters narrow the rows and the summary", async () => {
    const { total_rows, summary } = await ask(calls, {
      evaluation_call_ids: BOTH,
      filters: [good("e2")],
      include_summary: true,
    });
    expect(total_rows).toBe(2);
    expect(summary).toMatchObject({
      row_count: 2,
      evaluations: [
        { evaluation_call_id: "e1", trial_count: 2 },
        { evaluation_call_id: "e2", trial_count: 2 },
      ],
    });
  });

  test("no filters, or an empty list, keep everything", async () => {
    const all = ["r1", "r2", "r3", "r4"];
    expect(await kept({ filters: [] })).toEqual(all);
    expect(await kept({ filters: null })).toEqual(all);
    expect(await kept({ filters: [], filter_logic_operator: "and" })).toEqual(all);
  });
});

test("a list of filters means the same as one $and", async () => {
  const calls = [scored("e1", { r1: { s: 1, t: 1 }, r2: { s: 1 }, r3: { t: 1 } })];
  const s = { $eq: [{ $getField: "scores.s" }, { $literal: 1 }] };
  const t = { $eq: [{ $getField: "scores.t" }, { $literal: 1 }] };
  for (const filters of [[filter(s), filter(t)], [filter({ $and: [s, t] })], [filter(s, "e1"), filter(t)]]) {
    expect(digests(await ask(calls, { evaluation_call_ids: ["e1"], filters }))).toEqual(["r1"]);
  }
});

test("a row can be selected by its digest", async () => {
  const calls = [evaluation("e1", trial("a", { of: row("r1") }), trial("b", { of: row("r2") }))];
  const filters = [filter({ $in: [{ $getField: "row_digest" }, [{ $literal: "r2" }, { $literal: "r9" }]] })];
  expect(digests(await ask(calls, { evaluation_call_ids: ["e1"], filters }))).toEqual(["r2"]);
});
