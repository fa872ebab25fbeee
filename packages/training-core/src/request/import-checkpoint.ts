// Imports checkpoints that were not trained here: an external adapter becomes the newest step of a model.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { shownName, untilWritten } from "@assay/base/internal";
import type { ArtifactFile } from "../job/worker-message.ts";
import type { Model, ModelName } from "../model/model.ts";
import { write } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";

/** An external checkpoint. Its files are already in the artifact store. */
export interface CheckpointImport {
  /** The model it is for. */
  readonly model: ModelName;
  /** Its base model. It is used to create the model if none has this name, and must otherwise equal the model's. */
  readonly baseModel?: string;
  /** UUID of the checkpoint, which is imported only once. */
  readonly id: string;
  /** Its original step, which is kept if it is above all steps that the model ever had. */
  readonly step?: number;
  /** Its files. */
  readonly files: readonly ArtifactFile[];
}

/** Where a checkpoint was imported to. */
export interface ImportedCheckpoint {
  /** Its model. */
  readonly modelId: string;
  /** Its step. */
  readonly step: number;
}

/**
 * Adds the checkpoint to its model. Issues: `model_not_found`, `conflict` (another base model), `files` (none, or one
 * that is in a folder or not stored).
 */
export async function importCheckpoint(
  training: TrainingContext,
  { model: name, baseModel, id, step: wanted, files }: CheckpointImport,
): Promise<Result<ImportedCheckpoint>> {
  const issue = fileIssue(files);
  if (issue !== undefined) return bad([issue]);
  const path = shownName(`${name.entity}/${name.project}/${name.name}`);
  return untilWritten(async () => {
    const found = await training.store.modelNamed(name);
    if (found === undefined && baseModel === undefined)
      return bad([{ code: "model_not_found", path: ["model"], message: `there is no model ${path}` }]);
    if (found !== undefined && baseModel !== undefined && found.baseModel !== baseModel) {
      const message = `the model ${path} has the base model ${shownName(found.baseModel)}, not ${shownName(baseModel)}`;
      return bad([{ code: "conflict", path: ["baseModel"], message }]);
    }
    const createdAt = training.clock.now();
    const model: Model = found ?? {
      id: training.ids.next(),
      version: 0,
      entity: name.entity,
      project: name.project,
      name: name.name,
      baseModel: baseModel!,
      createdAt,
      headStep: 0,
      jobCount: 0,
      baseMetrics: {},
    };
    const there = await training.store.checkpointWithId(model.id, id);
    if (there !== undefined) return ok({ modelId: model.id, step: there.step });
    const step = wanted !== undefined && wanted > model.headStep ? wanted : model.headStep + 1;
    const checkpoint = { id, modelId: model.id, step, parentStep: 0, files, metrics: {}, createdAt };
    const changed = { ...model, version: model.version + 1, headStep: step };
    const written = await write(training, { model: changed, checkpoints: [checkpoint] });
    return written ? ok({ modelId: model.id, step }) : undefined;
  });
}

function fileIssue(files: readonly ArtifactFile[]): Issue | undefined {
  const wrong = (message: string): Issue => ({ code: "files", path: ["files"], message });
  if (files.length === 0) return wrong("a checkpoint must have files");
  const nested = files.find(({ name }) => name.includes("/"));
  if (nested !== undefined)
    return wrong(`the files of a checkpoint must not be in a folder, but ${shownName(nested.name)} is`);
  const elsewhere = files.find(({ sha256 }) => sha256 === "");
  if (elsewhere !== undefined)
    return wrong(`${shownName(elsewhere.name)} is a reference: the files of a checkpoint must be uploaded`);
  return undefined;
}
