// What comparisons, slices and rankings mean, by examples that can be computed by hand.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Call,
  type CompareBody,
  createEvalEngine,
  type EvalEngine,
  memoryCalls,
  memoryRows,
} from "../../src/index.ts";
import type { StatisticsQuestion } from "../../src/statistics/statistics.ts";
import { call } from "../../src/testing/index.ts";
import { statsAsCompared } from "../../src/words/index.ts";

type Scores = { readonly [name: string]: number | boolean | string | null };

/** An evaluation with named rows, each with the scores of its trials. */
function evaluation(
  id: string,
  rows: { readonly [row: string]: readonly Scores[] },
  {
    root = {},
    trial = () => ({}),
  }: { readonly root?: Partial<Call>; readonly trial?: (n: number) => Partial<Call> } = {},
): Call[] {
  let n = 0;
  return [
    call({
      id,
      started_at: "2026-01-01T00:00:00Z",
      ended_at: "2026-01-01T01:00:00Z",
      inputs: { model: `model of ${id}` },
      ...root,
    }),
    ...Object.entries(rows).flatMap(([row, trials]) =>
      trials.map((scores) => {
        n++;
        return call({
          id: `${id}-${n}`,
          parent_id: id,
          op_name: "Evaluation.predict_and_score",
          started_at: `2026-01-01T00:00:${String(n % 60).padStart(2, "0")}Z`,
          inputs: { example: { row, kind: row.slice(0, 1), size: row.length } },
          output: { output: `${id} ${n}`, scores },
          ...trial(n),
        });
      }),
    ),
  ];
}

function engineOf(...calls: readonly Call[][]): EvalEngine {
  return createEvalEngine({ calls: memoryCalls(calls.flat()), rows: memoryRows() });
}

const rowsOf = (prefix: string, count: number, scores: (i: number) => readonly Scores[]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, scores(i)]));

const pass = (passes: boolean): readonly Scores[] => [{ ok: passes }];

const ask = (engine: EvalEngine, body: Partial<CompareBody> = {}) =>
  engine.compare("p", { query: { evaluation_call_ids: ["a", "b"] }, baseline: "a", ...body });

/** The only measure of the only candidate. */
async function only(engine: EvalEngine, body: Partial<CompareBody> = {}) {
  const { comparisons } = await ask(engine, body);
  return comparisons[0]!.measures[0]!;
}

const codes = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }): string[] =>
  warnings.map(({ code }) => code);

describe("rows that pass or fail", () => {
  // On 10 of 100 rows only the candidate passes, on 2 only the baseline.
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("r", 100, (i) => pass(i >= 10 && i < 60)),
    ),
    evaluation(
      "b",
      rowsOf("r", 100, (i) => pass(i < 58)),
    ),
  );

  test("are compared one by one", async () => {
    const found = await only(engine);
    expect(found).toMatchObject({ field: "scores.ok", kind: "boolean", paired: true, pairs: 100 });
    expect(found).toMatchObject({ wins: 10, losses: 2, ties: 88, odds: 5, difference: 0.08 });
    expect(found.interval).toEqual({
      low: expect.closeTo(0.00816378903006991, 9),
      high: expect.closeTo(0.1486989560679693, 9),
      method: "bonett_price",
    });
    expect(found.p_value).toBeCloseTo(0.0224609375, 12);
    expect([found.p_method, found.verdict, found.reason]).toEqual(["mcnemar_mid_p", "improved", null]);
    expect(found.baseline).toMatchObject({ rows: 100, trials: 100, missing: 0, mean: 0.5 });
    expect(found.baseline.interval?.method).toBe("wilson");
    expect(found.noise).toBeNull();
  });

  test("have the opposite result when the sides are swapped", async () => {
    const [there, back] = [await only(engine), await only(engine, { baseline: "b" })];
    expect([back.difference, back.wins, back.losses, back.verdict]).toEqual([-0.08, 2, 10, "regressed"]);
    expect(back.p_value).toBe(there.p_value);
    expect(back.interval?.low).toBeCloseTo(-there.interval!.high, 12);
  });

  test("are better if fewer pass, on request", async () => {
    const found = await only(engine, { measures: [{ field: "scores.ok", direction: "lower" }] });
    expect([found.wins, found.losses, found.verdict]).toEqual([2, 10, "regressed"]);
  });

  test("can be equivalent or not worse with a margin", async () => {
    const verdictAt = async (margin: number) => (await only(engine, { margin })).verdict;
    expect([await verdictAt(0.2), await verdictAt(0.1)]).toEqual(["equivalent", "improved"]);
    const back = await only(engine, { baseline: "b", margin: 0.2, level: 0.99 });
    expect(back.verdict).toBe("equivalent");
  });

  test("have a larger p-value when more measures are tested", async () => {
    const twice = { measures: ["scores.ok", "scores.ok"], level: 0.96 };
    const [first] = (await ask(engine, twice)).comparisons[0]!.measures;
    expect(first!.adjusted_p).toBeCloseTo(2 * 0.0224609375, 12);
    expect([first!.verdict, first!.reason]).toEqual([
      "inconclusive",
      "p is 0.022 by itself and 0.045 adjusted for 2 tests, above 0.04",
    ]);
    expect((await ask(engine, { ...twice, adjustment: "none" })).comparisons[0]!.measures[0]!.verdict).toBe(
      "improved",
    );
    expect((await ask(engine)).adjustment).toBe("bh");
    expect((await ask(engine, twice)).adjustment).toBe("holm");
  });

  test("are selected by the query's filter", async () => {
    const equals = (row: string) => ({ $eq: [{ $getField: "inputs.row" }, { $literal: row }] });
    const filters = [{ query: { $expr: { $or: ["r0", "r1", "r99"].map(equals) } } }];
    const found = await ask(engine, { query: { evaluation_call_ids: ["a", "b"], filters } });
    expect(found.row_count).toBe(3);
    expect(found.comparisons[0]!.measures[0]).toMatchObject({ pairs: 3, wins: 2, losses: 0 });
  });
});

