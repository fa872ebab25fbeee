// docs/reference/semantics.md, "What is read": which calls are read, and which are not.

import { describe, expect, test } from "vitest";
import { ask, at, call, digests, evaluation, row, trial, trialIds } from "./project.ts";

describe("a trial is a live direct child of a requested root that is a predict-and-score call", () => {
  const trials = async (op_name: string): Promise<number> =>
    (await ask([evaluation("e1", call("p1", { op_name }))], { evaluation_call_ids: ["e1"] })).total_rows;

  test.each([
    "Evaluation.predict_and_score",
    "Evaluation.predictAndScore",
    "weave:///acme/demo/op/Evaluation.predict_and_score:v3",
    "weave:///acme/demo/op/Evaluation.predictAndScore:Xy0",
    "other-scheme:///acme/demo/op/Evaluation.predict_and_score:v1",
  ])("%s is one", async (op) => expect(await trials(op)).toBe(1));

  test.each([
    "",
    "predict_and_score",
    "Evaluation.predict_and_score2",
    "evaluation.predict_and_score",
    "MyEvaluation.predict_and_score",
    "Evaluation.evaluate",
    "weave:///acme/demo/object/Evaluation.predict_and_score:v1",
    "weave:///acme/demo/op/MyEvaluation.predict_and_score:v1",
  ])("%j is not one", async (op) => expect(await trials(op)).toBe(0));

  test("a grandchild is not a trial", async () => {
    const calls = [evaluation("e1", call("between", {}, [trial("p1")]))];
    expect((await ask(calls, { evaluation_call_ids: ["e1"] })).total_rows).toBe(0);
  });

  test("a deleted call does not count", async () => {
    const calls = [
      evaluation(
        "e1",
        trial("p1", { of: row("r1"), call: { deleted_at: at(9) } }),
        trial("p2", { of: row("r2") }),
      ),
    ];
    expect(trialIds(await ask(calls, { evaluation_call_ids: ["e1"] }))).toEqual([["r2", "p2"]]);
  });

  test("an unfinished one counts, with null output and no scores", async () => {
    const { rows } = await ask([evaluation("e1", trial("p1", { call: { output: null } }))], {
      evaluation_call_ids: ["e1"],
    });
    expect(rows[0]!.evaluations[0]!.trials[0]).toMatchObject({ model_output: null, scores: {} });
  });

  test("a call with only an id, a parent and an op is a trial of the row null", async () => {
    const { rows } = await ask(
      [
        evaluation(
          "e1",
          call("p1", { op_name: "Evaluation.predict_and_score", inputs: null, started_at: null }),
        ),
      ],
      { evaluation_call_ids: ["e1"], include_raw_data_rows: true },
    );
    // SHA-256 of `null`.
    expect(rows[0]).toMatchObject({
      row_digest: "dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs",
      raw_data_row: null,
    });
  });

  test("a requested id that is a child of another requested root is not one of its trials", async () => {
    const calls = [
      evaluation("e1", trial("p1"), trial("inner", { children: [trial("p2", { of: row("r2") })] })),
    ];
    const both = await ask(calls, { evaluation_call_ids: ["e1", "inner"] });
    expect(trialIds(both)).toEqual([
      ["r1", "p1"],
      ["r2", "p2"],
    ]);
    // The outer evaluation has it when requested on its own.
    expect(trialIds(await ask(calls, { evaluation_call_ids: ["e1"] }))).toEqual([["r1", "inner", "p1"]]);
  });
});

describe("the root is never checked to exist", () => {
  test("an unknown id is an evaluation without rows", async () => {
    const answer = await ask([], { evaluation_call_ids: ["nobody"], include_summary: true });
    expect(answer).toEqual({
      rows: [],
      total_rows: 0,
      summary: { row_count: 0, evaluations: [] },
      warnings: [],
    });
  });

  test("a root that was never written, or was deleted, still has trials", async () => {
    const orphan = trial("p1", { call: { parent_id: "gone" } });
    const answer = await ask([orphan], { evaluation_call_ids: ["gone"], include_summary: true });
    expect(trialIds(answer)).toEqual([["r1", "p1"]]);
    expect(answer.summary!.evaluations[0]).toMatchObject({ evaluation_call_id: "gone", trace_id: null });

    const deleted = call("e1", { deleted_at: at(9), display_name: "was here" }, [trial("p1")]);
    const after = await ask([deleted], { evaluation_call_ids: ["e1"], include_summary: true });
    expect(after.total_rows).toBe(1);
    expect(after.summary!.evaluations[0]).toMatchObject({ display_name: null, trace_id: null });
  });
});

describe("requested ids", () => {
  const calls = [
    evaluation("e1", trial("p1", { of: row("r1") })),
    evaluation("e2", trial("p2", { of: row("r1") })),
    evaluation("e3", trial("p3", { of: row("r1") })),
  ];
  const order = async (body: object): Promise<string[]> =>
    (await ask(calls, body)).rows[0]!.evaluations.map((one) => one.evaluation_call_id);

  test("are evaluation_call_ids, then evaluation_run_ids", async () => {
    expect(await order({ evaluation_call_ids: ["e2"], evaluation_run_ids: ["e3", "e1"] })).toEqual([
      "e2",
      "e3",
      "e1",
    ]);
  });

  test("keep their first occurrence", async () => {
    expect(
      await order({ evaluation_call_ids: ["e2", "e1", "e2"], evaluation_run_ids: ["e1", "e3", "e3"] }),
    ).toEqual(["e2", "e1", "e3"]);
  });

  test("runs are requested like calls", async () => {
    expect(digests(await ask(calls, { evaluation_run_ids: ["e1"] }))).toEqual(["r1"]);
  });

  test.each([{}, { evaluation_call_ids: [] }, { evaluation_call_ids: null, evaluation_run_ids: [] }])(
    "%j requests none: no rows, and an empty summary only on request",
    async (ids) => {
      expect(await ask(calls, ids)).toEqual({ rows: [], total_rows: 0, summary: null, warnings: [] });
      expect(await ask(calls, { ...ids, include_summary: true })).toEqual({
        rows: [],
        total_rows: 0,
        summary: { row_count: 0, evaluations: [] },
        warnings: [],
      });
    },
  );
});
