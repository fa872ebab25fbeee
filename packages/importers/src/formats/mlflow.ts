// Reads MLflow evaluations: traces as JSON lines, the table of `result_df`, and the older `eval_results_table.json`.

import type { Json } from "@assay/base";
import { fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { isoTime } from "../json/iso-time.ts";
import {
  at,
  isObject,
  type JsonObject,
  jsonOrText,
  listAt,
  numberAt,
  present,
  textAt,
} from "../json/json-text.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { jsonRecords, recordsOf } from "../tables/records.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedTrial,
  trialEvent,
} from "../trials/imported-trial.ts";
import { secondsOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";

/** MLflow. */
export const mlflow: Importer = {
  name: "mlflow",
  title: "MLflow traces and result tables",
  isTabular: true,
  recognises: ({ fileType, keys, text }: FileHead) => {
    if (["", "*."].some((b) => keys.has(`${b}trace_id`) && TRACED.some((key) => keys.has(b + key))))
      return true;
    if (fileType === "table") return false;
    if (keys.has("columns") && keys.has("data")) return SPLIT.test(text) || TRACED_SPLIT.test(text);
    return ["", "*."].some((b) => keys.has(`${b}info.trace_id`) && keys.has(`${b}info.trace_metadata`));
  },
  async *read([file]) {
    const { keys, text } = await fileHead(file!);
    const isSplit = keys.has("columns");
    if (isSplit && !TRACED_SPLIT.test(text)) yield* readSplit(file!);
    else
      yield* readTraces(file!, isSplit || keys.has("trace_id") ? recordsOfTable(file!) : jsonRecords(file!));
  },
};

/** How tables begin, as pandas splits them, with metrics in columns or a trace in each row. */
const SPLIT = /^[^[]*\[[^\]]*(?:\\?\/)(?:score|value)"/;
const TRACED_SPLIT = /^[^[]*\[[^\]]*"trace_id"/;

/** Columns of `result_df` and of the result of `search_traces`: a whole trace, or its parts. */
const TRACED = ["trace", "assessments"];

async function* recordsOfTable(file: ImportFile): AsyncGenerator<JsonObject> {
  for await (const some of (await recordsOf(file)).records) yield* some;
}

/** The trace in a record: the record itself, or one of a table with a trace in a column, or its parts in several. */
function traceIn(record: JsonObject): JsonObject {
  if (isObject(record["info"])) return record;
  const part = (name: string): Json | undefined => {
    const value = at(record, name);
    return typeof value === "string" ? jsonOrText(value) : value;
  };
  const whole = part("trace");
  if (isObject(whole)) return whole;
  const [state, request_time, execution_duration_ms, trace_metadata, assessments] = [
    ...["state", "request_time", "execution_duration", "trace_metadata", "assessments"].map(part),
  ];
  const info = present({ state, request_time, execution_duration_ms, trace_metadata, assessments });
  return { info, data: { spans: part("spans") ?? [] } };
}

async function* readTraces(
  file: ImportFile,
  records: AsyncIterable<JsonObject>,
): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  const stem = fileStem(file).replace(/\.(?:traces|result_df)$/, "");
  for await (const record of records) {
    const trace = traceIn(record);
    for (const run of runsOf(trace, stem)) {
      const trial = traceTrial(trace, run);
      if (!seen.has(run)) {
        // Traces have no name of their run: if a file has several runs, ids distinguish them.
        const name = seen.size === 0 ? stem : `${stem} ${run.slice(0, SHORT)}`;
        const evaluation = {
          id: run,
          name,
          model: textAt(trace, "info", "trace_metadata", "mlflow.modelId") ?? name,
          dataset: "mlflow",
          startedAt: timeOf(at(trace, "info", "request_time")),
          attributes: { run_id: run },
        };
        yield evaluationEvent(evaluation, undefined, Object.keys(trial.row));
      }
      seen.add(run);
      yield trialEvent(trial);
    }
  }
}

/** The run that made a trace; if it has no feedback, those that judged the trace later, the latest first. */
function runsOf(trace: JsonObject, stem: string): readonly string[] {
  const own = textAt(trace, "info", "trace_metadata", "mlflow.sourceRun") ?? stem;
  const feedback = assessmentsOf(trace).filter((one) => at(one, "feedback") !== undefined);
  if (feedback.length === 0 || feedback.some((one) => isOfRun(one, own))) return [own];
  const byTime = feedback.map((one) => [textAt(one, "create_time") ?? "", sourceOf(one)!] as const).sort();
  return [...new Set(byTime.reverse().map(([, run]) => run))];
}

/** The number of characters of a run's id that distinguish it from others. */
const SHORT = 8;

function traceTrial(trace: JsonObject, run: string): ImportedTrial {
  const info = at(trace, "info");
  const root = listAt(trace, "data", "spans").find((span) => (at(span, "parent_span_id") ?? null) === null);
  const attribute = (name: string) => textAt(info, "trace_metadata", `mlflow.${name}`);
  const inputs = jsonOrText(
    attribute("traceInputs") ?? textAt(root, "attributes", "mlflow.spanInputs") ?? "null",
  );
  const outputs = jsonOrText(
    attribute("traceOutputs") ?? textAt(root, "attributes", "mlflow.spanOutputs") ?? "null",
  );
  const assessments = assessmentsOf(trace);
  const expectations = assessments.flatMap((one) => {
    const value = at(one, "expectation", "value");
    return value === undefined ? [] : [[textAt(one, "assessment_name") ?? "expected", value] as const];
  });
  const error = textAt(info, "state") === "ERROR" ? errorOf(root) : undefined;
  const usage = jsonOrText(attribute("trace.tokenUsage") ?? "null");
  return {
    evaluation: run,
    row: present({
      ...(isObject(inputs) ? inputs : { input: inputs }),
      expectations: expectations.length === 0 ? undefined : Object.fromEntries(expectations),
    }),
    output: answerWithError(error, outputs),
    scores: Object.fromEntries(assessments.filter((one) => isOfRun(one, run)).flatMap(feedbackOf)),
    error,
    latencySeconds: secondsOf(numberAt(info, "execution_duration_ms")),
    totalTokens: numberAt(usage, "total_tokens"),
  };
}

/** The assessments of a trace without those that were replaced. */
function assessmentsOf(trace: JsonObject): readonly Json[] {
  return listAt(trace, "info", "assessments").filter((one) => at(one, "valid") !== false);
}

/** Whether an assessment belongs to a run: a trace may have assessments of several evaluations. */
function isOfRun(assessment: Json, run: string): boolean {
  return [undefined, run].includes(sourceOf(assessment));
}

function sourceOf(assessment: Json): string | undefined {
  return textAt(assessment, "metadata", "mlflow.assessment.sourceRunId");
}

function feedbackOf(assessment: Json): readonly (readonly [string, Json])[] {
  const value = at(assessment, "feedback", "value");
  const failed = errorText(at(assessment, "feedback", "error")) !== undefined;
  const name = textAt(assessment, "assessment_name");
  return value === undefined || failed || name === undefined ? [] : [[name, value]];
}

function errorOf(root: Json | undefined): string {
  return textAt(root, "status", "message")?.split("\n")[0] ?? "the trace has the state ERROR";
}

/** The name of the table that the older `evaluate` writes. */
const TABLE = "eval_results_table";

function timeOf(time: Json | undefined): string | undefined {
  if (typeof time === "number") return isoTime(time);
  return typeof time === "string" ? time : undefined;
}

/** Reads tables with metric columns called `<metric>/score`, and the answer in `answer`, `outputs` or similar. */
async function* readSplit(file: ImportFile): AsyncGenerator<ImportEvent> {
  // In each run's folder of artifacts, this table has the same name.
  const folders = folderOf(file).split("/");
  const folder = folders.findLast((one) => one !== "artifacts" && !/^\.*$/.test(one));
  const id = fileStem(file) === TABLE && folder !== undefined ? folder : fileStem(file);
  const name = id.replace(`.${TABLE}`, "");
  yield evaluationEvent({ id, name, model: name, dataset: "mlflow" });
  for await (const some of (await recordsOf(file)).records)
    for (const record of some) {
      const output = ["outputs", "output", "predictions", "prediction", "answer", "response"].find(
        (key) => key in record,
      );
      const columns = Object.entries(record);
      yield trialEvent({
        evaluation: id,
        row: Object.fromEntries(
          columns.filter(([key]) => key !== output && !/\/|^latency$|^token_count$/.test(key)),
        ),
        output: output === undefined ? null : record[output]!,
        scores: Object.fromEntries(
          columns.flatMap(([key, value]) => {
            const [, metric] = /^(.*)\/(?:score|value)$/.exec(key) ?? [];
            return metric === undefined ? [] : [[metric, value]];
          }),
        ),
        latencySeconds: numberAt(record, "latency"),
        totalTokens: numberAt(record, "token_count"),
      });
    }
}