describe("rows with several trials", () => {
  const coin = (i: number, k: number): boolean => ((i * 7 + k * 13) % 10) / 10 < 0.5;
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("r", 40, (i) => [0, 1].flatMap((k) => pass(coin(i, k)))),
    ),
    evaluation(
      "b",
      rowsOf("r", 40, (i) => [0, 1].flatMap((k) => pass(coin(i, k) || i % 3 === 0))),
    ),
  );

  test("count as one value each, and the sign-flip test is exact", async () => {
    const found = await only(engine);
    expect(found).toMatchObject({ pairs: 40, p_method: "sign_flip" });
    expect(found.interval?.method).toBe("t");
    expect(found.baseline).toMatchObject({ rows: 40, trials: 80 });
    expect(found.noise!.flaky_rows).toBeGreaterThan(0);
    expect(found.noise!.rows_needed_with_4x_trials).toBeLessThanOrEqual(found.rows_needed!);
  });

  test("doubling every trial changes no mean", async () => {
    const double = (scores: readonly Scores[]) => [...scores, ...scores];
    const doubled = engineOf(
      evaluation(
        "a",
        rowsOf("r", 40, (i) => double([0, 1].flatMap((k) => pass(coin(i, k))))),
      ),
      evaluation(
        "b",
        rowsOf("r", 40, (i) => double([0, 1].flatMap((k) => pass(coin(i, k) || i % 3 === 0)))),
      ),
    );
    const [one, two] = [await only(engine), await only(doubled)];
    expect([two.difference, two.se, two.p_value]).toEqual([one.difference, one.se, one.p_value]);
    expect([two.baseline.mean, two.candidate.mean]).toEqual([one.baseline.mean, one.candidate.mean]);
  });

  test("pass@1 and pass^1 are the mean; pass@2 and any agree with two trials", async () => {
    const by = async (reduce: NonNullable<CompareBody["reduce"]>) => {
      const { baseline, candidate, difference } = await only(engine, { reduce });
      return [baseline.mean, candidate.mean, difference];
    };
    const mean = await by("mean");
    expect([await by("pass@1"), await by("pass^1")]).toEqual([mean, mean]);
    expect(await by("pass@2")).toEqual(await by("any"));
    expect(await by("pass^2")).toEqual(await by("all"));
    expect(await by("majority")).toEqual(await by("all"));
  });

  test("with fewer trials than k a row is missing", async () => {
    const found = await only(engine, { reduce: "pass@3" });
    expect([found.baseline.rows, found.baseline.missing, found.pairs, found.difference]).toEqual([
      0,
      40,
      0,
      null,
    ]);
    expect([found.verdict, found.reason]).toEqual(["inconclusive", "no row has a value in both evaluations"]);
  });
});

describe("failed trials", () => {
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("r", 50, (i) => [{ ok: i < 30, n: i / 50 }]),
    ),
    evaluation(
      "b",
      rowsOf("r", 50, (i) => [{ ok: i < 20 ? true : null, n: i < 20 ? 1 : null }]),
    ),
  );

  test("are left out, counted, and mentioned in a warning", async () => {
    const found = await ask(engine, { measures: ["scores.ok"] });
    expect(found.comparisons[0]!.measures[0]!.candidate).toMatchObject({ rows: 20, missing: 30, mean: 1 });
    expect(found.warnings).toContainEqual(
      expect.objectContaining({ code: "missing_uneven", evaluations: ["b"], count: 30 }),
    );
  });

  test("share one warning for all scores that are missing in as many rows", async () => {
    const { warnings } = await ask(engine, { measures: ["scores.n", "scores.ok"] });
    expect(warnings.filter(({ code }) => code === "missing_uneven").map(({ text }) => text)).toEqual([
      "scores.n, scores.ok: missing in 30 of 50 rows of b and 0 of 50 of the other, so failed rows may have been excluded",
    ]);
  });

  test("count as failed on request, for booleans", async () => {
    const found = await ask(engine, { measures: ["scores.ok", "scores.n"], missing: "fail" });
    const [ok, n] = found.comparisons[0]!.measures;
    expect(ok!.candidate).toMatchObject({ rows: 50, missing: 0, trials: 20, mean: 0.4 });
    expect(n!.candidate).toMatchObject({ rows: 20, missing: 30 });
  });
});

