// assay models: lists trained models, shows one with its checkpoints, names checkpoints, deletes.

import { numberText } from "@assay/eval-engine/words";
import { modelPath, modelPathText } from "../../clients/model-path.ts";
import {
  type AliasInfo,
  type AliasTarget,
  type CheckpointInfo,
  type ModelEvaluationInfo,
  modelsClient,
} from "../../clients/models-client.ts";
import { type ServerOptions, serverAddress } from "../../clients/server-address.ts";
import { isJson, type PrintOptions, printTable } from "../../render/print-table.ts";
import { type CliContext, log, print, printJson } from "../../terminal/cli-context.ts";
import { counted } from "../../terminal/counted.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { plainText } from "../../terminal/plain-text.ts";

/** How to print. */
export interface ModelsOptions extends ServerOptions, PrintOptions {}

/** The name of a model. */
interface ModelOptions extends ServerOptions {
  /** `project/name` or `entity/project/name`. */
  readonly model: string;
}

/** Which model to show, and how. */
export type ShowModelOptions = ModelOptions & ModelsOptions;

/** The name of an alias. */
export interface AliasOptions extends ModelOptions {
  readonly alias: string;
}

/** What an alias should point to. */
export interface SetAliasOptions extends AliasOptions {
  readonly target: AliasTarget;
}

/** What to delete. */
export interface DeleteModelOptions extends ModelOptions {
  /** Only these checkpoints; empty for the model with all of them. */
  readonly steps: readonly number[];
  /** Whether the user confirmed: otherwise the command only shows what would be deleted. */
  readonly yes: boolean;
}

/** Lists models, oldest first. Returns the exit code. */
export async function modelsCommand(context: CliContext, options: ModelsOptions): Promise<number> {
  const models = await (await clientOf(options)).list();
  if (isJson(context, options)) await printJson(context, models);
  else if (models.length === 0) log(context, "no models; assay train sft --help shows how to train one");
  else {
    const rows = models.map((model) => [
      modelPathText(model),
      model.base_model,
      model.step.toLocaleString("en"),
      model.created_at.slice(0, 16).replace("T", " "),
      model.active_job_id === null ? "" : model.active_job_id,
    ]);
    await printTable(context, ["model", "base model", "step", "created", "job"], rows, 0);
  }
  return EXIT.ok;
}

/** Shows a model with its checkpoints, their aliases and metrics, and its evaluations. Returns the exit code. */
export async function showModelCommand(context: CliContext, options: ShowModelOptions): Promise<number> {
  const client = await clientOf(options);
  const model = await client.find(modelPath(options.model));
  const checkpoints = await client.checkpoints(model.id);
  const aliases = await client.aliases(model.id);
  const evaluations = await client.evaluations(model.id);
  if (isJson(context, options)) {
    await printJson(context, { ...model, checkpoints, aliases, evaluations });
    return EXIT.ok;
  }
  await print(context, plainText(`wandb-artifact:///${modelPathText(model)} on ${model.base_model}`));
  const rows = checkpoints.map((checkpoint) => checkpointRow(checkpoint, aliases));
  if (rows.length === 0) log(context, "no checkpoints yet");
  else await printTable(context, ["step", "aliases", "metrics"], rows, 0);
  if (evaluations.length > 0)
    await printTable(
      context,
      ["evaluation", "name", "step", "trials", "started"],
      evaluations.map(evaluationRow),
      0,
    );
  return EXIT.ok;
}

/** Gives an alias to a checkpoint, or moves it there. Returns the exit code. */
export async function setAliasCommand(context: CliContext, options: SetAliasOptions): Promise<number> {
  const client = await clientOf(options);
  const model = await client.find(modelPath(options.model));
  const set = await client.setAlias(model.id, options.alias, options.target);
  await print(context, plainText(`${modelPathText(model)}:${aliasText(set)} points to step ${set.step}`));
  return EXIT.ok;
}

/** Removes an alias. Returns the exit code. */
export async function removeAliasCommand(context: CliContext, options: AliasOptions): Promise<number> {
  const client = await clientOf(options);
  const model = await client.find(modelPath(options.model));
  await client.removeAlias(model.id, options.alias);
  await print(context, plainText(`${modelPathText(model)}:${options.alias} was removed`));
  return EXIT.ok;
}

/** Deletes a model, or some of its checkpoints. Returns the exit code. */
export async function deleteModelCommand(context: CliContext, options: DeleteModelOptions): Promise<number> {
  const { steps, yes } = options;
  const client = await clientOf(options);
  const model = await client.find(modelPath(options.model));
  const name = modelPathText(model);
  if (!yes) {
    const checkpoints = await client.checkpoints(model.id);
    const held = checkpoints.filter(({ step }) => steps.length === 0 || steps.includes(step)).length;
    const what =
      steps.length === 0
        ? `the model ${name}, with ${counted(held, "checkpoint")}`
        : `${counted(held, "checkpoint")} of ${name}`;
    log(context, `assay: nothing was deleted; add --yes to permanently delete ${what}`);
    return EXIT.usage;
  }
  if (steps.length === 0) {
    const { deleted_checkpoints } = await client.remove(model.id);
    await print(
      context,
      plainText(`deleted the model ${name}, with ${counted(deleted_checkpoints, "checkpoint")}`),
    );
    return EXIT.ok;
  }
  const { deleted_count, not_found_steps } = await client.removeCheckpoints(model.id, steps);
  await print(context, plainText(`deleted ${counted(deleted_count, "checkpoint")} of ${name}`));
  if (not_found_steps.length === 0) return EXIT.ok;
  throw new Failure(EXIT.failed, `${name} has no checkpoint of step ${not_found_steps.join(", ")}`);
}

async function clientOf(options: ServerOptions) {
  return modelsClient(await serverAddress(options), options.apiKey);
}

function checkpointRow({ step, metrics }: CheckpointInfo, aliases: readonly AliasInfo[]) {
  return [
    step.toLocaleString("en"),
    aliases.filter((alias) => alias.step === step).map(aliasText),
    Object.entries(metrics).map(([name, value]) => `${name} ${numberText(value)}`),
  ];
}

function evaluationRow({ id, name, step, alias, trials, started_at }: ModelEvaluationInfo) {
  const asked = step?.toLocaleString("en") ?? `:${alias}`;
  const started = started_at?.slice(0, 16).replace("T", " ") ?? "";
  return [id, name ?? "", asked, trials.toLocaleString("en"), started];
}

/** An alias, with the metric it follows. */
function aliasText({ alias, metric, goal }: AliasInfo): string {
  return metric === null ? alias : `${alias} (${goal} ${metric})`;
}
