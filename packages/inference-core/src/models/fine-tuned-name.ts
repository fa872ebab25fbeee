// Names of fine-tuned models for OpenAI's clients: `ft:base:entity/project:suffix:id`.

import { isPathName } from "@assay/base/internal";
import type { TrainedModel, TrainedModelName, Version } from "../ports/trained-models.ts";

const SCHEME = "ft:";
const CHECKPOINT = /:ckpt-step-(0|[1-9]\d{0,8})$/;

/** The parsed name of a fine-tuned model. */
export interface FineTunedName {
  /** The model it names. */
  readonly name: TrainedModelName;
  /** The base model in the name. If the model has another one, the name is invalid. */
  readonly baseModel: string;
}

/** Whether a name has the form of a fine-tuned model's. */
export function isFineTunedName(text: string): boolean {
  return text.startsWith(SCHEME);
}

/**
 * Reads `ft:base:entity/project:suffix:id`. The suffix may be empty, `:ckpt-step-3` may follow, and the base may
 * contain colons. Undefined for other texts.
 */
export function readFineTunedName(text: string): FineTunedName | undefined {
  if (!isFineTunedName(text)) return undefined;
  const step = CHECKPOINT.exec(text)?.[1];
  const version: Version = step === undefined ? { kind: "latest" } : { kind: "step", step: Number(step) };
  const parts = text.replace(CHECKPOINT, "").slice(SCHEME.length).split(":");
  const [place = "", suffix = "", id = ""] = parts.slice(-3);
  const [entity = "", project = "", ...more] = place.split("/");
  const name = suffix === "" ? id : `${suffix}-${id}`;
  const baseModel = parts.slice(0, -3).join(":");
  if (parts.length < 4 || more.length > 0 || id.includes("-") || ![entity, project, name].every(isPathName))
    return undefined;
  return { baseModel, name: { entity, project, name, version } };
}

/** The name of a fine-tuned model, at its newest step or the given one. */
export function printFineTunedName(
  { entity, project, name, baseModel }: Pick<TrainedModel, "entity" | "project" | "name" | "baseModel">,
  step?: number,
): string {
  const dash = name.lastIndexOf("-");
  const suffix = dash < 0 ? "" : name.slice(0, dash);
  const checkpoint = step === undefined ? "" : `:ckpt-step-${step}`;
  return `${SCHEME}${baseModel}:${entity}/${project}:${suffix}:${name.slice(dash + 1)}${checkpoint}`;
}
