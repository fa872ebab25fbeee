/**
 * Logged runs and versioned artifacts. `trackingService` combines everything over ports; its data is plain. `./laws`
 * checks an implementation of the store, `./testing` has one for tests.
 *
 * @packageDocumentation
 */
export type { Artifact, Collection, CollectionName } from "./artifact/artifact.ts";
export type { TrackingServiceParts } from "./ports/context.ts";
export type {
  ArtifactVersionStore,
  CollectionChange,
  RunChange,
  RunStore,
  TrackingStore,
} from "./ports/tracking-store.ts";
export type { Line, Run, RunName, Stream } from "./run/run.ts";
export { type TrackingService, trackingService } from "./service/tracking-service.ts";
