// Catalogue: the models that can be requested by id, and the engine that serves each.

import type { ChatProvider } from "../ports/chat-provider.ts";

/** A model for clients. */
export interface CatalogueModel {
  /** Its exact name for clients: `org/model`. */
  readonly id: string;
  /** Answers as the model itself. */
  readonly provider: ChatProvider;
  /** Answers as models trained from this one. Absent: no provider can, and their names are unknown. */
  readonly trainedProvider?: ChatProvider;
}

/** The models by their ID, such as a map. */
export interface Catalogue {
  /** The model with this ID. Models that are not listed are possible, such as one for each number. */
  get(id: string): CatalogueModel | undefined;
  /** The IDs of the listed models, in order. */
  keys(): Iterable<string>;
}

/** A catalogue of `models`. Throws if two have the same ID. */
export function catalogueOf(models: Iterable<CatalogueModel>): Catalogue {
  const catalogue = new Map<string, CatalogueModel>();
  for (const model of models) {
    if (catalogue.has(model.id)) throw new Error(`two models have the id ${model.id}`);
    catalogue.set(model.id, model);
  }
  return catalogue;
}