describe("rows that only one of them has", () => {
  test("are left out, and a warning counts them", async () => {
    const engine = engineOf(
      evaluation(
        "a",
        rowsOf("r", 30, (i) => pass(i % 2 === 0)),
      ),
      evaluation(
        "b",
        rowsOf("r", 40, () => pass(true)),
      ),
    );
    const found = await ask(engine);
    expect(found.comparisons[0]!.measures[0]).toMatchObject({
      pairs: 30,
      only_baseline: 0,
      only_candidate: 10,
    });
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: "rows_not_shared", count: 10 }));
  });

  test("are compared as two samples if none is shared", async () => {
    const engine = engineOf(
      evaluation(
        "a",
        rowsOf("r", 40, (i) => [{ ok: i % 2 === 0, n: i }]),
      ),
      evaluation(
        "b",
        rowsOf("s", 40, (i) => [{ ok: true, n: i + 50 }]),
      ),
    );
    const [n, ok] = (await ask(engine)).comparisons[0]!.measures;
    expect(ok).toMatchObject({
      paired: false,
      pairs: 0,
      difference: 0.5,
      wins: null,
      p_method: "two_proportions",
    });
    expect([ok!.interval?.method, ok!.verdict]).toEqual(["newcombe", "improved"]);
    expect([n!.interval?.method, n!.p_method, n!.verdict, n!.difference]).toEqual([
      "welch",
      "welch",
      "no_direction",
      50,
    ]);
  });
});

describe("clusters", () => {
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("", 60, (i) => [{ n: (i * 37) % 11 }]),
    ),
    evaluation(
      "b",
      rowsOf("", 60, (i) => [{ n: ((i * 37) % 11) + Math.floor(i / 10) }]),
    ),
  );

  test("are the independent units, with a warning if they are few", async () => {
    const found = await ask(engine, { cluster_by: "inputs.kind" });
    const measure = found.comparisons[0]!.measures[0]!;
    expect([measure.interval?.method, measure.p_method, measure.baseline.interval?.method]).toEqual([
      "cluster_t",
      "cluster_t",
      "cluster_t",
    ]);
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: "few_clusters", count: 10 }));
  });

  test("a mean dominated by one row gets a warning, and no other mean does", async () => {
    const scored = (n: (row: number) => number) =>
      engineOf(
        evaluation(
          "a",
          rowsOf("", 60, (i) => [{ n: n(i) }]),
        ),
        evaluation(
          "b",
          rowsOf("", 60, (i) => [{ n: n(i) * 1.1 + (i % 2) / 100 }]),
        ),
      );
    const skewed = await ask(scored((row) => (row === 7 ? 1000 : row / 10)));
    expect(skewed.warnings).toContainEqual(expect.objectContaining({ code: "skewed", count: 1 }));
    // Resampling cannot find a tail that is missing from the sample.
    const resampled = await ask(
      scored((row) => (row === 7 ? 1000 : row / 10)),
      { interval: "bootstrap" },
    );
    expect(resampled.warnings).toContainEqual(expect.objectContaining({ code: "skewed", count: 1 }));
    const even = await ask(
      scored((row) => row / 10),
      { direction: "higher" },
    );
    expect(even.warnings).toEqual([]);
  });

  test("a field that no row has makes each row its own cluster, with a warning", async () => {
    const found = await ask(engine, { cluster_by: "inputs.nowhere" });
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: "no_cluster", count: 60 }));
    const alone = await only(engine);
    expect(found.comparisons[0]!.measures[0]!.se).toBeCloseTo(alone.se!, 12);
  });
});

