// The list of models: all that a caller can use, by the names in requests.

import type { TrainedModels } from "../ports/trained-models.ts";
import type { Catalogue } from "./catalogue.ts";
import { printFineTunedName } from "./fine-tuned-name.ts";
import { printTrainedModelName } from "./model-name.ts";
import { type Allows, resolveModel } from "./resolve.ts";

/** Models as `GET /models` lists them. */
export interface ModelList {
  /** Always `list`. */
  readonly object: "list";
  /** The models of the catalogue in its order, then the trained ones in the order of their store. */
  readonly data: readonly ListedModel[];
}

/** One model of a list. */
export interface ListedModel {
  /** The name to use as `model` in a request. */
  readonly id: string;
  /** Always `model`. */
  readonly object: "model";
  /**
   * In seconds since 1970: when a trained model was made, or when the server started to serve a model of its
   * catalogue.
   */
  readonly created: number;
  /** `system`, or the entity of a trained model. */
  readonly owned_by: string;
  /** Equal to the ID. */
  readonly root: string;
  /** The base model of a trained model. */
  readonly parent?: string;
}

/** The caller, and when the server started to serve its catalogue. */
export interface Viewer {
  /** Which projects the caller may see. */
  readonly allows: Allows;
  /** When the server started to serve its catalogue, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * The models available to a caller: the catalogue, and the trained models of the projects that it may see, each at its
 * newest step. Trained models without a provider are left out.
 */
export async function listModels(
  catalogue: Catalogue,
  trainedModels: TrainedModels,
  { allows, since }: Viewer,
): Promise<ModelList> {
  const data = [...catalogue.keys()].map((id) => listed(id, "system", since));
  for await (const model of trainedModels.list()) {
    const { entity, project, name, baseModel, step, createdAt, fineTuned } = model;
    const base = catalogue.get(baseModel);
    const provider = step === 0 ? base?.provider : base?.trainedProvider;
    if (provider === undefined || !allows(entity, project)) continue;
    // A job that has not made its model yet may never do so.
    if (fineTuned && step === 0) continue;
    const id = fineTuned
      ? printFineTunedName(model)
      : printTrainedModelName({ entity, project, name, version: { kind: "latest" } });
    data.push({ ...listed(id, entity, createdAt), parent: baseModel });
  }
  return { object: "list", data };
}

/** The model that a caller names `id`, as in the list; undefined if it is not available. */
export async function describeModel(
  catalogue: Catalogue,
  trainedModels: TrainedModels,
  id: string,
  { allows, since }: Viewer,
): Promise<ListedModel | undefined> {
  const target = await resolveModel(catalogue, trainedModels, id, allows);
  if (target === undefined) return undefined;
  const { trained, model } = target;
  if (trained === undefined) return listed(id, "system", since);
  return { ...listed(id, trained.entity, trained.createdAt), parent: model };
}

function listed(id: string, owner: string, createdAt: number): ListedModel {
  return { id, object: "model", created: Math.floor(createdAt / 1000), owned_by: owner, root: id };
}
