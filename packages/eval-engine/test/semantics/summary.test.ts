// docs/reference/semantics.md, "Summary".

import { describe, expect, test } from "vitest";
import type { DatasetRow, EvalResultsEvaluationSummary, EvalResultsScorerStats } from "../../src/index.ts";
import { ask, at, call, evaluation, row, scored, type Tree, trial, where } from "./project.ts";

type Json = DatasetRow["val"];

async function summary(calls: readonly Tree[], body: object = {}) {
  const answer = await ask(calls, {
    evaluation_call_ids: calls.map(({ call }) => call.id),
    include_summary: true,
    include_rows: false,
    ...body,
  });
  return answer.summary!;
}

/** The summary of one evaluation with these scores, one trial each. */
async function statistics(...scores: Json[]): Promise<readonly EvalResultsScorerStats[]> {
  const trials = scores.map((one, i) => trial(`t${i}`, { of: row(`r${i}`), scores: one }));
  return (await summary([evaluation("e1", ...trials)])).evaluations[0]!.scorer_stats;
}

const DULL: EvalResultsScorerStats = {
  scorer_key: "s",
  path: null,
  value_type: null,
  trial_count: 0,
  numeric_count: 0,
  numeric_mean: null,
  pass_true_count: 0,
  pass_known_count: 0,
  pass_rate: null,
  pass_signal_coverage: 0,
};

describe("rows", () => {
  const calls = [scored("e1", { a: { s: 1 }, b: { s: 2 } }), scored("e2", { b: { s: 3 }, c: { s: 4 } })];
  const counts = async (body: object) => {
    const { row_count, evaluations } = await summary(calls, body);
    return [row_count, ...evaluations.map((one) => `${one.evaluation_call_id}: ${one.trial_count}`)];
  };

  test("it is null unless requested", async () => {
    expect((await ask(calls, { evaluation_call_ids: ["e1"] })).summary).toBe(null);
  });

  test("it counts all rows, not only those of the page", async () => {
    expect(await counts({})).toEqual([3, "e1: 2", "e2: 2"]);
    expect(await counts({ include_rows: true, limit: 1, offset: 1 })).toEqual([3, "e1: 2", "e2: 2"]);
  });

  test("it is intersected like the rows by default", async () => {
    expect(await counts({ require_intersection: true })).toEqual([1, "e1: 1", "e2: 1"]);
    expect(await counts({ require_intersection: true, summary_require_intersection: null })).toEqual([
      1,
      "e1: 1",
      "e2: 1",
    ]);
    expect(await counts({ require_intersection: true, summary_require_intersection: false })).toEqual([
      3,
      "e1: 2",
      "e2: 2",
    ]);
    expect(await counts({ summary_require_intersection: true })).toEqual([1, "e1: 1", "e2: 1"]);
  });

  test("it is filtered; a selected row counts with all of its trials", async () => {
    expect(await counts({ filters: [where("scores.s", "$gte", 2, "e1")] })).toEqual([1, "e1: 1", "e2: 1"]);
  });

  test("an evaluation without such rows is left out; the others come in request order", async () => {
    expect(await counts({ filters: [where("scores.s", "$gte", 4)] })).toEqual([1, "e2: 1"]);
    expect(await counts({ evaluation_call_ids: ["e2", "nobody", "e1"] })).toEqual([3, "e2: 2", "e1: 2"]);
  });
});

describe("an evaluation", () => {
  const describeRoot = async (fields: Parameters<typeof call>[1]): Promise<EvalResultsEvaluationSummary> =>
    (await summary([call("e1", fields, [trial("t")])])).evaluations[0]!;

  test("is described by its root call", async () => {
    expect(
      await describeRoot({
        display_name: "nightly",
        trace_id: "trace-7",
        started_at: "2026-01-01T00:00:00.123456Z",
        inputs: { self: "weave:///acme/demo/object/eval:v1", model: "weave:///acme/demo/object/model:v2" },
      }),
    ).toEqual({
      evaluation_call_id: "e1",
      trial_count: 1,
      scorer_stats: [],
      predict_total_tokens: null,
      evaluation_ref: "weave:///acme/demo/object/eval:v1",
      model_ref: "weave:///acme/demo/object/model:v2",
      display_name: "nightly",
      trace_id: "trace-7",
      started_at: "2026-01-01T00:00:00.123456Z",
    });
  });

  test("is inputs.this without an inputs.self", async () => {
    expect(await describeRoot({ inputs: { this: "the one" } })).toMatchObject({ evaluation_ref: "the one" });
    expect(await describeRoot({ inputs: { self: "self", this: "this" } })).toMatchObject({
      evaluation_ref: "self",
    });
  });

  test("has only references that are text", async () => {
    expect(await describeRoot({ inputs: { self: { an: "object" }, model: 3 } })).toMatchObject({
      evaluation_ref: null,
      model_ref: null,
    });
  });

  test("sums the tokens of its trials' predictions, or is null if none reports any", async () => {
    const tokens = (id: string, total_tokens: number | null): Tree =>
      trial(id, { call: { summary: { usage: { model: { total_tokens } } } } });
    const total = async (...trials: Tree[]) =>
      (await summary([evaluation("e1", ...trials)])).evaluations[0]!.predict_total_tokens;
    expect(await total(tokens("a", 5), tokens("b", null), tokens("c", 7))).toBe(12);
    expect(await total(tokens("a", null))).toBe(null);
    expect(await total(tokens("a", 0))).toBe(0);
  });
});