test("clusters dominated by one of them get the warning for few clusters", async () => {
  const inputs = (row: number) => ({ example: { row, text: row <= 100 ? 0 : row } });
  const of = (id: string, passes: (row: number) => boolean) =>
    evaluation(
      id,
      rowsOf("r", 200, (row) => pass(passes(row))),
      { trial: (row: number) => ({ inputs: inputs(row) }) },
    );
  const engine = engineOf(
    of("a", (row) => row % 3 === 0),
    of("b", (row) => row % 2 === 0),
  );
  const { warnings } = await ask(engine, { cluster_by: "inputs.text" });
  expect(warnings).toContainEqual(
    expect.objectContaining({
      ...{ code: "few_clusters", count: 101 },
      text: expect.stringMatching(/^101 clusters of unequal size, worth 4 of equal size: with fewer than 30/),
    }),
  );
  const even = await ask(engine, { cluster_by: "inputs.row" });
  expect(even.warnings).toEqual([]);
});

test("an anytime interval warns of few or skewed rows like a fixed one", async () => {
  const scored = (id: string, value: (row: number) => number) =>
    evaluation(
      id,
      rowsOf("r", 25, (row) => [{ n: value(row) }]),
    );
  const engine = engineOf(
    scored("a", () => 0),
    scored("b", (row) => (row === 7 ? 1000 : row / 10)),
  );
  const measures = [{ field: "scores.n", direction: "higher" as const }];
  for (const anytime of [true, false])
    expect(codes(await ask(engine, { measures, anytime }))).toEqual(
      expect.arrayContaining(["few_rows", "skewed"]),
    );
});

describe("a running evaluation", () => {
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("r", 100, (i) => pass(i % 10 === 0)),
    ),
    evaluation(
      "b",
      rowsOf("r", 100, () => pass(true)),
      { root: { ended_at: null } },
    ),
    evaluation(
      "d",
      rowsOf("r", 100, (i) => pass(i % 7 === 0)),
    ),
    evaluation(
      "c",
      rowsOf("r", 19, () => pass(true)),
      { root: { ended_at: null } },
    ),
  );

  test("has an interval that is valid at every look", async () => {
    const found = await ask(engine);
    const measure = found.comparisons[0]!.measures[0]!;
    expect([measure.interval?.method, measure.p_value, measure.verdict]).toEqual([
      "confidence_sequence",
      null,
      "improved",
    ]);
    expect(codes(found)).toContain("still_running");
    const fixed = await only(engine, { anytime: false });
    expect(fixed.interval?.method).toBe("bonett_price");
    expect(measure.interval!.high - measure.interval!.low).toBeGreaterThan(
      fixed.interval!.high - fixed.interval!.low,
    );
  });

  test("needs more rows for a difference to show at every look than at one", async () => {
    const query = { evaluation_call_ids: ["a", "d"] };
    const [every, fixed] = [await only(engine, { query, anytime: true }), await only(engine, { query })];
    const { difference, interval, se } = every;
    // 0.845 is the 0.8 quantile of Student's t with 99 degrees of freedom.
    const detectable = interval!.high - difference! + 0.8453 * se!;
    expect(every.minimum_detectable).toBeCloseTo(detectable, 3);
    expect(every.rows_needed!).toBeGreaterThan(fixed.rows_needed!);
  });

  test("gets its share of the error rate of comparisons that have ended", async () => {
    const ended = await only(engine, { query: { evaluation_call_ids: ["a", "d"] } });
    const both = await ask(engine, { query: { evaluation_call_ids: ["a", "d", "b"] } });
    const [one, other] = both.comparisons.map(({ measures }) => measures[0]!);
    expect(one!.adjusted_p).toBeCloseTo(2 * ended.p_value!, 12);
    expect([other!.p_value, other!.adjusted_p]).toEqual([null, null]);
  });

  test("has no interval below twenty rows", async () => {
    const found = await only(engine, { query: { evaluation_call_ids: ["a", "c"] } });
    expect([found.interval, found.verdict, found.rows_needed]).toEqual([null, "inconclusive", null]);
    expect(found.reason).toMatch(/at least 20 rows/);
  });
});

test("rows selected by results get a warning, rows selected by the dataset do not", async () => {
  const rows = (passes: (i: number) => boolean) => rowsOf("r", 30, (i) => pass(passes(i)));
  const engine = engineOf(
    evaluation(
      "a",
      rows((i) => i % 2 === 0),
    ),
    evaluation(
      "b",
      rows((i) => i % 3 === 0),
    ),
  );
  const selectedBy = (...fields: readonly string[]) => ({
    query: {
      evaluation_call_ids: ["a", "b"],
      filters: fields.map((field) => ({ query: { $expr: { $not: [{ $getField: field }] } } })),
    },
  });
  expect(codes(await ask(engine, selectedBy("inputs.missing", "row_digest")))).not.toContain(
    "selected_by_results",
  );
  expect((await ask(engine, selectedBy("inputs.missing", "scores.ok", "outputs.bad"))).warnings[0]).toEqual({
    code: "selected_by_results",
    text: "rows are selected by scores.ok, outputs.bad: the selection by itself may make one evaluation look better",
    evaluations: [],
    count: null,
  });
});

