// The tracking service: operations on runs and artifacts, as methods of one object over the ports.

import type { Result } from "@assay/base";
import { untilWritten } from "@assay/base/internal";
import type { ArtifactStore, Model, ModelName } from "@assay/training-core";
import type {
  Artifact,
  ArtifactEntry,
  Collection,
  CollectionName,
  ProjectBlob,
} from "../artifact/artifact.ts";
import type { TrackingServiceParts } from "../ports/context.ts";
import type { TrackingStore } from "../ports/tracking-store.ts";
import type { Line, ProjectName, Run, RunFile, RunName } from "../run/run.ts";
import type { StreamUpdate } from "../run/stream-update.ts";
import { type ArtifactPatch, changeAliases, deleteArtifact, updateArtifact } from "./artifacts/aliases.ts";
import {
  type ArtifactInput,
  commitArtifact,
  createArtifact,
  saveBlob,
  saveManifest,
} from "./artifacts/artifacts.ts";
import {
  type AliasTarget,
  aliasedStep,
  type CheckpointAlias,
  checkpointAliases,
  removeCheckpointAlias,
  setCheckpointAlias,
} from "./artifacts/checkpoint-aliases.ts";
import { currentCollection } from "./artifacts/checkpoints.ts";
import { type CollectedArtifact, withCollection } from "./artifacts/collected-artifact.ts";
import { findArtifact } from "./artifacts/find-artifact.ts";
import { type HistoryRange, historyRange, lastLine, sampledLines } from "./history.ts";
import { projectQuota } from "./project-quota.ts";
import {
  deleteRun,
  deleteRunFiles,
  modelRun,
  projectExists,
  type RunUpsert,
  saveRunFile,
  streamToRun,
  type UpsertedRun,
  type Upserting,
  upsertRun,
} from "./runs.ts";

/**
 * Runs and artifacts. Errors in a request are returned as issues, and unknown objects as undefined; when a port fails,
 * its `Fault` is thrown. The caller must have checked access to the project.
 */
export interface TrackingService {
  /** The store of runs and artifacts. */
  readonly store: TrackingStore;
  /** The store of files' bytes. */
  readonly artifacts: ArtifactStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;

