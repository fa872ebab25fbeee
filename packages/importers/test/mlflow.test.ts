// MLflow: traces in tables of every form, several runs in a file, and tables of the older `evaluate`.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

const assessment = (name: string, value: unknown, run: string) => ({
  assessment_name: name,
  ...(name === "expected" ? { expectation: { value } } : { feedback: { value } }),
  metadata: { "mlflow.assessment.sourceRunId": run },
  valid: name === "expected" ? null : true,
});
const trace = (question: string, exact: boolean, run: string, more: object = {}) => ({
  info: {
    ...{ trace_id: `tr-${question}-${run}`, state: "OK", request_time: "2026-01-02T03:04:05.000Z" },
    execution_duration_ms: 1500,
    trace_metadata: {
      "mlflow.sourceRun": run,
      "mlflow.traceInputs": JSON.stringify({ question, ...more }),
      "mlflow.traceOutputs": JSON.stringify(`It's ${question}!`),
      "mlflow.trace.tokenUsage": '{"total_tokens": 7}',
    },
    assessments: [assessment("exact", exact, run), assessment("expected", question, run)],
  },
  data: { spans: [] },
});
const TRACES = [trace("a", true, "run1"), trace("b", false, "run1")];
const read = async (name: string, text: string) => {
  const { plan, lines } = await imported([textFile(name, text)]);
  const trials = lines.map((line) => JSON.parse(line)).filter((call) => call.parent_id);
  return {
    plan,
    trials,
    what: trials.map(({ inputs, output, summary }) => [inputs.example, output, summary.usage]),
  };
};

/** A record of `result_df` or `search_traces`, with the whole trace or only its parts. */
const record = (one: (typeof TRACES)[number], isWhole: boolean) => ({
  trace_id: one.info.trace_id,
  "exact/value": true,
  ...(isWhole && { trace: JSON.stringify(one) }),
  ...{ state: "OK", request_time: 1767323045000, execution_duration: 1500, request: {}, response: "" },
  ...{ trace_metadata: one.info.trace_metadata, assessments: one.info.assessments, spans: [] },
});
const columnsOf = (records: readonly object[]) => Object.keys(records[0]!);
const python = (value: unknown): string =>
  JSON.stringify(value, (_, part) => part)
    .replaceAll("true", "True")
    .replaceAll("false", "False")
    .replaceAll("null", "None");
const FORMS: { readonly [form: string]: (records: readonly { [name: string]: unknown }[]) => string } = {
  records: (records) => JSON.stringify(records),
  lines: (records) => records.map((one) => JSON.stringify(one)).join("\n"),
  split: (records) =>
    JSON.stringify({ columns: columnsOf(records), data: records.map((one) => Object.values(one)) }),
  columns: (records) =>
    JSON.stringify(
      Object.fromEntries(
        columnsOf(records).map((name) => [name, Object.fromEntries(records.map((one, i) => [i, one[name]]))]),
      ),
    ),
  csv: (records) =>
    [
      columnsOf(records).join(","),
      ...records.map((one) =>
        Object.values(one)
          .map((value) => (typeof value === "object" ? python(value) : String(value)))
          .map((cell) => `"${cell.replaceAll('"', '""')}"`)
          .join(","),
      ),
    ].join("\n"),
};

test.each(Object.keys(FORMS))("traces in a table as %s equal those of the trace files", async (form) => {
  const expected = await read("run.jsonl", TRACES.map((one) => JSON.stringify(one)).join("\n"));
  expect(expected.trials).toHaveLength(2);
  for (const isWhole of [true, false]) {
    const { plan, what } = await read("run.out", FORMS[form]!(TRACES.map((one) => record(one, isWhole))));
    expect([plan.refused, plan.evaluations[0]?.kind]).toEqual([[], "mlflow"]);
    expect(what).toEqual(expected.what);
    expect(plan.evaluations[0]!.scores.map(({ path, mean }) => [path, mean])).toEqual([["exact", 0.5]]);
  }
});

test("runs in one file have separate names, and the fields of unmatched rows are listed", async () => {
  const traces = ["small", "large"].map((model) => trace("a", true, `${model}-0123456789`, { model }));
  const { plan } = await read("all.json", JSON.stringify(traces));
  expect(plan.evaluations.map(({ name }) => name)).toEqual(["all", "all large-01"]);
  expect(plan.notes.join()).toMatch(/question and model.* such as --row-key question/);
});

test("tables of the older evaluate are named after their run's folder, and answers are predictions", async () => {
  const table = (exact: number) =>
    JSON.stringify({
      columns: ["inputs", "answer", "predictions", "exact/v1/score"],
      data: [["q", "truth", "guess", exact]],
    });
  const { plan, lines } = await imported(
    ["run1", "run2"].map((run, i) => textFile(`mlruns/0/${run}/artifacts/eval_results_table.json`, table(i))),
  );
  expect(plan.evaluations.map(({ name }) => name)).toEqual(["run1", "run2"]);
  expect(new Set(plan.evaluations.map(({ run }) => run)).size).toBe(2);
  const outputs = lines.map((line) => JSON.parse(line)).flatMap((call) => call.output?.output ?? []);
  expect(outputs).toEqual(["guess", "guess"]);
});

test("a trace that later runs judge is a trial of each of them", async () => {
  const judged = (question: string, exact: boolean) => {
    const { info, data } = trace(question, exact, "");
    const assessments = [
      { ...assessment("exact", exact, "run-of-monday"), create_time: "2026-11-23T10:00:00Z" },
      { ...assessment("exact", true, "run-of-friday"), create_time: "2026-11-27T10:00:00Z" },
      { ...assessment("expected", question, "run-of-monday"), create_time: "2026-11-23T10:00:00Z" },
    ];
    const { "mlflow.sourceRun": _, ...metadata } = info.trace_metadata;
    return { info: { ...info, trace_metadata: metadata, assessments }, data };
  };
  const { plan } = await read("live.json", JSON.stringify([judged("a", true), judged("b", false)]));
  expect(plan.evaluations.map(({ name, trials, scores }) => [name, trials, scores[0]?.mean])).toEqual([
    ["live", 2, 1],
    ["live run-of-m", 2, 0.5],
  ]);
  expect(plan.closest({ project: "me/demo" })).toHaveLength(2);
});
