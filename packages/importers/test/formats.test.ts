// A small, generated file of every format, with the format's pitfalls: each is recognised by its content and read
// correctly.

import { FIXTURES, langsmithLine, vitestTest } from "@assay/testing/import-fixtures";
import { textFile } from "@assay/testing/text-file";
import { gzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { bytesFile } from "../src/index.ts";
import { IMPORT_KINDS } from "../src/options/import-kinds.ts";
import { IMPORTERS } from "../src/plan/importers.ts";
import { imported } from "./support.ts";

describe.each(FIXTURES.map((fixture) => [`${fixture.format}: ${fixture.files[0]!.path}`, fixture] as const))(
  "%s",
  (_, { format, files, rows, trials, errors, scores }) => {
    test("has these evaluations, trials, errors and scores", async () => {
      const { plan } = await imported(files);
      expect(plan.refused).toEqual([]);
      expect(new Set(plan.evaluations.map((one) => one.kind))).toEqual(new Set([format]));
      const sum = (of: (one: (typeof plan.evaluations)[number]) => number) =>
        plan.evaluations.reduce((total, one) => total + of(one), 0);
      expect([plan.evaluations[0]!.rows, sum((one) => one.trials), sum((one) => one.errors)]).toEqual([
        rows,
        trials,
        errors,
      ]);
      const means = Object.fromEntries(plan.evaluations[0]!.scores.map(({ path, mean }) => [path, mean]));
      expect(means).toEqual(scores);
    });

    test("gives the same evaluations when gzipped, and the same lines each time", async () => {
      const packed = await Promise.all(
        files.map(async (file) => {
          const bytes = await file.read(0, file.size);
          return bytesFile(`${file.path}.gz`, bytes[0] === 0x50 ? bytes : gzipSync(bytes));
        }),
      );
      const { plan } = await imported(packed);
      expect(plan.refused).toEqual([]);
      expect(plan.evaluations.map((one) => [one.kind, one.rows, one.trials])).toEqual(
        (await imported(files)).plan.evaluations.map((one) => [one.kind, one.rows, one.trials]),
      );
      expect((await imported(files)).lines).toEqual((await imported(files)).lines);
    });

    test("writes no secret, and all trials below a root", async () => {
      const { lines, plan } = await imported(files);
      expect(lines.join("\n")).not.toContain("secret");
      const calls = lines.map((line) => JSON.parse(line)).filter((line) => line.op_name !== undefined);
      const roots = calls.filter(({ parent_id }) => parent_id === null).map(({ id }) => id);
      expect(roots.sort()).toEqual(plan.evaluations.map(({ id }) => id).sort());
      for (const { parent_id } of calls) if (parent_id !== null) expect(roots).toContain(parent_id);
    });
  },
);

test("the format names of the command line are those of the importers, plus calls", () => {
  const importers = IMPORTERS.map(({ name, title }) => ({ name, title }));
  expect(IMPORT_KINDS.filter(({ name }) => name !== "weave")).toEqual(importers);
});

test("a file that is given twice, or copied, is imported once", async () => {
  for (const { files } of FIXTURES) {
    const copies = files.map((file) => ({ ...file, path: `copy/${file.path}` }));
    const [once, twice] = [await imported(files), await imported([...files, ...copies])];
    // A run named only by its folder counts as another run.
    if (twice.plan.evaluations.length > once.plan.evaluations.length) continue;
    expect(twice.plan.notes.join("\n")).toContain("imported once");
    expect(twice.lines).toEqual(once.lines);
  }
});

const ZEROS = "id;small_answer;small_correct;small_f1;large_answer;large_correct;large_f1\n";

test.each([
  ["0 and 1 alone are false and true", "1;a;1;1;b;0;0\n2;a;0;0;b;;1\n", "boolean", [0.5, 0]],
  ["a score in between turns all into numbers", "1;a;1;1;b;0;0\n2;a;0;0;b;0,5;1\n", "number", [0.5, 0.25]],
] as const)("of a verdict in a table, %s", async (_, lines, type, means) => {
  const { plan, engine } = await imported([textFile("wide.csv", ZEROS + lines)]);
  const scores = plan.evaluations.map((one) => one.scores.map(({ path, ...score }) => [path, score.type]));
  const each = [
    ["correct", type],
    ["f1", "number"],
  ];
  expect(scores).toEqual([each, each]);
  expect(plan.evaluations.map((one) => one.scores[0]!.mean)).toEqual(means);
  const note = "correct: 0 and 1 are false and true (3); --as correct=number keeps the numbers";
  expect(plan.notes.join("\n").includes(note)).toBe(type === "boolean");
  const asked = { evaluation_call_ids: plan.evaluations.map(({ id }) => id), include_summary: true };
  const { summary } = await engine.query("me/demo", asked);
  const rates = summary!.evaluations.map((one) =>
    one.scorer_stats.find((stat) => stat.scorer_key === "correct"),
  );
  expect(rates.map((stat) => stat!.pass_rate ?? stat!.numeric_mean)).toEqual(means);
});

test("a single object on a line is a table's only record if it has a question beside the answer, otherwise a document", async () => {
  const of = async (record: object) => (await imported([textFile("one", JSON.stringify(record))])).plan;
  const row = { id: 7, answer: "b", score: { f1: 0.5 } };
  expect((await of(row)).evaluations.map(({ scores }) => scores[0]!.mean)).toEqual([0.5]);
  for (const document of [
    { model: "m", score: 0.5 },
    { question: "a", results: { score: 0.5 } },
  ])
    expect((await of(document)).refused.map(({ why }) => why)).toEqual(["unknown"]);
});

test("of one promptfoo evaluation in several forms, the most detailed is imported", async () => {
  const [json] = FIXTURES.find(
    ({ format, files }) => format === "promptfoo" && files[0]!.path.endsWith(".json"),
  )!.files;
  const [lines] = FIXTURES.find(
    ({ format, files }) => format === "promptfoo" && files[0]!.path.endsWith(".jsonl"),
  )!.files;
  const forms = [
    { ...lines!, path: "runs/out.jsonl" },
    { ...json!, path: "runs/out.json" },
  ];
  const { plan, lines: written } = await imported(forms);
  expect(written).toEqual((await imported([forms[1]!])).lines);
  expect(plan.notes).toContain("runs/out.jsonl: runs/out.json in another format, by its name; skipped");
  const apart = await imported([forms[1]!, { ...lines!, path: "others/out.jsonl" }]);
  expect(apart.plan.evaluations.length).toBeGreaterThan(plan.evaluations.length);
});

test("prompts of promptfoo have short, distinct names, and their assertions are kept beside the scores", async () => {
  const result = (promptIdx: number, label: string, weight: number) => ({
    promptIdx,
    testIdx: 0,
    vars: { question: `Q${weight}` },
    provider: { id: "p", label: "small" },
    prompt: { raw: "Q", label },
    success: true,
    score: 1,
    // Promptfoo writes 0 for a score without weight.
    namedScores: { exact: weight === 0 ? 0 : 1 },
    failureReason: 0,
    gradingResult: {
      namedScoreWeights: { exact: weight },
      componentResults: [
        { pass: true, score: 1, reason: "same", assertion: { type: "equals", metric: "exact" } },
        { pass: true, score: 1, reason: "has it", assertion: { type: "contains" } },
        { pass: true, score: 1, reason: "has more", assertion: { type: "contains" } },
        { pass: true, score: 1, reason: "a set of assertions" },
      ],
    },
  });
  const prompt = `You answer questions about ${"capitals, ".repeat(9)}`;
  const document = {
    evalId: "e",
    results: {
      version: 3,
      results: [
        result(2, `${prompt}\nat length.`, 1),
        result(1, `${prompt}briefly.`, 1),
        result(0, "terse", 1),
        result(0, "terse", 0),
      ],
    },
    config: { derivedMetrics: [{ name: "f1", value: "exact * 2" }] },
  };
  const { plan, lines } = await imported([textFile("out.json", JSON.stringify(document))]);
  const begin = "small · You answer questions about capitals, capitals, capitals, cap…";
  expect(plan.evaluations.map(({ scores }) => scores.at(-1)!.mean)).toEqual([1, 1, 1]);
  expect(plan.evaluations.map(({ name }) => name)).toEqual([`${begin} #2`, begin, "small · terse"]);
  expect(plan.notes).toEqual([
    "out.json: exact: its tests have different weights, which the tool's own mean counts; here each counts once",
    "out.json: f1: derived from the scores of all tests; left out",
  ]);
  const [call] = lines.map((line) => JSON.parse(line)).filter((line) => line.parent_id);
  expect(call.attributes.assertions).toEqual({
    exact: { pass: true, score: 1, reason: "same" },
    contains: { pass: true, score: 1, reason: "has it" },
    "contains (2)": { pass: true, score: 1, reason: "has more" },
  });
});

test("tests with vitest-evals are distinguished by their harness, and their assertions decide whether they fail", async () => {
  const test = (harness: string, country: string, status: string, failure?: string) =>
    vitestTest(
      country,
      status,
      {
        eval: {
          scores: [
            { name: "", score: 1, metadata: { rationale: "same" } },
            { name: "", score: 0 },
          ],
        },
        harness: { name: harness, run: { usage: { model: "small" }, output: "Lima" } },
      },
      failure,
    );
  const tests = [
    test("brief", "Peru", "passed"),
    test("long", "Peru", "failed", "AssertionError: expected 'Lima' to be 'Quito'"),
    test("brief", "France", "failed", "Error: the judge failed"),
    test("long", "France", "passed"),
  ];
  const document = { numTotalTestSuites: 1, testResults: [{ assertionResults: tests }] };
  const { plan, lines } = await imported([textFile("vitest.json", JSON.stringify(document))]);
  expect(
    plan.evaluations.map(({ name, scores }) => [name, ...scores.map(({ path, mean }) => [path, mean])]),
  ).toEqual([
    ["caps · brief", ["pass", 1], ["score", 1], ["score (2)", 0]],
    ["caps · long", ["pass", 0.5], ["score", 1], ["score (2)", 0]],
  ]);
  const [call] = lines.map((line) => JSON.parse(line)).filter((line) => line.parent_id);
  expect(call.attributes.scorers).toEqual({ score: { metadata: { rationale: "same" } } });
});

test("evaluations over different datasets need no scores in common", async () => {
  const evaluation = (name: string, score: string) => ({
    name,
    results: [{ input: "Q?", output: "A", status: "success", scores: [{ name: score, score: 1 }] }],
  });
  const notes = async (...evals: object[]) => {
    const document = { run: { runType: "full" }, evals };
    return (await imported([textFile("r.json", JSON.stringify(document))])).plan.notes.join();
  };
  expect(await notes(evaluation("caps", "exact"), evaluation("sums", "right"))).not.toContain("in common");
  expect(await notes(evaluation("caps", "exact"), evaluation("caps", "right"))).toContain(
    "no score in common",
  );
});

test("results of LangSmith's JavaScript library are read like those of its Python library", async () => {
  const line = langsmithLine("e1", { question: "Capital of Peru?", answer: "Lima" }, true);
  const { evaluation_results: evaluationResults, run, ...rest } = line;
  const inJavaScript = { ...rest, run: { ...run, end_time: Date.parse(run.end_time) }, evaluationResults };
  const of = async (record: object) => (await imported([textFile("r.jsonl", JSON.stringify(record))])).lines;
  expect(await of(inJavaScript)).toEqual(await of(line));
  expect((await of(line)).join()).toContain('"scorers":{"broken":{"comment":"raised"}}');
  expect((await of(line)).join()).toContain('"model_latency":1');
});

test.each([
  [
    "Braintrust's summaries",
    JSON.stringify({ projectName: "p", experimentName: "e", scores: { exact: { name: "exact", score: 1 } } }),
    "without their trials",
  ],
  ["old tables of promptfoo", 'country,[small] Q?\nPeru,"[PASS] (0.5, exact: 1)\n\nLima"\n', "export JSON"],
])("%s are refused with advice what to import instead", async (_, text, way) => {
  const [refused] = (await imported([textFile("out", text)])).plan.refused;
  expect(refused!.reason).toContain(way);
});

test("files with the same promptfoo evaluation are one, whatever their names", async () => {
  const [file] = FIXTURES.find(({ format }) => format === "promptfoo")!.files;
  const text = new TextDecoder().decode(await file!.read(0, file!.size));
  const named = text.replace('"config": {', '"config": { "description": "caps",');
  const { plan } = await imported([textFile("a.json", named), textFile("b.json", named.trimEnd())]);
  expect(plan.evaluations.map(({ dataset }) => dataset)).toEqual(["caps"]);
});

test("the choice behind the letter that a model answered is kept", async () => {
  const [state, instances] = FIXTURES.find(({ format }) => format === "helm")!.files;
  const run = JSON.parse(new TextDecoder().decode(await state!.read(0, state!.size)));
  const [first, ...others] = run.request_states;
  const result = { ...first.result, completions: [{ text: " B\n" }] };
  const lettered = { ...first, output_mapping: { A: "Rome", B: "Paris" }, result };
  const text = JSON.stringify({ ...run, request_states: [lettered, ...others] });
  const { lines } = await imported([textFile(state!.path, text), instances!]);
  const choices = lines.map((line) => JSON.parse(line).attributes?.choice);
  expect(choices.filter((choice) => choice !== undefined)).toEqual(["Paris"]);
});

test("HELM's metrics about how an answer was generated are scores only by request", async () => {
  const [state] = FIXTURES.find(({ format }) => format === "helm")!.files;
  const means = { exact_match: 1, num_prompt_tokens: 5, num_output_tokens: 2, finish_reason_stop: 1 };
  const instances = ["id0", "id1"].map((instance_id) => ({
    instance_id,
    train_trial_index: 0,
    stats: Object.entries(means).map(([name, mean]) => ({ name: { name }, mean })),
  }));
  const stats = textFile("run/per_instance_stats.json", JSON.stringify(instances));
  const of = async (scores?: readonly string[]) => {
    const { plan, lines } = await imported([state!, stats], { scores });
    return {
      scores: plan.evaluations[0]!.scores.map(({ path }) => path),
      notes: plan.notes.filter((note) => note.includes("--score")),
      tokens: lines.filter((line) => line.includes('"total_tokens":7')).length,
    };
  };
  expect(await of()).toEqual({
    scores: ["exact_match"],
    notes: [
      "run: not read as scores: num_prompt_tokens, num_output_tokens, finish_reason_stop; --score num_prompt_tokens makes it a score",
    ],
    tokens: 2,
  });
  expect(await of(["exact_match", "num_output_tokens"])).toEqual({
    scores: ["exact_match", "num_output_tokens"],
    notes: [],
    tokens: 2,
  });
});
