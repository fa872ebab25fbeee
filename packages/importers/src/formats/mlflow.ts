// Reads MLflow evaluations: traces as JSON lines, the table of `result_df`, and the older `eval_results_table.json`.

import type { Json } from "@assay/base";
import { fileStem, type ImportFile } from "../files/import-file.ts";
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
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** MLflow. */
export const mlflow: Importer = {
  name: "mlflow",
  title: "MLflow traces and result tables",
  recognises: ({ fileType, keys, text }: FileHead) => {
    if (fileType === "table") return keys.has("trace_id") && [...keys].some((key) => key.endsWith("/value"));
    if (keys.has("columns") && keys.has("data")) return /^[^[]*\[[^\]]*(?:\\?\/)(?:score|value)"/.test(text);
    return ["", "*."].some((b) => keys.has(`${b}info.trace_id`) && keys.has(`${b}info.trace_metadata`));
  },
  async *read([file]) {
    const { fileType, keys } = await fileHead(file!);
    if (fileType === "table") yield* readTraces(file!, tracesOfTable(file!));
    else if (keys.has("columns")) yield* readSplit(file!);
    else yield* readTraces(file!, jsonRecords(file!));
  },
};

/** Reads tables with a whole trace in one column. */
async function* tracesOfTable(file: ImportFile): AsyncGenerator<JsonObject> {
  for await (const some of (await recordsOf(file)).records)
    for (const record of some) {
      const trace = jsonOrText(textAt(record, "trace") ?? "");
      if (isObject(trace)) yield trace;
    }
}

async function* readTraces(file: ImportFile, traces: AsyncIterable<JsonObject>): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  const name = fileStem(file).replace(/\.(?:traces|result_df)$/, "");
  for await (const trace of traces) {
    const info = at(trace, "info");
    const run = textAt(info, "trace_metadata", "mlflow.sourceRun") ?? name;
    if (!seen.has(run)) {
      yield evaluationEvent({
        id: run,
        name,
        model: textAt(info, "trace_metadata", "mlflow.modelId") ?? name,
        dataset: "mlflow",
        startedAt: timeOf(at(info, "request_time")),
        attributes: { run_id: run },
      });
    }
    seen.add(run);
    yield traceTrial(trace, run);
  }
}

function traceTrial(trace: JsonObject, run: string): ImportEvent {
  const info = at(trace, "info");
  const root = listAt(trace, "data", "spans").find((span) => (at(span, "parent_span_id") ?? null) === null);
  const attribute = (name: string) => textAt(info, "trace_metadata", `mlflow.${name}`);
  const inputs = jsonOrText(
    attribute("traceInputs") ?? textAt(root, "attributes", "mlflow.spanInputs") ?? "null",
  );
  const outputs = jsonOrText(
    attribute("traceOutputs") ?? textAt(root, "attributes", "mlflow.spanOutputs") ?? "null",
  );
  const assessments = listAt(info, "assessments").filter((one) => isOfRun(one, run));
  const expectations = assessments.flatMap((one) => {
    const value = at(one, "expectation", "value");
    return value === undefined ? [] : [[textAt(one, "assessment_name") ?? "expected", value] as const];
  });
  const error = textAt(info, "state") === "ERROR" ? errorOf(root) : undefined;
  const milliseconds = numberAt(info, "execution_duration_ms");
  const usage = jsonOrText(attribute("trace.tokenUsage") ?? "null");
  return trialEvent({
    evaluation: run,
    row: present({
      ...(isObject(inputs) ? inputs : { input: inputs }),
      expectations: expectations.length === 0 ? undefined : Object.fromEntries(expectations),
    }),
    output: answerWithError(error, outputs),
    scores: Object.fromEntries(assessments.flatMap(feedbackOf)),
    error,
    latencySeconds: milliseconds === undefined ? undefined : milliseconds / 1000,
    totalTokens: numberAt(usage, "total_tokens"),
  });
}

/**
 * Whether an assessment belongs to a run: a trace may have assessments of several evaluations, and old ones that were
 * replaced.
 */
function isOfRun(assessment: Json, run: string): boolean {
  const source = textAt(assessment, "metadata", "mlflow.assessment.sourceRunId");
  return at(assessment, "valid") !== false && (source === undefined || source === run);
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

function timeOf(time: Json | undefined): string | undefined {
  if (typeof time === "number") return isoTime(time);
  return typeof time === "string" ? time : undefined;
}

/** Reads tables with metric columns called `<metric>/score`, and the answer in `answer`, `outputs` or similar. */
async function* readSplit(file: ImportFile): AsyncGenerator<ImportEvent> {
  const id = fileStem(file);
  const name = id.replace(/\.eval_results_table$/, "");
  yield evaluationEvent({ id, name, model: name, dataset: "mlflow" });
  for await (const some of (await recordsOf(file)).records)
    for (const record of some) {
      const output = ["outputs", "output", "answer", "predictions", "prediction", "response"].find(
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
