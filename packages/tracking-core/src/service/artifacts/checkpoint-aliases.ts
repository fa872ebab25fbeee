// Names of checkpoints in addition to their steps: aliases of the corresponding artifacts, so that W&B's clients see
// and set the same ones.

import { bad, Fault, ok, type Result } from "@assay/base";
import { shownName, untilWritten } from "@assay/base/internal";
import type { Checkpoint, ModelName } from "@assay/training-core";
import type { Collection, FollowedMetric } from "../../artifact/artifact.ts";
import { aliasIssue } from "../../names.ts";
import type { TrackingServiceParts } from "../../ports/context.ts";
import { changeAliases } from "./aliases.ts";
import { isStep } from "./artifacts.ts";
import { bestOf } from "./best-checkpoint.ts";
import { currentCollection } from "./checkpoints.ts";

/** A name of a checkpoint. */
export interface CheckpointAlias {
  /** The name, such as `best` in `:best`. */
  readonly alias: string;
  /** The step that it means. */
  readonly step: number;
  /** The metric it follows; absent if it stays until it is moved. */
  readonly follows?: FollowedMetric;
}

/** What an alias should mean: a step, or always the checkpoint with the best metric. */
export type AliasTarget = { readonly step: number } | FollowedMetric;

/** The aliases of a model's checkpoints by name, without those that are steps. */
export async function checkpointAliases(
  tracking: TrackingServiceParts,
  { entity, project, name }: ModelName,
): Promise<readonly CheckpointAlias[]> {
  const collection = await currentCollection(tracking, { entity, project, name });
  if (collection?.model === undefined) return [];
  const found: CheckpointAlias[] = [];
  for (const { alias, artifactId } of await tracking.store.aliases(collection.id)) {
    const step = isStep(alias) ? undefined : (await tracking.store.artifact(artifactId))?.step;
    const follows = collection.follows?.[alias];
    if (step !== undefined) found.push({ alias, step, ...(follows && { follows }) });
  }
  return found;
}

/** The step that an alias means; undefined if the alias does not exist. */
export async function aliasedStep(
  tracking: TrackingServiceParts,
  { entity, project, name }: ModelName,
  alias: string,
): Promise<number | undefined> {
  const collection = await currentCollection(tracking, { entity, project, name });
  if (collection?.model === undefined) return undefined;
  return (await tracking.store.aliased(collection.id, alias))?.step;
}

/**
 * Points an alias to a checkpoint, or to the one with the best metric, now and after each change of the model. Issues:
 * `name`, `checkpoint_not_found`, `metric` (no checkpoint has it).
 */
export async function setCheckpointAlias(
  tracking: TrackingServiceParts,
  { entity, project, name }: ModelName,
  alias: string,
  target: AliasTarget,
): Promise<Result<CheckpointAlias>> {
  const own = ownAlias(alias);
  if (!own.ok) return own;
  const collection = await currentCollection(tracking, { entity, project, name });
  if (collection?.model === undefined) return NO_CHECKPOINT;
  const step = "step" in target ? target.step : await bestStep(tracking, collection.model.id, target);
  if (step === undefined) {
    const message = `no checkpoint of the model has the metric ${shownName("metric" in target ? target.metric : "")}`;
    return bad([{ code: "metric", path: ["metric"], message }]);
  }
  const artifact = await tracking.store.aliased(collection.id, `step${step}`);
  if (artifact === undefined) return NO_CHECKPOINT;
  await follow(tracking, collection.id, alias, "step" in target ? undefined : target);
  const changed = await changeAliases(tracking, artifact.id, { add: [alias] });
  if (changed === undefined) return NO_CHECKPOINT;
  if (!changed.ok) return changed;
  return ok({ alias, step, ...("metric" in target && { follows: target }) });
}

/** Removes an alias. Resolves to whether it existed; the issue `name` for a step or `latest`. */
export async function removeCheckpointAlias(
  tracking: TrackingServiceParts,
  { entity, project, name }: ModelName,
  alias: string,
): Promise<Result<boolean>> {
  const own = ownAlias(alias);
  if (!own.ok) return own;
  const collection = await currentCollection(tracking, { entity, project, name });
  const artifact = collection?.model && (await tracking.store.aliased(collection.id, alias));
  if (collection === undefined || artifact === undefined) return ok(false);
  await follow(tracking, collection.id, alias, undefined);
  const changed = await changeAliases(tracking, artifact.id, { remove: [alias] });
  return changed === undefined ? ok(false) : changed.ok ? ok(true) : changed;
}

/**
 * Throws the fault `conflict` if an alias points to one of these steps of the model; without `steps`, if one points to
 * any checkpoint.
 */
export async function refuseHeld(
  tracking: Pick<
    { checkpointAliases(model: ModelName): Promise<readonly CheckpointAlias[]> },
    "checkpointAliases"
  >,
  model: ModelName,
  steps?: readonly number[],
): Promise<void> {
  const aliases = await tracking.checkpointAliases(model);
  const held = aliases.find(({ alias, step }) => alias !== LATEST && (steps?.includes(step) ?? true));
  if (held === undefined) return;
  const message = `the alias ${shownName(held.alias)} points to step ${held.step} of ${shownName(model.name)}: move it or delete it first`;
  throw new Fault("conflict", message);
}

const LATEST = "latest";

const NO_CHECKPOINT: Result<never> = bad([
  { code: "checkpoint_not_found", path: ["step"], message: "the model has no such checkpoint" },
]);

function ownAlias(alias: string): Result<undefined> {
  const issue = aliasIssue(alias);
  if (issue !== undefined) return bad([issue]);
  if (alias !== LATEST && !isStep(alias)) return ok(undefined);
  const message = `${alias} is reserved for training, and cannot be set or removed`;
  return bad([{ code: "name", path: ["alias"], message }]);
}

async function bestStep(
  { training }: TrackingServiceParts,
  modelId: string,
  target: FollowedMetric,
): Promise<number | undefined> {
  const checkpoints: Checkpoint[] = [];
  for (let afterStep = 0; ; afterStep = checkpoints.at(-1)!.step) {
    const page = await training.store.checkpoints(modelId, { order: "asc", afterStep, limit: PAGE });
    checkpoints.push(...page);
    if (page.length < PAGE) return bestOf(checkpoints, target)?.step;
  }
}

const PAGE = 1000;

/** Records what an alias follows, or that it follows nothing. */
async function follow(
  { store }: TrackingServiceParts,
  collectionId: string,
  alias: string,
  target: FollowedMetric | undefined,
): Promise<void> {
  await untilWritten(async () => {
    const before = (await store.collectionWithId(collectionId)) as Collection;
    const { [alias]: was, ...others } = before.follows ?? {};
    if (was === undefined && target === undefined) return true;
    const follows = target === undefined ? others : { ...others, [alias]: target };
    const collection = { ...before, version: before.version + 1, follows };
    return (await store.commitCollection({ collection })) ? true : undefined;
  });
}
