// Lists checkpoints, jobs and models page by page. Deletions between two pages cause no gaps or repetitions.

import { bad, ok, type Result } from "@assay/base";
import type { Job, JobStatus } from "../../job/job.ts";
import type { Checkpoint } from "../../model/checkpoint.ts";
import type { Model } from "../../model/model.ts";
import type { JobPage } from "../../ports/training-store.ts";
import type { TrainingContext } from "../../state/context.ts";
import type { Page } from "./page.ts";

/** Which part of a list to read. */
export interface ListQuery {
  /** The ID of the last known item; from the start if absent. */
  readonly after?: string;
  /** The most items to read. */
  readonly limit: number;
  /** Ascending or descending. */
  readonly order: "asc" | "desc";
}

/** A list with items that not everyone may see. */
export interface SharedListQuery<T> extends ListQuery {
  /** Whether the caller may see an item. For other callers, `after` is treated as an item that never existed. */
  readonly mayKnow?: (item: T) => boolean | Promise<boolean>;
}

/**
 * A page of the model's checkpoints by step. Issues: `model_not_found`; `after` for a checkpoint that the model never
 * had (deleted ones are valid).
 */
export async function listCheckpoints(
  { store }: Pick<TrainingContext, "store">,
  modelId: string,
  { after, limit, order }: ListQuery,
): Promise<Result<Page<Checkpoint>>> {
  const model = await store.model(modelId);
  if (model === undefined || model.deleted !== undefined) return NO_MODEL;
  const last = after === undefined ? undefined : await store.checkpointWithId(modelId, after);
  if (after !== undefined && last === undefined) return unknownCursor("the model", "checkpoint", after);
  const found = await store.checkpoints(modelId, {
    order,
    limit: limit + 1,
    ...(last && { afterStep: last.step }),
  });
  return ok({ items: found.slice(0, limit), hasMore: found.length > limit });
}

/** Which jobs to list. */
export interface JobQuery extends SharedListQuery<Job> {
  /** Only jobs of this model. */
  readonly modelId?: string;
  /** Only jobs with one of these statuses. */
  readonly statuses?: readonly JobStatus[];
}

/** A page of jobs, ordered by submission. The issue `after` for a job that does not exist. */
export async function listJobs(
  { store }: Pick<TrainingContext, "store">,
  { after, limit, order, modelId, statuses, mayKnow }: JobQuery,
): Promise<Result<Page<Job>>> {
  const last = after === undefined ? undefined : await visibleItem(store.job(after), mayKnow);
  if (after !== undefined && last === undefined) return unknownCursor("the list", "job", after);
  const page: JobPage = {
    order,
    limit: limit + 1,
    ...(last && { after: last }),
    ...(modelId !== undefined && { modelId }),
    ...(statuses && { statuses }),
  };
  const found = await store.jobs(page);
  return ok({ items: found.slice(0, limit), hasMore: found.length > limit });
}

/** A page of models, oldest first. The issue `after` for a model that does not exist. */
export async function listModels(
  { store }: Pick<TrainingContext, "store">,
  { after, limit, mayKnow }: Omit<SharedListQuery<Model>, "order">,
): Promise<Result<Page<Model>>> {
  if (after !== undefined && (await visibleItem(store.model(after), mayKnow)) === undefined)
    return unknownCursor("the list", "model", after);
  const found = await store.models({ limit: limit + 1, ...(after !== undefined && { after }) });
  return ok({ items: found.slice(0, limit), hasMore: found.length > limit });
}

/** An item, if it exists and the caller may see it. */
export async function visibleItem<T>(
  looked: Promise<T | undefined>,
  mayKnow: SharedListQuery<T>["mayKnow"] = () => true,
): Promise<T | undefined> {
  const item = await looked;
  return item !== undefined && (await mayKnow(item)) ? item : undefined;
}

const NO_MODEL: Result<never> = bad([
  { code: "model_not_found", path: [], message: "there is no such model" },
]);

/** The refusal of a page after an item that does not exist. */
export function unknownCursor(where: string, what: string, after: string): Result<never> {
  return bad([{ code: "after", path: ["after"], message: `${where} has no ${what} ${after.slice(0, 64)}` }]);
}
