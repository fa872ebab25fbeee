// The tiny models that are loaded: the ones used last, each loaded once however many ask for it at the same time.

import type { TrainedModel } from "@assay/inference-core";
import { loadTinyWeights, TINY_FILE, type TinyWeights } from "@assay/model-tiny";
import type { ArtifactStore } from "@assay/training-core";

/** Finds the weights to answer with. */
export interface LoadedModels {
  /** The model `base`, or what training made of it. Throws a `Fault` when the checkpoint is not there or damaged. */
  load(base: string, trained: TrainedModel | undefined): Promise<TinyWeights>;
}

/** Keeps at most `capacity` models: some 2.6 MB each, without what their optimisers remember. */
export function loadedModels(artifacts: Pick<ArtifactStore, "read">, capacity: number): LoadedModels {
  // In the order of their last use. Sampling does not change a model, so all may share it.
  const models = new Map<string, Promise<TinyWeights>>();

  return {
    load(base, trained) {
      const files = trained?.checkpoint?.files ?? [];
      const name = files.find((file) => file.name === TINY_FILE)?.sha256 ?? base;
      const model = models.get(name) ?? loadTinyWeights(artifacts, base, files);
      models.delete(name);
      models.set(name, model);
      // A failure is not kept: the file may be there the next time.
      model.catch(() => models.get(name) === model && models.delete(name));
      const [oldest] = models.keys();
      if (models.size > capacity && oldest !== undefined) models.delete(oldest);
      return model;
    },
  };
}
