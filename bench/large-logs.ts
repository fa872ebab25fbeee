// Generates large files of every importable format: repeats the small fixtures of the importers' tests, with new ids
// and texts, up to the given size. The same size always gives the same bytes.

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import {
  alpacaPair,
  braintrustSpans,
  deepevalCase,
  deflateZip,
  evaliteResult,
  helmRequest,
  inspectEval,
  inspectSample,
  langfuseItem,
  langsmithLine,
  lmEvalLine,
  mlflowTrace,
  oaievalEvent,
  openaiItem,
  promptfooResult,
  zstandardZip,
} from "../testing/src/import-fixtures.ts";

/** A file format, with its name for `--from` and how it is written. */
export interface LargeLog {
  readonly name: string;
  /** Writes about `bytes` bytes of content below `folder`; returns the paths to import. */
  make(folder: string, bytes: number): Promise<readonly string[]>;
}

/** A question and its expected answer. */
interface Question {
  readonly question: string;
  readonly answer: string;
}

/** One record, or the lines of one. */
type Records = (n: number, of: Question) => readonly unknown[];

/** The text before, between and after the records of a document. */
interface Frame {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
}

const WORDS =
  "the model answers with a long text in which numbers such as 3.25 and names of cities stand beside each other because every token was sampled".split(
    " ",
  );

/** Pseudo-random words that depend only on `n`, varied enough to resemble the texts of a real run. */
function words(n: number, count: number): string {
  const chosen: string[] = [];
  let state = (n + 1) * 0x9e3779b1;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    chosen.push(WORDS[state % WORDS.length]!);
  }
  return chosen.join(" ");
}

function questionOf(n: number): Question {
  return { question: `Question ${n}: ${words(n, 40)}?`, answer: `${n}: ${words(n + 7, 80 + (n % 40))}` };
}

const LINES: Frame = { head: "", between: "\n", tail: "\n" };

function listIn(before: object, key: string): Frame {
  const head = JSON.stringify({ ...before, [key]: [] }).slice(0, -2);
  return { head, between: ",\n", tail: "]}" };
}

/** Writes records until the file has `bytes` bytes; returns the number of records. */
function writeRecords(path: string, bytes: number, { head, between, tail }: Frame, records: Records): number {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w");
  let [pending, size, n] = [head, 0, 0];
  for (; size + pending.length < bytes; n++) {
    for (const record of records(n, questionOf(n))) {
      const text = typeof record === "string" ? record : JSON.stringify(record);
      pending += pending === head && size === 0 ? text : between + text;
    }
    if (pending.length > 1 << 20) {
      size += pending.length;
      writeSync(file, pending);
      pending = "";
    }
  }
  writeSync(file, pending + tail);
  closeSync(file);
  return n;
}

/** A log that consists of one file. */
function one(name: string, path: string, frame: Frame, records: Records): LargeLog {
  return {
    name,
    make: async (folder, bytes) => {
      writeRecords(join(folder, path), bytes, frame, records);
      return [join(folder, path)];
    },
  };
}

const right = (n: number) => n % 3 !== 0;
const grade = (n: number) => (right(n) ? "C" : "I");

/** The entries of an Inspect AI archive, about `bytes` bytes in total. */
function inspectEntries(bytes: number): { readonly [name: string]: string } {
  const entries: { [name: string]: string } = {
    "header.json": JSON.stringify({ version: 2, status: "success", ...inspectEval }),
  };
  for (let n = 0, size = 0; size < bytes; n++) {
    const sample = JSON.stringify(inspectSample(n, questionOf(n), grade(n)));
    entries[`samples/${n}_epoch_1.json`] = sample;
    size += sample.length;
  }
  return entries;
}

function archive(name: string, zip: (entries: { readonly [name: string]: string }) => Uint8Array): LargeLog {
  return {
    name,
    make: async (folder, bytes) => {
      const path = join(folder, "large.eval");
      writeFileSync(path, zip(inspectEntries(bytes)));
      return [path];
    },
  };
}

