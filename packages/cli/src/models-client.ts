// A server's models, their checkpoints and the names of these over HTTP, as commands use them.

import type { Json } from "@assay/base";
import { EXIT, Failure } from "./failure.ts";
import { type ModelPath, modelPathText } from "./model-path.ts";
import { type List, type TrainingRequests, trainingRequests } from "./training-requests.ts";

/** Numbers by their names. */
type Metrics = { readonly [name: string]: number };

/** A model, as the server shows it. */
export interface ModelInfo {
  readonly id: string;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  readonly base_model: string;
  /** The newest checkpoint; 0 is the base model. */
  readonly step: number;
  readonly created_at: string;
  readonly active_job_id: string | null;
}

/** A checkpoint, as the server shows it. */
export interface CheckpointInfo {
  readonly id: string;
  readonly step: number;
  readonly metrics: Metrics;
}

/** A name of a checkpoint; with a metric it moves to the checkpoint whose metric is best. */
export interface AliasInfo {
  readonly alias: string;
  readonly step: number;
  readonly metric: string | null;
  readonly goal: "max" | "min" | null;
}

/** An evaluation that was run against a model. */
export interface ModelEvaluationInfo {
  readonly id: string;
  readonly name: string | null;
  /** The checkpoint that it names; null when it names one by an alias, which may have moved since. */
  readonly step: number | null;
  /** The alias that it names, `latest` when it names none. */
  readonly alias: string | null;
  readonly started_at: string | null;
  readonly trials: number;
}

/** What an alias shall mean. */
export type AliasWish = { readonly step: number } | { readonly metric: string; readonly goal: "max" | "min" };

/** What was deleted with a model. */
interface DeletedModel {
  readonly deleted_checkpoints: number;
}

/** What became of checkpoints that were to be deleted. */
interface DeletedCheckpoints {
  readonly deleted_count: number;
  readonly not_found_steps: readonly number[];
}

/** Models on a server. Methods throw a `Fault`, `unavailable` when it does not answer, or a `Failure` in its words. */
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
  remove(id: string): Promise<DeletedModel>;
  /** Deletes checkpoints. */
  removeCheckpoints(id: string, steps: readonly number[]): Promise<DeletedCheckpoints>;
}

/**
 * The one model of that name; undefined when there is none. A `Failure` when entities have one each and the name says
 * none of them: whatever is done to a model is done to the one that is meant.
 */
export async function modelAt(ask: TrainingRequests, path: ModelPath): Promise<ModelInfo | undefined> {
  const { entity, project, name } = path;
  const [found, other] = (await all<ModelInfo>(ask, "models")).filter(
    (model) =>
      model.project === project && model.name === name && (entity === undefined || model.entity === entity),
  );
  if (found === undefined || other === undefined) return found;
  throw new Failure(
    EXIT.usage,
    `${modelPathText(path)} is a model of ${found.entity} and of ${other.entity}: name one, as ${modelPathText(found)}`,
  );
}

/** Models on the server at `url`, which is asked with `apiKey` when there is one. */
export function modelsClient(url: string, apiKey: string | undefined): ModelsClient {
  const ask = trainingRequests(url, apiKey);
  const send = <T>(method: string, path: string, body: Json) =>
    ask<T>(method, path, {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const aliasPath = (id: string, alias: string) => `models/${id}/aliases/${encodeURIComponent(alias)}`;
  return {
    list: () => all(ask, "models"),
    async find(path) {
      const found = await modelAt(ask, path);
      if (found !== undefined) return found;
      throw new Failure(EXIT.usage, `there is no model ${modelPathText(path)}; assay models lists them`);
    },
    checkpoints: (id) => all(ask, `models/${id}/checkpoints`),
    aliases: async (id) =>
      (await ask<{ readonly data: readonly AliasInfo[] }>("GET", `models/${id}/aliases`)).data,
    evaluations: (id) => all(ask, `models/${id}/evaluations`),
    setAlias: (id, alias, wish) => send("PUT", aliasPath(id, alias), wish),
    async removeAlias(id, alias) {
      await ask("DELETE", aliasPath(id, alias));
    },
    remove: (id) => ask("DELETE", `models/${id}`),
    removeCheckpoints: (id, steps) => send("DELETE", `models/${id}/checkpoints`, { steps }),
  };
}

/** Every item of a list, page by page. */
async function all<T>(ask: TrainingRequests, path: string): Promise<readonly T[]> {
  const items: T[] = [];
  for (let after = ""; ; ) {
    const page = await ask<List<T>>("GET", `${path}?limit=100${after && `&after=${after}`}`);
    items.push(...page.data);
    if (!page.has_more) return items;
    after = page.last_id;
  }
}
