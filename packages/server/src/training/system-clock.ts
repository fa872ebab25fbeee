// The time of this machine, and unique identifiers.

import { randomUUID } from "node:crypto";
import type { Clock, Ids } from "@assay/training-core";

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

/** Random UUIDs. */
export const randomIds: Ids = { next: () => randomUUID() };
