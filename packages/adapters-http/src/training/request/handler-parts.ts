// Shared parts of the training handlers.

import type { TrainingService } from "@assay/training-core";
import type { NumberRange } from "../../request/number-range.ts";
import type { AuthenticatedAnswer, BodyRules } from "./authorize.ts";

/** The longest wait of a request for events or for work, in seconds. */
export const WAIT: NumberRange = { least: 0, most: 55, absent: 0, whole: false };

/** The dependencies of handlers. */
export interface Parts {
  readonly training: TrainingService;
  /** How to read bodies with trajectories or reports of workers. */
  readonly bodies: BodyRules;
  /** How to read all other bodies, with names and settings. */
  readonly smallBodies: BodyRules;
  /** Aborts when the client no longer waits for the answer. Abort it once there is an answer. */
  readonly gone: (request: Request) => AbortController;
}

/** The result of `work`, which gives up when `gone` aborts. */
export async function unlessGone<T>(
  gone: AbortController,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await work(gone.signal);
  } finally {
    gone.abort();
  }
}

/** The handlers of operations for authorised callers, by operation ID. */
export interface Acts {
  readonly [id: string]: AuthenticatedAnswer | undefined;
}