describe("statistics of a scorer", () => {
  test("a boolean is a pass signal", async () => {
    expect(await statistics({ s: true }, { s: false }, { s: true })).toEqual([
      {
        ...DULL,
        value_type: "binary",
        trial_count: 3,
        pass_true_count: 2,
        pass_known_count: 3,
        pass_rate: 2 / 3,
        pass_signal_coverage: 1,
      },
    ]);
  });

  test("a number adds to the mean", async () => {
    expect(await statistics({ s: 1 }, { s: 2 }, { s: 6 })).toEqual([
      { ...DULL, value_type: "continuous", trial_count: 3, numeric_count: 3, numeric_mean: 3 },
    ]);
  });

  test("a string is counted", async () => {
    expect(await statistics({ s: "good" }, { s: "1" })).toEqual([
      { ...DULL, value_type: "text", trial_count: 2 },
    ]);
  });

  test("an object is flattened, to any depth", async () => {
    expect(await statistics({ s: { a: { b: true }, c: 1 }, t: 2 })).toEqual([
      {
        ...DULL,
        path: "a.b",
        value_type: "binary",
        trial_count: 1,
        pass_true_count: 1,
        pass_known_count: 1,
        pass_rate: 1,
        pass_signal_coverage: 1,
      },
      { ...DULL, path: "c", value_type: "continuous", trial_count: 1, numeric_count: 1, numeric_mean: 1 },
      {
        ...DULL,
        scorer_key: "t",
        value_type: "continuous",
        trial_count: 1,
        numeric_count: 1,
        numeric_mean: 2,
      },
    ]);
  });

  test("null, lists and empty objects are ignored", async () => {
    expect(await statistics({ s: null }, { s: [1, true] }, { s: {} }, { s: { a: { b: [] } } })).toEqual([]);
    expect(await statistics({ s: 1 }, { s: null })).toMatchObject([{ trial_count: 1 }]);
  });

  test("the first leaf determines the type; later leaves of other types count in the same entry", async () => {
    expect(await statistics({ s: "unclear" }, { s: true }, { s: 0.5 })).toEqual([
      {
        scorer_key: "s",
        path: null,
        value_type: "text",
        trial_count: 3,
        numeric_count: 1,
        numeric_mean: 0.5,
        pass_true_count: 1,
        pass_known_count: 1,
        pass_rate: 1,
        pass_signal_coverage: 1 / 3,
      },
    ]);
  });

  test("a key with a dot and a nested key are two scores, each with the path of its field", async () => {
    expect(await statistics({ s: { "a.b": 1 } }, { s: { a: { b: 3 } } })).toMatchObject([
      { path: "a\\.b", numeric_count: 1, numeric_mean: 1 },
      { path: "a.b", numeric_count: 1, numeric_mean: 3 },
    ]);
    // The path excludes the scorer's own key.
    expect(await statistics({ "s.a": 1, s: { a: 2 } })).toMatchObject([
      { scorer_key: "s.a", path: null },
      { scorer_key: "s", path: "a" },
    ]);
  });

  test("entries are in order of appearance: rows by digest, trials in order", async () => {
    const calls = [
      evaluation(
        "e1",
        trial("1", { of: row("b"), scores: { late: 1 } }),
        trial("2", { of: row("a"), scores: { second: 1, third: 1 }, at: 1 }),
        trial("3", { of: row("a"), scores: { first: 1, second: 1 }, at: 0 }),
      ),
    ];
    const { evaluations } = await summary(calls);
    expect(evaluations[0]!.scorer_stats.map(({ scorer_key }) => scorer_key)).toEqual([
      "first",
      "second",
      "third",
      "late",
    ]);
  });

  test("a mean does not depend on the order of its numbers", async () => {
    const scores = [1e16, 1, -1e16, 0.1, 0.2].map((s) => ({ s }));
    const [mean] = (await statistics(...scores)).map(({ numeric_mean }) => numeric_mean);
    expect(mean).toBe(0.26);
    expect(await statistics(...scores.toReversed())).toMatchObject([{ numeric_mean: mean }]);
  });

  test("the mean of finite numbers is finite, even if their sum is not", async () => {
    const scores = [1e308, 1e308, 1e308, 1e308].map((s) => ({ s }));
    expect(await statistics(...scores)).toMatchObject([{ numeric_mean: 1e308 }]);
  });
});

test("times equal those of the root call, character for character", async () => {
  const root = call("e1", { started_at: at(3) }, [trial("t")]);
  expect((await summary([root])).evaluations[0]!.started_at).toBe("2026-01-01T00:00:03.000Z");
});
