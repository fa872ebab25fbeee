// A small file in every format, as its tool writes it: two questions, one answered correctly and one not, and, where
// the format supports it, an error and a missing score.

import { bytesFile, type ImportFile } from "@assay/importers";
import { unzipSync, zipSync } from "fflate";
import { textFile } from "./text-file.ts";

/** The expected result of importing a fixture. */
export interface Fixture {
  readonly format: string;
  readonly files: readonly ImportFile[];
  readonly rows: number;
  readonly trials: number;
  readonly errors: number;
  /** Means by the scores' paths; undefined for texts. */
  readonly scores: { readonly [path: string]: number | undefined };
}

const encoder = new TextEncoder();
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const lines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");
const PARIS = { question: "Capital of France?", answer: "Paris" };
const LIMA = { question: "Capital of Peru?", answer: "Lima" };

/** A Zstandard frame that contains bytes uncompressed. */
function zstandard(bytes: Uint8Array): Uint8Array {
  const block = (bytes.length << 3) | 1;
  const size = [
    bytes.length & 0xff,
    (bytes.length >> 8) & 0xff,
    (bytes.length >> 16) & 0xff,
    bytes.length >> 24,
  ];
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...size, block & 0xff, (block >> 8) & 0xff, block >> 16];
  return new Uint8Array([...head, ...bytes]);
}

/** An archive whose entries are compressed with DEFLATE. */
export function deflateZip(entries: { readonly [name: string]: string }): Uint8Array {
  const files = Object.entries(entries).map(([name, text]) => [name, encoder.encode(text)] as const);
  return zipSync(Object.fromEntries(files), { level: 1 });
}

/** The texts in such an archive. */
export function unzipped(zip: Uint8Array): readonly string[] {
  return Object.values(unzipSync(zip)).map((bytes) => new TextDecoder().decode(bytes));
}

/** An archive whose entries are compressed with Zstandard. No library writes such archives. */
export function zstandardZip(entries: { readonly [name: string]: string }): Uint8Array {
  return zipOfFrames(
    Object.fromEntries(
      Object.entries(entries).map(([name, text]) => [name, zstandard(encoder.encode(text))]),
    ),
  );
}

/** An archive of Zstandard frames: stored entries with a changed compression method. */
export function zipOfFrames(frames: { readonly [name: string]: Uint8Array }): Uint8Array {
  const zip = zipSync(frames, { level: 0 });
  const view = new DataView(zip.buffer);
  for (let at = 0; at + 4 <= zip.length; at++) {
    if (view.getUint32(at, true) === 0x04034b50) view.setUint16(at + 8, 93, true);
    if (view.getUint32(at, true) === 0x02014b50) view.setUint16(at + 10, 93, true);
  }
  return zip;
}

export const inspectEval = {
  eval: {
    run_id: "r1",
    task_id: "t1",
    created: "2026-01-02T03:04:05+00:00",
    task: "capitals",
    model: "lab/small",
    dataset: { name: "caps" },
    config: { epochs: 1 },
    model_args: { api_key: "secret" },
  },
};
export const inspectSample = (id: number, of: typeof PARIS, grade: string, more: object = {}) => ({
  id,
  epoch: 1,
  input: of.question,
  target: of.answer,
  output: { completion: of.answer },
  scores: {
    match: { value: grade, explanation: "said so" },
    rubric: { value: { fluency: 0.5, safe: true } },
  },
  model_usage: { "lab/small": { total_tokens: 10 } },
  working_time: 0.25,
  events: [{ event: "model", text: "x".repeat(100) }],
  ...more,
});
const inspectSamples = [
  inspectSample(1, PARIS, "C"),
  inspectSample(2, LIMA, "P"),
  inspectSample(3, { question: "Capital of Oz?", answer: "" }, "", {
    scores: {},
    output: { choices: [] },
    error: { message: "rate limited" },
  }),
];
// As Python writes it, with a bare NaN.
const withNaN = (text: string): string => text.replaceAll(/"fluency":( ?)0\.5/g, '"fluency":$1NaN');
const inspectEntries = {
  "_journal/start.json": JSON.stringify(inspectEval),
  ...Object.fromEntries(
    inspectSamples.map((sample) => [`samples/${sample.id}_epoch_1.json`, withNaN(JSON.stringify(sample))]),
  ),
  "header.json": JSON.stringify({ version: 2, status: "success", ...inspectEval }),
};
const inspectScores = { match: 0.75, "rubric.fluency": undefined, "rubric.safe": 1 };

export const lmEvalLine = (id: number, of: typeof PARIS, filter: string, exact: number) => ({
  doc_id: id,
  doc: of,
  target: of.answer,
  arguments: { gen_args_0: { arg_0: of.question } },
  resps: [[of.answer]],
  filtered_resps: [of.answer],
  filter,
  metrics: ["exact_match", "f1"],
  doc_hash: `hash${id}`,
  exact_match: exact,
  f1: [1, 0],
});

/** A line of EvalScope's reviews. */
const evalscopeReview = (index: number, of: typeof PARIS, acc: number) => ({
  index,
  target: [of.answer],
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: of.question },
    { role: "assistant", content: of.answer, source: "generate", model: "lab/small" },
  ],
  sample_score: {
    score: { value: { acc }, extracted_prediction: of.answer, prediction: of.answer, explanation: null },
    generation_index: 0,
    sample_metadata: {},
  },
});

/** A line of verifiers' results. */
const verifiersRollout = (id: number, of: typeof PARIS, exact: number, more: object = {}) => ({
  example_id: id,
  prompt: [{ role: "user", content: of.question }],
  completion: [{ role: "assistant", content: of.answer }],
  answer: of.answer,
  reward: exact / 2,
  error: null,
  timing: { generation: { duration: 0.5 } },
  metrics: { exact, num_turns: 1 },
  token_usage: { input_tokens: 4, output_tokens: 3 },
  ...more,
});

/** An episode of verifiers from 0.4, with the trace of its agent. */
const verifiersEpisode = (idx: number, of: typeof PARIS, exact: number | null) => {
  const data = { idx, prompt: of.question, answer: of.answer, network_allow: ["*"], timeout: {} };
  const task = { type: "Caps", data, key: `h${idx}`, hash: `h${idx}` };
  const node = (role: string, content: string) => ({ message: { role, content }, sampled: role !== "user" });
  const trace = {
    ...{ id: `t${idx}`, task, agent: { config: { model: "lab/small" }, name: "agent" } },
    nodes: [node("user", of.question), ...(exact === null ? [] : [node("assistant", of.answer)])],
    rewards:
      exact === null ? {} : { exact: { score: exact, weight: 0.5 }, brief: { score: 1, weight: 0.25 } },
    metrics: exact === null ? {} : { num_turns: 1, length: 5 },
    ...{ ok: exact !== null, errors: exact === null ? [{ type: "ModelError", message: "too long" }] : [] },
    timing: { start: 1_732_752_000, agent: { start: 1, end: 1.5 } },
    num_total_tokens: 7,
  };
  return { id: `e${idx}`, env: { id: "caps" }, task, run: { type: "eval", id: "r1" }, traces: [trace] };
};

/** An attempt in garak's report. */
const garakAttempt = (status: number, prompt: string, hits: readonly (number | null)[]) => ({
  entry_type: "attempt",
  status,
  probe_classname: "lab.Ask",
  prompt: { turns: [{ role: "user", content: { text: prompt } }] },
  outputs: hits.map(() => ({ text: "no" })),
  detector_results: status === 2 ? { "lab.Match": hits } : {},
});

/** The results of an exercise in Aider's benchmark. */
const aiderExercise = (name: string, result: object) =>
  textFile(`runs/2026-01-02--small/python/exercises/practice/${name}/.aider.results.json`, json(result));
