// Evaluation runs: started, ended, read and listed as roots of evaluations, so that they are ordinary evaluations.

import { type Json, type JsonObject, jsonText, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { isPredictAndScore } from "@assay/calls";
import { opName } from "@assay/calls/internal";
import { deleteCalls } from "../calls/delete-calls.ts";
import { findVersion } from "../objects/objects.ts";
import { readWeaveRef } from "../objects/weave-ref.ts";
import { type ReadContext, yieldNow } from "../ports/read-context.ts";
import { type TraceCall, unknownCall } from "../ports/trace-call.ts";
import type { NewEvaluationRun } from "./bodies.ts";
import { findCall, marksOf, type RunLogging, reusedKeyIssue, textMember } from "./logging.ts";
import { scoreSummary } from "./score-summary.ts";
import { trialEnd } from "./trial-end.ts";

const RUN = "evaluation run";
const RUN_OP = "Evaluation.evaluate";
/** The number of trials whose children are read together. */
const BATCH = 500;

/** Starts a run. Returns its ID, for logging predictions and for queries. */
export async function createEvaluationRun(
  logging: RunLogging,
  given: NewEvaluationRun,
): Promise<Result<JsonObject>> {
  const { stores, project, now, user } = logging;
  const id = logging.newId();
  const { evaluation, model, source_evaluation_run_id: source } = given;
  const inputs = { self: evaluation, model };
  const [known] = await stores.calls.get(project, [id]);
  if (known?.started_at != null)
    return jsonText(known.inputs) === jsonText(inputs) ? ok({ evaluation_run_id: id }) : reusedKeyIssue();
  const marks = { evaluation_run: "true", evaluation, model };
  await stores.calls.put([
    {
      ...unknownCall(project, id),
      trace_id: id,
      op_name: RUN_OP,
      display_name: given.display_name ?? (await runName(logging, evaluation)),
      started_at: now(),
      inputs,
      attributes: { weave: source == null ? marks : { ...marks, source_evaluation_run_id: source } },
      wb_user_id: user,
    },
  ]);
  return ok({ evaluation_run_id: id });
}

/** The name that an evaluation object sets for its runs. */
async function runName({ stores, project }: RunLogging, evaluation: string): Promise<string | null> {
  const ref = readWeaveRef(evaluation);
  if (ref === undefined || ref.project !== project || ref.kind !== "object") return null;
  const found = await findVersion(stores.objects, project, ref.name, ref.digest, "object");
  return textMember(found?.val ?? null, "evaluation_name") ?? null;
}

/**
 * Ends a run: completes every trial with its logged scores, and adds the mean of each score to the run. The issue
 * `not_found` if the run does not exist.
 */
export async function finishEvaluationRun(
  logging: RunLogging,
  id: string,
  summary: object | null | undefined,
): Promise<Result<JsonObject>> {
  const { stores, project, now } = logging;
  const run = await findCall(logging, RUN, id);
  if (!run.ok) return run;
  const means = scoreSummary();
  for await (const trials of stores.calls.scan(project, { parentIds: [id] })) {
    const own = trials.filter(isPredictAndScore);
    for (let i = 0; i < own.length; i += BATCH)
      for (const output of await endTrials(logging, own.slice(i, i + BATCH))) means.add(output);
  }
  await stores.calls.put([
    {
      ...unknownCall(project, id),
      ended_at: now(),
      output: means.summary(),
      summary: (summary ?? {}) as Json,
    },
  ]);
  return ok({ success: true });
}

/** Completes trials that lack a logged score. Returns the outputs of all. */
async function endTrials(
  { stores, project, now }: RunLogging,
  trials: readonly TraceCall[],
): Promise<readonly Json[]> {
  const children = new Map<string, TraceCall[]>(trials.map(({ id }) => [id, []]));
  for await (const some of stores.calls.scan(project, { parentIds: [...children.keys()] }))
    for (const child of some) children.get(child.parent_id ?? "")?.push(child);
  const ends: TraceCall[] = [];
  const outputs = trials.map((trial) => {
    // Trials of other clients contain their scores.
    const logged = textMember(marksOf(trial), "predict_call_id") !== undefined;
    const end = logged ? trialEnd(trial, children.get(trial.id)!, now()) : undefined;
    if (end !== undefined) ends.push(end);
    return (end ?? trial).output;
  });
  if (ends.length > 0) await stores.calls.put(ends);
  return outputs;
}

/** One run, logged by any client. The issue `not_found` if it does not exist. */
export async function readEvaluationRun(
  logging: Pick<RunLogging, "stores" | "project">,
  id: string,
): Promise<Result<JsonObject>> {
  const run = await findCall(logging, RUN, id);
  return run.ok ? ok(viewRun(run.value)) : run;
}

/** Which runs to list: those that match every given list. */
export interface EvaluationRunsQuery {
  /** IDs of runs. */
  readonly ids?: ReadonlySet<string> | undefined;
  /** References to evaluations. */
  readonly evaluations?: ReadonlySet<string> | undefined;
  /** References to models. */
  readonly models?: ReadonlySet<string> | undefined;
}

/** The runs of a project, by start, in batches, including those of other clients. */
export async function* queryEvaluationRuns(
  { stores, project }: Pick<RunLogging, "stores" | "project">,
  { ids, evaluations, models }: EvaluationRunsQuery,
  reading: ReadContext = {},
): AsyncGenerator<readonly JsonObject[]> {
  for await (const calls of stores.calls.scan(project, { rootsOnly: true, ...(ids && { ids: [...ids] }) })) {
    await yieldNow(reading);
    yield calls
      .filter(isRun)
      .map(viewRun)
      .filter(
        ({ evaluation, model }) =>
          (evaluations?.has(evaluation as string) ?? true) && (models?.has(model as string) ?? true),
      );
  }
}

/** Deletes runs with everything below them. Returns how many existed. */
export async function deleteEvaluationRuns(
  { stores, project, now }: RunLogging,
  ids: readonly string[],
  reading?: ReadContext,
): Promise<number> {
  const found = (await stores.calls.get(project, [...new Set(ids)])).filter((call) => call !== undefined);
  const runs = found.filter(isRun).map(({ id }) => id);
  await deleteCalls(stores.calls, project, runs, now(), reading);
  return runs.length;
}

function isRun(call: TraceCall): boolean {
  return opName(call) === RUN_OP || marksOf(call)["evaluation_run"] === "true";
}

function viewRun(call: TraceCall): JsonObject {
  const marks = marksOf(call);
  const { inputs, ended_at, exception, summary } = call;
  return {
    evaluation_run_id: call.id,
    evaluation:
      textMember(marks, "evaluation") ?? textMember(inputs, "self") ?? textMember(inputs, "this") ?? "",
    model: textMember(marks, "model") ?? textMember(inputs, "model") ?? "",
    status: ended_at === null ? "running" : exception === null ? "completed" : "failed",
    started_at: call.started_at,
    finished_at: ended_at,
    summary: isJsonObject(summary) ? summary : null,
    source_evaluation_run_id: textMember(marks, "source_evaluation_run_id") ?? null,
  };
}
