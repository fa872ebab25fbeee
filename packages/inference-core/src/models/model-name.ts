// Parses the `model` of a request. Does not check whether the model exists.

import { isPathName } from "@assay/base/internal";
import type { TrainedModelName, Version } from "../ports/trained-models.ts";
import { isFineTunedName, readFineTunedName } from "./fine-tuned-name.ts";

/** The meaning of a name: a model of the catalogue, or a trained one. */
export type ModelName =
  | { readonly kind: "catalogue"; readonly id: string }
  | {
      readonly kind: "trained";
      readonly name: TrainedModelName;
      /** The base model that a fine-tuned model must have to match. */
      readonly baseModel?: string;
    };

const SCHEME = "wandb-artifact:";
const MAX_LENGTH = 1024;
const ALIAS = /^[^/:\p{Cc}]{1,128}$/u;

/**
 * Reads `wandb-artifact:///entity/project/name` (or with two slashes), which means the newest checkpoint, or the one
 * at `:latest`, `:step7` or another alias; or `ft:…`, a fine-tuned model. Any other text is taken as a catalogue ID.
 * Undefined if the scheme is followed by an invalid name.
 */
export function readModelName(text: string): ModelName | undefined {
  if (isFineTunedName(text)) {
    const found = text.length > MAX_LENGTH ? undefined : readFineTunedName(text);
    return found && { kind: "trained", ...found };
  }
  if (!text.startsWith(SCHEME)) return { kind: "catalogue", id: text };
  if (text.length > MAX_LENGTH) return undefined;
  const path = /^\/\/\/?([^/].*)$/su.exec(text.slice(SCHEME.length))?.[1];
  const [entity = "", project = "", last = "", ...more] = path?.split("/") ?? [];
  const colon = last.indexOf(":");
  const name = colon < 0 ? last : last.slice(0, colon);
  const version = colon < 0 ? LATEST : readVersion(last.slice(colon + 1));
  if (version === undefined || more.length > 0 || ![entity, project, name].every(isPathName)) {
    return undefined;
  }
  return { kind: "trained", name: { entity, project, name, version } };
}

/** The canonical form of the name: with three slashes, and without a version for the newest. */
export function printTrainedModelName({ entity, project, name, version }: TrainedModelName): string {
  return `${SCHEME}///${entity}/${project}/${name}${printVersion(version)}`;
}

const LATEST: Version = { kind: "latest" };

function readVersion(text: string): Version | undefined {
  if (text === "latest") return LATEST;
  // Each step has only one notation: `step07` is an ordinary alias.
  const step = /^step(0|[1-9]\d{0,8})$/.exec(text)?.[1];
  if (step !== undefined) return { kind: "step", step: Number(step) };
  return ALIAS.test(text) ? { kind: "alias", alias: text } : undefined;
}

function printVersion(version: Version): string {
  switch (version.kind) {
    case "latest":
      return "";
    case "step":
      return `:step${version.step}`;
    case "alias":
      return `:${version.alias}`;
  }
}