const aiderResult = (testcase: string, tests_outcomes: readonly boolean[]) =>
  aiderExercise(testcase, {
    ...{ testdir: `/runs/${testcase}`, testcase, model: "lab/small", edit_format: "diff", tests_outcomes },
    ...{ cost: 0.5, duration: 2, num_malformed_responses: 0, prompt_tokens: 4, completion_tokens: 3 },
  });

/** A trial of Harbor, in a file of its own. */
const harborTrial = (task: string, reward: number | null) =>
  textFile(
    `job/${task}__1/result.json`,
    json({
      ...{ id: `u-${task}`, task_name: task, trial_name: `${task}__1`, task_checksum: "c" },
      agent_info: { name: "agent", version: "1", model_info: { name: "small", provider: "lab" } },
      agent_result: { n_input_tokens: 4, n_output_tokens: 3, cost_usd: 0.5 },
      verifier_result: reward === null ? null : { rewards: { reward } },
      exception_info: reward === null ? { exception_type: "Timeout", exception_message: "too long" } : null,
      agent_execution: { started_at: "2026-01-02T03:04:05Z", finished_at: "2026-01-02T03:05:05Z" },
    }),
  );

/** A trial of Terminal-Bench. */
const terminalTrial = (task: string, isResolved: boolean | null) => ({
  ...{ id: `u-${task}-${isResolved}`, trial_name: `${task}.1`, task_id: task, instruction: `do ${task}` },
  ...{ is_resolved: isResolved, failure_mode: isResolved === null ? "agent_timeout" : "unset" },
  ...{ parser_results: null, total_input_tokens: 4, total_output_tokens: 3 },
});

export const promptfooResult = (prompt: number, of: typeof PARIS, pass: boolean, failureReason: number) => ({
  promptIdx: prompt,
  testIdx: 0,
  vars: { question: of.question, expected: of.answer },
  provider: { id: "file://p.js", label: "small" },
  prompt: { raw: of.question, label: "terse" },
  response: failureReason === 2 ? {} : { output: of.answer },
  success: pass,
  score: pass ? 1 : 0,
  namedScores: { exact: pass ? 1 : 0 },
  failureReason,
  error: failureReason === 0 ? undefined : "expected something else",
  latencyMs: 20,
  tokenUsage: { total: 12 },
  gradingResult: { pass, reason: "compared" },
});

export const openaiItem = (id: number, of: typeof PARIS, passed: boolean, error = "") => ({
  id: `outputitem_${id}`,
  object: "eval.run.output_item",
  created_at: 1790000000,
  run_id: "evalrun_1",
  eval_id: "eval_1",
  status: error === "" ? (passed ? "pass" : "fail") : "error",
  datasource_item_id: id,
  datasource_item: of,
  results: error === "" ? [{ name: "exact-8ddb6042", passed, score: Number(passed) }] : [],
  sample: {
    output: [{ role: "assistant", content: of.answer }],
    model: "small",
    usage: { total_tokens: 20 },
    error: { code: "", message: error },
  },
});

export const oaievalEvent = (sample: string, type: string, data: object) => ({
  run_id: "run1",
  event_id: 0,
  sample_id: sample,
  type,
  data,
  created_at: "2026-11-22 10:48:39.547921+00:00",
});

export const langsmithLine = (id: string, of: typeof PARIS, exact: boolean, error: string | null = null) => ({
  run: {
    id: `run-${id}`,
    session_name: "experiment-1",
    start_time: "2026-11-22T10:45:09.803005Z",
    end_time: "2026-11-22T10:45:10.803005Z",
    error,
    outputs: error === null ? { answer: of.answer } : { output: null },
    extra: { metadata: { model: "small" } },
  },
  example: { id, dataset_id: "d1", inputs: { question: of.question }, outputs: { answer: of.answer } },
  evaluation_results: {
    results: [
      { key: "exact", score: exact, value: null },
      { key: "tone", score: null, value: "short" },
      { key: "broken", score: null, value: null, comment: "raised" },
    ],
  },
});

export const braintrustSpans = (n: number, of: typeof PARIS, score: number | null, error?: string) => [
  {
    id: `a${n}`,
    span_id: `s${n}`,
    root_span_id: `t${n}`,
    span_parents: null,
    is_root: true,
    span_attributes: { type: "eval", name: "eval" },
    experiment_id: "e1",
    input: of.question,
    expected: of.answer,
    output: of.answer,
    error,
    metadata: { n },
  },
  {
    id: `b${n}`,
    span_id: `k${n}`,
    root_span_id: `t${n}`,
    span_parents: [`s${n}`],
    is_root: false,
    span_attributes: { type: "task", name: "task" },
    metrics: { start: 1, end: 3.5, tokens: 25 },
  },
  {
    id: `c${n}`,
    span_id: `x${n}`,
    root_span_id: `t${n}`,
    is_root: false,
    span_attributes: { type: "score", name: "exact" },
    metrics: { tokens: 1000 },
    scores: { exact: score },
  },
];

export const langfuseItem = (id: string, of: typeof PARIS, exact: boolean, level = "DEFAULT") => ({
  id: `o-${id}`,
  traceId: `t-${id}`,
  startTime: "2026-11-22T10:00:00.000Z",
  endTime: "2026-11-22T10:00:00.500Z",
  level,
  experimentId: "x1",
  experimentName: "small",
  experimentItemId: id,
  input: { question: of.question },
  output: of.answer,
  expectedOutput: of.answer,
  metadata: { model: "small" },
  scores: [
    { name: "exact", dataType: "BOOLEAN", value: !exact, timestamp: "2026-11-22T10:00:00.000Z" },
    { name: "exact", dataType: "BOOLEAN", value: exact, timestamp: "2026-11-22T10:01:00.000Z" },
  ],
});

export const deepevalCase = (n: number, of: typeof PARIS, score: number, error?: string) => ({
  name: `test_case_${n}`,
  input: of.question,
  actualOutput: of.answer,
  expectedOutput: of.answer,
  success: score > 0.5,
  completionTime: 0.5,
  metricsData: [
    error === undefined
      ? { name: "Exact [custom]", score, success: score > 0.5, threshold: 0.5 }
      : { name: "Exact [custom]", success: false, threshold: 0.5, error },
  ],
});

/** A lighteval detail record of one answer. */
export const lightevalDetail = (of: typeof PARIS, em: number) => ({
  doc: { query: `Q: ${of.question}`, choices: [of.answer], gold_index: 0, id: "0", task_name: "caps|0" },
  metric: { em },
  model_response: { text: [of.answer], logprobs: [], input_tokens: [1, 2], output_tokens: [[3]] },
});

/** A case in a Pydantic Evals report. */
export const pydanticCase = (of: typeof PARIS, isEqual: boolean) => {
  const result = (name: string, value: unknown) => ({
    [name]: { name, value, reason: null, source: { name: "Rule", arguments: null }, evaluator_version: null },
  });
  return {
    name: of.question,
    inputs: { question: of.question },
    metadata: { region: 1 },
    expected_output: of.answer,
    output: of.answer,
    metrics: { requests: 2, input_tokens: 10, output_tokens: 2 },
    attributes: {},
    scores: result("length", 0.5),
    labels: result("kind", "short"),
    assertions: result("EqualsExpected", isEqual),
    task_duration: 0.25,
    total_duration: 0.5,
    evaluator_failures: [{ name: "Judge", error_message: "RuntimeError: no judge", error_stacktrace: "…" }],
  };
};

export const mlflowTrace = (n: number, of: typeof PARIS, exact: boolean, state = "OK") => ({
  info: {
    trace_id: `tr-${n}`,
    request_time: "2026-11-22T10:45:37.861Z",
    state,
    trace_metadata: {
      "mlflow.sourceRun": "run1",
      "mlflow.traceInputs": JSON.stringify({ question: of.question }),
      "mlflow.traceOutputs": JSON.stringify(of.answer),
    },
    assessments: [
      {
        assessment_name: "exact",
        feedback: { value: exact },
        metadata: { "mlflow.assessment.sourceRunId": "run1" },
        valid: true,
      },
      {
        assessment_name: "exact",
        feedback: { value: !exact },
        metadata: { "mlflow.assessment.sourceRunId": "another" },
        valid: true,
      },
      { assessment_name: "expected_response", expectation: { value: of.answer }, valid: true },
    ],
    execution_duration_ms: 5,
  },
  data: {
    spans: [{ span_id: "1", parent_span_id: null, status: {} }],
  },
});

