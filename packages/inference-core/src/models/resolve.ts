// Resolves the name in a request to the engine that serves it. An unknown name is never answered by another model.

import type { ChatProvider } from "../ports/chat-provider.ts";
import type { TrainedModel, TrainedModels } from "../ports/trained-models.ts";
import type { Catalogue } from "./catalogue.ts";
import { readModelName } from "./model-name.ts";

/** The provider for a model. */
export interface Target {
  /** The catalogue id of the model or of its base. */
  readonly model: string;
  /** The provider. */
  readonly provider: ChatProvider;
  /** The requested trained model, even at step 0. */
  readonly trained?: TrainedModel;
}

/** Whether a caller may see a project. */
export type Allows = (entity: string, project: string) => boolean;

/**
 * The provider of the model that a client calls `text`. Undefined if there is no such model, if the caller may not see
 * it, or if no provider serves it: a client cannot distinguish these.
 */
export async function resolveModel(
  catalogue: Catalogue,
  trainedModels: TrainedModels,
  text: string,
  allows: Allows,
): Promise<Target | undefined> {
  const name = readModelName(text);
  if (name === undefined) return undefined;
  if (name.kind === "catalogue") {
    const model = catalogue.get(name.id);
    return model && { model: model.id, provider: model.provider };
  }
  if (!allows(name.name.entity, name.name.project)) return undefined;
  const trained = await trainedModels.find(name.name);
  // A fine-tuned model gets its name when it exists: before, its base model would answer under it.
  const isWrong = trained !== undefined && (trained.baseModel !== name.baseModel || trained.step === 0);
  if (name.baseModel !== undefined && isWrong) return undefined;
  const base = trained && catalogue.get(trained.baseModel);
  // A checkpoint is only passed to a provider that loads checkpoints: the base model's provider never sees its name.
  const provider = trained?.checkpoint === undefined ? base?.provider : base?.trainedProvider;
  if (trained === undefined || base === undefined || provider === undefined) return undefined;
  return { model: base.id, provider, trained };
}
