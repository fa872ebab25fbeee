// Finds the evaluations of a trained model, by the name that each evaluation has for its model.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { TrainedModel, Version } from "../ports/trained-models.ts";
import { readModelName } from "./model-name.ts";

/** An evaluation of a trained model. */
export interface ModelEvaluation<Evaluation> {
  /** The evaluation. */
  readonly evaluation: Evaluation;
  /**
   * The checkpoint that it names. The step that `latest` or another alias referred to at the time is no longer known.
   */
  readonly version: Version;
}

/**
 * The evaluations of this model, in their order. A model is named as in a chat, or by a reference to an object with
 * such a name among its attributes: `resolve` returns the values of references, null for unknown ones. It is called
 * once, with each reference once.
 */
export async function evaluationsOfModel<Evaluation extends { readonly model: string | null }>(
  evaluations: Iterable<Evaluation>,
  model: Pick<TrainedModel, "entity" | "project" | "name" | "baseModel">,
  resolve: (refs: readonly string[]) => Promise<readonly Json[]>,
): Promise<readonly ModelEvaluation<Evaluation>[]> {
  const all = [...evaluations];
  const texts = new Set(all.flatMap((one) => (one.model === null ? [] : [one.model])));
  const versions = new Map([...texts].map((text) => [text, versionIn(text, model)]));
  const refs = [...texts].filter((text) => text.startsWith("weave:///"));
  const values = await resolve(refs);
  for (const [i, ref] of refs.entries()) versions.set(ref, versionIn(values[i] ?? null, model));
  return all.flatMap((evaluation) => {
    const version = evaluation.model === null ? undefined : versions.get(evaluation.model);
    return version === undefined ? [] : [{ evaluation, version }];
  });
}

/** The version of the model that a name, or an attribute of an object, names; undefined if none does. */
function versionIn(
  value: Json,
  model: Pick<TrainedModel, "entity" | "project" | "name" | "baseModel">,
): Version | undefined {
  const texts = isJsonObject(value) ? Object.values(value) : [value];
  for (const text of texts) {
    const read = typeof text === "string" ? readModelName(text) : undefined;
    if (read?.kind !== "trained") continue;
    const { entity, project, name, version } = read.name;
    const isSame = entity === model.entity && project === model.project && name === model.name;
    if (isSame && (read.baseModel ?? model.baseModel) === model.baseModel) return version;
  }
  return undefined;
}
