// Real answers of twelve models to MMLU-Pro: a ranking, two models on the law questions, and the slices in which a
// close pair differs, by import and command, over HTTP and in the library. Uses one question in sixteen;
// ASSAY_MMLU_PRO=whole uses all, which takes minutes, and checks the figures of docs/explanation/statistics.md.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import type { StatisticsAnswers, StatisticsQuestion } from "@assay/eval-engine/internal";
import { assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, expect, test } from "vitest";

const P = "acme/mmlu-pro";
// Next to the checkout, if available.
const DATA = join(import.meta.dirname, "../../../shared/data/mmlu-pro");
const WHOLE = process.env["ASSAY_MMLU_PRO"] === "whole";
const PATIENCE = 600_000;

interface Question {
  readonly question_id: number;
  readonly category: string;
  readonly answer: string;
}

function linesOf<T>(file: string): readonly T[] {
  const lines = gunzipSync(readFileSync(join(DATA, file)))
    .toString()
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** The calls of every model, scored by whether its answer is correct. */
function callsOfModels(): readonly { readonly id: string }[] {
  const asked = new Map(
    linesOf<Question>("questions.jsonl.gz")
      .filter((_, n) => WHOLE || n % 16 === 0)
      .map((question) => [question.question_id, question]),
  );
  return readdirSync(join(DATA, "preds")).flatMap((file) => {
    const model = file.replace(".jsonl.gz", "");
    const call = { trace_id: model, attributes: {}, summary: {}, display_name: null };
    const times = { started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:01:00Z" };
    const root = {
      ...call,
      ...times,
      id: model,
      parent_id: null,
      op_name: "Evaluation.evaluate",
      inputs: { model: `weave:///${P}/object/${model}:v1` },
      output: null,
    };
    const predictions = linesOf<{ question_id: number; pred: string | null }>(`preds/${file}`);
    const answers = predictions.flatMap(({ question_id, pred }) => {
      const question = asked.get(question_id);
      if (question === undefined) return [];
      const { category, answer } = question;
      return [
        {
          ...call,
          ...times,
          id: `${model}-${question_id}`,
          parent_id: model,
          op_name: "Evaluation.predict_and_score",
          inputs: { example: { question_id, category } },
          output: { output: pred, scores: { exact_match: { correct: pred === answer } } },
        },
      ];
    });
    return [root, ...answers];
  });
}

const LLAMA = "Meta-Llama-3_1-70B-Instruct";
const [FLASH, MIXTRAL, PHI] = [
  "gemini-1.5-flash-002",
  "Mixtral-8x7B-Instruct-v0.1",
  "Phi-3-mini-4k-instruct",
];
const MEASURE = "scores.exact_match.correct";
const LAW = { $eq: [{ $getField: "inputs.category" }, { $literal: "law" }] };

/** Each question with its body for the library and HTTP, and its arguments for the command. */
const models = readdirSync(join(DATA, "preds"))
  .map((file) => file.replace(".jsonl.gz", ""))
  .sort();
const QUESTIONS: readonly (readonly [StatisticsQuestion, object, readonly string[]])[] = [
  [
    "ranking",
    { query: { evaluation_call_ids: models }, measure: { field: MEASURE } },
    [...models, "--ranking", "--measure", "correct"],
  ],
  [
    "compare",
    {
      query: { evaluation_call_ids: [FLASH, LLAMA], filters: [{ query: { $expr: LAW } }] },
      baseline: FLASH,
      measures: [{ field: MEASURE }],
    },
    [FLASH, LLAMA, "--measure", "correct", "--where", JSON.stringify(LAW)],
  ],
  [
    "slices",
    {
      query: { evaluation_call_ids: [MIXTRAL, PHI] },
      baseline: MIXTRAL,
      candidate: PHI,
      measure: { field: MEASURE },
      fields: ["inputs.category"],
    },
    [MIXTRAL, PHI, "--measure", "correct", "--slices", "inputs.category"],
  ],
];

const home = mkdtempSync(join(tmpdir(), "assay-mmlu-pro-"));
const data = join(home, "data");
const calls = callsOfModels();

beforeAll(async () => {
  const stdin = calls.map((call) => JSON.stringify(call)).join("\n");
  const imported = await assay(["import", P, "-", "--data", data], { stdin, timeout: PATIENCE });
  expect(imported).toMatchObject({ exitCode: 0, stderr: "" });
}, PATIENCE);
afterAll(() => rmSync(home, { recursive: true }));

test(
  "each question has the same answer in the command, over HTTP and in the library",
  async () => {
    const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows() });
    const found = new Map<StatisticsQuestion, unknown>();
    for (const [question, body, args] of QUESTIONS) {
      const answer = await engine.answerStatistics(question, P, body);
      if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
      const options = ["--format", "json", "--data", data];
      const ended = await assay(["compare", P, ...args, ...options], { timeout: PATIENCE });
      expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
      expect(JSON.parse(ended.stdout)).toEqual(answer.value);
      found.set(question, answer.value);
    }
    const server = await startAssay(data);
    for (const [question, body] of QUESTIONS) {
      const response = await fetch(`${server.url}/v2/${P}/eval_results/${question}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      expect([response.status, await response.text()]).toEqual([200, JSON.stringify(found.get(question))]);
    }
    await server.stop("SIGTERM");

    const ranking = found.get("ranking") as StatisticsAnswers["ranking"];
    expect(ranking.evaluations).toHaveLength(12);
    expect(ranking.evaluations[0]).toMatchObject({
      evaluation_call_id: "gemini-1.5-pro-002",
      rows: WHOLE ? 12_020 : 752,
    });
    const slices = found.get("slices") as StatisticsAnswers["slices"];
    expect([slices.looked_at, slices.slices.length]).toEqual([14, 14]);
    if (WHOLE) checkFigures(found);
  },
  PATIENCE,
);

const points = (value: number | null): string => ((value ?? Number.NaN) * 100).toFixed(1);

/** Checks the figures in docs/explanation/statistics.md. */
function checkFigures(found: ReadonlyMap<StatisticsQuestion, unknown>): void {
  const docs = readFileSync(
    join(import.meta.dirname, "../../docs/explanation/statistics.md"),
    "utf8",
  ).replaceAll("−", "-");
  const says = (text: string): void => expect(docs.replaceAll("\n", " ")).toContain(text);
  const { evaluations } = found.get("ranking") as StatisticsAnswers["ranking"];
  const [best] = evaluations;
  says(`${points(best!.mean)}% (95% CI ${points(best!.interval!.low)} to ${points(best!.interval!.high)})`);
  const shared = evaluations.filter(({ rank }) => rank!.low !== rank!.high);
  expect(shared.map((one) => one.evaluation_call_id)).toEqual([MIXTRAL, PHI]);
  for (const { mean } of shared) says(`(${points(mean)}%)`);
  const law = (found.get("compare") as StatisticsAnswers["compare"]).comparisons[0]!.measures[0]!;
  says(`${points(law.candidate.mean)} % against ${points(law.baseline.mean)} %`);
  says(
    `+${points(law.difference)} points (+${points(law.interval!.low)} … +${points(law.interval!.high)}), p ${law.p_value!.toFixed(3)}`,
  );
  const { slices } = found.get("slices") as StatisticsAnswers["slices"];
  const slice = (name: string) => slices.find(({ fields }) => fields[0]!.value === name)!;
  for (const name of ["engineering", "economics", "business"]) says(`q ${slice(name).q_value!.toFixed(3)}`);
  expect(
    slices.filter(({ verdict }) => verdict === "regressed").map(({ fields }) => fields[0]!.value),
  ).toEqual(["engineering"]);
}
