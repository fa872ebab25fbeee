// The list of models: all that a caller can ask, under the names that it asks them by.

import type { Catalogue } from "./catalogue.ts";
import { printFineTunedName } from "./fine-tuned-name.ts";
import { printTrainedModelName } from "./model-name.ts";
import type { TrainedModels } from "./ports/trained-models.ts";
import { type Allows, resolveModel } from "./resolve.ts";

/** Models as `GET /models` lists them. */
export interface ModelList {
  /** Always `list`. */
  readonly object: "list";
  /** Those of the catalogue in its order, then the trained ones in the order of their store. */
  readonly data: readonly ListedModel[];
}

/** One model of a list. */
export interface ListedModel {
  /** What to write as `model` in a request. */
  readonly id: string;
  /** Always `model`. */
  readonly object: "model";
  /** Always 0: nobody knows. */
  readonly created: number;
  /** `system`, or the entity of a trained model. */
  readonly owned_by: string;
  /** The id again. */
  readonly root: string;
  /** What a trained model was made from. */
  readonly parent?: string;
}

/**
 * The models that a caller can ask: the catalogue, and of the projects that it may see the trained models, each at its
 * newest step. A trained model that nobody here could answer for is left out.
 */
export async function listModels(
  catalogue: Catalogue,
  trainedModels: TrainedModels,
  allows: Allows,
): Promise<ModelList> {
  const data = [...catalogue.keys()].map((id) => listed(id, "system"));
  for await (const model of trainedModels.list()) {
    const { entity, project, name, baseModel, step, fineTuned } = model;
    const base = catalogue.get(baseModel);
    const provider = step === 0 ? base?.provider : base?.trainedProvider;
    if (provider === undefined || !allows(entity, project)) continue;
    // A job that has not made its model yet may never do so.
    if (fineTuned && step === 0) continue;
    const id = fineTuned
      ? printFineTunedName(model)
      : printTrainedModelName({ entity, project, name, version: { kind: "latest" } });
    data.push({ ...listed(id, entity), parent: baseModel });
  }
  return { object: "list", data };
}

/** The model that a caller calls `id`, as the list shows it; undefined when it could not ask it. */
export async function describeModel(
  catalogue: Catalogue,
  trainedModels: TrainedModels,
  id: string,
  allows: Allows,
): Promise<ListedModel | undefined> {
  const target = await resolveModel(catalogue, trainedModels, id, allows);
  if (target === undefined) return undefined;
  const { trained, model } = target;
  return trained === undefined ? listed(id, "system") : { ...listed(id, trained.entity), parent: model };
}

function listed(id: string, owner: string): ListedModel {
  return { id, object: "model", created: 0, owned_by: owner, root: id };
}
