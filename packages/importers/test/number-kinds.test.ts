// Numbers of unknown names beside an answer: grades are scores, and counts, times, ids, numbers of records and settings
// are not. What was decided is told.

import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { planImport } from "../src/index.ts";

const RECORDS = 12;
const column = (cell: fc.Arbitrary<number>) => fc.array(cell, { minLength: RECORDS, maxLength: RECORDS });
const numbered = fc.nat(1000).chain((first) =>
  fc.shuffledSubarray(
    Array.from({ length: RECORDS }, (_, i) => first + i),
    { minLength: RECORDS },
  ),
);
const times = fc
  .constantFrom(1, 1e3, 1e6)
  .chain((unit) => column(fc.integer({ min: 1e9, max: 2e9 }).map((seconds) => seconds * unit)));
const OTHERS: readonly (readonly [string, fc.Arbitrary<readonly number[]>])[] = [
  ...["tool_calls", "numTurns", "retries used", "searches_made", "n_chunks"].map(
    (name) => [name, column(fc.nat(9))] as const,
  ),
  ["began", times],
  ["epoch_s", column(fc.double({ min: 1e9, max: 2e9, noNaN: true }))],
  ["ticket", column(fc.integer({ min: 1e6, max: 9e8 }))],
  ["place", numbered],
  ["quota", fc.integer({ min: 101, max: 65_535 }).map((one) => Array.from({ length: RECORDS }, () => one))],
];
const GRADES: fc.Arbitrary<readonly number[]> = fc.oneof(
  column(fc.nat(1)),
  column(fc.integer({ min: 1, max: 10 })),
  column(fc.double({ min: 0, max: 1, noNaN: true })),
  column(fc.double({ min: 0, max: 100, noNaN: true })),
  column(fc.double({ min: -30, max: 30, noNaN: true })),
);

type Columns = Readonly<Record<string, readonly (number | string)[]>>;
const all = (text: string) => Array.from({ length: RECORDS }, () => text);

/** A table in CSV and in JSON lines: a record for each question, with these columns. */
function files(columns: Columns) {
  const records = Array.from({ length: RECORDS }, (_, i) => ({
    question: `Q${i}?`,
    ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]])),
  }));
  const csv = [Object.keys(records[0]!), ...records.map((one) => Object.values(one))];
  return [
    textFile("t.csv", `${csv.map((cells) => cells.join(",")).join("\n")}\n`),
    textFile("t.jsonl", records.map((one) => `${JSON.stringify(one)}\n`).join("")),
  ];
}

test("grades are scores and other numbers are not, and the note names both", async () => {
  const other = fc
    .constantFrom(...OTHERS)
    .chain(([name, values]) => values.map((all) => [name, all] as const));
  await fc.assert(
    fc.asyncProperty(GRADES, other, async (tone, [name, values]) => {
      for (const file of files({ answer: all("a"), f1: tone, [name]: values, tone })) {
        const { evaluations, notes } = await planImport([file]);
        expect(evaluations[0]!.scores.map(({ path }) => path)).toEqual(["f1", "tone"]);
        expect(notes[0]).toContain(
          "columns beside the answer taken as scores (--score f1 leaves them out): tone",
        );
        expect(notes[0]).toMatch(new RegExp(`also kept: ${name};`));
        const asked = await planImport([file], { scores: [name] });
        expect(asked.evaluations[0]!.scores.map(({ path }) => path)).toEqual([name]);
      }
    }),
    { numRuns: 60 },
  );
});

test("nor are they in a table with columns for each model", async () => {
  const counted = Array.from({ length: RECORDS }, (_, i) => i % 3);
  for (const [name] of OTHERS.slice(0, 5)) {
    const own = (model: string) => ({
      [`${model}_answer`]: all("a"),
      [`${model}_tone`]: counted,
      [`${model}_${name}`]: counted,
    });
    for (const file of files({ ...own("small"), ...own("large") })) {
      const { evaluations } = await planImport([file]);
      expect(evaluations.map(({ scores }) => scores.map(({ path }) => path))).toEqual([["tone"], ["tone"]]);
    }
  }
});

test("a number that is not a score can be made one if there is none", async () => {
  const [file] = files({ answer: all("a"), tool_calls: Array.from({ length: RECORDS }, (_, i) => i % 3) });
  const { refused } = await planImport([file!]);
  expect(refused[0]!.reason).toMatch(/nothing scores them; --score tool_calls makes it a score/);
});

test("a time in a column of latencies is a fact", async () => {
  const began = Array.from({ length: RECORDS }, (_, i) => 1_732_752_000 + i);
  for (const file of files({ answer: all("a"), f1: began.map((_, i) => i / 20), time: began })) {
    const { notes } = await planImport([file]);
    expect(notes[0]).not.toContain("latency in time");
  }
});

test("a list of scores is known by what is in it, whatever its name", async () => {
  const record = (n: number) => ({
    ...{ inputs: `q${n}`, outputs: "a" },
    results: [
      { key: "concise", score: n > 0, comment: "so", metadata: null },
      { key: "right", score: n / 2, comment: null },
    ],
  });
  const text = [0, 1].map((n) => `${JSON.stringify(record(n))}\n`).join("");
  const [{ trials, scores }] = (await planImport([textFile("t.jsonl", text)])).evaluations as [never] as [
    { trials: number; scores: readonly { path: string; mean?: number }[] },
  ];
  expect([trials, scores.map(({ path, mean }) => [path, mean])]).toEqual([
    2,
    [
      ["concise", 0.5],
      ["right", 0.25],
    ],
  ]);
});

test("what is measured beside scores in metrics is none of them", async () => {
  const record = (n: number) => ({
    ...{ id: n, question: `Q${n}?`, answer: "a" },
    metrics: { correct: n > 0, f1: n / 2, latency_ms: 120, tool_calls: n, total_tokens: 9, started_at: 1e9 },
  });
  const records = [0, 1].map(record);
  const cells = records.map(({ id, question, answer, metrics }) => [
    id,
    question,
    answer,
    ...Object.values(metrics),
  ]);
  const names = [
    "id",
    "question",
    "answer",
    ...Object.keys(records[0]!.metrics).map((name) => `metrics.${name}`),
  ];
  for (const text of [
    records.map((one) => `${JSON.stringify(one)}\n`).join(""),
    [names, ...cells].map((row) => row.join(",")).join("\n"),
  ]) {
    const { evaluations, notes } = await planImport([textFile("t.out", text)]);
    expect(evaluations[0]!.scores.map(({ path, mean }) => [path, mean])).toEqual([
      ["correct", 0.5],
      ["f1", 0.25],
    ]);
    expect(notes[0]).toContain("latency in metrics.latency_ms (ms); tokens in metrics.total_tokens");
  }
});