const LM_EVAL_TIME = "2026-11-22T10-38-38.75";
const lmEval: LargeLog = {
  name: "lm-eval samples, two filters",
  make: async (folder, bytes) => {
    const run = join(folder, "model");
    const samples = join(run, `samples_caps_${LM_EVAL_TIME}.jsonl`);
    // The tool writes all documents of one filter, then all of the next.
    const documents = Math.ceil(bytes / 2 / JSON.stringify(lmEvalLine(1, questionOf(1), "none", 1)).length);
    writeRecords(samples, bytes, LINES, (n) => {
      const of = questionOf(n % documents);
      return [lmEvalLine(n % documents, of, n < documents ? "strict-match" : "none", Number(right(n)))];
    });
    const results = {
      ...{ results: { caps: { "exact_match,none": 1 } }, configs: {}, versions: { caps: 1 } },
      ...{ "n-shot": { caps: 0 }, config: { model_args: "pretrained=large" }, date: 1790000000.5 },
    };
    writeFileSync(join(run, `results_${LM_EVAL_TIME}.json`), JSON.stringify(results));
    return [run];
  },
};

const helm: LargeLog = {
  name: "helm",
  make: async (folder, bytes) => {
    const run = join(folder, "run");
    const state = listIn({ adapter_spec: { model: "large" } }, "request_states");
    const path = join(run, "scenario_state.json");
    const count = writeRecords(path, bytes, state, (n, of) => [helmRequest(`id${n}`, of)]);
    const stats = Array.from({ length: count }, (_, n) => ({
      instance_id: `id${n}`,
      train_trial_index: 0,
      stats: ["exact_match", "f1_score"].map((name) => ({ name: { name }, mean: Number(right(n)) })),
    }));
    writeFileSync(join(run, "per_instance_stats.json"), JSON.stringify(stats));
    return [run];
  },
};

const langfuseExport: LargeLog = {
  name: "langfuse export",
  make: async (folder, bytes) => {
    const time = "2026-11-22 10:00:00.000000";
    const path = (name: string) => join(folder, "export", `${name}.jsonl`);
    const count = writeRecords(path("traces"), bytes * 0.6, LINES, (n, of) => [
      {
        ...{ id: `trace${n}`, timestamp: time, name: "caps", project_id: "p1", user_id: null },
        ...{ input: JSON.stringify({ question: of.question }), output: JSON.stringify(of.answer) },
      },
    ]);
    const all = (record: (n: number) => object) =>
      Array.from({ length: count }, (_, n) => `${JSON.stringify(record(n))}\n`).join("");
    const score = (n: number) => ({
      ...{ id: `score${n}`, timestamp: time, trace_id: `trace${n}`, observation_id: null, name: "exact" },
      ...{ value: Number(right(n)), data_type: "BOOLEAN", string_value: right(n) ? "True" : "False" },
    });
    const item = (n: number) => ({
      ...{ id: `item${n}`, datasetName: "caps", input: { question: questionOf(n).question } },
      ...{ expectedOutput: "x", status: "ACTIVE" },
    });
    const runItem = (n: number) => ({
      ...{ id: `run${n}`, datasetRunId: "r1", datasetRunName: "large" },
      ...{ datasetItemId: `item${n}`, traceId: `trace${n}` },
    });
    writeFileSync(path("scores"), all(score));
    writeFileSync(path("dataset_items"), all(item));
    writeFileSync(path("dataset_run_items"), all(runItem));
    return [join(folder, "export")];
  },
};

const TABLE = ["question_id", "question", "expected", "category", "model", "answer", "correct", "quality"];
const MODELS = ["small", "medium", "large"];

function tableRecord(n: number): readonly unknown[] {
  const row = Math.floor(n / MODELS.length);
  const { question, answer } = questionOf(row);
  const category = `category ${row % 14}`;
  return [
    row,
    question,
    "x",
    category,
    MODELS[n % MODELS.length],
    `${n} ${answer}`,
    right(n),
    (n % 1024) / 1024,
  ];
}

