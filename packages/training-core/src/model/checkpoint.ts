// Checkpoint: a model as it was after a job.

import type { ArtifactFile, Metrics } from "../ports/worker-message.ts";

/** A model as it was after its job number `step` that succeeded. */
export interface Checkpoint {
  /** UUID. */
  readonly id: string;
  /** The model that it is a checkpoint of. */
  readonly modelId: string;
  /** 1 for the model's first checkpoint, then one more each time. Never used twice. */
  readonly step: number;
  /** The step that its job started from; 0 is the base model. */
  readonly parentStep: number;
  /** The job that made it; absent for one that was brought from elsewhere. */
  readonly jobId?: string;
  /** The checkpoint of another model that it is a copy of. */
  readonly copyOf?: { readonly modelId: string; readonly step: number };
  /** What it consists of. None: the base model as it is, because nothing was ever trained. */
  readonly files: readonly ArtifactFile[];
  /** By name, `<split>/<metric>`. */
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When it was deleted. A deleted checkpoint keeps its place in listings that are being paged through. */
  readonly deletedAt?: number;
}
