// Evaluations from objects: the engine answers from a table's data, and invalid tables are reported with the position
// of the fault.

import { CASES, check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadLog, loggedCalls, RowTable } from "../src/in-memory/logged-evaluations.ts";
import {
  createEvalEngine,
  type EvaluationLog,
  evaluation,
  fromTable,
  type LoggedTrial,
  loadEvaluations,
  memoryCalls,
} from "../src/index.ts";

const TABLE = ["small", "large"].flatMap((model) =>
  ["2+2?", "3×3?", "7-1?"].map((question, i) => ({
    model,
    question,
    topic: i === 0 ? "sum" : "other",
    answer: `${model} ${i}`,
    correct: model === "large" || i === 0,
    quality: i / 2,
    seconds: i,
    error: model === "small" && i === 2 ? "timed out" : null,
  })),
);

const COLUMNS = {
  evaluation: "model",
  row: ["question", "topic"],
  output: "answer",
  scores: ["correct", "quality"],
  latency: "seconds",
  error: "error",
} as const;

test("a table's rows are identified by their columns, and its errors have no scores", async () => {
  const table = fromTable(TABLE, COLUMNS);
  expect(table.evaluations).toEqual(["small", "large"]);
  const { rows, total_rows, summary } = await table.query({ sort: "Δcorrect", limit: 1 });
  expect(total_rows).toBe(3);
  expect(rows[0]!.raw_data_row).toEqual({ question: "3×3?", topic: "other" });
  expect(rows[0]!.evaluations.map(({ trials }) => trials[0]!.model_output)).toEqual(["small 1", "large 1"]);
  const rates = summary!.evaluations.map(({ scorer_stats }) => scorer_stats.map((of) => of.pass_rate));
  expect(rates[0]![0]).toBe(0.5);
  expect((await table.query({ where: 'inputs.topic = "sum"' })).total_rows).toBe(1);
});

test("a table is complete: its intervals and p-values are not those of a running evaluation", async () => {
  const answers = ["small", "large"].flatMap((model, m) =>
    Array.from({ length: 40 }, (_, i) => ({ model, question: i, correct: i % 5 <= 1 + 2 * m })),
  );
  const table = fromTable(answers, { evaluation: "model", row: "question", scores: ["correct"] });
  const answer = await table.compare();
  expect(answer).toEqual(await table.compare({ anytime: false }));
  expect(answer.warnings).toEqual([]);
  expect(answer.comparisons[0]!.measures[0]!.p_value).toBeLessThan(0.001);
});

test("trials can be added one by one; a repeated row gets another trial", async () => {
  const logs = ["small", "large"].map((name) => {
    const log = evaluation({ name, model: name });
    for (const { model, question, topic, answer, correct, quality, seconds, error } of TABLE) {
      const row = { topic, question };
      const scores = { correct, quality };
      if (model === name) log.trial({ row, output: answer, scores, latency: seconds, tokens: null, error });
    }
    return log;
  });
  const asked = { sort: "Δcorrect" };
  const [byTrial, byTable] = [loadEvaluations(...logs), fromTable(TABLE, COLUMNS)];
  expect(await byTrial.query(asked)).toEqual(await byTable.query(asked));
  const again = evaluation({ name: "again" })
    .trial({ row: { q: 1 }, scores: { ok: 1 }, tokens: 7 })
    .trial({ row: { q: 1 } });
  const { rows } = await loadEvaluations(again).query();
  expect(rows.map(({ evaluations }) => evaluations[0]!.trials.map((one) => one.total_tokens))).toEqual([
    [7, null],
  ]);
});

