// A notice for a user waiting at a terminal.

import { say, type World } from "./world.ts";

/** Milliseconds after which users wonder whether anything is happening. */
const SLOW = 1500;

/** Waits for `work`, and explains on a terminal why it takes long if it does. */
export async function withNotice<T>(world: World, work: Promise<T>): Promise<T> {
  if (world.stderr.columns === undefined || world.quiet === true) return work;
  const timer = setTimeout(
    () => say(world, "assay: reading these evaluations for the first time; the next query will be fast"),
    SLOW,
  );
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
