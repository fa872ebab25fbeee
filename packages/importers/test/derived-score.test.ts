// Tables with answers but no score: answers are compared with the expected ones, or win if they are preferred.

import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { planImport } from "../src/index.ts";

/** The names and scores of a table's evaluations, or the reason why it is refused. */
async function found(name: string, text: string, options = {}) {
  const plan = await planImport([textFile(name, text)], options);
  if (plan.refused.length > 0) return plan.refused[0]!.reason;
  return plan.evaluations.map((one) => ({ name: one.name, scores: one.scores }));
}

const LABELS = ["north", "south", "east", "1", "2"];
const record = fc.record({ expected: fc.constantFrom(...LABELS), answer: fc.constantFrom(...LABELS, "") });

test("the mean is the share of answers that equal the expected ones, in every form of table", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 8 }), async (records) => {
      const right = records.filter(({ answer, expected }) => answer === expected).length;
      const rows = records.map(({ expected, answer }, i) => ({
        text: `Q${i}?`,
        label: expected,
        pred: answer,
      }));
      const csv = rows.map(({ text, label, pred }) => `${text},${label}, ${pred}\n`).join("");
      const whole = { name: "t", scores: [{ mean: right / rows.length, path: "exact_match" }] };
      for (const [name, text] of [
        ["t.csv", `text,label,pred\n${csv}`],
        ["t.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join("")],
        ["t.json", JSON.stringify(rows.map(({ text, ...row }) => ({ question: text, ...row })))],
      ] as const) {
        const result = await found(name, text);
        if (right > 0) expect(result).toMatchObject([whole]);
        else expect(result).toMatch(/answers in pred, and nothing scores them/);
      }
    }),
    { numRuns: 60 },
  );
});

test("numbers are compared by value, and any of several expected answers counts", async () => {
  const plan = await planImport([
    textFile(
      "t.jsonl",
      [
        { question: "a?", gold: 1, response: "1.0" },
        { question: "b?", gold: ["Paris", "Paris, France"], response: " Paris " },
        { question: "c?", gold: "x", response: "X" },
        { question: "d?", gold: null, response: "d" },
      ]
        .map((one) => JSON.stringify(one))
        .join("\n"),
    ),
  ]);
  expect(plan.evaluations[0]!.scores).toMatchObject([{ path: "exact_match", mean: 2 / 3 }]);
  expect(plan.notes[0]).toContain("no column has any, so answers are compared with gold");
});

test("columns named after models are answers if they occur among the expected ones, otherwise scores", async () => {
  const table = (...rows: readonly string[]) =>
    found("t.csv", `question,expected,gpt-4o,llama-3\n${rows.join("\n")}\n`);
  expect(await table("a?,12,12,4", "b?,30,31,30", "c?,7,7,7")).toMatchObject([
    { name: "gpt-4o", scores: [{ path: "exact_match", mean: 2 / 3 }] },
    { name: "llama-3", scores: [{ path: "exact_match", mean: 2 / 3 }] },
  ]);
  expect(await table("a?,12,0.5,1", "b?,30,0.25,1", "c?,7,0.75,0.5")).toMatchObject([
    { name: "gpt-4o", scores: [{ path: "score", mean: 0.5 }] },
    { name: "llama-3", scores: [{ path: "score", mean: 2.5 / 3 }] },
  ]);
});

test("a requested score is the only one", async () => {
  const text = "question,label,pred,level\na?,x,x,3\nb?,x,y,4\n";
  expect(await found("t.csv", text, { scores: ["level"] })).toMatchObject([{ scores: [{ path: "level" }] }]);
});

test.each([
  ["output_v1,output_v2", "preferred", ["v1", "V2", "tie", "output_v1"], ["v1", "v2"]],
  ["response_a,response_b", "winner", ["model_a", "B", "tie (bothbad)", "Response A is better"], ["a", "b"]],
  ["gpt-4o,llama-3", "Which is better?", ["gpt-4o", "2", "both", "first"], ["gpt-4o", "llama-3"]],
])(
  "the preferred of %s has a win, and each has half a win in a tie",
  async (columns, preferred, said, models) => {
    const rows = said.map((one, i) => `Q${i}?,x,y,${one}\n`).join("");
    expect(await found("t.csv", `question,${columns},${preferred}\n${rows}Q9?,x,y,\n`)).toMatchObject([
      { name: models[0], scores: [{ path: "win", mean: 0.625, trials: 4 }] },
      { name: models[1], scores: [{ path: "win", mean: 0.375, trials: 4 }] },
    ]);
  },
);