test("constant values have no interval, and a warning", async () => {
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("r", 30, () => [{ n: 0.5 }]),
    ),
    evaluation(
      "b",
      rowsOf("r", 30, () => [{ n: 0.75 }]),
    ),
  );
  const found = await ask(engine, { direction: "higher" });
  expect(found.comparisons[0]!.measures[0]).toMatchObject({
    difference: 0.25,
    interval: null,
    verdict: "inconclusive",
  });
  expect(codes(found).filter((code) => code === "no_variation")).toHaveLength(2);
});

test("measures that are constant in the same evaluations share a warning", async () => {
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("r", 3, () => [{ l: 1, m: 2, n: 3 }]),
    ),
    evaluation(
      "b",
      rowsOf("r", 3, (i) => [{ l: i, m: 2 + i * i, n: 4 }]),
    ),
  );
  const { warnings } = await ask(engine);
  const told = warnings.filter(
    ({ code, text }) => code === "no_variation" && text.startsWith("every row has the same scores"),
  );
  expect(told.map(({ text, evaluations }) => [text, evaluations])).toEqual([
    ["every row has the same scores.l, scores.m", ["a"]],
    ["every row has the same scores.n", ["a", "b"]],
  ]);
});

// STATISTICS §2: a warning names each evaluation that has no interval because all its row values are the same.
test.each([
  ["baseline", [0.5, 0.5, 0.5], [[0.1, 0.9, 0.4]], ["a"]],
  ["candidate", [0.1, 0.9, 0.4], [[0.5, 0.5, 0.5]], ["b"]],
  [
    "candidates",
    [0.1, 0.9, 0.4],
    [
      [1, 1, 1],
      [0.2, 0.3, 0.4],
      [2, 2, 2],
    ],
    ["b", "d"],
  ],
  [
    "baseline, once for all its candidates",
    [1, 1, 1],
    [
      [0.1, 0.9, 0.4],
      [0.2, 0.3, 0.4],
    ],
    ["a"],
  ],
  ["none", [0.1, 0.9, 0.4], [[0.3, 0.5, 0.8]], undefined],
])("a warning names evaluations with constant numbers: %s", async (_, baseline, candidates, named) => {
  const all = [baseline, ...candidates];
  const engine = engineOf(
    ...all.map((values, e) =>
      evaluation(
        "abcd"[e]!,
        rowsOf("r", 3, (i) => [{ n: values[i]! }]),
      ),
    ),
  );
  const ids = all.map((_, e) => "abcd"[e]!);
  const asked = { query: { evaluation_call_ids: ids }, baseline: "a" };
  for (const found of [
    await engine.compare("p", asked),
    await engine.ranking("p", { query: asked.query, measure: { field: "scores.n" } }),
    ...(ids.length > 2
      ? []
      : [await engine.slices("p", { ...asked, candidate: "b", measure: { field: "scores.n" } })]),
  ])
    expect(
      found.warnings.filter(({ code }) => code === "no_variation").map(({ evaluations }) => evaluations),
    ).toEqual(named === undefined ? [] : [named]);
});

test("a single row has no interval", async () => {
  const engine = engineOf(evaluation("a", { r: pass(false) }), evaluation("b", { r: pass(true) }));
  expect(await only(engine)).toMatchObject({
    pairs: 1,
    difference: null,
    interval: null,
    p_value: null,
    verdict: "inconclusive",
    reason: "one row cannot show how much rows vary",
  });
});

test("datasets with the same digest are the same, whatever their names", async () => {
  const trial = (dataset: string) => (n: number) => ({
    inputs: { example: `weave:///e/p/object/${dataset}/attr/rows/id/r${n}` },
  });
  const of = (id: string, dataset: string) =>
    evaluation(
      id,
      rowsOf("r", 30, (n) => pass(n % 3 !== 0 || id === "b")),
      { trial: trial(dataset) },
    );
  const digest = "PubM3co2DqBLcGPo2p9V";
  const engine = engineOf(
    of("a", `before:${digest}`),
    of("b", `after:${digest}`),
    of("c", `after:${digest}x`),
  );
  expect(codes(await ask(engine))).not.toContain("different_datasets");
  expect(codes(await ask(engine, { query: { evaluation_call_ids: ["a", "c"] } }))).toContain(
    "different_datasets",
  );
});

