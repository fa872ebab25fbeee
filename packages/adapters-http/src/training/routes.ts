// What every group of handlers of the training face is made of.

import type { TrainingService } from "@assay/training-core";
import type { NumberRange } from "../number-range.ts";
import type { Act, BodyRules } from "./asking.ts";

/** How long a request may wait for events or for work, in seconds. */
export const WAIT: NumberRange = { least: 0, most: 55, absent: 0, whole: false };

/** What handlers answer with. */
export interface Parts {
  readonly training: TrainingService;
  /** How bodies are read that hold trajectories or what workers report. */
  readonly bodies: BodyRules;
  /** How all others are read: some names and settings. */
  readonly smallBodies: BodyRules;
  /** Aborted when the client no longer waits for the answer. */
  readonly gone: (request: Request) => AbortSignal;
}

/** What answers operations, by their ids, to those who may ask. */
export interface Acts {
  readonly [id: string]: Act | undefined;
}
