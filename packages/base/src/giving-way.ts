// Long work shares a thread with other requests: after some milliseconds it yields.

import { nextTurn } from "./next-turn.ts";

declare const performance: { now(): number };

// Too short to be noticed by a person or a health check, and long enough that pauses cost nothing.
const SLICE_MS = 10;

/**
 * Creates a function to call often: it returns a promise to await when it is time to let other work run, otherwise
 * undefined.
 */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now();
  const others = async (): Promise<void> => {
    await nextTurn();
    since = performance.now();
  };
  return () => (performance.now() - since < SLICE_MS ? undefined : others());
}
