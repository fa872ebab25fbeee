// The shared context of this package's functions: ports, policy, and this process's knowledge of its workers. Callers
// get a `TrainingService` instead, which hides the workers.

import { type KeyedSemaphore, keyedSemaphore } from "@assay/base/internal";
import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { TrainingData } from "../ports/training-data.ts";
import type { TrainingStore } from "../ports/training-store.ts";
import { type ChangeNotifier, changeNotifier } from "./change-notifier.ts";
import { type Leases, leases } from "./leases.ts";

/** Timeouts and limits of a training service. Times are in milliseconds. */
export interface TrainingPolicy {
  /** A worker that sends nothing for this long is lost. 30,000. */
  readonly leaseMs: number;
  /** How often a worker should report. 10,000. */
  readonly heartbeatMs: number;
  /** How often a job is run before it fails, not counting runs whose workers were told to stop. 3. */
  readonly maxAttempts: number;
  /** How long a job may wait for its first worker. 24 hours. */
  readonly maxQueueMs: number;
  /** How long a job may take from then on. 24 hours. */
  readonly maxRunMs: number;
  /** How long the answer to a request with an idempotency key is kept. 24 hours. */
  readonly replyMs: number;
  /** The most bytes of training data for one job. 256 MiB. */
  readonly maxDataBytes: number;
  /** Whether models can be created from this base model. Default: any. */
  readonly servesBaseModel: (baseModel: string) => boolean;
  /** The base models to list when another one is refused. Default: none. */
  readonly baseModels: readonly string[];
}

/** The default policy. */
const defaultPolicy: TrainingPolicy = {
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  maxAttempts: 3,
  maxQueueMs: 24 * 3_600_000,
  maxRunMs: 24 * 3_600_000,
  replyMs: 24 * 3_600_000,
  maxDataBytes: 256 * 1024 * 1024,
  servesBaseModel: () => true,
  baseModels: [],
};

/** The dependencies of a training service. */
export interface TrainingServiceParts {
  /** The store of models, checkpoints and jobs. */
  readonly store: TrainingStore;
  /** The store of checkpoints' and training data's bytes. */
  readonly artifacts: ArtifactStore;
  /** Resolves addresses of training data. */
  readonly data: TrainingData;
  /** The clock. */
  readonly clock: Clock;
  /** The source of identifiers. */
  readonly ids: Ids;
  /** Called often during long work: a promise to await while other work runs, or undefined if no pause is due. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
  /** Deviations from `defaultPolicy`. */
  readonly policy?: Partial<TrainingPolicy>;
}

/** The ports of a service, its policy, and this process's knowledge of its workers. */
export interface TrainingContext extends Omit<TrainingServiceParts, "policy"> {
  /** Timeouts and limits. */
  readonly policy: TrainingPolicy;
  /** When workers last reported. */
  readonly leases: Leases;
  /** Notified of writes. */
  readonly changes: ChangeNotifier;
  /**
   * Runs the commands of each job, by its ID, one after another. Otherwise a write that loses against a concurrent one
   * would be retried, and a worker that reports without pause would always win.
   */
  readonly turns: KeyedSemaphore;
}

/** The context of a service over `ports`. */
export function trainingContext({ policy: given, ...ports }: TrainingServiceParts): TrainingContext {
  const policy = { ...defaultPolicy, ...given };
  return {
    ...ports,
    policy,
    leases: leases(ports.clock, policy.leaseMs / 2),
    changes: changeNotifier(ports.clock),
    turns: keyedSemaphore(1),
  };
}
