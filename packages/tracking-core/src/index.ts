/**
 * Runs with what they log, and versioned artifacts. `trackingService` is the whole of it over ports; what it reads and
 * writes is plain data. `./laws` checks an implementation of the store, `./testing` has one for tests.
 *
 * @packageDocumentation
 */
export type {
  Artifact,
  ArtifactEntry,
  Collection,
  CollectionName,
  FollowedMetric,
  ProjectBlob,
} from "./artifact/artifact.ts";
export { md5FromBase64, md5ToBase64 } from "./artifact/manifest.ts";
export type {
  Alias,
  ArtifactVersionStore,
  CollectionChange,
  RunChange,
  RunStore,
  TrackingStore,
  WrittenLines,
} from "./ports/tracking-store.ts";
export {
  type Line,
  type ProjectName,
  type Run,
  type RunFile,
  type RunName,
  type RunState,
  runState,
  type Stream,
} from "./run/run.ts";
export { readStreamUpdate, type StreamLines, type StreamUpdate } from "./run/stream-update.ts";
export type { ArtifactPatch } from "./service/aliases.ts";
export type { ArtifactWish } from "./service/artifacts.ts";
export type { AliasTarget, CheckpointAlias } from "./service/checkpoint-aliases.ts";
export type { CollectedArtifact } from "./service/collected-artifact.ts";
export type { TrackingServiceParts } from "./service/context.ts";
export type { HistoryRange } from "./service/history.ts";
export type { RunWish, UpsertedRun } from "./service/runs.ts";
export { trackedTraining } from "./service/tracked-training.ts";
export { type TrackingService, trackingService } from "./service/tracking-service.ts";
export { artifactTrainingData, NO_ARTIFACT, readArtifactUrl } from "./service/training-data.ts";