test("warnings tell whether evaluations are comparable", async () => {
  const reference = (dataset: string) => (n: number) => ({
    inputs: { example: `weave:///e/p/object/${dataset}:v1/attr/rows/id/r${n}` },
    ...(n > 2
      ? { output: { output: "same", scores: { ok: true } }, started_at: "2026-01-01T00:00:00Z" }
      : {}),
  });
  const scorer = (id: string, version: string): Call =>
    call({
      id: `${id}-s`,
      parent_id: `${id}-1`,
      op_name: `weave:///e/p/op/ok.score:${version}`,
      attributes: { weave: { score: true } },
    });
  const model = { root: { inputs: { model: "m" } } };
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("r", 30, () => pass(true)),
      { ...model, trial: reference("x") },
    ),
    evaluation(
      "b",
      rowsOf("r", 30, () => pass(true)),
      { ...model, trial: reference("y") },
    ),
    [scorer("a", "v1"), scorer("b", "v2")],
    evaluation(
      "c",
      { r1: [{ ok: true }, { ok: true }] },
      {
        trial: () => ({
          inputs: { example: "d/attr/rows/id/r1" },
          started_at: "2026-01-01T00:00:00Z",
          output: { output: 1, scores: { ok: true } },
        }),
      },
    ),
  );
  const found = await ask(engine);
  expect(codes(found)).toEqual(["different_datasets", "different_scorers", "same_model"]);
  const withC = await ask(engine, { query: { evaluation_call_ids: ["a", "c"] } });
  expect(codes(withC)).toEqual([
    "duplicate_trials",
    "different_datasets",
    "rows_not_shared",
    "different_trials",
  ]);
  const nobody = await ask(engine, { query: { evaluation_call_ids: ["a", "nobody"] } });
  expect(codes(nobody)).toContain("no_rows");
});

test("a score has the same mean in a summary as in a comparison, even with booleans among numbers", async () => {
  const values = fc.array(fc.oneof(fc.boolean(), fc.integer({ min: -5, max: 5 })), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      const rows = rowsOf("r", given.length, (i) => [{ s: given[i]! }]);
      const engine = engineOf(evaluation("a", rows), evaluation("b", rows));
      const query = { evaluation_call_ids: ["a"], include_rows: false, include_summary: true };
      const [stats] = (await engine.query("p", query)).summary!.evaluations[0]!.scorer_stats.map(
        statsAsCompared,
      );
      const { kind, baseline } = await only(engine);
      expect(stats!.pass_rate === null ? "number" : "boolean").toBe(kind);
      expect(stats!.pass_rate ?? stats!.numeric_mean).toBeCloseTo(baseline.mean!, 12);
    }),
    { numRuns: 30 },
  );
});

describe("slices", () => {
  // The candidate fails only rows of kind x.
  const engine = engineOf(
    evaluation("a", { ...rowsOf("x", 30, () => pass(true)), ...rowsOf("y", 60, (i) => pass(i % 2 === 0)) }),
    evaluation("b", { ...rowsOf("x", 30, (i) => pass(i < 5)), ...rowsOf("y", 60, (i) => pass(i % 2 === 0)) }),
  );
  const query = { evaluation_call_ids: ["a", "b"] };
  const pair = { query, baseline: "a", candidate: "b", measure: "scores.ok" };

  test("show where it got worse, and where it did not", async () => {
    const found = await engine.slices("p", { ...pair, fields: ["inputs.kind"] });
    expect([found.looked_at, found.tested, found.whole.pairs]).toEqual([2, 2, 90]);
    const [worst, other] = found.slices;
    expect(worst).toMatchObject({ rows: 30, pairs: 30, baseline_mean: 1, verdict: "regressed" });
    expect(worst!.fields).toEqual([{ field: "inputs.kind", value: "x", low: null, high: null }]);
    expect(worst!.difference).toBeCloseTo(-25 / 30, 12);
    expect(worst!.outside).toEqual({ rows: 60, difference: 0 });
    expect(worst!.difference_to_outside).toBeCloseTo(-25 / 30, 12);
    expect(worst!.q_value).toBeCloseTo(2 * worst!.p_value!, 12);
    expect(other!.verdict).toBe("inconclusive");
  });

  test("use every field that can divide the rows by default", async () => {
    const { slices } = await engine.slices("p", pair);
    // `row` has too many values: one for each row. `size` is a number, and is divided into ranges.
    expect([...new Set(slices.flatMap(({ fields }) => fields.map(({ field }) => field)))].sort()).toEqual([
      "inputs.kind",
      "inputs.size",
    ]);
  });

  test("have the filter that selects their rows", async () => {
    const { slices } = await engine.slices("p", { ...pair, depth: 2, min_rows: 1 });
    expect(slices.length).toBeGreaterThan(4);
    for (const { filter, rows } of slices)
      expect(
        (await engine.query("p", { ...query, filters: [filter!], include_rows: false })).total_rows,
      ).toBe(rows);
  });

  test("of numbers are disjoint ranges bounded by numbers of the rows, or single numbers if there are few", async () => {
    const sizes = fc.array(fc.integer({ min: 3, max: 12 }), { minLength: 2, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, async (given) => {
        const rows = Object.fromEntries(given.map((size, i) => [`${i}`.padEnd(size, "."), pass(true)]));
        const engine = engineOf(evaluation("a", rows), evaluation("b", rows));
        const { slices } = await engine.slices("p", { ...pair, fields: ["inputs.size"] });
        const ranges = slices.map(({ rows, fields: [only] }) => ({
          rows,
          low: only!.low!,
          high: only!.high!,
        }));
        const lengths = Object.keys(rows).map((row) => row.length);
        const within = ({ low, high }: { low: number; high: number }) =>
          lengths.filter((length) => low <= length && length <= high).length;
        expect(ranges.map(({ rows }) => rows)).toEqual(ranges.map(within));
        expect(ranges.reduce((sum, { rows }) => sum + rows, 0)).toBe(lengths.length);
        for (const { low, high } of ranges) expect(lengths).toEqual(expect.arrayContaining([low, high]));
        const distinct = new Set(lengths).size;
        if (distinct <= 4) expect(ranges).toHaveLength(distinct);
      }),
      { numRuns: 30 },
    );
  });

  test("have no filter if no single filter selects their rows", async () => {
    const [a, b] = query.evaluation_call_ids;
    const scored = (evaluation_call_id: string) => ({
      evaluation_call_id,
      query: { $expr: { $gte: [{ $getField: "inputs.size" }, { $literal: 0 }] } },
    });
    // A row may match in one of the two evaluations, and a filter on the other would not exclude it.
    const either = { ...query, filters: [scored(a!), scored(b!)] };
    // A filter on all evaluations would exclude rows that one of them lacks.
    const both = { ...query, filter_logic_operator: "and" as const, require_intersection: false };
    for (const one of [either, both]) {
      const { slices } = await engine.slices("p", { ...pair, query: one, fields: ["inputs.kind"] });
      expect(slices.map(({ filter }) => filter)).toEqual(slices.map(() => null));
    }
  });

  test("with few rows are listed but not tested", async () => {
    const found = await engine.slices("p", { ...pair, fields: ["inputs.kind"], min_rows: 31 });
    expect([found.looked_at, found.tested]).toEqual([2, 1]);
    expect(found.slices.at(-1)).toMatchObject({
      rows: 30,
      p_value: null,
      q_value: null,
      verdict: "inconclusive",
    });
  });
});

