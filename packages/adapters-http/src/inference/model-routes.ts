// `GET` and `DELETE /v1/models/{id}`: reads a model as in the list, or deletes a trained model.

import type { Caller, Inference } from "@assay/inference-core";
import {
  describeModel,
  readModelName,
  resolveModel,
  unknownModel,
  type Viewer,
} from "@assay/inference-core/internal";
import { forbidden, refused } from "./problem.ts";

/** Deletes a trained model with its checkpoints; resolves to whether it existed. */
export type DeleteModel = (name: {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
}) => Promise<boolean>;

/** Shows a model. */
export async function getModel(inference: Inference, viewer: Viewer, id: string): Promise<Response> {
  const { catalogue, trainedModels } = inference;
  const found = await describeModel(catalogue, trainedModels, id, viewer);
  return found === undefined ? refused(unknownModel(catalogue.keys())) : Response.json(found);
}

/** Deletes a trained model that the caller may see. */
export async function deleteModel(
  inference: Inference,
  { allows }: Caller,
  id: string,
  remove: DeleteModel,
): Promise<Response> {
  const { catalogue, trainedModels } = inference;
  const name = readModelName(id);
  if (name?.kind === "catalogue" && catalogue.get(id) !== undefined)
    return forbidden(`${id} is a base model of this server: only models that were trained can be deleted`);
  if (name?.kind === "trained" && name.name.version.kind !== "latest") {
    const message = "a model is deleted with all of its checkpoints: name it without a version";
    return refused({ code: "rejected", message, param: "model" });
  }
  const isAnother =
    name?.kind === "trained" &&
    name.baseModel !== undefined &&
    (await resolveModel(catalogue, trainedModels, id, allows)) === undefined;
  const mine = name?.kind === "trained" && !isAnother && allows(name.name.entity, name.name.project);
  if (!mine || !(await remove(name.name))) return refused(unknownModel(catalogue.keys()));
  return Response.json({ id, object: "model", deleted: true });
}
