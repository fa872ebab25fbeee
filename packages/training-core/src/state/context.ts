// What every function of this package works with, put together once: ports, policy, and what this process knows of its
// workers. Callers get a `TrainingService` instead, which does not show the last.

import type { ArtifactStore } from "../ports/artifact-store.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { TrainingData } from "../ports/training-data.ts";
import type { TrainingStore } from "../ports/training-store.ts";
import { type ChangeNotifier, changeNotifier } from "./change-notifier.ts";
import { type Leases, leases } from "./leases.ts";
import { type Turns, turns } from "./turns.ts";

/** How patient the service is, and what it takes. Times are in milliseconds. */
export interface TrainingPolicy {
  /** A worker that was not heard of for so long is lost. 30,000. */
  readonly leaseMs: number;
  /** How often a worker should be heard of. 10,000. */
  readonly heartbeatMs: number;
  /** How often a job is run before it fails. 3. */
  readonly maxAttempts: number;
  /** How long a job may wait for its first worker. 24 hours. */
  readonly maxQueueMs: number;
  /** How long a job may take from then on. 24 hours. */
  readonly maxRunMs: number;
  /** How long the answer to a request with an idempotency key is remembered. 24 hours. */
  readonly replyMs: number;
  /** The most training data that one job may have, in bytes. 256 MiB. */
  readonly maxDataBytes: number;
  /** Whether models can be made from this base model. Any by default. */
  readonly servesBaseModel: (baseModel: string) => boolean;
  /** The base models that a refusal of another names. None by default. */
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

/** What a training service is made of. */
export interface TrainingServiceParts {
  /** Where models, checkpoints and jobs are kept. */
  readonly store: TrainingStore;
  /** Where the bytes of checkpoints and training data are kept. */
  readonly artifacts: ArtifactStore;
  /** What addresses of training data resolve to. */
  readonly data: TrainingData;
  /** Where time comes from. */
  readonly clock: Clock;
  /** Where identifiers come from. */
  readonly ids: Ids;
  /** Called often in long work: a promise to wait for while other work runs, or nothing when it is too early for that. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
  /** What differs from `defaultPolicy`. */
  readonly policy?: Partial<TrainingPolicy>;
}

/** The ports of a service, its policy, and what this process knows of its workers. */
export interface TrainingContext extends Omit<TrainingServiceParts, "policy"> {
  /** How patient the service is, and what it takes. */
  readonly policy: TrainingPolicy;
  /** When workers were last heard of. */
  readonly leases: Leases;
  /** Notified when something was written. */
  readonly changes: ChangeNotifier;
  /** Commands to one job, by its id, one after another. */
  readonly turns: Turns;
}

/** The context of a service over `ports`. */
export function trainingContext({ policy: given, ...ports }: TrainingServiceParts): TrainingContext {
  const policy = { ...defaultPolicy, ...given };
  return {
    ...ports,
    policy,
    leases: leases(ports.clock, policy.leaseMs / 2),
    changes: changeNotifier(ports.clock),
    turns: turns(),
  };
}
