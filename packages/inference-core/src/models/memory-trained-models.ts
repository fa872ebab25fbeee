// Trained models in memory. For tests, examples, and models that were trained elsewhere.

import type { TrainedModel, TrainedModelEntry, TrainedModels } from "../ports/trained-models.ts";

/** A trained model, with aliases of its step. */
export interface ListedTrainedModel extends TrainedModel {
  /** Aliases, such as `best`. Default: none. */
  readonly aliases?: readonly string[];
}

/** A fixed set of trained models. The newest step is the highest one. */
export function memoryTrainedModels(models: readonly ListedTrainedModel[] = []): TrainedModels {
  return {
    async find({ entity, project, name, version }) {
      const steps = models.filter(
        (model) => model.entity === entity && model.project === project && model.name === name,
      );
      const found = steps
        .sort((a, b) => b.step - a.step)
        .find(({ step, aliases }) => {
          if (version.kind === "latest") return true;
          return version.kind === "step" ? step === version.step : aliases?.includes(version.alias);
        });
      if (found === undefined) return undefined;
      const { aliases: _aliases, ...model } = found;
      return model;
    },
    async *list() {
      const newest = new Map<string, TrainedModelEntry>();
      for (const { entity, project, name, baseModel, step, createdAt } of models) {
        const path = JSON.stringify([entity, project, name]);
        if (step >= (newest.get(path)?.step ?? 0))
          newest.set(path, { entity, project, name, baseModel, step, createdAt });
      }
      yield* newest.values();
    },
  };
}
