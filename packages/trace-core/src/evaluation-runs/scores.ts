// Scores of predictions: calls of a scorer next to the prediction, and also scores of its trial.

import { type Json, type JsonObject, jsonText, ok, type Result } from "@assay/base";
import { isJsonObject, keepNumberText } from "@assay/base/internal";
import { deleteCalls } from "../calls/delete-calls.ts";
import type { ReadContext } from "../ports/read-context.ts";
import { type TraceCall, unknownCall } from "../ports/trace-call.ts";
import type { NewScore } from "./bodies.ts";
import {
  findCall,
  marksOf,
  nameIn,
  notFoundIssue,
  type RunLogging,
  reusedKeyIssue,
  textMember,
} from "./logging.ts";
import { callsOfRun, findPrediction, viewsOf } from "./predictions.ts";
import { endTrial } from "./trial-end.ts";

const SCORE = "score";

/**
 * Logs a score. If its prediction belongs to a run, the trial has the score when the promise resolves. The issue
 * `not_found` if the prediction does not exist.
 */
export async function createScore(logging: RunLogging, given: NewScore): Promise<Result<JsonObject>> {
  const { stores, project, now, user } = logging;
  const id = logging.newId();
  const prediction = await findPrediction(logging, given.prediction_id);
  if (!prediction.ok) return prediction;
  const { value: call } = prediction;
  const run = given.evaluation_run_id ?? textMember(marksOf(call), "evaluation_run_id");
  const [known] = await stores.calls.get(project, [id]);
  if (known?.started_at != null && !sameAs(known, given)) return reusedKeyIssue();
  if (known?.started_at == null) {
    const at = now();
    const marks = { score: "true", prediction_id: call.id, scorer: given.scorer };
    const piece = {
      ...unknownCall(project, id),
      trace_id: call.parent_id === null ? id : call.trace_id,
      parent_id: call.parent_id,
      op_name: `${nameIn(given.scorer)}.score`,
      started_at: at,
      inputs: {
        self: given.scorer,
        inputs: (isJsonObject(call.inputs) ? call.inputs["inputs"] : undefined) ?? {},
        output: call.output,
      },
      attributes: { weave: run === undefined ? marks : { ...marks, evaluation_run_id: run } },
      ended_at: at,
      output: (given.value as Json) ?? null,
      summary: {},
      wb_user_id: user,
    };
    // A number keeps its notation.
    keepNumberText(given as unknown as Json, "value", piece, "output");
    await stores.calls.put([piece]);
  }
  if (call.parent_id !== null) await endTrial(logging, call.parent_id);
  return ok({ score_id: id });
}

function sameAs(known: TraceCall, { prediction_id, scorer, value }: NewScore): boolean {
  const marks = marksOf(known);
  return (
    marks["prediction_id"] === prediction_id &&
    marks["scorer"] === scorer &&
    jsonText(known.output) === jsonText(value ?? null)
  );
}

/** One score. The issue `not_found` if it does not exist. */
export async function readScore(
  logging: Pick<RunLogging, "stores" | "project">,
  id: string,
): Promise<Result<JsonObject>> {
  const score = await findCall(logging, SCORE, id);
  if (!score.ok) return score;
  return isScore(score.value) ? ok(viewScore(score.value)) : notFoundIssue(SCORE, id);
}

/** The scores of a run, or of the whole project, by start, in batches. */
export function queryScores(
  logging: Pick<RunLogging, "stores" | "project">,
  run: string | undefined,
  reading: ReadContext = {},
): AsyncGenerator<readonly JsonObject[]> {
  return viewsOf(callsOfRun(logging, run, reading), isScore, viewScore);
}

/** Deletes scores, also from their trials. Returns how many existed. */
export async function deleteScores(
  logging: RunLogging,
  ids: readonly string[],
  reading?: ReadContext,
): Promise<number> {
  const { stores, project, now } = logging;
  const found = (await stores.calls.get(project, [...new Set(ids)])).filter((call) => call !== undefined);
  const scores = found.filter(isScore);
  await deleteCalls(
    stores.calls,
    project,
    scores.map(({ id }) => id),
    now(),
    reading,
  );
  for (const trial of new Set(scores.flatMap(({ parent_id }) => parent_id ?? [])))
    await endTrial(logging, trial);
  return scores.length;
}

function isScore(call: TraceCall): boolean {
  return marksOf(call)["score"] === "true" && textMember(marksOf(call), "scorer") !== undefined;
}

function viewScore(call: TraceCall): JsonObject {
  const marks = marksOf(call);
  const view: JsonObject = {
    score_id: call.id,
    scorer: textMember(marks, "scorer") ?? "",
    value: call.output,
    evaluation_run_id: textMember(marks, "evaluation_run_id") ?? null,
    wb_user_id: call.wb_user_id,
  };
  keepNumberText(call as unknown as Json, "output", view, "value");
  return view;
}