export const helmRequest = (id: string, of: typeof PARIS) => ({
  instance: {
    id,
    input: { text: of.question },
    references: [{ output: { text: of.answer }, tags: ["correct"] }],
    split: "test",
  },
  train_trial_index: 0,
  result: { success: true, completions: [{ text: of.answer }], request_time: 0.5 },
});

export const evaliteResult = (of: typeof PARIS, score: number, status = "success") => ({
  duration: 100,
  input: of.question,
  expected: of.answer,
  output: status === "fail" ? { name: "Error", message: "no answer", stack: "…" } : of.answer,
  status,
  scores: status === "fail" ? [] : [{ name: "exact", score }],
  traces: [{ totalTokens: 7 }],
});

export const vitestTest = (country: string, status: string, meta: object, failure = "Error: no") => ({
  fullName: `caps ${country}`,
  ancestorTitles: ["caps"],
  title: country,
  status,
  failureMessages: status === "passed" ? [] : [`${failure}\n    at test.ts:1`],
  meta,
});

export const alpacaPair = (of: typeof PARIS, preference: number | null) => ({
  instruction: of.question,
  output_1: "I do not know",
  generator_1: "reference",
  dataset: "helpful",
  output_2: of.answer,
  generator_2: "small",
  annotator: "judge",
  preference,
});

const alpacaAnswer = ({ question, answer }: typeof PARIS) => ({
  ...{ instruction: question, output: answer, generator: "small", dataset: "helpful" },
});

const LONG_CSV = `question_id,question,expected,model,answer,correct,brevity,latency_ms,error
007,"Capital of France, please?",Paris,small,Paris,True,1.0,150,
008,Capital of Peru?,Lima,small,"Lima
or so",False,,250,
007,"Capital of France, please?",Paris,large,,,,,timed out
008,Capital of Peru?,Lima,large,None,TRUE,0.5,350,
`;

const WIDE_CSV = `id;question;expected;small_answer;small_correct;large_answer;large_correct
1;Capital of France?;Paris;Paris;1,0;Paris;1
2;Capital of Peru?;Lima;Quito;0,5;Lima;1
`;

const LONG_TABLE = [
  ["question", "expected", "answer", "correct"],
  [PARIS.question, "Paris", "Paris", "yes"],
  [LIMA.question, "Lima", "Quito", "no"],
];

const PROMPTFOO_CSV = `question,[small] terse,Status,Score,Named Scores,[large] terse,Status,Score,Named Scores
Capital of France?,Paris,PASS,1.00,"{""exact"":1}",Paris,PASS,1.00,"{""exact"":1}"
Capital of Peru?,Quito,FAIL,0.00,"{""exact"":0}",timeout,ERROR,0.00,{}
Capital of Oz?,,,,,Oz,PASS,1.00,"{""exact"":1}"
`;

const PROMPTFOO_YAML = `evalId: eval-1
results:
  version: 3
  timestamp: "2026-11-22T10:34:43.314Z"
  results:
    - promptIdx: 0
      vars: {question: Capital of France?}
      provider: {id: a, label: small}
      response: {output: Paris}
      success: true
      score: 1
      namedScores: &right {exact: 1}
      gradingResult: {namedScores: *right}
      failureReason: 0
    - promptIdx: 0
      vars: {question: Capital of Peru?}
      provider: {id: a, label: small}
      response:
        output: |
          Quito,
          I think
      success: false
      score: 0
      namedScores: {exact: 0}
      failureReason: 1
config:
  env: {OPENAI_API_KEY: secret}
`;

const langfuseTrace = (n: number, of: typeof PARIS) => ({
  ...{ id: `t${n}`, timestamp: "2026-11-22 10:00:00.000000", name: "caps", project_id: "p1", user_id: null },
  ...{ input: JSON.stringify({ question: of.question }), output: JSON.stringify(of.answer) },
});

const langfuseScore = (n: number, text: string, timestamp: string) => ({
  ...{ id: `s${n}`, timestamp, trace_id: `t${n}`, observation_id: null as string | null, name: "exact" },
  ...{ value: Number(text === "True"), data_type: "BOOLEAN", string_value: text },
});

const mastraItem = (of: typeof PARIS, scorerResults: object) => ({
  item: { input: of.question, groundTruth: of.answer },
  targetResult: {
    text: of.answer,
    usage: { totalTokens: 9 },
    response: { modelId: "small", headers: { authorization: "secret" } },
  },
  scorerResults,
});

/** A result of an old version, without prompt indexes and without reasons for failures. */
const oldPromptfooResult = (of: typeof PARIS, pass: boolean, graded: boolean) => ({
  provider: { id: "small" },
  prompt: { raw: of.question, display: "[small] {{question}}" },
  vars: { question: of.question },
  response: { output: graded ? of.answer : undefined, tokenUsage: { total: 12 } },
  success: pass,
  score: pass ? 1 : 0,
  namedScores: graded ? { exact: pass ? 1 : 0 } : {},
  error: pass ? undefined : "expected something else",
  ...(graded ? { gradingResult: { pass, reason: "compared" } } : {}),
});
const oldPromptfooSummary = {
  version: 2,
  results: [
    oldPromptfooResult(PARIS, true, true),
    oldPromptfooResult(LIMA, false, true),
    oldPromptfooResult(LIMA, false, false),
  ],
};

const braintrustRecord = (n: number, of: typeof PARIS, exact: number) => ({
  ...{ id: `r${n}`, is_root: true, input: of.question, output: of.answer, expected: of.answer, error: null },
  ...{ scores: { exact }, metrics: { duration: 0.5, total_tokens: 5 }, comparison_key: of.question },
});

// Written by DuckDB, compressed with Snappy: question, answer and correct of two rows.
const PARQUET =
  "UEFSMRUAFSAVJCwVBBUAFQYVBgAAEDwCAAAABAEBAAAAYQEAAABiFQAVIBUkLBUEFQAVBhUGAAAQPAIAAAAEAQEAAAB4AQAAAHkVABUOFRIsFQQVABUGFQYAAAcYAgAAAAQBARUCGUw1ABgNZHVja2RiX3NjaGVtYRUGABUMJQIYCHF1ZXN0aW9uJQAAFQwlAhgGYW5zd2VyJQAAFQAlAhgHY29ycmVjdAAWBBkcGTwmABwVDBkVABkYCHF1ZXN0aW9uFQIWBBZCFkYmCDwYAWIYAWEWACgBYhgBYRERAAAAJgAcFQwZFQAZGAZhbnN3ZXIVAhYEFkIWRiZOPBgBeRgBeBYAKAF5GAF4EREAAAAmABwVABkVABkYB2NvcnJlY3QVAhYEFjAWNCaUATwYAQEYAQAWACgBARgBABERAAAAFrQBFgQmCBbAAQAoKER1Y2tEQiB2ZXJzaW9uIHYxLjUuNiAoYnVpbGQgMDY5Y2M5ZjliNSkZPBwAABwAABwAAAAeAQAAUEFSMQ==";

