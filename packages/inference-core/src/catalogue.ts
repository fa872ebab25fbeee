// Catalogue: the models that can be requested by id, and the engine that serves each.

import type { ChatProvider } from "./ports/chat-provider.ts";

/** A model that clients can ask. */
export interface CatalogueModel {
  /** What clients write, letter by letter: `org/model`. */
  readonly id: string;
  /** Answers as the model itself. */
  readonly provider: ChatProvider;
  /** Answers as models trained from this one. Absent: no provider can, and their names are unknown. */
  readonly trainedProvider?: ChatProvider;
}

/** The models by their id. A map is one. */
export interface Catalogue {
  /** The model with this id. There may be more than are listed: such as one for each number. */
  get(id: string): CatalogueModel | undefined;
  /** The ids of the models that are listed, in that order. */
  keys(): Iterable<string>;
}

/** A catalogue of `models`. Throws when two have one id. */
export function catalogueOf(models: Iterable<CatalogueModel>): Catalogue {
  const catalogue = new Map<string, CatalogueModel>();
  for (const model of models) {
    if (catalogue.has(model.id)) throw new Error(`two models have the id ${model.id}`);
    catalogue.set(model.id, model);
  }
  return catalogue;
}
