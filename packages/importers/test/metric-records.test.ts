// Tables with a record for each question, model and metric: each metric is a separate score, and metrics are never
// averaged together.

import { cases } from "@assay/testing/cases";
import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ImportOptions } from "../src/index.ts";
import { imported } from "./support.ts";

/** The trials and mean scores of each evaluation, and the notes, or the reason why the table was refused. */
async function read(text: string, options: ImportOptions = {}) {
  const { plan } = await imported([textFile("t.csv", text)], options);
  const evaluations = plan.evaluations.map(({ name, rows, trials, errors, scores }) => [
    name,
    {
      rows,
      trials,
      errors,
      scores: Object.fromEntries(scores.map(({ path, mean, type }) => [path, mean ?? type])),
    },
  ]);
  const [refused] = plan.refused;
  return {
    found: refused?.reason ?? Object.fromEntries(evaluations),
    notes: plan.notes.join("\n"),
    ids: plan.evaluations.map(({ id }) => id),
  };
}

const csv = (...lines: readonly string[]) => `${lines.join("\n")}\n`;

const METRICS = ["f1", "bleu", "exact match", "a.b"];
const trial = fc.record({
  model: fc.constantFrom("A", "B"),
  row: fc.integer({ min: 0, max: 4 }),
  repetition: fc.integer({ min: 0, max: 1 }),
  scores: fc.array(fc.constantFrom("", "0", "1", "0.25", "nan"), { minLength: 4, maxLength: 4 }),
});

test("a record per metric gives the same scores as a column per metric, in any order", async () => {
  const trials = fc.uniqueArray(trial, {
    minLength: 2,
    maxLength: 12,
    selector: ({ model, row, repetition }) => `${model} ${row} ${repetition}`,
  });
  await fc.assert(
    fc.asyncProperty(trials, fc.infiniteStream(fc.nat()), async (all, random) => {
      const wide = all.map(({ model, row, repetition, scores }) =>
        [`q${row}`, model, repetition, ...scores].join(),
      );
      const long = all.flatMap(({ model, row, repetition, scores }) =>
        METRICS.map((metric, i) => [`q${row}`, model, repetition, metric, scores[i]].join()),
      );
      const shuffled = long
        .map((line) => ({ line, place: random.next().value! }))
        .sort((a, b) => a.place - b.place)
        .map(({ line }) => line);
      const { found } = await read(csv(`id,model,trial,${METRICS.map((name) => `scores.${name}`)}`, ...wide));
      const pivoted = await read(csv("id,model,trial,metric,score", ...shuffled));
      expect(pivoted.found).toEqual(found);
    }),
    { numRuns: cases(400) },
  );
});

