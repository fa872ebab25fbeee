// Caches the tiny models that were used last; each is loaded once, even for concurrent requests.

import { lruCache } from "@assay/base/internal";
import type { TrainedModel } from "@assay/inference-core";
import type { TinyWeights } from "@assay/model-tiny/internal";
import type { ArtifactStore } from "@assay/training-core";
import { loadTinyWeights, TINY_FILE } from "./trainer.ts";

/** Finds the weights to answer with. */
export interface LoadedModels {
  /** The model `base`, or the trained model if given. Throws a `Fault` if the checkpoint is missing or damaged. */
  load(base: string, trained: TrainedModel | undefined): Promise<TinyWeights>;
}

/** Caches at most `capacity` models, which take some 2.6 MB each without the optimiser's state. */
export function loadedModels(artifacts: Pick<ArtifactStore, "read">, capacity: number): LoadedModels {
  // Sampling does not change a model, so it can be shared.
  const models = lruCache<string, Promise<TinyWeights>>(capacity);

  return {
    load(base, trained) {
      const files = trained?.checkpoint?.files ?? [];
      const name = files.find((file) => file.name === TINY_FILE)?.sha256 ?? base;
      const known = models.get(name);
      if (known !== undefined) return known;
      const model = loadTinyWeights(artifacts, base, files);
      models.set(name, model);
      // A failure is not cached: the file may exist the next time.
      model.catch(() => models.get(name) === model && models.delete(name));
      return model;
    },
  };
}