describe("a ranking", () => {
  const scores = [0.2, 0.5, 0.52, 0.9];
  const engine = engineOf(
    ...scores.map((share, e) =>
      evaluation(
        `e${e}`,
        rowsOf("r", 200, (i) => pass(((i * 61 + e * 7) % 200) / 200 < share)),
      ),
    ),
  );
  const body = { query: { evaluation_call_ids: ["e0", "e1", "e2", "e3", "nobody"] }, measure: "scores.ok" };

  test("has ranges of ranks for tied evaluations", async () => {
    const found = await engine.ranking("p", body);
    expect(found.evaluations.map((one) => [one.evaluation_call_id, one.rank, one.group])).toEqual([
      ["e3", { low: 1, high: 1 }, 1],
      ["e2", { low: 2, high: 3 }, 2],
      ["e1", { low: 2, high: 3 }, 2],
      ["e0", { low: 4, high: 4 }, 3],
      ["nobody", null, null],
    ]);
    expect(found.pairs).toHaveLength(6);
    expect(found.pairs[0]).toMatchObject({ a: "e3", b: "e2", difference: expect.closeTo(0.38, 12) });
    const means = found.evaluations.slice(0, 4).map(({ mean }) => mean!);
    const centre = means.reduce((sum, mean) => sum + mean, 0) / 4;
    for (const [i, { shrunken }] of found.evaluations.slice(0, 4).entries())
      expect(Math.abs(shrunken! - centre)).toBeLessThan(Math.abs(means[i]! - centre));
  });

  test("ranks an evaluation with few rows that may be as good above one that is worse than another, and names the worse one", async () => {
    // The hardest rows, which the other evaluations do not pass.
    const few = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`r${80 + i}`, pass(i === 0)]));
    const first = (right: number) => rowsOf("r", 100, (i) => pass(i < right));
    const { evaluations } = await engineOf(
      evaluation("many", first(55)),
      evaluation("better", first(63)),
      evaluation("few", few),
    ).ranking("p", {
      query: { evaluation_call_ids: ["many", "better", "few"] },
      measure: { field: "scores.ok" },
    });
    const ahead = { evaluation_call_id: "many", beaten_by: "better", pairs: 100, difference: 0.08 };
    expect(evaluations).toMatchObject([
      { evaluation_call_id: "better", rank: { low: 1 }, ahead_of: null },
      { evaluation_call_id: "few", rank: { low: 1 }, ahead_of: ahead },
      { evaluation_call_id: "many", rank: { low: 2 }, ahead_of: null },
    ]);
  });

  test("is reversed if lower is better", async () => {
    const found = await engine.ranking("p", { ...body, measure: { field: "scores.ok", direction: "lower" } });
    expect(found.evaluations[0]!.evaluation_call_id).toBe("e0");
  });
});

