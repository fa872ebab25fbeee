// What the service's functions work with: its ports.

import { Fault } from "@assay/base";
import type { ArtifactStore, TrainingService } from "@assay/training-core";
import type { TrackingStore } from "../ports/tracking-store.ts";

/** What a tracking service is made of. */
export interface TrackingServiceParts {
  /** Where runs and artifacts are kept. */
  readonly store: TrackingStore;
  /** Where the bytes of files are kept. */
  readonly artifacts: ArtifactStore;
  /** Whose checkpoints are artifacts, and for whom uploaded adapters become checkpoints. */
  readonly training: Pick<TrainingService, "store" | "importCheckpoint">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A UUID that was never given out before. */
  readonly newId: () => string;
  /** Bytes that the files of one project may have: of its runs, its artifacts and their manifests. Default 100 GiB. */
  readonly projectBytes?: number | undefined;
}

/** How often a write is tried before the store is called overloaded: each failure means that another succeeded. */
const MOST_TRIES = 1000;

/** Calls `attempt`, which reads what it needs anew each time, until it has an answer: undefined when others wrote in between. */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < MOST_TRIES; i++) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
  }
  throw new Fault("overloaded", "too many changes at once");
}

/** Removes the bytes with these names that neither a run, an artifact nor a checkpoint has any more. */
export async function removeUnused(
  { store, artifacts, training }: TrackingServiceParts,
  sha256s: Iterable<string>,
): Promise<void> {
  for (const sha256 of new Set(sha256s))
    if (!(await store.usesBlob(sha256)) && !(await training.store.usesBlob(sha256)))
      await artifacts.remove(sha256);
}
