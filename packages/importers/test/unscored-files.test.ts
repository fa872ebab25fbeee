// Files of known tools that have no scores of answers: a note says where they are. And what scores mean.

import { FIXTURES } from "@assay/testing/import-fixtures";
import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

test.each([
  ["verifiers", "metadata.json", "--save-results"],
  ["bfcl", "score.json", "the folder result"],
  ["bfcl", "result.json", "the folder score"],
  ["mteb", "model_meta.json", "pass the results"],
  ["harbor", "job/result.json", "the folder of the run"],
  ["evalscope", "reports/small/caps.json", "reviews/"],
  ["evalscope", "predictions/small/caps_test.jsonl", "reviews/"],
])("%s: %s alone", async (format, path, way) => {
  const { files } = FIXTURES.find((one) => one.format === format)!;
  const { plan } = await imported(files.filter((file) => file.path.endsWith(path)));
  expect([plan.evaluations, plan.notes.some((note) => note.includes(way))]).toEqual([[], true]);
});

test("the hits of garak are not its answers", async () => {
  const hit = {
    probe: "p",
    detector: "d",
    generator: "g",
    attempt_id: "1",
    prompt: "q",
    output: "a",
    score: 1,
  };
  const { plan } = await imported([textFile("hitlog.jsonl", `${JSON.stringify(hit)}\n`.repeat(2))]);
  expect([plan.evaluations, plan.notes]).toEqual([[], [expect.stringContaining("import the report")]]);
});

test("a detector that finds nothing is better, and its numbers stay numbers", async () => {
  const { files } = FIXTURES.find((one) => one.format === "garak")!;
  const { plan } = await imported(files);
  expect(
    plan.evaluations.map(({ name, model, scores: [one] }) => [name, model, one?.type, one?.direction]),
  ).toEqual([["test lab/small", "lab/small", "number", "lower"]]);
});

test.each([
  [50, 0.5],
  [0, undefined],
])("OpenCompass without judgements, and an accuracy of %d", async (accuracy, mean) => {
  const detail = (predictions: string) => ({ prompt: predictions, predictions, references: "Paris" });
  const details = { type: "GEN", "0": detail("Paris"), "1": detail("Lima") };
  const { plan } = await imported([textFile("small/caps.json", JSON.stringify({ accuracy, details }))], {
    from: "opencompass",
  });
  const [one] = plan.evaluations;
  expect([one?.rows, one?.scores[0]?.mean, plan.notes.length]).toEqual([2, mean, mean === undefined ? 0 : 1]);
});

test("predictions by instance, as mini-swe-agent writes them, are the answers of a SWE-bench report", async () => {
  const report = { submitted_ids: ["a.1"], resolved_ids: ["a.1"], ambiguous_failure_ids: ["b"] };
  const patch = { model_name_or_path: "lab/small", instance_id: "a.1", model_patch: "diff" };
  const { plan, lines } = await imported([
    textFile("lab__small.r.json", JSON.stringify(report)),
    textFile("preds.json", JSON.stringify({ "a.1": patch }, null, 2)),
  ]);
  expect([plan.refused, plan.evaluations.map((one) => [one.trials, one.errors])]).toEqual([[], [[2, 1]]]);
  expect(lines.filter((line) => line.includes('"diff"'))).not.toEqual([]);
});

test.each([
  [
    "totals.json",
    '{"score": 0.7, "score:std": 0.4, "chars": 12.5}',
    /only totals \(score, score:std, chars\)/,
  ],
  [
    "leaderboard.csv",
    ",win_rate,standard_error,avg_length\nsmall,30.5,1.6,15\nlarge,50.5,1.6,15\n",
    /each record sums up many rows, as standard_error shows: pass the file with the result of each row/,
  ],
])("%s has no answers of models", async (path, text, reason) => {
  const { plan } = await imported([textFile(path, text)]);
  expect([plan.evaluations, plan.refused[0]?.reason]).toEqual([[], expect.stringMatching(reason)]);
});

test.each([
  [
    "t.csv",
    "id,question,answer,score\n1,[object Object],a,1\n2,Q?,<lab.Answer object at 0x7f3a>,0\n",
    "answer (1)",
  ],
  [
    "out.csv",
    'q,"[small] {{q}}",Status,Score,Named Scores\n"[object Object],[object Object]",a,PASS,1.00,{}\nx,[object Object],FAIL,0.00,{}\n',
    "promptfoo export eval",
  ],
])("cells of %s that only say that there was an object are told", async (path, text, note) => {
  const { plan } = await imported([textFile(path, text)]);
  const told = plan.notes.filter((one) => one.includes("cells say only that there was an object"));
  expect([plan.evaluations.length, told.length, told[0]?.includes(note)]).toEqual([1, 1, true]);
});