test("an invalid table, trial, question or call is reported", async () => {
  const columns = { evaluation: "model", row: "question", scores: [] } as const;
  expect(() => fromTable([...TABLE, { ...TABLE[0]!, model: "" }], columns)).toThrow(
    "record 6: model is empty",
  );
  const bare: readonly { model: string; question?: string }[] = [
    { model: "a", question: "2+2?" },
    { model: "a" },
  ];
  expect(() => fromTable(bare, columns)).toThrow("record 1: no value in question");
  const [a, b] = [evaluation({ name: "a" }), evaluation({ name: "a" })];
  expect(() => loadEvaluations(a, b)).toThrow("two evaluations are called a");
  expect(() => loadEvaluations(a.trial({ row: "text" as unknown as object }))).toThrow("trial 0 of a: row");
  await expect(fromTable(TABLE, COLUMNS).query({ where: "scores.correct =" })).rejects.toThrow(/^where/);
  // JavaScript callers may pass what TypeScript rejects.
  const given = (columns: object) => () => fromTable(TABLE, columns as typeof COLUMNS);
  expect(given({ ...COLUMNS, score: "correct" })).toThrow('columns: unknown "score"; did you mean scores?');
  expect(given({ ...COLUMNS, scores: ["corect"] })).toThrow(
    'no record has a column "corect"; did you mean correct?',
  );
  const sparse = [{ model: "a", question: "2+2?" }];
  expect(fromTable(sparse, { ...columns, error: "failure" as "model" }).evaluations).toEqual(["a"]);
  expect(() => fromTable(sparse, { ...columns, error: "modal" as "model" })).toThrow("did you mean model?");
  expect(given({ scores: [], evaluation: "model" })).toThrow("columns: row is missing");
  expect(given(undefined as unknown as object)).toThrow("columns must be an object");
  expect(() => evaluation("a" as unknown as { name: string })).toThrow("evaluation must be an object");
  expect(() => loadEvaluations(b.trial({ row: {}, score: {} } as { row: object }))).toThrow(
    'trial 0 of a: unknown "score"; did you mean scores?',
  );
  await expect(fromTable(TABLE, COLUMNS).query({ filter: "" } as object)).rejects.toThrow(
    'query: unknown "filter"; available: evaluations, where, sort, limit, offset',
  );
  const rows = TABLE as unknown as Parameters<typeof memoryCalls>[0];
  expect(() => memoryCalls(rows)).toThrow(/^call 0\.id: a call needs an id.*fromTable/);
});

test("database integers become numbers; other values are reported with their record", async () => {
  const given = [{ model: "a", q: 7n, right: 1n, used: 12n }];
  const columns = { evaluation: "model", row: "q", scores: ["right"], tokens: "used" } as const;
  const plain = given.map((record) => ({ ...record, q: 7, right: 1, used: 12 }));
  expect(await fromTable(given, columns).query()).toEqual(await fromTable(plain, columns).query());
  expect(() => fromTable([{ ...given[0]!, q: 2n ** 60n }], columns)).toThrow(
    "record 0: q is 1152921504606846976, too large for a number; pass it as text",
  );
  expect(() => fromTable([...plain, { ...plain[0]!, used: "12" as unknown as number }], columns)).toThrow(
    'record 1: used must be a number, not "12"',
  );
  const log = (trial: object) => () =>
    loadEvaluations(evaluation({ name: "a" }).trial(trial as { row: object }));
  expect(await log({ row: { q: 7n }, output: { ids: [7n] } })().query()).toEqual(
    await log({ row: { q: 7 }, output: { ids: [7] } })().query(),
  );
  expect(log({ row: { q: { id: 2n ** 60n } } })).toThrow("trial 0 of a: row.q.id is 1152921504606846976");
  expect(log({ row: {}, latency: "1.5" })).toThrow('trial 0 of a: latency must be a number, not "1.5"');
});

test("values that JSON would drop or empty are reported with their path", () => {
  const log = (trial: object) => () =>
    loadEvaluations(evaluation({ name: "a" }).trial(trial as { row: object }));
  const row = { q: 1 };
  expect(log({ row, output: { said: Promise.resolve("4") } })).toThrow(
    "trial 0 of a: output.said is a Promise; await it first",
  );
  expect(log({ row, output: new Map() })).toThrow("output is a Map; pass an object");
  expect(log({ row, output: new Error("no") })).toThrow("output is an Error; pass its message");
  expect(log({ row, output: () => 4 })).toThrow("output is a function");
  expect(log({ row: new Date(0) })).toThrow("trial 0 of a: row must be an object");
  for (const scores of [0.5, true, [1]])
    expect(log({ row, scores })).toThrow(
      "trial 0 of a: scores must be an object, with the name of each score",
    );
  const circle: { self?: object } = {};
  circle.self = circle;
  expect(log({ row, output: circle })).toThrow(
    /^trial 0 of a: output\.self.*… nests deeper.*contains itself$/,
  );
  const records = (...of: readonly unknown[]) =>
    fromTable(of as readonly { model: string }[], { evaluation: "model", row: "model", scores: [] });
  expect(() => records({ model: "a" }, undefined)).toThrow("record 1 must be an object");
  expect(() => records({ model: { id: "a" } })).toThrow("record 0: model must be a text or a number");
  expect(() => loadEvaluations([evaluation({ name: "a" })] as never)).toThrow(
    "each argument must be an eval",
  );
});