/** Decodes base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
}

/** Two rows in pages compressed with Zstandard, as DuckDB writes them. */
export const ZSTD_PARQUET: string =
  "UEFSMRUAFdQCFa4BLBUEFQAVBhUGAAAotS/9IKp1AgDkAwIAAAAEAU4AAABhLCBhbmQgc29tZSBtb3JlIHdvcmRzIGZvciBpdCB0byBidGggY29tcHJlc3NpbmcsZHNiBQAKKFVYQYpjwCqtnXoVABUgFTIsFQQVABUGFQYAACi1L/0gEIEAAAIAAAAEAQEAAAB4AQAAAHkVABUOFSAsFQQVABUGFQYAACi1L/0gBzkAAAIAAAAEAQEVAhlMNQAYDWR1Y2tkYl9zY2hlbWEVBgAVDCUCGAhxdWVzdGlvbiUAABUMJQIYBmFuc3dlciUAABUAJQIYB2NvcnJlY3QAFgQZHBk8JgAcFQwZFQAZGAhxdWVzdGlvbhUMFgQW+gIW1AEmCDwYTmIsIGFuZCBzb21lIG1vcmUgd29yZHMgZm9yIGl0IHRvIGJlIHdvcnRoIGNvbXByZXNzaW5nLCB3b3JkcyB3b3JkcyB3b3JkcyB3b3JkcxhOYSwgYW5kIHNvbWUgbW9yZSB3b3JkcyBmb3IgaXQgdG8gYmUgd29ydGggY29tcHJlc3NpbmcsIHdvcmRzIHdvcmRzIHdvcmRzIHdvcmRzFgAoTmIsIGFuZCBzb21lIG1vcmUgd29yZHMgZm9yIGl0IHRvIGJlIHdvcnRoIGNvbXByZXNzaW5nLCB3b3JkcyB3b3JkcyB3b3JkcyB3b3JkcxhOYSwgYW5kIHNvbWUgbW9yZSB3b3JkcyBmb3IgaXQgdG8gYmUgd29ydGggY29tcHJlc3NpbmcsIHdvcmRzIHdvcmRzIHdvcmRzIHdvcmRzEREAAAAmABwVDBkVABkYBmFuc3dlchUMFgQWQhZUJtwBPBgBeRgBeBYAKAF5GAF4EREAAAAmABwVABkVABkYB2NvcnJlY3QVDBYEFjAWQiawAjwYAQEYAQAWACgBARgBABERAAAAFuwDFgQmCBbqAgAoKER1Y2tEQiB2ZXJzaW9uIHYxLjUuNiAoYnVpbGQgMDY5Y2M5ZjliNSkZPBwAABwAABwAAABVAgAAUEFSMQ==";

// 60 rows with lists and maps, as DuckDB writes them, compressed with Zstandard: three models with 20 answers each.
const NESTED_PARQUET =
  "UEFSMRUAFZgGFbABLBV4FQAVBhUGAAAotS/9YIwAdQIAJAICAAAAeAECAAAAcTAxMjM0NTY3ODkDMTAxMjM0NTY3ODkCFQD8giEALILBwBAwDgwGhoBxYDAwhMpgEAiOgSZADhwDTYAcOAaaiFCSFQQVJBU2TBUGFQAAACi1L/0gEpEAAAIAAABtMAIAAABtMQIAAABtMhUAFRoVLCwVeBUEFQYVBgAAKLUv/SANaQAAAgAAAHgBAigAKAEoAhUAFZAMFb4CLBV4FQAVBhUGAAAotS/9YAgCrQQAMoUPErAZGzzcUhjFsru7d0rtICCzO6uJZ3XTrSae1U22mnhWN9Vq4lnd9NXEs7rJw2riWd1EIIaSHMXMCMAyM0E7IPCVA5xwxzFOuOMYJ9zlaLCccMcxTrjjGCfc5WgwTnLHMU644xgn3OVoME64yzFOuOMYJ9zlaDBOuONYTrjjGCeGu8DxRsOMmDOsEXOGFSPckGEVABUcFS4sFXgVABUGFQYAACi1L/0gDnEAAAIAAAB4AVVVVVVVVVUFFQQVChUcTBUCFQAAACi1L/0gBSkAAAEAAABrFQAVHhUwLBV4FQQVBhUGAAAotS/9IA95AAACAAAAeAACAAAAeAIBeAAVABXYBxX0AiwVeBUAFQYVBgAAKLUv/WDsAIUFAAKIFRgQn80AAAAAAAAA8CussMIKK6yweimlTAF/21raWdlY2FfXVtZV1VTUU9NS0lHRUNBPz07OTc1MzEvLSspJyUjIR8dGxkXFRMRDw0LCQcFAwC/Xe3sXPSDghQ4DDzzwwAMPPLCBBx544IEHHtjAAw888MADDzywgQceeOCBBx7YwAMPPPDAAw88sIEHHnjggQce2MADDzzwwAMPPLCBBy4DmaIFZABtYHbitLIIFQAV5AsV1gIsFfABFQAVBhUGAAAotS/9YPIBDQUA8oUSGcAljQH//6b/f+P4jaZIKaWUUrLyB2O3nQLDL1YTz4pGbjXxrGjEVhPPikZqNfGsaIRWE8+KZsxYTTwrmuEXMvgBQxT+MUHwBwI/IPCVNUbMGWbEnGFGzDW4WSPmDDNizjAj5hrczEhzhhkxZ5gRcw1uZsRcw4yYM8yIuQY3M2LOsEbMGUaM3M5eJo/EXbZl32a37Ntsy9nLbUCErIsVQBwcAAAcHAAAHBwAAAAAFAgAEAACCKAAAgAAAAIkAAQIAQEAAQgAIFAAAmAAABVAHBwAABwcAAAcHAAAAAAgAAAAEAAAAAAAgAAAAAIAAAAgAAAAAQAAABAAABAAFQIZzDUAGA1kdWNrZGJfc2NoZW1hFQwAFQwlAhgCaWQlAAAVDCUCGAVtb2RlbCUAABUMJQIYBmFuc3dlciUAABUAJQIYB2NvcnJlY3QANQIYAW0VAhUCADUEGAlrZXlfdmFsdWUVBAAVDCUAGANrZXklAAAVBCUCGAV2YWx1ZSUkADUCGAR0YWdzFQIVBgA1BBgEbGlzdBUCABUMJQIYB2VsZW1lbnQlAAAWeBkcGXwmABwVDBkVABkYAmlkFQwWeBa+BhbWASYIPBgCcTkYAnEwFgAoAnE5GAJxMBERAAAAJgAcFQwZFQQZGAVtb2RlbBUMFngWehaeASauAibeARwYAm0yGAJtMBYAFgYYAm0yGAJtMBERACbQDRVeAAAmABwVDBkVABkYBmFuc3dlchUMFngWtgwW5AIm/AI8GAhhbnN3ZXIgORgIYW5zd2VyIDAWACgIYW5zd2VyIDkYCGFuc3dlciAwEREAAAAmABwVABkVABkYB2NvcnJlY3QVDBZ4Fj4WUCbgBTwYAQEYAQAWACgBARgBABERAAAAJgAcFQwZFQQZOAFtCWtleV92YWx1ZQNrZXkVDBZ4FmQWiAEm5gYmsAYcGAFrGAFrFgAWAhgBaxgBaxERACauDhVeAAAmABwVBBkVABk4AW0Ja2V5X3ZhbHVlBXZhbHVlFQwWeBb+BxaaAya4BzwYCDsAAAAAAAAAGAgAAAAAAAAAABYAKAg7AAAAAAAAABgIAAAAAAAAAAAREQAAACYAHBUMGRUAGTgEdGFncwRsaXN0B2VsZW1lbnQVDBbwARaMDBb+AibSCjwYAWIYAmEwFgAoAWIYAmEwEREAAAAWmikWeCYIFsgNACgoRHVja0RCIHZlcnNpb24gdjEuNS42IChidWlsZCAwNjljYzlmOWI1KRl8HAAAHAAAHAAAHAAAHAAAHAAAHAAAAMgCAABQQVIx";

