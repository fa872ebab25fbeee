// The ports of the tracking service, which its functions use.

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

/** Removes the bytes with these names that no run, artifact or checkpoint uses any more. */
export async function removeUnused(
  { store, artifacts, training }: TrackingServiceParts,
  sha256s: Iterable<string>,
): Promise<void> {
  for (const sha256 of new Set(sha256s))
    if (!(await store.usesBlob(sha256)) && !(await training.store.usesBlob(sha256)))
      await artifacts.remove(sha256);
}
