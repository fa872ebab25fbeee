// Creates models: reads the request, and creates the model or finds the existing one.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { lazySchemas, PATH_NAME_LENGTH, pathNameFault, untilWritten } from "@assay/base/internal";
import { type } from "arktype";
import type { Model, ModelName } from "../model/model.ts";
import { write } from "../state/change-job.ts";
import type { TrainingContext } from "../state/context.ts";
import { type IdempotencyKey, previousReply, storeReply } from "./idempotency-key.ts";
import { readTyped } from "./parse/issues.ts";

/** A request for a model. */
export interface ModelRequest extends ModelName {
  /** The model that training starts from. */
  readonly baseModel: string;
  /** Whether to return an existing model with this name instead of a conflict. */
  readonly returnExisting: boolean;
}

const modelBody = lazySchemas(() =>
  type({
    "entity?": "string | null",
    "project?": "string | null",
    "name?": "string | null",
    base_model: "0 < string <= 512",
    "return_existing?": "boolean | null",
  }),
);

/** The JSON Schema of a request for a model. */
export function modelSchema(): object {
  return modelBody().toJsonSchema();
}

/** The default name of a model. */
export interface ModelDefaults {
  readonly entity: string;
  readonly project: string;
  /** A name that no model has. */
  readonly newName: () => string;
}

/**
 * Reads the body of a request for a model. Issues are `missing`, `type`, or `name` for a name that could not be part
 * of `wandb-artifact:///entity/project/name:alias`.
 */
export function readModelRequest(raw: unknown, defaults: ModelDefaults): Result<ModelRequest> {
  const body = readTyped(modelBody(), raw);
  if (!body.ok) return body;
  const { base_model: baseModel } = body.value;
  const entity = body.value.entity ?? defaults.entity;
  const project = body.value.project ?? defaults.project;
  const name = body.value.name ?? defaults.newName();
  const issues = Object.entries({ entity, project, name }).flatMap(([field, value]) =>
    nameIssues(field, value),
  );
  if (issues.length > 0) return bad(issues);
  return ok({ entity, project, name, baseModel, returnExisting: body.value.return_existing ?? false });
}

/** Checks the rules for artifact names, because models are addressed as artifacts. */
export function nameIssues(field: string, value: string): readonly Issue[] {
  const wrong = (message: string): readonly Issue[] => [{ code: "name", path: [field], message }];
  const fault = pathNameFault(value);
  if (fault?.kind === "empty") return wrong(`${field} is empty`);
  if (fault?.kind === "long")
    return wrong(`${field} has ${value.length} characters; at most ${PATH_NAME_LENGTH} are allowed`);
  if (fault?.kind === "dots") return wrong(`${field} must not be ${value}`);
  if (fault?.kind === "character")
    return wrong(`${field} contains ${JSON.stringify(fault.character)}, which is not allowed in a name`);
  return value === value.trim() ? [] : wrong(`${field} starts or ends with a space`);
}

/**
 * Creates the model, or finds it if `returnExisting` is set; concurrent requests create one. Issues: `conflict` (the
 * name is taken; or by a model with another base model), `base_model` (not served here), `idempotency_key`.
 */
export async function createModel(
  training: TrainingContext,
  request: ModelRequest,
  once?: IdempotencyKey,
): Promise<Result<Model>> {
  const { entity, project, name, baseModel } = request;
  const path = `${entity}/${project}/${name}`;
  const refused = baseModelIssue(training, baseModel, "base_model");
  if (refused !== undefined) return bad([refused]);
  return untilWritten(async () => {
    const earlier = await previousReply(training, once);
    if (earlier !== undefined) {
      if (!earlier.ok) return earlier;
      const model = await training.store.model(String(earlier.value));
      if (model !== undefined) return ok(model);
    }
    const existing = await training.store.modelNamed({ entity, project, name });
    if (existing !== undefined) {
      if (!request.returnExisting) return conflict(["name"], `a model ${path} already exists`);
      if (existing.baseModel === baseModel) return ok(existing);
      return conflict(
        ["base_model"],
        `the model ${path} has the base model ${existing.baseModel}, not ${baseModel}`,
      );
    }
    const model: Model = {
      id: training.ids.next(),
      version: 1,
      entity,
      project,
      name,
      baseModel,
      createdAt: training.clock.now(),
      headStep: 0,
      jobCount: 0,
      baseMetrics: {},
    };
    const written = await write(training, { model, ...storeReply(training, once, model.id) });
    return written ? ok(model) : undefined;
  });
}

/** The issue of a base model that is not trained here, with those that are. */
export function baseModelIssue(
  { policy: { servesBaseModel, baseModels } }: Pick<TrainingContext, "policy">,
  baseModel: string,
  field: string,
): Issue | undefined {
  if (servesBaseModel(baseModel)) return undefined;
  const served = baseModels.length === 0 ? "" : `; ${baseModels.join(", ")} can`;
  const message = `the base model ${baseModel.slice(0, 100)} cannot be trained here${served}`;
  return { code: "base_model", path: [field], message };
}

function conflict(path: Issue["path"], message: string): Result<never> {
  return bad([{ code: "conflict", path, message }]);
}