describe("refusals", () => {
  const engine = engineOf(
    evaluation(
      "a",
      rowsOf("r", 5, () => [{ ok: true, note: "fine", n: 1.5 }]),
    ),
    evaluation(
      "b",
      rowsOf("r", 5, () => [{ ok: true, note: "fine", n: 2 }]),
    ),
  );
  const good = { query: { evaluation_call_ids: ["a", "b"] }, baseline: "a" };

  test.each<[string, StatisticsQuestion, unknown, (string | number)[], string]>([
    ["a body that is not an object", "compare", [], ["body"], "dict_type"],
    ["no query", "compare", { baseline: "a" }, ["body", "query"], "missing"],
    [
      "an invalid query",
      "compare",
      { ...good, query: { ...good.query, limit: "x" } },
      ["body", "query", "limit"],
      "int_type",
    ],
    ["no baseline", "compare", { query: good.query }, ["body", "baseline"], "missing"],
    ["an unknown baseline", "compare", { ...good, baseline: "z" }, ["body", "baseline"], "value_error"],
    [
      "a single evaluation",
      "compare",
      { query: { evaluation_call_ids: ["a"] }, baseline: "a" },
      ["body", "query"],
      "value_error",
    ],
    ["a margin below 0", "compare", { ...good, margin: -1 }, ["body", "margin"], "greater_than_equal"],
    ["a level of 1", "compare", { ...good, level: 1 }, ["body", "level"], "less_than"],
    ["a level of 0", "compare", { ...good, level: 0 }, ["body", "level"], "greater_than"],
    ["a level that is text", "compare", { ...good, level: "0.95" }, ["body", "level"], "float_type"],
    [
      "10,000 measures",
      "compare",
      { ...good, measures: Array(10_000).fill("scores.ok") },
      ["body", "measures"],
      "too_long",
    ],
    ["no measures", "compare", { ...good, measures: [] }, ["body", "measures"], "too_short"],
    [
      "a measure that is text",
      "compare",
      { ...good, measures: ["scores.note"] },
      ["body", "measures", 0],
      "value_error",
    ],
    [
      "a measure without values",
      "compare",
      { ...good, measures: [{ field: "scores.x" }] },
      ["body", "measures", 0, "field"],
      "value_error",
    ],
    [
      "a field that is not a measure",
      "compare",
      { ...good, measures: ["inputs.row"] },
      ["body", "measures", 0],
      "value_error",
    ],
    [
      "passes of numbers",
      "compare",
      { ...good, measures: [{ field: "scores.n", reduce: "any" }] },
      ["body", "measures", 0, "field"],
      "value_error",
    ],
    ["an unknown reducer", "compare", { ...good, reduce: "pass@0" }, ["body", "reduce"], "literal_error"],
    [
      "an unknown adjustment",
      "compare",
      { ...good, adjustment: "bonferroni" },
      ["body", "adjustment"],
      "literal_error",
    ],
    [
      "a cluster that is not a field of the row",
      "compare",
      { ...good, cluster_by: "scores.ok" },
      ["body", "cluster_by"],
      "value_error",
    ],
    [
      "anytime rows of 0",
      "compare",
      { ...good, anytime_rows: 0 },
      ["body", "anytime_rows"],
      "greater_than_equal",
    ],
    ["an unknown property", "compare", { ...good, margins: 1 }, ["body", "margins"], "extra_forbidden"],
    [
      "a candidate that is the baseline",
      "slices",
      { ...good, candidate: "a", measure: "scores.ok" },
      ["body", "candidate"],
      "value_error",
    ],
    [
      "a depth of 3",
      "slices",
      { ...good, candidate: "b", measure: "scores.ok", depth: 3 },
      ["body", "depth"],
      "literal_error",
    ],
    [
      "a slice by a score",
      "slices",
      { ...good, candidate: "b", measure: "scores.ok", fields: ["scores.n"] },
      ["body", "fields", 0],
      "value_error",
    ],
    ["no measure", "ranking", { query: good.query }, ["body", "measure"], "missing"],
  ])("%s", async (_, question, body, path, code) => {
    const answer = await engine.answerStatistics(question, "p", body);
    expect(answer).toMatchObject({ ok: false, issues: [{ path, code }] });
  });

  test("all at once, and as a TypeError from the methods", async () => {
    const body = { ...good, level: 2, margin: -1 } as CompareBody;
    await expect(engine.compare("p", body)).rejects.toThrow(/body\.margin: .*; .*|body\.level: .*; .*/);
  });

  test("an aborted comparison is cancelled", async () => {
    await expect(engine.compare("p", good, { signal: { aborted: true } })).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});
