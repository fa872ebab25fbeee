// Long work shares a thread with other requests: after some milliseconds it yields.

import { afterEvents, nextTurn } from "./next-turn.ts";

declare const performance: { now(): number };

// Too short to be noticed by a person or a health check, and long enough that pauses cost nothing.
const SLICE_MS = 5;

/** When the first work since pending events were handled began; undefined if none has. */
let began: number | undefined;

function sinceEvents(): number {
  if (began === undefined) {
    began = performance.now();
    afterEvents(() => {
      began = undefined;
    });
  }
  return performance.now() - began;
}

/**
 * Creates a function to call often: it returns a promise to await when it is time to let other work run, otherwise
 * undefined. All work between two looks at pending events shares one slice of time.
 */
export function timeSlice(): () => Promise<void> | undefined {
  sinceEvents();
  return () => (sinceEvents() < SLICE_MS ? undefined : nextTurn());
}
