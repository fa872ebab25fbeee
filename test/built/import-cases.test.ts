// Files from bug reports, if they exist next to the checkout: the built command imports each with the correct values,
// or refuses it with a remedy. Their EXPECTED.md documents the values.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const CASES = join(import.meta.dirname, "../../../shared/data/import-cases");
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "assay-import-cases-"));
});
afterAll(() => {
  rmSync(home, { recursive: true });
});

const READ: readonly (readonly [string, RegExp])[] = [
  [
    "06-lmeval-old-filters/samples_gsm8k_2024-05-01T10-00-00.jsonl",
    /3 rows, 6 trials.*exact_match +true in 50\.0% of 6 .*3 documents are repeated/s,
  ],
  ...["clean", "crlf-header", "lf-header-id-last", "lf-header", "one-lf-at-end"].map(
    (name) =>
      [
        `09-mixed-newlines/${name}.csv`,
        /4 rows, 4 trials.*correct +true in 75\.0%.*rows by id, question;/s,
      ] as const,
  ),
  ...["answers", "comma"].map(
    (name) => [`11-excel-sep-line/${name}.csv`, /2 rows.*quality +mean 0\.5000 of 2/s] as const,
  ),
  ...["score-comma", "score-semicolon"].map(
    (name) => [`11-excel-sep-line/${name}.csv`, /^alpha: 2 rows.*score +mean 0\.5000 of 2/s] as const,
  ),
  ...["columns", "index", "table"].map(
    (name) =>
      [
        `16-pandas-orients/ragas-${name}.json`,
        /4 rows, 4 trials.*faithfulness +mean 0\.5000 of 4.*answer_relevancy +mean 0\.8000 of 3/s,
      ] as const,
  ),
  ...["columns", "index", "lists"].map(
    (name) =>
      [`16-pandas-orients/table-${name}.json`, /4 rows, 4 trials.*correct +true in 75\.0% of 4/s] as const,
  ),
  ["16-pandas-orients/table-wrapped.json", /^alpha: 4 rows, 4 trials.*correct +true in 75\.0% of 4/s],
  [
    "17-mlflow-yes-no/run-a.jsonl",
    /correctness +true in 66\.7% of 3.*correctness: yes \(2\) is true, no \(1\) is false/s,
  ],
  [
    "18-phoenix-label/answers.csv",
    /score +mean 0\.6667.*rows by id, question; .*next|rows by id, question; .*label: correct \(4\) is true/s,
  ],
  // EXPECTED.md has a refusal, as garak was not a known format: `passed` is 1 of 2 in the report, too.
  [
    "24-garak-report/garak.u1.report.jsonl",
    /2 rows, 2 trials.*Pass +mean 0\.5000 of 2 trials, lower is better/s,
  ],
  ["36-error-none/bool.jsonl", /3 trials, 1 ended in an error.*correct +true in 50\.0% of 2/s],
  ["36-error-none/empty.jsonl", /3 rows, 3 trials \(.*correct +true in 66\.7% of 3/s],
  ["36-error-none/false.csv", /3 trials, 1 ended in an error.*correct +true in 50\.0% of 2/s],
  ["36-error-none/nan.csv", /3 rows, 3 trials \(.*correct +true in 66\.7% of 3/s],
  ["36-error-none/python.csv", /3 trials, 1 ended in an error.*correct +true in 50\.0% of 2/s],
  ["37-percent/comma.csv", /alpha.*mean 0\.5025 of 2.*beta.*mean 0\.6000 of 2.*85% is 0\.85/s],
  ["37-percent/semicolon.csv", /mean 0\.5000 of 2.*50,5% is 0\.505/s],
  ["37-percent/thousands.csv", /mean 750\.5 of 2.*1,200\.5 is 1200\.5/s],
  ["39-inspect-number-strings/log.json", /judge +mean 3\.667 of 3/],
  ["44-plain-quality/answers.csv", /quality +mean 0\.5000 of 2/],
  ...["bom.json", "bom.jsonl", "utf16.json", "utf16.jsonl"].map(
    (name) =>
      [`46-json-encodings/${name}`, /^alpha: 3 rows, 3 trials.*correct +true in 66\.7% of 3/s] as const,
  ),
  ...["inspect-bom.json", "inspect-utf16.json"].map(
    (name) => [`46-json-encodings/${name}`, /2 rows, 2 trials.*judge +true in 50\.0% of 2/s] as const,
  ),
  [
    "50-model-id/answers.csv",
    /^big: 3 rows, 3 trials.*100\.0% of 3.*^small: 3 rows, 3 trials.*33\.3% of 3/ms,
  ],
  [
    "53-judge-words/answers.csv",
    /correct +true in 66\.7% of 3.*CORRECT \(2\) is true, INCORRECT \(1\) is false/s,
  ],
  ["54-error-beside-answer/answers.csv", /2 trials, 1 ended in an error \(.*score +mean 0\.6250 of 2/s],
  ...["answer-correct-answer", "correct-answer"].map(
    (name) =>
      [
        `55-expected-and-actual/${name}.csv`,
        /3 rows, 3 trials.*is_correct +true in 66\.7% of 3.*rows by id, question, correct_answer;/s,
      ] as const,
  ),
  ...[
    "generated-expected",
    "llm-reference",
    "model-expected",
    "predicted-gold",
    "predicted-groundtruth",
    "spaces",
  ].map(
    (name) =>
      [
        `55-expected-and-actual/${name}.csv`,
        /^[\w-]+: 3 rows, 3 trials.*correct +true in 66\.7% of 3.*would import 1 evaluation /is,
      ] as const,
  ),
  ...["deepeval", "input-output"].map(
    (name) =>
      [
        `55-expected-and-actual/${name}.csv`,
        /3 rows, 3 trials.*score +true in 66\.7% of 3.*would import 1 evaluation /s,
      ] as const,
  ),
  [
    "55-expected-and-actual/deepeval.jsonl",
    /score +mean 0\.6667 of 3.*rows by input, expected_output; answers in actual_output/s,
  ],
  ["67-verdict-before-answer/answers.csv", /is_correct +true in 50\.0% of 2/],
  ["67-verdict-before-answer/exact.csv", /exact_match +true in 50\.0% of 2/],
  ["67-verdict-before-answer/no-model.csv", /is_correct +true in 50\.0% of 2/],
];

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ...["balanced", "ends-with-quote-all-quoted", "ends-with-quote", "same-count", "spark"].map(
    (name) => [`10-backslash-quotes/${name}.csv`, /line 2: .*written twice \(""\)/] as const,
  ),
  ["46-json-encodings/latin1.csv", /not UTF-8 text.*save it as UTF-8/],
];

describe.runIf(existsSync(CASES))("files from public bug reports", () => {
  test.each(READ)("%s", async (path, message) => {
    const { exitCode, stdout, stderr } = await assay(["import", "me/cases", join(CASES, path), "--dry-run"], {
      cwd: home,
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(message);
  });

  test.each(REFUSED)("%s is refused", async (path, why) => {
    const { exitCode, stdout, stderr } = await assay(["import", "me/cases", join(CASES, path)], {
      cwd: home,
    });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(why);
  });

  test.each([
    ["45-id-types", 3],
    ["18-phoenix-label", 3],
    ["17-mlflow-yes-no", 3],
    ["09-mixed-newlines", 4],
  ])("rows of %s match, and the suggested command gives a verdict", async (folder, rows) => {
    const data = join(home, folder);
    const { stdout } = await assay(["import", "me/cases", join(CASES, folder), "--data", data], {
      cwd: home,
    });
    const [, next] = /^next: assay (compare .*)$/m.exec(stdout)!;
    const { exitCode, stdout: answer } = await assay(next!.split(" "), { cwd: home });
    expect(exitCode).toBe(0);
    expect(JSON.stringify(JSON.parse(answer))).toContain(`"rows":${rows}`);
  });

  test("lower costs do not fail a gate", async () => {
    const data = join(home, "cheaper");
    const file = join(CASES, "71-cheaper-is-worse/answers.csv");
    const { stdout } = await assay(["import", "me/cases", file, "--data", data], { cwd: home });
    expect(stdout).toContain("kept as facts (lower is better): cost_usd, prompt_tokens, completion_tokens");
    const gate = ["compare", "me/cases", "old", "new", "--data", data, "--fail-on", "regressed"];
    expect((await assay(gate, { cwd: home })).exitCode).toBe(0);
  });
});