describe("the metric and its value are found by their names", () => {
  const of = (scores: object, trials = 2) => ({ m: { rows: 2, trials, errors: 0, scores } });
  const two = (head: string, ...cells: readonly (readonly [string, string])[]) =>
    csv(`id,model,${head}`, ...[1, 2].flatMap((id) => cells.map((cell) => `${id},m,${cell[id - 1]}`)));
  const f1AndBleu = (head: string) => two(head, ["f1,0.5", "f1,0"], ["bleu,30", "bleu,10"]);
  const MEANS = { f1: 0.25, bleu: 20 };

  test.each([
    ...["metric,score", "Metric Name,metric_value", "scorer,value", "score_name,result", "measure,score"],
    ...["evaluator,rating", "criterion,grade", "Metrik,Wert"],
  ])("%s", async (head) => {
    expect((await read(f1AndBleu(head))).found).toEqual(of(MEANS));
  });

  test("the note states that each metric is a score", async () => {
    const { notes } = await read(f1AndBleu("metric,value"));
    expect(notes).toContain(
      "t.csv: rows by id; an evaluation for each model; a score for each metric, in value",
    );
  });

  test.each<[string, string, ImportOptions, object | RegExp]>([
    [
      "a value by request",
      f1AndBleu("metric,amount"),
      { scores: ["amount"] },
      of({ "amount.f1": 0.25, "amount.bleu": 20 }),
    ],
    ["a value with an unknown name", f1AndBleu("metric,amount"), {}, /--score amount$/],
    ["a metric by request", f1AndBleu("metric,score"), { scores: ["bleu"] }, of({ bleu: 20 })],
    [
      "several values of a metric",
      two("metric,score,passed", ["f1,0.5,yes", "f1,0,no"], ["bleu,30,yes", "bleu,10,yes"]),
      {},
      of({ "score.f1": 0.25, "score.bleu": 20, "passed.f1": 0.5, "passed.bleu": 1 }),
    ],
    [
      "a value beside its verdict",
      two("metric,value,passed", ["f1,0.5,yes", "f1,0,no"], ["em,1,yes", "em,1,yes"]),
      {},
      of({ "value.f1": 0.25, "value.em": 1, "passed.f1": 0.5, "passed.em": 1 }),
    ],
    [
      "several columns that distinguish metrics, and one that does not",
      two("metric,evaluator,dimension,score", ["f1,x,d,0.5", "f1,x,d,0"], ["f1,y,d,1", "f1,y,d,1"]),
      {},
      of({ x: 0.25, y: 1 }),
    ],
    [
      "two columns of metrics",
      two("metric,dimension,score", ["f1,x,0", "f1,x,0"], ["f1,y,1", "f1,y,1"], ["em,x,0.5", "em,x,0.5"]),
      {},
      of({ "f1 · x": 0, "f1 · y": 1, "em · x": 0.5 }),
    ],
    [
      "words of one metric beside numbers of another",
      two("metric,value", ["ok,yes", "ok,no"], ["f1,0.5", "f1,1"]),
      {},
      of({ ok: 0.5, f1: 0.75 }),
    ],
    [
      "the same metric again",
      two("metric,score", ["f1,1", "f1,1"], ["f1,0", "f1,0"], ["em,1", "em,0"]),
      {},
      of({ f1: 0.5, em: 0.5 }, 4),
    ],
    [
      "a different id for each record",
      csv("id,question,model,metric,score", "1,Q,m,f1,0", "2,Q,m,em,1", "3,R,m,f1,0.5", "4,R,m,em,1"),
      {},
      of({ f1: 0.25, em: 1 }),
    ],
    [
      "a metric without a name, of several values",
      two("metric,score,passed", ["f1,1,yes", "f1,0,no"], [",3,yes", ",5,no"]),
      {},
      of({ "score.f1": 0.5, "score.score": 4, "passed.f1": 0.5, "passed.passed": 0.5 }),
    ],
    [
      "a metric without a name",
      two("metric,score", ["f1,1", "f1,0"], [",3", ",5"]),
      {},
      of({ f1: 0.5, score: 4 }),
    ],
    // A single metric for each row cannot distinguish records of a row.
    ["one metric", two("metric,score", ["f1,1", "f1,0"]), {}, of({ score: 0.5 })],
    [
      "metrics that are rows",
      csv("model,metric,score", "m,f1,1", "m,em,0", "n,f1,0", "n,em,0"),
      {},
      { m: of({ score: 0.5 }).m, n: of({ score: 0 }).m },
    ],
    [
      "separate columns for each model",
      csv("id,metric,a_answer,a_correct,b_answer,b_correct", "1,f1,x,1,y,0", "1,em,x,1,y,0"),
      {},
      /a metric in metric, and columns for each of a, b; write a record for each/,
    ],
  ])("%s", async (_, text, options, expected) => {
    const { found } = await read(text, options);
    if (expected instanceof RegExp) expect(found).toMatch(expected);
    else expect(found).toEqual(expected);
  });

  test("the note warns if each row has a metric of its own", async () => {
    const { found, notes } = await read(csv("id,model,metric,score", "1,m,f1,1", "2,m,em,0"));
    expect(found).toEqual(of({ score: 0.5 }));
    expect(notes).toContain("each row has one metric, so a mean mixes 2 of them");
    expect((await read(two("metric,score", ["f1,1", "f1,0"]))).notes).not.toContain("each row has one");
  });

  test("JSON lines keep the types of their values", async () => {
    const values = { f1: 0.5, ok: true, label: "fine", of: { a: 1, b: 0 }, empty: null, list: [1] };
    const records = Object.entries(values).map(([metric, value]) => ({
      id: 1,
      model: "m",
      answer: "x",
      metric,
      score: value,
    }));
    const text = records.map((one) => `${JSON.stringify(one)}\n`).join("");
    const { plan, lines } = await imported([textFile("t.jsonl", text)]);
    expect(plan.evaluations[0]!.leftOut.map(({ what }) => what)).toEqual([
      "score without a value (empty)",
      "list among the scores (list)",
    ]);
    const { empty: _, list: __, ...scores } = values;
    expect(lines.map((line) => JSON.parse(line).output?.scores).filter(Boolean)).toEqual([scores]);
  });

  test("details of one metric are left out and reported, and details of the answer are kept", async () => {
    const head = "id,model,answer,latency_s,error,metric,score,reason,cost_usd";
    const { found, notes } = await read(
      csv(head, "1,m,a,2,,f1,1,close,0.5", "1,m,a,2,,em,0,not equal,0.5", "2,m,,2,timeout,,,,0.5"),
    );
    expect(found).toEqual({ m: { rows: 2, trials: 2, errors: 1, scores: { f1: 1, em: 0 } } });
    expect(notes).toContain("different for each score of an answer, so left out: reason");
    expect(notes).toContain("kept as facts (lower is better): cost_usd");
  });
});
