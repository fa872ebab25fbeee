// Checkpoints of trained models as artifacts, in both directions: every checkpoint is a version of type `lora` of the
// collection with its model's name, and a version that is uploaded there becomes a checkpoint. The training store is
// the source of truth; artifacts are updated when they are requested, so that the two stores need not be written
// together.

import { ok, type Result } from "@assay/base";
import { untilWritten } from "@assay/base/internal";
import type { Checkpoint, Model } from "@assay/training-core";
import type {
  Artifact,
  ArtifactEntry,
  Collection,
  CollectionName,
  ProjectBlob,
} from "../../artifact/artifact.ts";
import { artifactDigest, manifestText } from "../../artifact/manifest.ts";
import { md5Of } from "../../artifact/md5.ts";
import { removeUnused, type TrackingServiceParts } from "../../ports/context.ts";
import { finiteObject } from "../../run/finite-json.ts";
import { bestOf } from "./best-checkpoint.ts";
import { bytesOf, type CollectedArtifact } from "./collected-artifact.ts";

/** The type of artifacts that are checkpoints. */
const LORA = "lora";
const PAGE = 1000;

/**
 * The collection with this name. If a model with the same name exists or existed, its versions are first updated to
 * the model's checkpoints.
 */
export async function currentCollection(
  tracking: TrackingServiceParts,
  name: CollectionName,
): Promise<Collection | undefined> {
  const removed: string[] = [];
  const collection = await untilWritten(async () => {
    const before = await tracking.store.collection(name);
    const model = await tracking.training.store.modelNamed(name);
    const same = before?.model?.id === model?.id && before?.model?.version === model?.version;
    if (same || (before !== undefined && before.type !== LORA)) return before ?? "none";
    if (before === undefined && model?.headStep === 0) return "none";
    removed.length = 0;
    return (await follow(tracking, name, { before, model, removed })) ?? undefined;
  });
  await removeUnused(tracking, removed);
  return collection === "none" ? undefined : collection;
}

/** Writes versions for new checkpoints and removes those of deleted ones; undefined after a concurrent change. */
async function follow(
  tracking: TrackingServiceParts,
  { entity, project, name }: CollectionName,
  {
    before,
    model,
    removed,
  }: {
    readonly before: Collection | undefined;
    readonly model: Model | undefined;
    readonly removed: string[];
  },
): Promise<Collection | undefined> {
  const { store, now, newId } = tracking;
  const at = now();
  const id = before?.id ?? newId();
  const checkpoints = model === undefined ? [] : await liveCheckpoints(tracking, model.id);
  const known = before === undefined ? [] : await checkpointArtifacts(tracking, id);
  const live = new Set(checkpoints.map((one) => one.id));
  const gone = known.filter((one) => !live.has(one.id));
  for (const one of gone) removed.push(...(await bytesOf(tracking, one.id)));
  const have = new Set(known.map((one) => one.id));
  const fresh: Version[] = [];
  let nextIndex = before?.nextIndex ?? 0;
  for (const checkpoint of checkpoints.filter((one) => !have.has(one.id))) {
    const versionIndex = Math.max(nextIndex, checkpoint.step);
    fresh.push(await versionOf(tracking, model!, checkpoint, { collectionId: id, versionIndex, at }));
    nextIndex = versionIndex + 1;
  }
  const newest = checkpoints.at(-1);
  const { model: _, ...rest } = before ?? {};
  const collection: Collection = {
    ...rest,
    id,
    version: (before?.version ?? 0) + 1,
    entity,
    project,
    name,
    type: LORA,
    nextIndex,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    ...(model !== undefined && { model: { id: model.id, version: model.version } }),
  };
  const latest =
    newest !== undefined && (fresh.length > 0 || gone.length > 0)
      ? [{ alias: "latest", artifactId: newest.id }]
      : [];
  const best = Object.entries(before?.follows ?? {}).flatMap(([alias, metric]) => {
    const artifactId = bestOf(checkpoints, metric)?.id;
    return artifactId === undefined ? [] : [{ alias, artifactId }];
  });
  const written = await store.commitCollection({
    collection,
    artifacts: fresh.map(({ artifact }) => artifact),
    entries: fresh.map(({ artifact, entries }) => ({ artifactId: artifact.id, entries })),
    blobs: fresh.flatMap(({ blobs }) => blobs),
    aliases: [
      ...fresh.map(({ artifact }) => ({ alias: `step${artifact.step}`, artifactId: artifact.id })),
      ...latest,
      ...best,
    ],
    removed: gone.map((one) => one.id),
  });
  return written ? collection : undefined;
}

