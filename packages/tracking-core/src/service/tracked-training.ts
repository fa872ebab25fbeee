// Training whose models have runs and whose checkpoints are artifacts: each model is created with a run, and deleting
// it deletes its run and artifacts too.

import type { TrainingService } from "@assay/training-core";
import { refuseHeld } from "./artifacts/checkpoint-aliases.ts";
import type { TrackingService } from "./tracking-service.ts";

/**
 * `training`, with its changes repeated in `tracking`. Training comes first: after an interruption in between,
 * tracking catches up when the model's artifacts are requested, and deleting a model again completes its deletion.
 */
export function trackedTraining(training: TrainingService, tracking: TrackingService): TrainingService {
  return {
    ...training,
    async createModel(request, key) {
      const made = await training.createModel(request, key);
      if (made.ok) await tracking.modelRun(made.value);
      return made;
    },
    async submitFineTuning(request, place, key) {
      const job = await training.submitFineTuning(request, place, key);
      const model = job.ok ? await training.store.model(job.value.modelId) : undefined;
      if (model !== undefined) await tracking.modelRun(model);
      return job;
    },
    async deleteModel(modelId) {
      const model = await training.store.model(modelId);
      if (model !== undefined && model.deleted === undefined) await refuseHeld(tracking, model);
      const run = model && (await tracking.store.run(model));
      const gone = await training.deleteModel(modelId, run?.modelId === modelId);
      if (model !== undefined) await tracking.deleteModel(model);
      return gone;
    },
    async deleteCheckpoints(modelId, steps) {
      const model = await training.store.model(modelId);
      if (model !== undefined && model.deleted === undefined) await refuseHeld(tracking, model, steps);
      const gone = await training.deleteCheckpoints(modelId, steps);
      if (gone !== undefined && model !== undefined) await tracking.followModel(model);
      return gone;
    },
  };
}
