// Small evaluations are answered in this process, large ones in ClickHouse, with the same answer. Values that columns
// cannot hold exactly are never answered from them.

import { parseJson } from "@assay/base/internal";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { executionLaws } from "@assay/eval-engine/laws";
import { chosenExecution, pushedExecution } from "@assay/eval-engine/pushed";
import { describe, expect, test } from "vitest";
import { emptyStore, whole } from "./support.ts";

async function chosen(inProcessTrials: number) {
  const { calls, rows, trials } = await emptyStore();
  const execution = chosenExecution({
    trials,
    inProcess: createEvalEngine({ calls, rows }),
    pushed: pushedExecution({ trials, calls, rows }),
    inProcessTrials,
  });
  return { calls, rows, execution };
}

// Evaluations of up to 9 trials are answered in this process, larger ones in ClickHouse. The laws of the store cover a
// limit of 0.
describe("with 9 trials answered in process", () => {
  const laws = executionLaws(async () => {
    const { calls, rows, execution } = await chosen(9);
    return {
      execution,
      putCalls: async (project, given) => void (await calls.put(project, given.map(whole))),
      putRows: async (project, given) => void (await rows.put(project, given)),
    };
  });
  for (const { name, run } of laws) test(name, run);
});

const P = "acme/demo";

function trial(n: number, output: unknown) {
  return {
    id: `t${n}`,
    parent_id: "e",
    op_name: "Evaluation.predict_and_score",
    started_at: `2026-01-01T00:00:0${n}Z`,
    inputs: { example: { q: n } },
    output: output as null,
  };
}

test("statistics questions have the same answer in both places", async () => {
  const scored = (n: number, passed: boolean, evaluation: string) => ({
    ...trial(n, { scores: { passed }, model_latency: n / 4 }),
    id: `${evaluation}-${n}`,
    parent_id: evaluation,
    inputs: { example: { q: n, kind: n % 2 === 0 ? "even" : "odd" } },
  });
  const given = [0, 1, 2, 3, 4, 5].flatMap((n) => [scored(n, n > 3, "a"), scored(n, n > 1, "b")]);
  const pair = { query: { evaluation_call_ids: ["a", "b"] }, baseline: "a" };
  const questions = [
    ["compare", pair],
    ["compare", { ...pair, measures: ["model_latency_seconds"] }],
    ["compare", { ...pair, measures: ["scores.nothing"] }],
    ["slices", { ...pair, candidate: "b", measure: "scores.passed", min_rows: 2 }],
    ["slices", { ...pair, candidate: "b", measure: "scores.passed", fields: ["inputs.kind"], min_rows: 2 }],
    ["ranking", { query: pair.query, measure: "scores.passed" }],
  ] as const;
  const answers: string[] = [];
  for (const most of [0, 1000]) {
    const { calls, execution } = await chosen(most);
    await calls.put(P, given.map(whole));
    for (const [question, body] of questions)
      answers.push(JSON.stringify(await execution.answerStatistics(question, P, body)));
  }
  expect(answers.slice(0, questions.length)).toEqual(answers.slice(questions.length));
  expect(answers.filter((answer) => answer.startsWith('{"ok":true'))).toHaveLength(
    2 * (questions.length - 1),
  );
});

test("explain tells where a query is answered, and why", async () => {
  const { calls, execution } = await chosen(2);
  await calls.put(P, [trial(0, null), trial(1, null)].map(whole));
  const body = { evaluation_call_ids: ["e"] };
  expect(await execution.explain(P, body)).toMatchObject({ value: { where: "process", trials: 2 } });
  await calls.put(P, [whole(trial(2, null))]);
  expect(await execution.explain(P, body)).toMatchObject({ value: { where: "database", trials: 3 } });
  expect(await execution.explain(P, { limit: -1 })).toMatchObject({ ok: false });
});

test("statistics are answered in this process, over the calls of the database, for any size", async () => {
  const { calls, execution } = await chosen(0);
  const given = ["a", "b"].flatMap((evaluation, e) =>
    Array.from({ length: 6 }, (_, n) => {
      const scores = { s: ((n + 1) * (e + 2)) % 5 };
      return whole({ ...trial(n, { output: n, scores }), id: `${evaluation}${n}`, parent_id: evaluation });
    }),
  );
  await calls.put(P, given);
  const body = { query: { evaluation_call_ids: ["a", "b"] }, baseline: "a", measures: ["scores.s"] };
  const source = memoryCalls();
  source.put(
    P,
    given.map(({ call }) => call),
  );
  const engine = createEvalEngine({ calls: source, rows: memoryRows() });
  const answer = await execution.answerStatistics("compare", P, body);
  expect(answer).toEqual(await engine.answerStatistics("compare", P, body, { plan: "naive" }));
  expect(answer).toMatchObject({ ok: true, value: { row_count: 6 } });
  const gone = execution.answerStatistics("compare", P, body, { signal: { aborted: true } });
  await expect(gone).rejects.toMatchObject({ code: "cancelled" });
});

test.each([
  ["text that is not Unicode", { output: "\ud800 b", scores: {} }, "Unicode"],
  [
    "more values than columns",
    { output: Array.from({ length: 1000 }, (_, n) => n), scores: {} },
    "not kept as columns",
  ],
  ["a number beyond the largest double", parseJson('{"output":1e400,"scores":{"s":-1e400}}'), "not kept as"],
])("%s is answered in this process", async (_, output, why) => {
  const { calls, execution } = await chosen(0);
  const given = [trial(0, output), trial(1, { output: "plain" })].map((call) => whole(call));
  await calls.put(P, given);
  const field = { $getField: "outputs.999" };
  const body = {
    evaluation_call_ids: ["e"],
    filters: [
      {
        query: {
          $expr: {
            $or: [
              { $eq: [field, { $literal: 999 }] },
              { $contains: { input: { $getField: "outputs" }, substr: { $literal: "b" } } },
            ],
          },
        },
      },
    ],
  };
  expect(await execution.explain(P, body)).toMatchObject({
    value: { where: "process", why: expect.stringContaining(why) },
  });
  const source = memoryCalls();
  source.put(
    P,
    given.map(({ call }) => call),
  );
  const engine = createEvalEngine({ calls: source, rows: memoryRows() });
  expect(await execution.answer(P, body)).toEqual(await engine.answer(P, body, { plan: "naive" }));
});
