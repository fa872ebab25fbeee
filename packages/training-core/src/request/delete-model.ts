// Deletes models and checkpoints, and then files that are no longer needed.

import { untilWritten } from "@assay/base/internal";
import { type Job, UNFINISHED } from "../job/job.ts";
import { transition } from "../job/transition.ts";
import type { Checkpoint } from "../model/checkpoint.ts";
import { advance, write } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";
import { removeUnused } from "../state/remove-unused.ts";

const PAGE = 1000;

/** The data deleted with a model. */
export interface DeletedModel {
  /** The number of its checkpoints. */
  readonly checkpoints: number;
  /** Whether its run was deleted. */
  readonly run: boolean;
}

/**
 * Deletes the model with its checkpoints and ends its jobs, in one write; the caller deletes its run, if it has one.
 * Repeating it returns the first answer. Resolves to the data deleted with it, or to undefined if the model never
 * existed.
 */
export async function deleteModel(
  training: TrainingContext,
  modelId: string,
  hasRun: boolean,
): Promise<DeletedModel | undefined> {
  if ((await training.store.model(modelId)) === undefined) return undefined;
  const gone = await untilWritten(async () => {
    const model = await training.store.model(modelId);
    if (model === undefined) throw new Error(`model ${modelId} is gone`);
    if (model.deleted !== undefined) return { deleted: model.deleted, checkpoints: [] };
    const at = training.clock.now();
    const checkpoints = await liveCheckpoints(training, modelId);
    const message = "the model was deleted";
    const jobs = (await unfinishedJobs(training, modelId)).map((job) =>
      advance(training, job, model, transition(job, { type: "give_up", code: "cancelled", message }).facts),
    );
    const { activeJob: _, ...rest } = model;
    const deleted = { at, checkpoints: checkpoints.length, ...(hasRun && { run: true as const }) };
    const change = {
      model: { ...rest, version: model.version + 1, deleted },
      jobs,
      checkpoints: checkpoints.map((one) => ({ ...one, deletedAt: at })),
    };
    return (await write(training, change)) ? { deleted, checkpoints } : undefined;
  });
  await removeUnused(
    training,
    gone.checkpoints.flatMap(({ files }) => files),
  );
  const { checkpoints, run = false } = gone.deleted;
  return { checkpoints, run };
}

/** The result of deleting steps. */
export interface DeletedCheckpoints {
  /** How many were deleted now. */
  readonly deleted: number;
  /** Steps that do not exist, without duplicates, in the requested order. */
  readonly notFound: readonly number[];
}

/**
 * Deletes the model's checkpoints at `steps`, in one write. Their numbers are never reused. Resolves to undefined if
 * the model does not exist.
 */
export async function deleteCheckpoints(
  training: TrainingContext,
  modelId: string,
  steps: readonly number[],
): Promise<DeletedCheckpoints | undefined> {
  const wanted = [...new Set(steps)];
  const gone = await untilWritten(async () => {
    const model = await training.store.model(modelId);
    if (model === undefined || model.deleted !== undefined) return "no model";
    const found: Checkpoint[] = [];
    for (const step of wanted) {
      const checkpoint = await training.store.checkpoint(modelId, step);
      if (checkpoint !== undefined && checkpoint.deletedAt === undefined) found.push(checkpoint);
    }
    if (found.length === 0) return found;
    const at = training.clock.now();
    const written = await write(training, {
      model: { ...model, version: model.version + 1 },
      checkpoints: found.map((one) => ({ ...one, deletedAt: at })),
    });
    return written ? found : undefined;
  });
  if (gone === "no model") return undefined;
  await removeUnused(
    training,
    gone.flatMap(({ files }) => files),
  );
  const deleted = new Set(gone.map(({ step }) => step));
  return { deleted: gone.length, notFound: wanted.filter((step) => !deleted.has(step)) };
}

async function liveCheckpoints(training: TrainingContext, modelId: string): Promise<readonly Checkpoint[]> {
  const all: Checkpoint[] = [];
  for (;;) {
    const afterStep = all.at(-1)?.step ?? 0;
    const page = await training.store.checkpoints(modelId, { order: "asc", afterStep, limit: PAGE });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

async function unfinishedJobs(training: TrainingContext, modelId: string): Promise<readonly Job[]> {
  const all: Job[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await training.store.jobs({
      modelId,
      statuses: UNFINISHED,
      order: "asc",
      limit: PAGE,
      ...(last && { after: last }),
    });
    if (page.length === 0) return all;
    all.push(...page);
  }
}
