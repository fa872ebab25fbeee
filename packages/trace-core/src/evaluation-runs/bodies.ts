// The bodies of the evaluation runs interface, with which programs log without an SDK, one object per request.

import { bad, type Issue, type Result } from "@assay/base";
import { lazySchemas } from "@assay/base/internal";
import { microseconds } from "@assay/calls";
import { type } from "arktype";
import { PlainObject } from "../request/plain-object.ts";
import { type Described, readBody } from "../request/read-body.ts";

const schemas = lazySchemas(() => {
  const Text = type("1 <= string <= 4096");
  const Name = type("1 <= string <= 512");
  const TextOrNull = type("string|null");
  const ObjectOrNull = PlainObject().or("null");

  /** The body that creates a dataset. Each row is an object; rows are checked when the table is created. */
  const DatasetBody = type({
    "name?": Name.or("null"),
    "description?": TextOrNull,
    rows: "unknown[] <= 250000",
    "+": "reject",
  });
  /** The body that creates a scorer. */
  const ScorerBody = type({
    name: Name,
    "description?": TextOrNull,
    op_source_code: "string",
    "+": "reject",
  });
  /** The body that creates a model. */
  const ModelBody = type({
    name: Name,
    "description?": TextOrNull,
    source_code: "string",
    "attributes?": ObjectOrNull,
    "+": "reject",
  });
  /** The body that creates an evaluation. */
  const EvaluationBody = type({
    name: Name,
    "description?": TextOrNull,
    dataset: Text,
    "scorers?": type("(1 <= string <= 4096)[] <= 1000").or("null"),
    "trials?": "number.integer>=1",
    "evaluation_name?": TextOrNull,
    "eval_attributes?": ObjectOrNull,
    "+": "reject",
  });
  /** The body that starts an evaluation run. */
  const EvaluationRunBody = type({
    evaluation: Text,
    model: Text,
    "source_evaluation_run_id?": TextOrNull,
    "display_name?": TextOrNull,
    "+": "reject",
  });
  /** The body that ends an evaluation run. */
  const FinishBody = PlainObject().and({ "summary?": ObjectOrNull, "+": "reject" });
  /** The body that logs a prediction. */
  const PredictionBody = type({
    model: Text,
    inputs: PlainObject(),
    output: "unknown",
    "evaluation_run_id?": Text.or("null"),
    "genai_span_ref?": type({ trace_id: "string", span_id: "string", "+": "reject" })
      .array()
      .atMostLength(1000)
      .or("null"),
    "started_at?": TextOrNull,
    "ended_at?": TextOrNull,
    "exception?": TextOrNull,
    "summary?": ObjectOrNull,
    "+": "reject",
  });
  /** The body that logs a score of a prediction. */
  const ScoreBody = type({
    prediction_id: Text,
    scorer: Text,
    value: "unknown",
    "evaluation_run_id?": Text.or("null"),
    "+": "reject",
  });
  return {
    DatasetBody,
    ScorerBody,
    ModelBody,
    EvaluationBody,
    EvaluationRunBody,
    FinishBody,
    PredictionBody,
    ScoreBody,
  };
});

/** The schemas, for an OpenAPI document. */
export const EVALUATION_RUN_SCHEMAS: () => Described<
  | "DatasetBody"
  | "ScorerBody"
  | "ModelBody"
  | "EvaluationBody"
  | "EvaluationRunBody"
  | "FinishBody"
  | "PredictionBody"
  | "ScoreBody"
> = schemas;

/** A dataset to create. */
export interface NewDataset {
  /** Its name for people. Objects with the same name are versions of one object. */
  readonly name?: string | null;
  /** The author's description. */
  readonly description?: string | null;
  /** Its rows, not yet checked. */
  readonly rows: readonly unknown[];
}

/** A scorer to create. */
export interface NewScorer {
  /** Its name for people. Objects with the same name are versions of one object. */
  readonly name: string;
  /** The author's description. */
  readonly description?: string | null;
  /** The source code of its op. */
  readonly op_source_code: string;
}

/** A model to create. */
export interface NewModel {
  /** Its name for people. Objects with the same name are versions of one object. */
  readonly name: string;
  /** The author's description. */
  readonly description?: string | null;
  /** The source code of its class. */
  readonly source_code: string;
  /** Further attributes. */
  readonly attributes?: object | null;
}

