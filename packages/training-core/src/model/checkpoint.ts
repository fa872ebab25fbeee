// Checkpoint: the state of a model after a job.

import type { ArtifactFile, Metrics } from "../job/worker-message.ts";

/** The state of a model after its successful job number `step`. */
export interface Checkpoint {
  /** UUID. */
  readonly id: string;
  /** The model it belongs to. */
  readonly modelId: string;
  /** 1 for the model's first checkpoint, then one more each time. Never reused. */
  readonly step: number;
  /** The step that its job started from; 0 is the base model. */
  readonly parentStep: number;
  /** The job that made it; absent for an imported one. */
  readonly jobId?: string;
  /** The checkpoint of another model that it is a copy of. */
  readonly copyOf?: { readonly modelId: string; readonly step: number };
  /** Its files. Empty for the unchanged base model, if nothing was ever trained. */
  readonly files: readonly ArtifactFile[];
  /** By name, `<split>/<metric>`. */
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When it was deleted. A deleted checkpoint keeps its place in lists that are being paged through. */
  readonly deletedAt?: number;
}
