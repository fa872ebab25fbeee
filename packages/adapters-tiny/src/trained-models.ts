// Looks up trained models in a training store, for dispatching requests to them. Read-only.

import type { TrainedModels } from "@assay/inference-core";
import type { CheckpointFile, Version } from "@assay/inference-core/internal";
import type { Checkpoint, CheckpointStore, Model, ModelName, ModelStore } from "@assay/training-core";
import { resolveModel } from "@assay/training-core/internal";

/** The number of models per read when all are listed. */
const PAGE = 1000;

/**
 * The trained models of a store: a name means the checkpoint that training made under it, as soon as it exists. `:v7`
 * is another name of `:step7`; `stepOf` resolves other aliases. Default: none.
 */
export function storedTrainedModels(
  store: ModelStore & CheckpointStore,
  stepOf: (model: ModelName, alias: string) => Promise<number | undefined> = async () => undefined,
): TrainedModels {
  return {
    async find({ entity, project, name, version }) {
      const step = namedStep(version) ?? (await aliasedStep({ entity, project, name }, version, stepOf));
      if (step === undefined) return undefined;
      const found = await resolveModel(store, { entity, project, name, step });
      if (!found.ok) return undefined;
      const { model, checkpoint } = found.value;
      if (isUnmade(model, checkpoint)) return undefined;
      return {
        entity,
        project,
        name,
        baseModel: model.baseModel,
        step: checkpoint?.step ?? 0,
        createdAt: checkpoint?.createdAt ?? model.createdAt,
        ...(trained(checkpoint) && { checkpoint: { id: checkpoint.id, files: filesOf(checkpoint) } }),
      };
    },

    async *list() {
      let after: string | undefined;
      for (;;) {
        const models = await store.models({ limit: PAGE, ...(after !== undefined && { after }) });
        for (const model of models) {
          const { id, entity, project, name, baseModel, headStep, fineTuned = false } = model;
          const newest = headStep === 0 ? [] : await store.checkpoints(id, { order: "desc", limit: 1 });
          // A trained model whose checkpoints were all deleted has no newest step.
          if ((headStep === 0 || newest[0] !== undefined) && !isUnmade(model, newest[0]))
            yield {
              entity,
              project,
              name,
              baseModel,
              step: newest[0]?.step ?? 0,
              createdAt: newest[0]?.createdAt ?? model.createdAt,
              ...(fineTuned && { fineTuned }),
            };
        }
        if (models.length < PAGE) return;
        after = models.at(-1)!.id;
      }
    },
  };
}

/** The step that a version names. */
function namedStep(version: Version): number | "latest" | undefined {
  switch (version.kind) {
    case "latest":
      return "latest";
    case "step":
      return version.step;
    case "alias": {
      const step = /^v(0|[1-9]\d{0,8})$/.exec(version.alias)?.[1];
      return step === undefined ? undefined : Number(step);
    }
  }
}

async function aliasedStep(
  model: ModelName,
  version: Version,
  stepOf: (model: ModelName, alias: string) => Promise<number | undefined>,
): Promise<number | undefined> {
  return version.kind === "alias" ? stepOf(model, version.alias) : undefined;
}

/**
 * Whether a fine-tuning job that starts from a trained model has not made its own checkpoint yet: only the copy it
 * starts from exists.
 */
function isUnmade({ fineTuned }: Model, checkpoint: Checkpoint | undefined): boolean {
  return fineTuned === true && checkpoint?.copyOf !== undefined;
}

/** Whether it differs from the base model: without files, training has changed nothing. */
function trained(checkpoint: Checkpoint | undefined): checkpoint is Checkpoint {
  return checkpoint !== undefined && checkpoint.files.length > 0;
}

function filesOf({ files }: Checkpoint): readonly CheckpointFile[] {
  return files.map(({ name, sha256, size }) => ({ name, sha256, size }));
}
