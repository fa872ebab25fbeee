/**
 * Exports of `@assay/tracking-core` for other packages of Assay. Not part of the public API: any release can change or
 * remove a name. Packages of Assay depend on exact versions of each other.
 *
 * @packageDocumentation
 */
export type { ArtifactEntry, ProjectBlob } from "./artifact/artifact.ts";
export { md5FromBase64, md5ToBase64 } from "./artifact/manifest.ts";
export type { Alias, WrittenLines } from "./ports/tracking-store.ts";
export { finiteObject, storedObject, storedText } from "./run/finite-json.ts";
export { metricValue } from "./run/metric-value.ts";
export { type ProjectName, type RunFile, runState } from "./run/run.ts";
export { readStreamUpdate } from "./run/stream-update.ts";
export type { AliasTarget, CheckpointAlias } from "./service/artifacts/checkpoint-aliases.ts";
export type { CollectedArtifact } from "./service/artifacts/collected-artifact.ts";
export { trackedTraining } from "./service/tracked-training.ts";
export { artifactTrainingData, NO_ARTIFACT, readArtifactUrl } from "./service/training-data.ts";