/** The fixtures of all formats. */
export const FIXTURES: readonly Fixture[] = [
  {
    format: "inspect",
    files: [bytesFile("a.eval", deflateZip(inspectEntries))],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: inspectScores,
  },
  {
    format: "inspect",
    files: [bytesFile("zstd.eval", zstandardZip(inspectEntries))],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: inspectScores,
  },
  {
    format: "inspect",
    files: [
      textFile(
        "a.json",
        withNaN(json({ version: 2, status: "success", ...inspectEval, samples: inspectSamples })),
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: inspectScores,
  },
  {
    format: "lm-eval",
    files: [
      textFile(
        "m/samples_caps_2026-11-22T10-38-38.75.jsonl",
        lines([
          lmEvalLine(0, PARIS, "strict-match", 1),
          lmEvalLine(1, LIMA, "strict-match", 0),
          lmEvalLine(0, PARIS, "none", 1),
          lmEvalLine(1, LIMA, "none", 1),
        ]),
      ),
      textFile(
        "m/results_2026-11-22T10-38-38.75.json",
        json({
          results: { caps: { "exact_match,none": 1 } },
          configs: {},
          versions: { caps: 1 },
          "n-shot": { caps: 0 },
          config: { model_args: "name=small,token=secret" },
          date: 1790000000.5,
          model_name: "6v8uqx97",
        }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { "exact_match,strict-match": 0.5, exact_match: 1 },
  },
  {
    format: "lighteval",
    files: [
      textFile(
        "details/lab/small/2026-11-27T20-02-33.560751/details_caps|0_2026-11-27T20-02-33.560751.jsonl",
        lines([lightevalDetail(PARIS, 1), lightevalDetail(LIMA, 0)]),
      ),
      textFile(
        "results/lab/small/results_2026-11-27T20-02-33.560751.json",
        json({
          config_general: { model_name: "lab/small", model_config: { api_key: "secret" } },
          results: { "caps|0": { em: 0.5 } },
          config_tasks: {},
        }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { em: 0.5 },
  },
  {
    format: "promptfoo",
    files: [
      textFile(
        "out.json",
        json({
          evalId: "eval-1",
          results: {
            version: 3,
            timestamp: "2026-11-22T10:34:43.314Z",
            prompts: [{ label: "terse", provider: "small" }],
            results: [
              promptfooResult(0, PARIS, true, 0),
              promptfooResult(0, LIMA, false, 1),
              promptfooResult(0, LIMA, false, 2),
            ],
          },
          config: { env: { OPENAI_API_KEY: "secret" } },
        }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { pass: 0.5, score: 0.5, exact: 0.5 },
  },
  {
    format: "openai-evals",
    files: [
      textFile(
        "items.jsonl",
        lines([
          openaiItem(0, PARIS, true),
          openaiItem(1, LIMA, false),
          openaiItem(1, LIMA, false, "refused"),
        ]),
      ),
      textFile(
        "run.json",
        json({
          object: "eval.run",
          id: "evalrun_1",
          eval_id: "eval_1",
          name: "night run",
          data_source: {},
          result_counts: { total: 3 },
        }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { "exact.passed": 0.5, "exact.score": 0.5 },
  },
  {
    format: "openai-evals",
    files: [
      textFile(
        "list.json",
        json({ object: "list", data: [openaiItem(0, PARIS, true), openaiItem(1, LIMA, false)] }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { "exact.passed": 0.5, "exact.score": 0.5 },
  },
  {
    format: "oaieval",
    files: [
      textFile(
        "log.jsonl",
        lines([
          {
            spec: {
              completion_fns: ["small"],
              eval_name: "caps.dev",
              run_id: "run1",
              created_at: "2026-11-22 10:48:39.19",
            },
          },
          { final_report: { accuracy: 0.5 }, run_id: "run1" },
          oaievalEvent("c.0", "sampling", {
            prompt: PARIS.question,
            sampled: ["Paris"],
            usage: { total_tokens: 9 },
          }),
          oaievalEvent("c.1", "sampling", {
            prompt: LIMA.question,
            sampled: ["Quito"],
            usage: { total_tokens: 9 },
          }),
          oaievalEvent("c.1", "match", { correct: false, expected: "Lima", sampled: "Quito" }),
          oaievalEvent("c.0", "match", { correct: true, expected: "Paris", sampled: "Paris" }),
          oaievalEvent("c.2", "sampling", { prompt: "Capital of Oz?", sampled: ["?"] }),
        ]),
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: { match: 0.5 },
  },
  {
    format: "langsmith",
    files: [
      textFile(
        "e.jsonl",
        lines([
          langsmithLine("e1", PARIS, true),
          langsmithLine("e2", LIMA, false),
          langsmithLine("e2", LIMA, false, "timeout"),
        ]),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { exact: 1 / 3, tone: undefined },
  },
  {
    format: "langsmith",
    files: [
      textFile(
        "e.csv",
        "inputs.question,outputs.answer,error,reference.answer,feedback.exact,execution_time,example_id,id\nCapital of France?,Paris,,Paris,True,0.5,e1,r1\nCapital of Peru?,Quito,,Lima,False,0.5,e2,r2\n",
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { exact: 0.5 },
  },
  {
    format: "braintrust",
    files: [
      textFile(
        "s.jsonl",
        lines(
          [
            ...braintrustSpans(1, PARIS, 1),
            ...braintrustSpans(2, LIMA, null),
            ...braintrustSpans(3, LIMA, 0, "Traceback (most recent call last):\n  File\nValueError: no"),
          ].reverse(),
        ),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { exact: 0.5 },
  },
  {
    format: "braintrust",
    files: [
      textFile(
        "fetched.json",
        json({ events: [...braintrustSpans(1, PARIS, 1), ...braintrustSpans(2, LIMA, 0)], cursor: null }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { exact: 0.5 },
  },
  {
    format: "langfuse",
    files: [
      textFile(
        "i.json",
        json({
          data: [
            langfuseItem("i1", PARIS, true),
            langfuseItem("i2", LIMA, false),
            langfuseItem("i2", LIMA, false, "ERROR"),
          ],
          meta: {},
        }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { exact: 1 / 3 },
  },
  {
    format: "deepeval",
    files: [
      textFile(
        "test_run.json",
        json({
          testCases: [
            deepevalCase(0, PARIS, 1),
            deepevalCase(1, LIMA, 0),
            deepevalCase(2, LIMA, 0, "judge failed"),
          ],
          conversationalTestCases: [],
          metricsScores: [],
          identifier: "run small",
          hyperparameters: { model: "small" },
        }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 0,
    scores: { success: 0.5, "Exact [custom].score": 0.5, "Exact [custom].success": 0.5 },
  },
  {
    format: "mlflow",
    files: [
      textFile(
        "t.jsonl",
        lines([
          mlflowTrace(1, PARIS, true),
          mlflowTrace(2, LIMA, false),
          mlflowTrace(3, LIMA, false, "ERROR"),
        ]),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { exact: 1 / 3 },
  },
  {
    format: "helm",
    files: [
      textFile(
        "run/scenario_state.json",
        json({
          adapter_spec: { model: "small" },
          request_states: [helmRequest("id0", PARIS), helmRequest("id1", LIMA)],
        }),
      ),
      textFile(
        "run/per_instance_stats.json",
        json([
          { instance_id: "id0", train_trial_index: 0, stats: [{ name: { name: "exact_match" }, mean: 1 }] },
          { instance_id: "id1", train_trial_index: 0, stats: [{ name: { name: "exact_match" }, mean: 0 }] },
        ]),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { exact_match: 0.5 },
  },
  {
    format: "evalite",
    files: [
      textFile(
        "r.json",
        json({
          run: { id: 1, runType: "full" },
          evals: [
            {
              name: "caps [small]",
              variantName: "small",
              variantGroup: "caps",
              createdAt: "2026-11-22 10:40:21",
              results: [evaliteResult(PARIS, 1), evaliteResult(LIMA, 0), evaliteResult(LIMA, 0, "fail")],
            },
          ],
        }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { exact: 0.5 },
  },
  {
    format: "evalite",
    files: [
      textFile(
        "suites.json",
        json({
          run: { id: 1, runType: "full" },
          suites: [
            {
              name: "caps",
              createdAt: "2026-11-22T10:40:21.000Z",
              evals: [evaliteResult(PARIS, 1), evaliteResult(LIMA, 0), evaliteResult(LIMA, 0, "fail")],
            },
          ],
        }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { exact: 0.5 },
  },
  {
    format: "evalite",
    files: [
      textFile(
        "data/eval-caps.json",
        json({
          history: [{ score: 0.5, date: "2026-11-22 10:40:21" }],
          evaluation: {
            run_id: 2,
            name: "caps",
            variant_name: "small",
            created_at: "2026-11-22 10:40:21",
            results: [evaliteResult(PARIS, 1), evaliteResult(LIMA, 0), evaliteResult(LIMA, 0, "fail")],
          },
          prevEvaluation: null,
        }),
      ),
      textFile(
        "data/result-caps-0.json",
        json({ result: evaliteResult(PARIS, 1), evaluation: { run_id: 2, name: "caps" } }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { exact: 0.5 },
  },
  {
    format: "alpaca-eval",
    files: [
      textFile(
        "annotations.json",
        json([alpacaPair(PARIS, 2), alpacaPair(LIMA, 0), alpacaPair({ question: "?", answer: "" }, null)]),
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 0,
    scores: { win: 0.75 },
  },
  {
    format: "alpaca-eval",
    files: [
      textFile("small/judge/annotations.json", json([alpacaPair(PARIS, 2), alpacaPair(LIMA, 1)])),
      textFile("small/model_outputs.json", json([alpacaAnswer(PARIS), alpacaAnswer(LIMA)])),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { win: 0.5 },
  },
  {
    format: "alpaca-eval",
    files: [textFile("model_outputs.json", json([alpacaAnswer(PARIS), alpacaAnswer(LIMA)]))],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: {},
  },
  {
    format: "mastra",
    files: [
      textFile(
        "flat.jsonl",
        lines([
          mastraItem(PARIS, { exact: { score: 1, reason: "same" } }),
          mastraItem(LIMA, { exact: { score: 0, reason: "differs" } }),
        ]),
      ),
      textFile(
        "nested.json",
        json([
          mastraItem(PARIS, { agent: { exact: { score: 1 } } }),
          mastraItem(LIMA, { agent: { exact: { notScorable: true } } }),
        ]),
      ),
    ],
    rows: 2,
    trials: 4,
    errors: 0,
    scores: { exact: 0.5 },
  },
  {
    format: "pydantic-evals",
    files: [
      textFile(
        "report.json",
        json({
          name: "small",
          cases: [pydanticCase(PARIS, true), pydanticCase(LIMA, false)],
          failures: [
            {
              name: "Case 3",
              inputs: { question: LIMA.question },
              expected_output: LIMA.answer,
              error_message: "ValueError: down",
              error_stacktrace: "Traceback",
            },
          ],
          dataset_name: "caps",
        }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { length: 0.5, kind: undefined, EqualsExpected: 0.5 },
  },
  {
    format: "ragas",
    files: [
      textFile(
        "small.csv",
        `user_input,retrieved_contexts,response,reference,faithfulness\nCapital of France?,"['a', 'b']",Paris,Paris,1.0\nCapital of Peru?,"['c']",None,Lima,NaN\n`,
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { faithfulness: 1 },
  },
  {
    format: "trulens",
    files: [
      textFile(
        "records.csv",
        [
          "app_name,app_version,record_id,input,output,record_json,ts,latency,total_tokens,length,length_calls,length direction",
          "caps,small,r1,Capital of France?,Paris,{},2026-11-27 19:52:54.864973,0.5,7,0.5,[],True",
          "caps,small,r2,Capital of Peru?,Lima,{},2026-11-27 19:52:55.864973,0.5,7,,[],True",
          "caps,large,r3,Capital of France?,Paris,{},2026-11-27 19:53:54.864973,0.5,7,0.25,[],True",
        ].join("\n"),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 0,
    scores: { length: 0.5 },
  },
  {
    format: "evalscope",
    files: [
      textFile(
        "run/reviews/small/caps_test.jsonl",
        lines([evalscopeReview(0, PARIS, 1), evalscopeReview(1, LIMA, 0)]),
      ),
      textFile(
        "run/predictions/small/caps_test.jsonl",
        lines([
          {
            index: 1,
            model: "lab/small",
            model_output: { choices: [{}], usage: { total_tokens: 9 }, time: 0.5, error: "cut off" },
            messages: [],
          },
        ]),
      ),
      textFile(
        "run/reports/small/caps.json",
        json({
          dataset_name: "caps",
          model_name: "small",
          metrics: [{ name: "acc", categories: [] }],
          execution_summary: { requested: 3, errored: 1 },
        }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 1,
    scores: { acc: 0.5 },
  },
  {
    format: "verifiers",
    files: [
      textFile(
        "caps/1/results.jsonl",
        lines([
          verifiersRollout(0, PARIS, 1),
          verifiersRollout(1, LIMA, 0),
          verifiersRollout(1, LIMA, 0, { completion: [], error: { error: "ModelError" } }),
        ]),
      ),
      textFile(
        "caps/1/metadata.json",
        json({ env_id: "caps", model: "lab/small", rollouts_per_example: 2, avg_reward: 0.25 }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { reward: 1 / 6, exact: 1 / 3 },
  },
  {
    format: "verifiers",
    files: [
      textFile(
        "caps--lab--small/traces.jsonl",
        lines([verifiersEpisode(0, PARIS, 1), verifiersEpisode(1, LIMA, 0), verifiersEpisode(1, LIMA, null)]),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { exact: 0.5, brief: 1, length: 5, reward: 0.5 },
  },
  {
    format: "garak",
    files: [
      textFile(
        "lab.report.jsonl",
        lines([
          {
            entry_type: "start_run setup",
            "plugins.target_type": "test",
            "plugins.target_name": "lab/small",
            "run.eval_threshold": 0.5,
          },
          { entry_type: "init", garak_version: "1.0", start_time: "2026-01-02T03:04:05", run: "r1" },
          garakAttempt(1, PARIS.question, [0, 1]),
          garakAttempt(2, PARIS.question, [0, 1]),
          garakAttempt(2, LIMA.question, [1, null]),
          { entry_type: "eval", probe: "lab.Ask", detector: "lab.Match", passed: 1, fails: 2, nones: 1 },
        ]),
      ),
    ],
    rows: 2,
    trials: 4,
    errors: 0,
    scores: { "lab\\.Match": 2 / 3 },
  },
  {
    format: "bfcl",
    files: [
      textFile(
        "result/lab-small/BFCL_v4_simple_result.json",
        lines([
          { id: "s_0", result: "[f(x=1)]", input_token_count: 4, output_token_count: 3, latency: 0.5 },
          { id: "s_1", result: "[f()]", input_token_count: 4, output_token_count: 3, latency: 0.5 },
          { id: "s_2", result: "Error during inference: down", traceback: "…" },
        ]),
      ),
      textFile(
        "score/lab-small/BFCL_v4_simple_score.json",
        lines([
          { accuracy: 1 / 3, correct_count: 1, total_count: 3 },
          { id: "s_1", model_name: "lab-small", valid: false, error: ["missing x"], error_type: "missing" },
          { id: "s_2", model_name: "lab-small", valid: false, error: ["down"], error_type: "inference" },
        ]),
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: { correct: 1 / 3 },
  },
  {
    format: "harbor",
    files: [
      harborTrial("a", 1),
      harborTrial("b", 0.5),
      harborTrial("c", null),
      textFile("job/result.json", json({ id: "j", n_total_trials: 3, stats: { n_trials: 3 } })),
    ],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: { reward: 0.75 },
  },
  {
    format: "harbor",
    files: [
      textFile(
        "run/results.json",
        json({
          ...{ id: "r", accuracy: 1 / 3, n_resolved: 1, resolved_ids: ["a"] },
          results: [terminalTrial("a", true), terminalTrial("a", false), terminalTrial("b", null)],
        }),
      ),
      textFile("run/a/a.1/results.json", json(terminalTrial("a", true))),
      textFile(
        "run/run_metadata.json",
        json({ ...{ agent_name: "agent", model_name: "lab/small" }, n_concurrent_trials: 4, n_attempts: 2 }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { is_resolved: 0.5 },
  },
  {
    format: "llm-comparator",
    files: [
      textFile(
        "pairs.json",
        json({
          metadata: { custom_fields_schema: [] },
          models: [{ name: "small" }, { name: "large" }],
          examples: [PARIS, LIMA].map((of, i) => ({
            ...{ input_text: of.question, tags: [], output_text_a: of.answer, output_text_b: "?" },
            ...{ score: i === 0 ? 1.5 : -0.25, individual_rater_scores: [], rationale_list: [] },
            custom_fields: {},
          })),
          rationale_clusters: [],
        }),
      ),
    ],
    rows: 2,
    trials: 4,
    errors: 0,
    scores: { win: 0.75, score: 0.625 },
  },
  {
    format: "pairwise",
    files: [
      textFile(
        "judge_pair.jsonl",
        lines(
          [PARIS, LIMA].map((of, i) => ({
            ...{ question_id: i + 1, model_1: "small", model_2: "large", turn: 1, g1_user_prompt: of.answer },
            ...{ g1_winner: "model_1", g2_winner: i === 0 ? "model_1" : "model_2", judge: ["j", "pair-v2"] },
          })),
        ),
      ),
    ],
    rows: 2,
    trials: 4,
    errors: 0,
    scores: { win: 0.75 },
  },
  {
    format: "swe-bench",
    files: [
      textFile(
        "lab__small.run1.json",
        json({
          resolved_ids: ["a-1"],
          unresolved_ids: ["a-2"],
          error_ids: ["a-3"],
          submitted_ids: ["a-1", "a-2", "a-3"],
        }),
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: { resolved: 1 / 3 },
  },
  {
    format: "evalplus",
    files: [
      textFile(
        "small_eval_results.json",
        json({
          date: "2026-11-22",
          eval: {
            "HumanEval/0": [{ solution: "def f(): pass", base_status: "pass", plus_status: "fail" }],
            "HumanEval/1": [{ solution: "def g(): pass", base_status: "fail", plus_status: "pass" }],
          },
        }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { base: 0.5, plus: 0 },
  },
  {
    format: "evalplus",
    files: [
      textFile(
        "small--bigcodebench_eval_results.json",
        json({
          date: "2026-01-02 03:04",
          eval: Object.fromEntries(
            ["pass", "fail", "timeout"].map((status, i) => [
              `BigCodeBench/${i}`,
              [{ task_id: `BigCodeBench/${i}`, solution: "x", status, details: {} }],
            ]),
          ),
        }),
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 0,
    scores: { pass: 1 / 3 },
  },
  {
    format: "aider",
    files: [
      aiderResult("bowling", [true]),
      aiderResult("forth", [false, true]),
      aiderResult("zipper", [false, false]),
      aiderExercise("yacht", { exception: "no such model" }),
    ],
    rows: 4,
    trials: 4,
    errors: 1,
    scores: { pass_1: 1 / 3, pass_2: 2 / 3 },
  },
  {
    format: "tau2",
    files: [
      textFile(
        "small.json",
        json({
          timestamp: "2026-01-02T03:04:05",
          info: { agent_info: { llm: "lab/small" }, environment_info: { domain_name: "shop" } },
          tasks: [{ id: "0", user_scenario: { instructions: "Return it." } }, { id: "1" }],
          simulations: [
            ...[0, 1].map((trial) => ({
              ...{ id: `s${trial}`, task_id: "0", trial, duration: 2.5, termination_reason: "user_stop" },
              ...{ messages: [{ role: "assistant", content: "Done." }], agent_cost: 0.5 },
              reward_info: { reward: trial, reward_breakdown: { DB: trial } },
            })),
            { id: "s2", task_id: "1", trial: 0, termination_reason: "max_steps", reward_info: null },
          ],
        }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { reward: 0.5, "reward_breakdown.DB": 0.5 },
  },
  {
    format: "lm-eval",
    files: [
      textFile(
        "small/20260102_030405_samples_caps.jsonl",
        lines(
          [PARIS, LIMA].map((of, i) => ({
            ...{
              doc_id: i,
              target: of.answer,
              filtered_resps: "Paris",
              doc_hash: "same",
              input: of.question,
            },
            ...{ has: 1 - i, detail: { id: i, score: 1 - i, pred: "Paris" } },
            token_counts: [{ input_tokens: 4, output_tokens: 3 }],
          })),
        ),
      ),
      textFile(
        "small/20260102_030405_results.json",
        json({
          ...{ results: { caps: {} }, configs: { caps: {} }, versions: {} },
          config: { model_args: "model_version=lab/small" },
        }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { has: 0.5, detail: 0.5 },
  },
  {
    format: "mteb",
    files: [
      textFile(
        "lab__small/1/STS.json",
        json({
          ...{ task_name: "STS", mteb_version: "2.0", evaluation_time: 1 },
          scores: {
            dev: [{ hf_subset: "en", main_score: 0.5, accuracy: 0.25 }],
            test: [{ hf_subset: "en", main_score: 1, accuracy: 0.75 }],
          },
        }),
      ),
      textFile(
        "lab__small/1/model_meta.json",
        json({ name: "lab/small", revision: "1", n_parameters: 10, embed_dim: 4 }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { main_score: 0.75 },
  },
  {
    format: "opencompass",
    files: [
      textFile(
        "results/small/caps.json",
        json({
          accuracy: 50,
          details: {
            type: "GEN",
            "0": { prompt: PARIS.question, origin_prediction: "Paris", references: "Paris", correct: true },
            "1": { prompt: LIMA.question, origin_prediction: "Quito", references: "Lima", correct: false },
          },
        }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { correct: 0.5 },
  },
  {
    format: "opencompass",
    files: [
      textFile(
        "results/small/caps.json",
        json({
          accuracy: 50,
          details: [
            {
              example_abbr: "caps_0",
              pred: ["Paris", "Rome"],
              answer: ["Paris", "Paris"],
              correct: [true, false],
            },
            { example_abbr: "caps_1", pred: ["Lima"], answer: ["Lima"], correct: [true] },
          ],
        }),
      ),
      textFile(
        "predictions/small/caps.json",
        json({ "1": { origin_prompt: LIMA.question, prediction: "Lima", gold: "Lima" } }),
      ),
    ],
    rows: 2,
    trials: 3,
    errors: 0,
    scores: { correct: 2 / 3 },
  },
  {
    format: "vitest-evals",
    files: [
      textFile(
        "vitest.json",
        json({
          numTotalTestSuites: 1,
          startTime: 1795344668665,
          testResults: [
            {
              assertionResults: [
                { fullName: "adds", ancestorTitles: ["sums"], status: "passed", meta: {} },
                vitestTest("Peru", "failed", {
                  harness: { name: "agent", run: { errors: [{ message: "no answer" }] } },
                }),
                vitestTest("France", "failed", {
                  eval: { scores: [{ name: "exact", score: 0.25 }], output: "Paris", thresholdFailed: true },
                  harness: {
                    name: "agent",
                    run: { usage: { model: "small", totalTokens: 25 }, errors: [] },
                  },
                }),
                vitestTest("Oz", "failed", {}),
              ],
            },
          ],
        }),
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 2,
    scores: { pass: 0, exact: 0.25 },
  },
  {
    format: "table",
    files: [textFile("long.csv", `\ufeff${LONG_CSV.replaceAll("\n", "\r\n")}`)],
    rows: 2,
    trials: 4,
    errors: 1,
    scores: { correct: 0.5, brevity: 1 },
  },
  {
    format: "table",
    files: [textFile("wide.csv", WIDE_CSV)],
    rows: 2,
    trials: 4,
    errors: 0,
    scores: { correct: 0.75 },
  },
  {
    format: "table",
    files: [
      textFile(
        "split.json",
        json({
          columns: ["question", "answer", "correct"],
          data: [
            [PARIS.question, "Paris", true],
            [LIMA.question, "Quito", false],
          ],
        }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { correct: 0.5 },
  },
  {
    format: "inspect",
    files: [
      bytesFile(
        "cut.eval",
        deflateZip(
          Object.fromEntries(Object.entries(inspectEntries).filter(([name]) => name !== "header.json")),
        ),
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: inspectScores,
  },
  {
    format: "promptfoo",
    files: [
      textFile("out.jsonl", lines([promptfooResult(0, PARIS, true, 0), promptfooResult(0, LIMA, false, 1)])),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { pass: 0.5, score: 0.5, exact: 0.5 },
  },
  ...[
    { results: oldPromptfooSummary, config: { description: "caps" }, shareableUrl: null },
    { ...oldPromptfooSummary, stats: { successes: 1, failures: 2 } },
  ].map((document) => ({
    format: "promptfoo",
    files: [textFile("old.json", json(document))],
    rows: 2,
    trials: 3,
    errors: 1,
    scores: { pass: 0.5, score: 0.5, exact: 0.5 },
  })),
  {
    format: "promptfoo",
    files: [textFile("out.csv", PROMPTFOO_CSV)],
    rows: 2,
    trials: 5,
    errors: 1,
    scores: { pass: 0.5, score: 0.5, exact: 0.5 },
  },
  {
    format: "promptfoo",
    files: [textFile("out.yaml", PROMPTFOO_YAML)],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { pass: 0.5, score: 0.5, exact: 0.5 },
  },
  {
    format: "braintrust",
    files: [
      textFile("small.download.json", json([braintrustRecord(1, PARIS, 1), braintrustRecord(2, LIMA, 0)])),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { exact: 0.5 },
  },
  {
    format: "braintrust",
    files: [
      textFile(
        "small.download.csv",
        `id,input,output,expected,error,scores,metrics\n1,Capital of France?,Paris,Paris,,"{""exact"": 1}","{""duration"": 0.5}"\n2,Capital of Peru?,Quito,Lima,,"{""exact"": 0}",\n`,
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { exact: 0.5 },
  },
  {
    format: "langfuse",
    files: [
      textFile("export/traces.jsonl", lines([langfuseTrace(1, PARIS), langfuseTrace(2, LIMA)])),
      textFile(
        "export/scores.jsonl",
        lines([
          langfuseScore(1, "True", "2026-11-22 10:05:00.000000"),
          langfuseScore(1, "False", "2026-11-22 10:00:00.000000"),
          langfuseScore(2, "False", "2026-11-22 10:00:00.000000"),
          { ...langfuseScore(2, "True", "2026-11-22 10:09:00.000000"), observation_id: "o1" },
        ]),
      ),
      textFile(
        "export/dataset_items.jsonl",
        lines([
          { id: "i1", datasetName: "caps", input: { question: PARIS.question }, expectedOutput: "Paris" },
          { id: "i2", datasetName: "caps", input: { question: LIMA.question }, expectedOutput: "Lima" },
        ]),
      ),
      textFile(
        "export/dataset_run_items.jsonl",
        lines([
          { datasetRunId: "r1", datasetRunName: "small", datasetItemId: "i1", traceId: "t1" },
          { datasetRunId: "r1", datasetRunName: "small", datasetItemId: "i2", traceId: "t2" },
        ]),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { exact: 0.5 },
  },
  {
    format: "mlflow",
    files: [
      textFile(
        "small.result_df.csv",
        `trace_id,exact/value,trace\n${[mlflowTrace(1, PARIS, true), mlflowTrace(2, LIMA, false)]
          .map((trace, i) => `tr-${i},True,"${JSON.stringify(trace).replaceAll('"', '""')}"`)
          .join("\n")}\n`,
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { exact: 0.5 },
  },
  {
    format: "mlflow",
    files: [
      textFile(
        "small.eval_results_table.json",
        '{"columns":["question","answer","brevity\\/score"],"data":[["a?","b",1.0],["c?","d",0.5]]}',
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { brevity: 0.75 },
  },
  {
    format: "ragas",
    files: [
      textFile(
        "small.jsonl",
        '{"user_input":"a","retrieved_contexts":["c"],"response":"x","reference":"x","faithfulness":1.0}\n{"user_input":"b","retrieved_contexts":[],"response":"y","reference":"x","faithfulness":NaN}\n',
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { faithfulness: 1 },
  },
  {
    format: "swe-bench",
    files: [
      textFile(
        "lab__small.run1.json",
        json({ resolved_ids: ["a-1"], unresolved_ids: ["a-2"], submitted_ids: ["a-1", "a-2"] }),
      ),
      textFile(
        "preds.jsonl",
        lines([{ instance_id: "a-1", model_name_or_path: "lab/small", model_patch: "diff" }]),
      ),
      textFile(
        "logs/run_evaluation/run1/lab__small/a-1/report.json",
        json({
          "a-1": {
            patch_successfully_applied: true,
            resolved: true,
            tests_status: { FAIL_TO_PASS: { success: ["t1"], failure: ["t2"] } },
          },
        }),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { resolved: 0.5, fail_to_pass: 0.5 },
  },
  {
    format: "table",
    files: [textFile("long.tsv", LONG_TABLE.map((row) => `${row.join("\t")}\n`).join(""))],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { correct: 0.5 },
  },
  {
    format: "table",
    files: [
      textFile(
        "long.jsonl",
        lines([
          { question: "a", answer: "x", correct: true },
          { question: "b", answer: "y", correct: false },
        ]),
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { correct: 0.5 },
  },
  {
    format: "table",
    files: [textFile("one-line.jsonl", lines([{ question: "a", answer: "b", correct: true }]))],
    rows: 1,
    trials: 1,
    errors: 0,
    scores: { correct: 1 },
  },
  {
    format: "table",
    files: [bytesFile("long.parquet", fromBase64(PARQUET))],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { correct: 0.5 },
  },
  {
    format: "table",
    files: [bytesFile("nested.parquet", fromBase64(NESTED_PARQUET))],
    rows: 20,
    trials: 60,
    errors: 0,
    scores: { correct: 0.5 },
  },
  {
    format: "table",
    files: [
      textFile(
        "export.csv",
        "evaluation_call_id,evaluation,row_digest,predict_and_score_call_id,trial,inputs.question,outputs,scores.correct\ne1,small,d1,p1,1,a,x,true\ne1,small,d2,p2,1,b,y,false\n",
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { correct: 0.5 },
  },
  {
    format: "table",
    files: [
      textFile(
        "report.html",
        "<html><body><table><tr><th>id<th>answer<th>correct</tr><tr><td>1<td>x &amp; y<td>true<tr><td>2<td>z<td>false</table>",
      ),
    ],
    rows: 2,
    trials: 2,
    errors: 0,
    scores: { correct: 0.5 },
  },
  {
    format: "table",
    files: [
      textFile(
        "junit.xml",
        '<testsuite><testcase name="a" time="1"/><testcase name="b"><failure message="no"/></testcase>' +
          '<testcase name="c"><error message="boom"/></testcase></testsuite>',
      ),
    ],
    rows: 3,
    trials: 3,
    errors: 1,
    scores: { passed: 0.5 },
  },
  {
    format: "table",
    files: [
      textFile(
        "parallel.json",
        json({ questions: ["a", "b"], scores: { small: [1, 0], large: [1, 1] }, mean: 0.75 }),
      ),
    ],
    rows: 2,
    trials: 4,
    errors: 0,
    scores: { score: 0.5 },
  },
];
