// Predictions: trials of an evaluation if they belong to a run, otherwise calls of a model.

import { type Json, type JsonObject, jsonText, ok, type Result } from "@assay/base";
import { isJsonObject, keepNumberText } from "@assay/base/internal";
import { isPredictAndScore } from "@assay/calls";
import { deleteCalls } from "../calls/delete-calls.ts";
import { type ReadContext, yieldNow } from "../ports/read-context.ts";
import { type TraceCall, unknownCall, withOutputOf } from "../ports/trace-call.ts";
import type { NewPrediction } from "./bodies.ts";
import {
  findCall,
  marksOf,
  nameIn,
  notFoundIssue,
  type RunLogging,
  reusedKeyIssue,
  textMember,
} from "./logging.ts";
import { endTrial } from "./trial-end.ts";

const PREDICTION = "prediction";
const TRIAL_OP = "Evaluation.predict_and_score";

/**
 * Logs a prediction. In a run it becomes a trial of its evaluation immediately; scores follow later. The issue
 * `not_found` if the run does not exist.
 */
export async function createPrediction(
  logging: RunLogging,
  given: NewPrediction,
): Promise<Result<JsonObject>> {
  const { stores, project } = logging;
  const id = logging.newId();
  const run =
    given.evaluation_run_id == null
      ? undefined
      : await findCall(logging, "evaluation run", given.evaluation_run_id);
  if (run?.ok === false) return run;
  const [known] = await stores.calls.get(project, [id]);
  if (known?.started_at != null) return sameAs(known, given) ? ok({ prediction_id: id }) : reusedKeyIssue();
  const at = logging.now();
  const trial = run && trialOf(logging, run.value, given, { at, predictionId: id });
  const call = predictionCall(logging, given, { at, id, trial });
  await stores.calls.put(trial === undefined ? [call] : [trial, call]);
  return ok({ prediction_id: id });
}

function sameAs(known: TraceCall, { model, inputs, output }: NewPrediction): boolean {
  const asked = [{ self: model, inputs }, output ?? null];
  return jsonText([known.inputs, known.output]) === jsonText(asked);
}

/** The trial of a run's prediction. It ends with its output, and ends again with each score. */
function trialOf(
  { project, newId, user }: RunLogging,
  run: TraceCall,
  given: NewPrediction,
  { at, predictionId }: { readonly at: string; readonly predictionId: string },
): TraceCall {
  const { model, inputs, genai_span_ref: spans, exception } = given;
  const marks = { predict_call_id: predictionId, ...(spans != null && { genai_span_ref: spans }) };
  const output: JsonObject = { output: (given.output as Json) ?? null, scores: {} };
  keepNumberText(given as unknown as Json, "output", output, "output");
  return {
    ...unknownCall(project, newId()),
    trace_id: run.trace_id ?? run.id,
    parent_id: run.id,
    op_name: TRIAL_OP,
    started_at: at,
    inputs: { self: textMember(run.inputs, "self") ?? null, model, example: inputs as Json },
    attributes: { weave: marks } as Json,
    ended_at: at,
    output,
    summary: {},
    exception: exception ?? null,
    wb_user_id: user,
  };
}

function predictionCall(
  { project, user }: RunLogging,
  given: NewPrediction,
  { at, id, trial }: { readonly at: string; readonly id: string; readonly trial: TraceCall | undefined },
): TraceCall {
  const { model, inputs, evaluation_run_id: run, summary, exception } = given;
  const marks = { prediction: "true", model };
  return withOutputOf(given as { readonly output?: Json }, {
    ...unknownCall(project, id),
    trace_id: trial?.trace_id ?? id,
    parent_id: trial?.id ?? null,
    op_name: `${nameIn(model)}.predict`,
    started_at: given.started_at ?? at,
    inputs: { self: model, inputs: inputs as Json },
    attributes: { weave: run == null ? marks : { ...marks, evaluation_run_id: run } },
    // Without a measured end there must be no latency.
    ended_at: given.ended_at ?? null,
    output: (given.output as Json) ?? null,
    summary: (summary ?? {}) as Json,
    exception: exception ?? null,
    wb_user_id: user,
  });
}

