// The ports of the tracking service, which its functions use.

import { Fault } from "@assay/base";
import type { ArtifactStore, TrainingService } from "@assay/training-core";
import type { TrackingStore } from "./tracking-store.ts";

/** The dependencies of a tracking service. */
export interface TrackingServiceParts {
  /** The store of runs and artifacts. */
  readonly store: TrackingStore;
  /** The store of files' bytes. */
  readonly artifacts: ArtifactStore;
  /** Provides the checkpoints that are artifacts, and turns uploaded adapters into checkpoints. */
  readonly training: Pick<TrainingService, "store" | "importCheckpoint">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A new UUID. */
  readonly newId: () => string;
  /**
   * The most bytes that the files of one project may take: of its runs, its artifacts and their manifests. Default 100
   * GiB.
   */
  readonly projectBytes?: number | undefined;
}

/**
 * How often a write is tried before the store counts as overloaded. Each failure means that another write succeeded.
 */
const MOST_TRIES = 1000;

/**
 * Calls `attempt`, which reads what it needs anew each time, until it returns an answer. It returns undefined after a
 * concurrent change.
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < MOST_TRIES; i++) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
  }
  throw new Fault("overloaded", "too many concurrent changes");
}

/** Removes the bytes with these names that no run, artifact or checkpoint uses any more. */
export async function removeUnused(
  { store, artifacts, training }: TrackingServiceParts,
  sha256s: Iterable<string>,
): Promise<void> {
  for (const sha256 of new Set(sha256s))
    if (!(await store.usesBlob(sha256)) && !(await training.store.usesBlob(sha256)))
      await artifacts.remove(sha256);
}