/** An evaluation to create. */
export interface NewEvaluation {
  /** Its name for people. Objects with the same name are versions of one object. */
  readonly name: string;
  /** The author's description. */
  readonly description?: string | null;
  /** The reference to its dataset. */
  readonly dataset: string;
  /** The references to its scorers. */
  readonly scorers?: readonly string[] | null;
  /** How often each row is predicted. Default 1. */
  readonly trials?: number;
  /** The name of its runs. */
  readonly evaluation_name?: string | null;
  /** Further attributes. */
  readonly eval_attributes?: object | null;
}

/** An evaluation run to start. */
export interface NewEvaluationRun {
  /** The reference to the evaluation, or its name. */
  readonly evaluation: string;
  /** The reference to the model, or its name. */
  readonly model: string;
  /** The run whose predictions are scored again. */
  readonly source_evaluation_run_id?: string | null;
  /** Its name for people. Default: the name that the evaluation sets for its runs. */
  readonly display_name?: string | null;
}

/** A prediction to log. */
export interface NewPrediction {
  /** The reference to the model, or its name. */
  readonly model: string;
  /** The row. */
  readonly inputs: object;
  /** The model's answer; null if it failed. */
  readonly output: unknown;
  /** The run that it belongs to, as a trial. */
  readonly evaluation_run_id?: string | null;
  /** The spans of the model's own trace. */
  readonly genai_span_ref?: readonly { readonly trace_id: string; readonly span_id: string }[] | null;
  /** When the model started, ISO 8601. Default: the time of logging. */
  readonly started_at?: string | null;
  /** When it had answered, ISO 8601. Default: unknown, and so is the latency. */
  readonly ended_at?: string | null;
  /** The error. Such a trial is an error, not a wrong answer. */
  readonly exception?: string | null;
  /** The summary of its call, with tokens under `usage.<model>.total_tokens`. */
  readonly summary?: object | null;
}

/** A score to log. */
export interface NewScore {
  /** The prediction to score. */
  readonly prediction_id: string;
  /** The reference to the scorer, or its name. The score gets this name. */
  readonly scorer: string;
  /** A number, a boolean, a text, or an object of these. */
  readonly value: unknown;
  /** The run of the prediction. */
  readonly evaluation_run_id?: string | null;
}

/** Reads a dataset to create. */
export function readNewDataset(given: unknown): Result<NewDataset> {
  return readBody<NewDataset>(schemas().DatasetBody, given);
}

/** Reads a scorer to create. */
export function readNewScorer(given: unknown): Result<NewScorer> {
  return readBody<NewScorer>(schemas().ScorerBody, given);
}

/** Reads a model to create. */
export function readNewModel(given: unknown): Result<NewModel> {
  return readBody<NewModel>(schemas().ModelBody, given);
}

/** Reads an evaluation to create. */
export function readNewEvaluation(given: unknown): Result<NewEvaluation> {
  return readBody<NewEvaluation>(schemas().EvaluationBody, given);
}

/** Reads an evaluation run to start. */
export function readNewEvaluationRun(given: unknown): Result<NewEvaluationRun> {
  return readBody<NewEvaluationRun>(schemas().EvaluationRunBody, given);
}

/** Reads the end of an evaluation run: its summary, if given. */
export function readFinish(given: unknown): Result<{ readonly summary?: object | null }> {
  return readBody<{ readonly summary?: object | null }>(schemas().FinishBody, given);
}

/** Reads a prediction to log. */
export function readNewPrediction(given: unknown): Result<NewPrediction> {
  const read = readBody<NewPrediction>(schemas().PredictionBody, given);
  if (!read.ok) return read;
  const { started_at, ended_at } = read.value;
  const issues = [...timeIssue("started_at", started_at), ...timeIssue("ended_at", ended_at)];
  if (ended_at != null && started_at == null)
    issues.push({ code: "missing", path: ["body", "started_at"], message: "ended_at needs started_at" });
  return issues.length === 0 ? read : bad(issues);
}

/** Reads a score to log. */
export function readNewScore(given: unknown): Result<NewScore> {
  return readBody<NewScore>(schemas().ScoreBody, given);
}

function timeIssue(name: string, time: string | null | undefined): Issue[] {
  if (time == null || !Number.isNaN(microseconds(time))) return [];
  const message = `must be an ISO 8601 time, not ${JSON.stringify(time.slice(0, 40))}`;
  return [{ code: "value_error", path: ["body", name], message }];
}