test("evaluations keep the state in which they were loaded; dates and class instances become their JSON", async () => {
  class Answer {
    text = "4";
    tags = ["short"];
    get words() {
      return 1;
    }
  }
  const records = ["a", "b"].map((model) => ({
    ...{ model, q: "2+2?", at: new Date(0), answer: new Answer(), judge: { ok: model === "a" } },
    ...{ ["__proto__" as string]: 1, score: new Number(3), noise: Number.POSITIVE_INFINITY },
  }));
  const table = fromTable(records, {
    ...{ evaluation: "model", row: ["q", "at"], output: "answer", scores: ["judge", "score", "noise"] },
  });
  const before = await table.query();
  for (const { answer, judge, at } of records) {
    answer.text = "5";
    answer.tags.push("changed");
    judge.ok = !judge.ok;
    at.setTime(1);
  }
  expect(await table.query()).toEqual(before);
  expect((await table.query({ where: 'outputs.text = "5"' })).total_rows).toBe(0);
  expect(before.rows[0]!.raw_data_row).toEqual({ q: "2+2?", at: "1970-01-01T00:00:00.000Z" });
  expect(before.rows[0]!.evaluations[0]!.trials[0]).toMatchObject({
    model_output: { text: "4", tags: ["short"] },
    scores: { judge: { ok: true }, score: 3, noise: null },
  });
});

test("in a table's error column, false, 0 and empty values mean no error", async () => {
  const none = [null, undefined, "", false, 0, Number.NaN, {}, []];
  const some = ["timed out", true, 1, new Error("timed out"), { code: "ETIMEDOUT" }];
  const given = [...none, ...some].map((error, q) => ({ model: "a", q, right: true, error }));
  const table = fromTable(given, { evaluation: "model", row: "q", scores: ["right"], error: "error" });
  const [{ trial_count, scorer_stats } = {}] = (await table.query()).summary!.evaluations;
  expect([trial_count, scorer_stats![0]!.pass_known_count]).toEqual([given.length, none.length]);
  expect((await table.query({ where: "scores.right = true" })).total_rows).toBe(none.length);
});

test("a comparison of text scores explains why it compares nothing", async () => {
  const given = ["a", "b"].map((model) => ({ model, q: "2+2?", right: "true" }));
  const { comparisons, warnings } = await fromTable(given, {
    ...{ evaluation: "model", row: "q", scores: "right" },
  } as const).compare();
  expect(comparisons).toEqual([{ candidate: "b", measures: [] }]);
  expect(warnings).toMatchObject([
    { code: "unmet_type", text: expect.stringContaining("no score is a number or a boolean") },
  ]);
});

test("an empty table cannot be compared, and suggests no other name for itself", async () => {
  const table = fromTable([], COLUMNS);
  await expect(table.compare()).rejects.toThrow("a comparison needs two evaluations, not none");
  expect((await table.query()).notes).toMatchObject([{ message: "local/evaluations has no evaluations" }]);
});

test("an answer notes unknown names, and evaluations without common rows", async () => {
  const apart = TABLE.map((record) => ({ ...record, topic: record.model }));
  const table = fromTable(
    [...TABLE, ...apart.map((record) => ({ ...record, model: `${record.model} 2` }))],
    COLUMNS,
  );
  const { notes } = await table.query({ evaluations: ["small", "larg"], sort: "corect of small" });
  expect(notes).toMatchObject([
    { about: "evaluation", name: "larg", nearest: expect.arrayContaining(["large"]) },
    { about: "field", name: "scores.corect", nearest: ["scores.correct"] },
  ]);
  expect((await table.query({ evaluations: ["small", "large"] })).notes).toEqual([]);
  expect((await table.query({ evaluations: ["small", "small 2"] })).notes).toEqual([
    {
      about: "common_rows",
      name: "small 2",
      nearest: [],
      message: "small 2 shares no rows with small",
    },
  ]);
});