/** A checkpoint as a version of a collection. */
interface Version {
  readonly artifact: Artifact;
  readonly entries: readonly ArtifactEntry[];
  readonly blobs: readonly ProjectBlob[];
}

async function versionOf(
  { store, artifacts }: TrackingServiceParts,
  { name, baseModel }: Model,
  { id, step, files, metrics, createdAt }: Checkpoint,
  {
    collectionId,
    versionIndex,
    at,
  }: { readonly collectionId: string; readonly versionIndex: number; readonly at: number },
): Promise<Version> {
  const blobs: ProjectBlob[] = [];
  const entries: ArtifactEntry[] = [];
  for (const file of files) {
    const md5 = await md5Of(artifacts.read(file.sha256));
    blobs.push({ md5, sha256: file.sha256, size: file.size, createdAt: at });
    entries.push({ path: file.name, digest: md5, size: file.size, sha256: file.sha256 });
  }
  const manifestBytes = new TextEncoder().encode(manifestText(entries));
  const kept = await artifacts.write([manifestBytes]);
  const pieces = (async function* () {
    yield manifestBytes;
  })();
  const begun = await store.artifact(id);
  const artifact: Artifact = {
    id,
    collectionId,
    state: "COMMITTED",
    versionIndex,
    digest: artifactDigest(entries),
    metadata: begun?.metadata ?? JSON.stringify({ "wandb.base_model": baseModel, step, metrics }),
    tags: [],
    createdBy: begun?.createdBy ?? name,
    wantedAliases: [],
    manifest: { ...kept, md5: await md5Of(pieces) },
    size: files.reduce((sum, { size }) => sum + size, 0),
    fileCount: files.length,
    createdAt,
    updatedAt: at,
    step,
  };
  return { artifact, entries, blobs };
}

async function liveCheckpoints(
  { training }: TrackingServiceParts,
  modelId: string,
): Promise<readonly Checkpoint[]> {
  const found: Checkpoint[] = [];
  for (;;) {
    const afterStep = found.at(-1)?.step;
    const page = await training.store.checkpoints(modelId, {
      order: "asc",
      limit: PAGE,
      ...(afterStep !== undefined && { afterStep }),
    });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

async function checkpointArtifacts(
  { store }: TrackingServiceParts,
  collectionId: string,
): Promise<readonly Artifact[]> {
  const found: Artifact[] = [];
  for (let before: number | undefined; ; ) {
    const page = await store.artifacts(collectionId, {
      ...(before !== undefined && { before }),
      limit: PAGE,
    });
    found.push(...page.filter(({ step }) => step !== undefined));
    if (page.length < PAGE) return found;
    before = page.at(-1)!.versionIndex!;
  }
}

/** The checkpoint that an artifact became. */
export interface ImportedStep {
  readonly modelId: string;
  readonly step: number;
}

/**
 * Turns an artifact that is about to be committed into a checkpoint, if it is one: of type `lora` and with the name of
 * a model, or with a base model in its metadata, as `wandb.base_model`, which creates the model. Undefined for others.
 * Issues: those of `importCheckpoint`.
 */
export async function importedStep(
  { training }: TrackingServiceParts,
  { artifact, collection }: CollectedArtifact,
  entries: readonly ArtifactEntry[],
): Promise<Result<ImportedStep | undefined>> {
  if (collection.type !== LORA) return ok(undefined);
  const metadata = artifact.metadata === undefined ? undefined : finiteObject(artifact.metadata)?.value;
  const baseModel = metadata?.["wandb.base_model"];
  const model = await training.store.modelNamed(collection);
  if (model === undefined && typeof baseModel !== "string") return ok(undefined);
  const wanted = artifact.wantedAliases.map((alias) => /^step(\d{1,9})$/.exec(alias)?.[1]).find(Boolean);
  const { entity, project, name } = collection;
  return training.importCheckpoint({
    model: { entity, project, name },
    ...(typeof baseModel === "string" && { baseModel }),
    id: artifact.id,
    ...(wanted !== undefined && { step: Number(wanted) }),
    files: entries.map(({ path, sha256, size }) => ({ name: path, sha256: sha256 ?? "", size })),
  });
}
