// Long work shares a thread with other requests: after some milliseconds it yields.

import { nextTurn } from "./next-turn.ts";

declare const performance: { now(): number };

// Well below what a person or a health check notices, and long enough that pausing costs nothing.
const SLICE_MS = 10;

/** Makes a function to call often: a promise to wait for when it is time to let others run, and nothing otherwise. */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now();
  const others = async (): Promise<void> => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since < SLICE_MS ? undefined : others());
}
