// What every group of routes of the training face is made of.

import type { TrainingService } from "@assay/training-core";
import type { Act, BodyRules } from "./asking.ts";

/** The longest that a request may wait for events or for work, in seconds. */
export const LONGEST_WAIT = 55;

/** Where routes are added, and what they answer with. */
export interface Routes {
  readonly training: TrainingService;
  /** Adds a route for those who may ask. */
  readonly on: (method: "GET" | "POST" | "DELETE" | "PUT", path: string, act: Act) => void;
  /** How bodies are read that hold trajectories or what workers report. */
  readonly bodies: BodyRules;
  /** How all others are read: some names and settings. */
  readonly smallBodies: BodyRules;
  /** Aborted when nobody waits for the answer to a request any more. */
  readonly gone: (request: Request) => AbortSignal;
}
