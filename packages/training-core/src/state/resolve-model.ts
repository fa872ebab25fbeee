// Resolves the model name in a chat request to its checkpoint, and never to a different one.

import { bad, ok, type Result } from "@assay/base";
import { shownName } from "@assay/base/internal";
import type { Checkpoint } from "../model/checkpoint.ts";
import type { Model, ModelName } from "../model/model.ts";
import type { CheckpointStore, ModelStore } from "../ports/training-store.ts";

/** A trained model by name, at a step or at its newest step. */
export interface TrainedModelName extends ModelName {
  /** The step of the checkpoint; 0 is the base model. */
  readonly step: number | "latest";
}

/** The result of resolving a model's name. Without a checkpoint it is the base model, before any training: step 0. */
export interface ServedModel {
  /** The model. */
  readonly model: Model;
  /** The checkpoint to serve; undefined for the unchanged base model. */
  readonly checkpoint: Checkpoint | undefined;
}

/**
 * The model and the checkpoint that `wanted` means. Step 0 is the base model, which is also the newest step of an
 * untrained model. The issue `model_not_found` names what does not exist: the model, the step, or any checkpoint
 * because all were deleted.
 */
export async function resolveModel(
  store: Pick<ModelStore & CheckpointStore, "modelNamed" | "checkpoint" | "checkpoints">,
  wanted: TrainedModelName,
): Promise<Result<ServedModel>> {
  const path = shownName(`${wanted.entity}/${wanted.project}/${wanted.name}`);
  const model = await store.modelNamed(wanted);
  if (model === undefined) return notFound(`there is no model ${path}`);
  if (wanted.step === 0 || (wanted.step === "latest" && model.headStep === 0))
    return ok({ model, checkpoint: undefined });
  if (wanted.step === "latest") {
    const [checkpoint] = await store.checkpoints(model.id, { order: "desc", limit: 1 });
    if (checkpoint !== undefined) return ok({ model, checkpoint });
    return notFound(`every checkpoint of ${path} is deleted; its base model is ${path}:step0`);
  }
  const checkpoint = await store.checkpoint(model.id, wanted.step);
  if (checkpoint === undefined) return notFound(`${path} has no step ${wanted.step}`);
  if (checkpoint.deletedAt !== undefined) return notFound(`step ${wanted.step} of ${path} is deleted`);
  return ok({ model, checkpoint });
}

function notFound(message: string): Result<never> {
  return bad([{ code: "model_not_found", path: ["model"], message }]);
}