test(
  "its columns match its calls",
  async () => {
    const score = fc.oneof(fc.constantFrom(true, false, null, "A", 0, 1.5), fc.record({ of: fc.boolean() }));
    const trial: fc.Arbitrary<LoggedTrial> = fc.record(
      {
        row: fc.constantFrom({ q: 1 }, { q: 2, level: "a" }, { level: "a", q: 2 }, { q: 3 }),
        output: fc.constantFrom("yes", null, 7, { text: "no" }),
        scores: fc.dictionary(fc.constantFrom("exact", "deep"), score),
        latency: fc.constantFrom(null, 0.5, 2),
        tokens: fc.constantFrom(null, 3, 4.7),
        error: fc.constantFrom(null, "", "timed out"),
      },
      { requiredKeys: ["row"] },
    );
    await check(
      fc.array(fc.array(trial, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
      async (evaluations) => {
        const logs = evaluations.map((trials, e) => {
          const log = evaluation({ name: `e${e}`, ...(e > 0 && { model: "m" }) });
          for (const one of trials) log.trial(one);
          return log;
        });
        const loaded = loadEvaluations(...logs);
        const rows = new RowTable();
        const calls = loggedCalls(new Map(logs.map((log) => [log.facts.name, loadLog(log, rows)])));
        const ofCalls = createEvalEngine({ calls, rows });
        const body = {
          ...{ evaluation_call_ids: loaded.evaluations, include_summary: true },
          ...{ include_raw_data_rows: true, resolve_row_refs: true },
        };
        expect(await loaded.engine.query(loaded.project, body)).toEqual(
          await ofCalls.query(loaded.project, body),
        );
      },
      { numRuns: CASES / 5 },
    );
  },
  PATIENCE,
);

test(
  "a table equals its trials logged one by one",
  async () => {
    const cell = fc.constantFrom(true, false, null, undefined, 0, 1.5, -0);
    const record = fc.record({
      model: fc.constantFrom("a", "b", "c"),
      question: fc.constantFrom("one", "two", "three", null, 4),
      level: fc.constantFrom("easy", "hard", { of: 1 }),
      answer: fc.constantFrom("yes", null, undefined, 7, { text: "no" }),
      exact: fc.oneof({ weight: 8, arbitrary: cell }, fc.constantFrom("A", { of: true }, [1])),
      length: cell,
      seconds: fc.constantFrom(null, undefined, 0.5, 2, Number.NaN),
      count: fc.constantFrom(null, undefined, 3, 4.7),
      failure: fc.constantFrom(null, undefined, "", "timed out"),
    });
    await check(
      fc.array(record, { minLength: 1, maxLength: 24 }),
      async (records) => {
        const logs = new Map<string, EvaluationLog>();
        for (const { model, question, level, answer, exact, length, seconds, count, failure } of records) {
          const log = logs.get(model) ?? evaluation({ name: model, model });
          logs.set(model, log);
          const finite = (value: unknown) => (Number.isFinite(value) ? (value as number) : null);
          log.trial({
            row: { question, level },
            output: answer ?? null,
            scores: Object.fromEntries(
              Object.entries({ exact, length }).filter(([, score]) => score !== undefined),
            ),
            ...{ latency: finite(seconds), tokens: finite(count), error: failure },
          });
        }
        const table = fromTable(records, {
          ...{
            evaluation: "model",
            row: ["question", "level"],
            output: "answer",
            scores: ["exact", "length"],
          },
          ...{ latency: "seconds", tokens: "count", error: "failure" },
        });
        const words = { sort: "Δlength" };
        expect(await table.query(words)).toEqual(await loadEvaluations(...logs.values()).query(words));
      },
      { numRuns: CASES / 5 },
    );
  },
  PATIENCE,
);

test("undefined columns and words are treated as absent", async () => {
  const table = fromTable(TABLE, { ...COLUMNS, output: undefined, tokens: undefined });
  const words = { evaluations: undefined, where: undefined, sort: undefined, limit: undefined };
  expect((await table.query(words)).total_rows).toBe(3);
  expect(await table.compare({ where: undefined, baseline: undefined, level: undefined })).toEqual(
    await table.compare(),
  );
});