const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
const tableObject = (n: number) => Object.fromEntries(TABLE.map((name, i) => [name, tableRecord(n)[i]]));

/** A record with messages, metadata and several scores, as evaluation scripts write them. */
function nestedObject(n: number): object {
  const [question_id, content, expected, category, model, answer, correct, quality] = tableRecord(n);
  return {
    ...{ question_id, messages: [{ role: "user", content }], expected, model, answer },
    scores: { correct, quality },
    metadata: { category, tags: ["a", "b"] },
  };
}

/** A Parquet file with the given number of rows per row group. */
function parquet(name: string, rowsOfGroup: number): LargeLog {
  return {
    name,
    make: async (folder, bytes) => {
      const [lines, path] = [join(folder, "long.jsonl"), join(folder, "long.parquet")];
      writeRecords(lines, bytes, LINES, (n) => [tableObject(n)]);
      const database = await DuckDBInstance.create();
      const connection = await database.connect();
      await connection.run(
        `COPY (SELECT * FROM read_json('${lines}')) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE ${rowsOfGroup})`,
      );
      connection.closeSync();
      database.closeSync();
      return [path];
    },
  };
}

/** Every format that can be large. */
export const LARGE_LOGS: readonly LargeLog[] = [
  archive("inspect .eval, deflate", deflateZip),
  archive("inspect .eval, zstd", zstandardZip),
  one(
    "inspect .json",
    "large.json",
    listIn({ version: 2, status: "success", ...inspectEval }, "samples"),
    (n, of) => [inspectSample(n, of, grade(n))],
  ),
  lmEval,
  one(
    "promptfoo JSON",
    "out.json",
    {
      ...listIn({}, "results"),
      head: '{"evalId":"e1","results":{"version":3,"timestamp":"2026-11-22T10:34:43.314Z","results":[',
      tail: "]}}",
    },
    (n, of) => [promptfooResult(n % 3, of, right(n), right(n) ? 0 : 1)],
  ),
  one("promptfoo JSON lines", "out.jsonl", LINES, (n, of) => [
    promptfooResult(n % 3, of, right(n), right(n) ? 0 : 1),
  ]),
  one("openai-evals, lines", "items.jsonl", LINES, (n, of) => [openaiItem(n, of, right(n))]),
  one("openai-evals, list", "items.json", listIn({ object: "list" }, "data"), (n, of) => [
    openaiItem(n, of, right(n)),
  ]),
  one(
    "oaieval",
    "log.jsonl",
    {
      ...LINES,
      head: `${JSON.stringify({ spec: { completion_fns: ["large"], eval_name: "caps.dev", run_id: "run1" } })}\n`,
    },
    (n, of) => [
      oaievalEvent(`c.${n}`, "sampling", { prompt: of.question, sampled: [of.answer] }),
      oaievalEvent(`c.${n}`, "match", { correct: right(n), expected: "x", sampled: of.answer }),
    ],
  ),
  one("langsmith, lines", "experiment.jsonl", LINES, (n, of) => [langsmithLine(`e${n}`, of, right(n))]),
  one(
    "langsmith CSV",
    "experiment.csv",
    { ...LINES, head: "inputs.question,outputs.answer,error,reference.answer,feedback.exact,example_id\n" },
    (n, { question, answer }) => [[question, answer, "", "x", right(n), `e${n}`].map(cell).join(",")],
  ),
  one("braintrust spans", "large.spans.jsonl", LINES, (n, of) => braintrustSpans(n, of, Number(right(n)))),
  one("langfuse experiment", "items.json", listIn({}, "data"), (n, of) => [
    langfuseItem(`i${n}`, of, right(n)),
  ]),
  langfuseExport,
  one(
    "deepeval",
    "test_run.json",
    listIn({ identifier: "run", hyperparameters: { model: "large" } }, "testCases"),
    (n, of) => [deepevalCase(n, of, Number(right(n)))],
  ),
  one("mlflow traces", "traces.jsonl", LINES, (n, of) => [mlflowTrace(n, of, right(n))]),
  helm,
  one(
    "evalite",
    "results.json",
    {
      head: '{"run":{"id":1,"runType":"full"},"evals":[{"name":"caps","results":[',
      between: ",\n",
      tail: "]}]}",
    },
    (n, of) => [evaliteResult(of, Number(right(n)))],
  ),
  one("alpaca-eval", "annotations.json", { head: "[", between: ",\n", tail: "]" }, (n, of) => [
    alpacaPair(of, right(n) ? 2 : 1),
  ]),
  one(
    "ragas CSV",
    "large.csv",
    { ...LINES, head: "user_input,retrieved_contexts,response,reference,faithfulness\n" },
    (n, { question, answer }) => [
      [question, "['a', 'b']", answer, "x", (n % 1024) / 1024].map(cell).join(","),
    ],
  ),
  one("evalplus", "large_eval_results.json", { head: '{"eval":{', between: ",\n", tail: "}}" }, (n, of) => [
    `"HumanEval/${n}":${JSON.stringify([{ solution: of.answer, base_status: right(n) ? "pass" : "fail" }])}`,
  ]),
  one(
    "opencompass",
    "results/large/caps.json",
    { head: '{"accuracy":50,"details":{"type":"GEN",', between: ",\n", tail: "}}" },
    (n, of) => [
      `"${n}":${JSON.stringify({ prompt: of.question, origin_prediction: of.answer, references: "x", correct: right(n) })}`,
    ],
  ),
  one(
    "vitest-evals",
    "vitest.json",
    {
      head: '{"numTotalTestSuites":1,"startTime":1795344668665,"testResults":[{"assertionResults":[',
      between: ",\n",
      tail: "]}]}",
    },
    (n, of) => [
      {
        ...{ fullName: `caps ${n}`, ancestorTitles: ["caps"], status: "passed" },
        meta: { eval: { scores: [{ name: "exact", score: Number(right(n)) }], output: of.answer } },
      },
    ],
  ),
  one("CSV, long", "long.csv", { ...LINES, head: `${TABLE.join(",")}\n` }, (n) => [
    tableRecord(n).map(cell).join(","),
  ]),
  one(
    "CSV, wide",
    "wide.csv",
    { ...LINES, head: "id,question,expected,small_answer,small_correct,large_answer,large_correct\n" },
    (n, { question, answer }) => [
      [n, question, "x", answer, right(n), `${answer}!`, right(n + 1)].map(cell).join(","),
    ],
  ),
  one("JSON lines, long", "long.jsonl", LINES, (n) => [tableObject(n)]),
  one("JSON lines, nested", "nested.jsonl", LINES, (n) => [nestedObject(n)]),
  one("JSON list, long", "long.json", { head: "[", between: ",\n", tail: "]" }, (n) => [tableObject(n)]),
  one(
    "JSON, split",
    "split.json",
    { head: `{"columns":${JSON.stringify(TABLE)},"data":[`, between: ",\n", tail: "]}" },
    (n) => [tableRecord(n)],
  ),
  parquet("Parquet, row groups of 20,480", 20_480),
  parquet("Parquet, row groups of 122,880", 122_880),
  one(
    "weave calls",
    "calls.jsonl",
    {
      ...LINES,
      head: `${JSON.stringify({ id: "r", trace_id: "r", parent_id: null, op_name: "Evaluation.evaluate", inputs: {} })}\n`,
    },
    (n, { question, answer }) => [
      {
        ...{ id: `t${n}`, trace_id: "r", parent_id: "r", op_name: "Evaluation.predict_and_score" },
        ...{ started_at: "2026-01-01T00:00:00Z", inputs: { example: { n, question } } },
        output: { output: answer, scores: { exact: right(n) } },
      },
    ],
  ),
];
