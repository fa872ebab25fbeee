// Reading many lines goes on for long on the thread that answers everybody: after some milliseconds others run.

import { setImmediate } from "node:timers/promises";

const SLICE_MS = 10;

/** Makes a function to call often: a promise to wait for when it is time to let others run, and nothing otherwise. */
export function givingWay(): () => Promise<void> | undefined {
  let since = performance.now();
  const others = async (): Promise<void> => {
    await setImmediate();
    since = performance.now();
  };
  return () => (performance.now() - since < SLICE_MS ? undefined : others());
}
