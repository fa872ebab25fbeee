// Removes files that are no longer needed.

import { Fault } from "@assay/base";
import type { Job } from "../job/job.ts";
import type { StoredBlob } from "../job/stored-blob.ts";
import type { TrainingContext } from "./context.ts";

/** Removes those of `files` that no checkpoint and no unfinished job needs. */
export async function removeUnused(
  { store, artifacts }: TrainingContext,
  files: readonly StoredBlob[],
): Promise<void> {
  for (const name of new Set(files.map(({ sha256 }) => sha256)))
    if (!(await store.usesBlob(name))) await artifacts.remove(name);
}

/**
 * Removes files that an ended job leaves: an unused result, or a parent that was deleted meanwhile. If the store fails,
 * some unneeded files remain, but the job still ends.
 */
export async function tidyUp(training: TrainingContext, job: Job): Promise<void> {
  const made = job.state === "succeeded" ? [] : (job.trained?.files ?? []);
  const { step = 0, files = [] } = job.parent ?? {};
  try {
    const parent = files.length > 0 ? await training.store.checkpoint(job.modelId, step) : undefined;
    await removeUnused(training, [...made, ...(parent?.deletedAt === undefined ? [] : files)]);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}
