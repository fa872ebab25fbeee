// The HTTP client of commands for models, their checkpoints and aliases.

import type { AssayClient, Schemas } from "@assay/client";
import { EXIT, Failure } from "../terminal/failure.ts";
import { type ModelPath, modelPathText } from "./model-path.ts";
import { allItems, serverClient } from "./server-client.ts";

/** A model as the server returns it: `step` is its newest checkpoint, 0 the base model. */
export type ModelInfo = Schemas["TrainingModelDetails"];

/** A checkpoint as the server returns it. */
export type CheckpointInfo = Schemas["Checkpoint"];

/** An alias of a checkpoint; with a metric it follows the checkpoint with the best value. */
export type AliasInfo = Schemas["Alias"];

/** An evaluation of a model. */
export type ModelEvaluationInfo = Schemas["ModelEvaluation"];

/** What an alias should point to. */
export type AliasTarget =
  | { readonly step: number }
  | { readonly metric: string; readonly goal: "max" | "min" };

/** Models on a server. Methods throw a `Fault`: `unavailable` if it does not answer, or a refusal with its message. */
export interface ModelsClient {
  /** All models, oldest first. */
  list(): Promise<readonly ModelInfo[]>;
  /** The only model with that name; a `Failure` if there is none, or if several entities have one. */
  find(path: ModelPath): Promise<ModelInfo>;
  /** All checkpoints of a model by step. */
  checkpoints(id: string): Promise<readonly CheckpointInfo[]>;
  aliases(id: string): Promise<readonly AliasInfo[]>;
  /** The evaluations of the model in its project, by start. */
  evaluations(id: string): Promise<readonly ModelEvaluationInfo[]>;
  setAlias(id: string, alias: string, target: AliasTarget): Promise<AliasInfo>;
  removeAlias(id: string, alias: string): Promise<void>;
  /** Deletes the model with all its checkpoints. */
  remove(id: string): Promise<Schemas["DeletedModel"]>;
  /** Deletes checkpoints. */
  removeCheckpoints(id: string, steps: readonly number[]): Promise<Schemas["DeletedCheckpoints"]>;
}

/**
 * The only model with that name; undefined if there is none. A `Failure` if several entities have one and the name
 * names none of them, because a command must not act on the wrong model.
 */
export async function modelAt(client: AssayClient, path: ModelPath): Promise<ModelInfo | undefined> {
  const { entity, project, name } = path;
  const [found, other] = (await allModels(client)).filter(
    (model) =>
      model.project === project && model.name === name && (entity === undefined || model.entity === entity),
  );
  if (found === undefined || other === undefined) return found;
  throw new Failure(
    EXIT.usage,
    `${modelPathText(path)} exists in ${found.entity} and in ${other.entity}: name one, such as ${modelPathText(found)}`,
  );
}

/** Models on the server at `url`; requests are sent with `apiKey` if given. */
export function modelsClient(url: string, apiKey: string | undefined): ModelsClient {
  const client = serverClient(url, apiKey);
  const { ask } = client;
  return {
    list: () => allModels(client),
    async find(path) {
      const found = await modelAt(client, path);
      if (found !== undefined) return found;
      throw new Failure(EXIT.usage, `model not found: ${modelPathText(path)}; assay models lists all`);
    },
    checkpoints: (model_id) =>
      allItems((after) =>
        ask("GET /v1/preview/models/{model_id}/checkpoints", {
          path: { model_id },
          query: { limit: PAGE, after },
        }),
      ),
    aliases: async (model_id) =>
      (await ask("GET /v1/preview/models/{model_id}/aliases", { path: { model_id } })).data,
    evaluations: (model_id) =>
      allItems((after) =>
        ask("GET /v1/preview/models/{model_id}/evaluations", {
          path: { model_id },
          query: { limit: PAGE, after },
        }),
      ),
    setAlias: (model_id, alias, body) =>
      ask("PUT /v1/preview/models/{model_id}/aliases/{alias}", { path: { model_id, alias }, body }),
    async removeAlias(model_id, alias) {
      await ask("DELETE /v1/preview/models/{model_id}/aliases/{alias}", { path: { model_id, alias } });
    },
    remove: (model_id) => ask("DELETE /v1/preview/models/{model_id}", { path: { model_id } }),
    removeCheckpoints: (model_id, steps) =>
      ask("DELETE /v1/preview/models/{model_id}/checkpoints", { path: { model_id }, body: { steps } }),
  };
}

const PAGE = 100;

function allModels({ ask }: AssayClient): Promise<readonly ModelInfo[]> {
  return allItems((after) => ask("GET /v1/preview/models", { query: { limit: PAGE, after } }));
}