/** Marks a prediction as finished: no more scores will come. The issue `not_found` if it does not exist. */
export async function finishPrediction(logging: RunLogging, id: string): Promise<Result<JsonObject>> {
  const prediction = await findPrediction(logging, id);
  if (!prediction.ok) return prediction;
  const { parent_id } = prediction.value;
  if (parent_id !== null) await endTrial(logging, parent_id);
  return ok({ success: true });
}

/** One prediction. The issue `not_found` if it does not exist. */
export async function readPrediction(
  logging: Pick<RunLogging, "stores" | "project">,
  id: string,
): Promise<Result<JsonObject>> {
  const prediction = await findPrediction(logging, id);
  return prediction.ok ? ok(viewPrediction(prediction.value)) : prediction;
}

/** The call of a prediction, or the issue that it does not exist. */
export async function findPrediction(
  logging: Pick<RunLogging, "stores" | "project">,
  id: string,
): Promise<Result<TraceCall>> {
  const call = await findCall(logging, PREDICTION, id);
  return !call.ok || isPrediction(call.value) ? call : notFoundIssue(PREDICTION, id);
}

/** The predictions of a run, or of the whole project, by start, in batches. */
export function queryPredictions(
  logging: Pick<RunLogging, "stores" | "project">,
  run: string | undefined,
  reading: ReadContext = {},
): AsyncGenerator<readonly JsonObject[]> {
  return viewsOf(callsOfRun(logging, run, reading), isPrediction, viewPrediction);
}

/** Deletes predictions with their scores and, in a run, their trials. Returns how many existed. */
export async function deletePredictions(
  { stores, project, now }: RunLogging,
  ids: readonly string[],
  reading?: ReadContext,
): Promise<number> {
  const found = (await stores.calls.get(project, [...new Set(ids)])).filter((call) => call !== undefined);
  const predictions = found.filter(isPrediction);
  const trees = predictions.map((call) =>
    textMember(marksOf(call), "evaluation_run_id") === undefined ? call.id : (call.parent_id ?? call.id),
  );
  await deleteCalls(stores.calls, project, trees, now(), reading);
  return predictions.length;
}

function isPrediction(call: TraceCall): boolean {
  return marksOf(call)["prediction"] === "true";
}

function viewPrediction(call: TraceCall): JsonObject {
  const marks = marksOf(call);
  const inputs = isJsonObject(call.inputs) ? call.inputs["inputs"] : undefined;
  return withOutputOf(call, {
    prediction_id: call.id,
    model: textMember(marks, "model") ?? "",
    inputs: inputs ?? {},
    output: call.output,
    evaluation_run_id: textMember(marks, "evaluation_run_id") ?? null,
    wb_user_id: call.wb_user_id,
  });
}

/** `view` of the calls that `wanted` accepts. */
export async function* viewsOf(
  batches: AsyncIterable<readonly TraceCall[]>,
  wanted: (call: TraceCall) => boolean,
  view: (call: TraceCall) => JsonObject,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const calls of batches) yield calls.filter(wanted).map(view);
}

const BATCH = 500;

/** The calls below the trials of a run, or all calls of the project. */
export async function* callsOfRun(
  { stores, project }: Pick<RunLogging, "stores" | "project">,
  run: string | undefined,
  reading: ReadContext,
): AsyncGenerator<readonly TraceCall[]> {
  if (run === undefined) {
    for await (const calls of stores.calls.scan(project, {})) {
      await yieldNow(reading);
      yield calls;
    }
    return;
  }
  for await (const trials of stores.calls.scan(project, { parentIds: [run] })) {
    const ids = trials.filter(isPredictAndScore).map(({ id }) => id);
    for (let i = 0; i < ids.length; i += BATCH) {
      await yieldNow(reading);
      yield* stores.calls.scan(project, { parentIds: ids.slice(i, i + BATCH) });
    }
  }
}
