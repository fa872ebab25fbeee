// A server's models, their checkpoints and the names of these over HTTP, as commands use them.

import type { AssayClient, Schemas } from "@assay/client";
import { EXIT, Failure } from "./failure.ts";
import { type ModelPath, modelPathText } from "./model-path.ts";
import { allItems, serverClient } from "./server-client.ts";

/** A model, as the server shows it: `step` is its newest checkpoint, 0 the base model. */
export type ModelInfo = Schemas["TrainingModelDetails"];

/** A checkpoint, as the server shows it. */
export type CheckpointInfo = Schemas["Checkpoint"];

/** A name of a checkpoint; with a metric it moves to the checkpoint whose metric is best. */
export type AliasInfo = Schemas["Alias"];

/** An evaluation that was run against a model. */
export type ModelEvaluationInfo = Schemas["ModelEvaluation"];

/** What an alias shall mean. */
export type AliasWish = { readonly step: number } | { readonly metric: string; readonly goal: "max" | "min" };

/** Models on a server. Methods throw a `Fault`: `unavailable` when it does not answer, or a refusal in its words. */
export interface ModelsClient {
  /** All models, oldest first. */
  list(): Promise<readonly ModelInfo[]>;
  /** The one model of that name; a `Failure` when there is none, and when entities have one each. */
  find(path: ModelPath): Promise<ModelInfo>;
  /** All checkpoints of a model by step. */
  checkpoints(id: string): Promise<readonly CheckpointInfo[]>;
  aliases(id: string): Promise<readonly AliasInfo[]>;
  /** The evaluations of the model's project that were run against it, by start. */
  evaluations(id: string): Promise<readonly ModelEvaluationInfo[]>;
  setAlias(id: string, alias: string, wish: AliasWish): Promise<AliasInfo>;
  removeAlias(id: string, alias: string): Promise<void>;
  /** Deletes the model with all its checkpoints. */
  remove(id: string): Promise<Schemas["DeletedModel"]>;
  /** Deletes checkpoints. */
  removeCheckpoints(id: string, steps: readonly number[]): Promise<Schemas["DeletedCheckpoints"]>;
}

/**
 * The one model of that name; undefined when there is none. A `Failure` when entities have one each and the name says
 * none of them: a command must not act on the wrong model.
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

/** Models on the server at `url`, which is asked with `apiKey` when there is one. */
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