  /** Whether the project has a run or an artifact. */
  projectExists(project: ProjectName): Promise<boolean>;
  /** Creates the run, or changes an existing one. Issues: `name`, `json`, `too_large`. */
  upsertRun(name: RunName, upsert: RunUpsert, how: Upserting): Promise<Result<UpsertedRun>>;
  /** Stores what a client streams. A repeated update takes effect once. */
  streamToRun(name: RunName, update: StreamUpdate): Promise<Run | undefined>;
  /** Stores a file of a run. Issues: `name`, `quota`. */
  saveRunFile(
    run: RunName,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<Result<RunFile> | undefined>;
  /** Removes a run with its lines and files. Resolves to whether it existed. */
  deleteRun(name: RunName): Promise<boolean>;
  /** Removes files of the run with this ID. */
  deleteRunFiles(runId: string, names: readonly string[]): Promise<void>;
  /** Lines of a run's history by step. */
  historyRange(run: Run, range: HistoryRange): Promise<readonly Line[]>;
  /** At most `samples` lines of a stream, evenly spread; only those that have all of `keys`. */
  sampledLines(
    run: Run,
    wanted: {
      readonly stream: "history" | "events";
      readonly samples: number;
      readonly keys?: readonly string[];
    },
  ): Promise<readonly Line[]>;
  /** The last line of a stream. */
  lastLine(run: Run, stream: "history" | "events"): Promise<string | undefined>;
  /** Records that a run used an artifact. Resolves to whether both exist. */
  useArtifact(run: RunName, artifactId: string): Promise<boolean>;

  /**
   * Starts a version, or finds the committed one with the same digest. Issues: `name`, `type`, `json`, `too_large`.
   */
  createArtifact(input: ArtifactInput): Promise<Result<Artifact>>;
  /** Stores bytes that the project may use in its artifacts. Issues: `digest_mismatch`, `quota`. */
  saveBlob(project: ProjectName, md5: string, bytes: AsyncIterable<Uint8Array>): Promise<Result<ProjectBlob>>;
  /** Stores the manifest of a pending artifact. Issues: `digest_mismatch`, `quota`. */
  saveManifest(
    artifactId: string,
    md5: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<Result<Artifact> | undefined>;
  /** Commits an artifact, all of whose bytes must be stored. Committing it again changes nothing. */
  commitArtifact(artifactId: string): Promise<Result<CollectedArtifact> | undefined>;
  /** Changes the description and metadata of an artifact. Issues: `json`, `too_large`. */
  updateArtifact(artifactId: string, patch: ArtifactPatch): Promise<Result<CollectedArtifact> | undefined>;
  /** Adds aliases to a committed artifact, or removes them. Issues: `name`, `too_large`, `step`. */
  changeAliases(
    artifactId: string,
    change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
  ): Promise<Result<CollectedArtifact> | undefined>;
  /** Deletes an artifact. Issues: `aliased`, `checkpoint`. */
  deleteArtifact(
    artifactId: string,
    how: { readonly withAliases: boolean },
  ): Promise<Result<CollectedArtifact> | undefined>;
  /** The collection with this name; one of checkpoints is first updated to its model. */
  collection(name: CollectionName): Promise<Collection | undefined>;
  /** The artifact with this ID, and its collection. */
  artifact(id: string): Promise<CollectedArtifact | undefined>;
  /** The committed artifact that `name:alias` means; `v3` names a version, and `latest` is the default alias. */
  findArtifact(project: ProjectName, name: string): Promise<CollectedArtifact | undefined>;
  /** The bytes of a file of an artifact. */
  readEntry(entry: ArtifactEntry): AsyncIterable<Uint8Array>;

  /** The run of a trained model, created if necessary. */
  modelRun(model: Model): Promise<Run>;
  /** The aliases of a model's checkpoints by name, without those that are steps. */
  checkpointAliases(model: ModelName): Promise<readonly CheckpointAlias[]>;
  /** The step that an alias means; undefined if the alias does not exist. */
  aliasedStep(model: ModelName, alias: string): Promise<number | undefined>;
  /** Points an alias to a checkpoint, or to the best one. Issues: `name`, `checkpoint_not_found`, `metric`. */
  setCheckpointAlias(model: ModelName, alias: string, target: AliasTarget): Promise<Result<CheckpointAlias>>;
  /** Removes an alias. Resolves to whether it existed. Issue: `name`. */
  removeCheckpointAlias(model: ModelName, alias: string): Promise<Result<boolean>>;
  /** Updates the artifacts of a model's checkpoints. */
  followModel(model: Model): Promise<void>;
  /** Removes the run of a deleted model and the artifacts of its checkpoints. */
  deleteModel(model: Model): Promise<void>;
}

/** A tracking service over its ports. */
export function trackingService(parts: TrackingServiceParts): TrackingService {
  const { store, artifacts, now } = parts;
  const quota = projectQuota(parts);
  return {
    store,
    artifacts,
    now,
    projectExists: (project) => projectExists(parts, project),
    upsertRun: (name, upsert, how) => upsertRun(parts, name, upsert, how),
    streamToRun: (name, update) => streamToRun(parts, name, update),
    saveRunFile: (run, name, bytes) =>
      quota.keep(run, bytes, (counted) => saveRunFile(parts, run, name, counted)),
    deleteRun: (name) => deleteRun(parts, name),
    deleteRunFiles: (runId, names) => deleteRunFiles(parts, runId, names),
    historyRange: (run, range) => historyRange(parts, run, range),
    sampledLines: (run, wanted) => sampledLines(parts, run, wanted),
    lastLine: (run, stream) => lastLine(parts, run, stream),
    useArtifact: (run, artifactId) => useArtifact(parts, run, artifactId),
    createArtifact: (input) => createArtifact(parts, input),
    async saveBlob(project, md5, bytes) {
      const save = (counted: typeof bytes) => saveBlob(parts, project, md5, counted);
      return (await quota.keep(project, bytes, save))!;
    },
    async saveManifest(artifactId, md5, bytes) {
      const found = await withCollection(parts, artifactId);
      const save = (counted: typeof bytes) => saveManifest(parts, artifactId, md5, counted);
      return found && quota.keep(found.collection, bytes, save);
    },
    commitArtifact: (artifactId) => commitArtifact(parts, artifactId),
    updateArtifact: (artifactId, patch) => updateArtifact(parts, artifactId, patch),
    changeAliases: (artifactId, change) => changeAliases(parts, artifactId, change),
    deleteArtifact: (artifactId, how) => deleteArtifact(parts, artifactId, how),
    collection: (name) => currentCollection(parts, name),
    artifact: (id) => withCollection(parts, id),
    findArtifact: (project, name) => findArtifact(parts, project, name),
    readEntry: ({ sha256 = "" }) => artifacts.read(sha256),
    modelRun: (model) => modelRun(parts, model),
    checkpointAliases: (model) => checkpointAliases(parts, model),
    aliasedStep: (model, alias) => aliasedStep(parts, model, alias),
    setCheckpointAlias: (model, alias, target) => setCheckpointAlias(parts, model, alias, target),
    removeCheckpointAlias: (model, alias) => removeCheckpointAlias(parts, model, alias),
    followModel: async (model) => {
      await currentCollection(parts, model);
    },
    deleteModel: async ({ id, entity, project, name }) => {
      await currentCollection(parts, { entity, project, name });
      const run = await store.run({ entity, project, name });
      if (run?.modelId === id) await deleteRun(parts, run);
    },
  };
}

async function useArtifact(
  { store }: TrackingServiceParts,
  name: RunName,
  artifactId: string,
): Promise<boolean> {
  const artifact = await store.artifact(artifactId);
  if (artifact === undefined) return false;
  return untilWritten(async () => {
    const run = await store.run(name);
    if (run === undefined) return false;
    const change = { run: { ...run, version: run.version + 1 }, uses: artifactId };
    return (await store.commitRun(change)) ? true : undefined;
  });
}
