// JobEvent: something that happened to a job. Events are only ever added; a job is the fold of its events.

import type { Json } from "@assay/base";
import type { JobOrigin } from "./job.ts";
import type { ArtifactFile, Metrics } from "./worker-message.ts";

/** A fact with its details. */
export type JobFact =
  | { readonly type: "submitted"; readonly data: JobOrigin }
  | {
      readonly type: "claimed";
      readonly data: {
        readonly worker: string;
        readonly attempt: number;
        readonly parent: { readonly step: number; readonly files: readonly ArtifactFile[] };
      };
    }
  | {
      readonly type: "training_started";
      readonly data: { readonly num_sequences: number; readonly resumable: boolean };
    }
  | { readonly type: "resumed"; readonly data: Readonly<Record<string, never>> }
  | { readonly type: "gradient_step"; readonly data: Metrics }
  | {
      readonly type: "warning";
      readonly data: { readonly code: string; readonly message: string; readonly count: number };
    }
  | {
      readonly type: "trained";
      readonly data: { readonly files: readonly ArtifactFile[]; readonly metrics: Metrics };
    }
  | {
      readonly type: "training_ended";
      readonly data: { readonly checkpoint_id: string; readonly step: number };
    }
  | {
      readonly type: "requeued";
      readonly data: {
        readonly code: string;
        readonly error_message: string;
        /** Whether the worker was told to stop. The job then gets one more attempt. */
        readonly planned?: true;
      };
    }
  | { readonly type: "cancel_requested"; readonly data: Readonly<Record<string, never>> }
  | {
      readonly type: "training_failed";
      readonly data: { readonly code: string; readonly error_message: string };
    };

/** The kinds of events. */
export type JobEventType = JobFact["type"];

/** A fact about a job. */
export type JobEvent = JobFact & {
  /** UUID. */
  readonly id: string;
  readonly jobId: string;
  /** 1 for a job's first event, then one more for each. */
  readonly seq: number;
  /** Milliseconds since 1970, never less than those of the event before. */
  readonly at: number;
};

/** The kinds that clients always receive; the others are only sent to clients that request all. */
export const PUBLIC_EVENT_TYPES: readonly JobEventType[] = [
  "training_started",
  "gradient_step",
  "training_ended",
  "training_failed",
];

/** An event as clients see it. */
export interface PublicEvent {
  /** UUID; also the cursor for the events after it. */
  readonly id: string;
  /** The kind of event. */
  readonly type: JobEventType;
  /** Its details; for a `gradient_step`, only its metrics. */
  readonly data: Readonly<Record<string, Json>>;
}

/** An event as clients see it, without files and workers. */
export function publicEvent(event: JobEvent): PublicEvent {
  const { id, type } = event;
  switch (event.type) {
    case "submitted":
      return { id, type, data: { number: event.data.number, trainable: event.data.trainable } };
    case "claimed":
      return { id, type, data: { attempt: event.data.attempt, parent_step: event.data.parent.step } };
    case "training_started":
      return { id, type, data: { num_sequences: event.data.num_sequences } };
    case "trained":
      return { id, type, data: { metrics: event.data.metrics } };
    default:
      return { id, type, data: event.data };
  }
}
